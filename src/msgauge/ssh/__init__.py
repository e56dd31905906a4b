"""Hosts by ssh: one connection to each, what runs there, and what sessions use of them."""
