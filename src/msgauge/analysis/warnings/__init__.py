"""Limits of what a run shows, each with its remedy and its evidence."""
