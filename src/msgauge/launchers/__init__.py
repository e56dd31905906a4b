"""Plug-in axis 3: one file is one way to other computers."""
