"""What Octave writes that says nothing of a run."""

from __future__ import annotations

OCTAVE_NOISE = ("error: ignoring const execution_exception& while preparing to exit",)
"""Lines on standard error of an interpreter that ends while an error is still on its way."""
