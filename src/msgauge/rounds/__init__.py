"""The rounds of a run: what they are expected to take, and which cells each of them holds."""
