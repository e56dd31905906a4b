"""Is this machine fit to be measured on: its facts, and the findings about them."""
