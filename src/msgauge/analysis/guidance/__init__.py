"""What to use when, and what to try next."""
