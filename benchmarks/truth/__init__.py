"""Proof of what msgauge claims: machines whose truth is known, and what the analysis says of them."""
