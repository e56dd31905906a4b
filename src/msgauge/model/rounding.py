"""Results rounded to the digits that every processor agrees on.

Libraries for linear algebra choose their loops by the processor, so sums end in other last digits elsewhere. Rounded, a
run's results are the same numbers, byte for byte, on whatever computer they are made.
"""

from __future__ import annotations

import math
from typing import Any, TypeVar

import attrs

DIGITS = 10
"""Significant decimal digits: far more than any measurement has, far fewer than a double carries."""

Value = TypeVar("Value")


def round_floats(value: Value) -> Value:
    """The same value with every float in it, at any depth of tuples and attrs classes, to ``DIGITS`` digits."""
    rounded: Any = value
    kind: Any = type(value)
    if isinstance(value, float):
        rounded = float(f"{value:.{DIGITS}g}") if math.isfinite(value) else value
    elif isinstance(value, tuple):
        rounded = tuple(round_floats(item) for item in value)
    elif attrs.has(kind):
        parts = {field.alias: getattr(value, field.name) for field in attrs.fields(kind) if field.init}
        rounded = kind(**{name: round_floats(part) for name, part in parts.items()})
    return rounded  # type: ignore[no-any-return]
