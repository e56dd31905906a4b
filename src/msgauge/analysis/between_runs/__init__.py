"""Runs against each other: two of them, or a history of many."""
