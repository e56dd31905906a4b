"""Values of ``--json`` that several answers have: numbers, tests, comparisons, warnings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from msgauge.model import Cell, Comparison, Notice, Pairs


def describe_comparison(one: Comparison) -> dict[str, Any]:
    """One of two stacks in a test, or of two versions."""
    return {
        "base": one.base,
        "other": one.other,
        **name_place(one.kernel, one.size_bytes, one.ranks, one.options),
        **name_way(one),
        "cell": one.cell,
        "ratio": make_number(one.ratio),
        "ratio_low": make_number(one.ratio_low),
        "ratio_high": make_number(one.ratio_high),
        "verdict": one.verdict,
        "reason": one.reason,
        "p_value": make_number(one.p_value),
        "p_adjusted": make_number(one.p_adjusted),
        "rounds": one.rounds,
    }


def make_numbers(values: Mapping[str, Any]) -> dict[str, Any]:
    """The same values, null for those that are not finite."""
    return {name: make_number(value) if isinstance(value, float) else value for name, value in values.items()}


def name_way(one: Cell | Comparison) -> dict[str, str]:
    """How a test was measured: two of them may differ in nothing else."""
    return {"mode": one.mode, "cache": one.cache}


def name_place(kernel: str, size_bytes: int, ranks: int, options: Pairs) -> dict[str, Any]:
    """What a test is, beside the way it was measured."""
    return {"kernel": kernel, "size_bytes": size_bytes, "ranks": ranks, "options": dict(options)}


def make_warning(one: Notice) -> dict[str, Any]:
    """A warning with its evidence."""
    return {"code": one.code, "message": one.message, "remedy": one.remedy, "evidence": dict(one.evidence)}


def make_number(value: float) -> float | None:
    """null where it is not finite."""
    return value if math.isfinite(value) else None
