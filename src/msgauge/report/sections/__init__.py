"""PLUG-INS: one file = one section of the page, with ``order``, ``title``, ``applies(view)`` and ``render(view)``."""
