"""msgauge measures and compares message-passing systems."""

__version__ = "0.1.0"
