"""Emulated hosts on one computer: namespaces joined by a network of a given rate and latency."""
