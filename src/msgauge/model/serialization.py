"""Model values to JSON and back. JSON has no NaN: it is written as null; null is read as NaN where a float stands."""

from __future__ import annotations

import json
import math
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar

import cattrs

from msgauge.errors import StoreError
from msgauge.model.analysis import FailureKind, StopReason
from msgauge.model.launch import LaunchStatus
from msgauge.model.plan import KernelKind, Pattern

Value = TypeVar("Value")


def to_plain(value: object) -> Any:
    """The value as dictionaries, lists, strings, numbers and None, ready for ``json``."""
    return _without_nan(_converter().unstructure(value))


def dumps(value: object) -> str:
    """The value as indented JSON text, strictly standard (no NaN), ended by a newline."""
    return json.dumps(to_plain(value), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def from_plain(plain: object, kind: type[Value], *, where: str) -> Value:
    """The value of a kind from what ``to_plain`` made of it; unknown keys are passed over.

    Raises:
        StoreError: listing every field that does not fit.
    """
    try:
        return _converter().structure(plain, kind)
    except (cattrs.errors.BaseValidationError, ValueError, TypeError, KeyError, OverflowError) as error:
        mistakes = _mistakes(error)
        raise StoreError(f"not a readable {kind.__name__}: {mistakes}", where=where, remedy=REMEDY) from error


_MOST = 2**63 - 1
"""What an array of whole numbers can hold, and what every number of a run fits into."""
REMEDY = "the file was damaged or edited; take it from a backup, or measure again"


def _mistakes(error: Exception) -> str:
    try:
        return "; ".join(cattrs.transform_error(error)[:5])
    except Exception:
        return str(error)


def _without_nan(plain: Any) -> Any:
    if isinstance(plain, float):
        return plain if math.isfinite(plain) else None
    if isinstance(plain, dict):
        return {str(name): _without_nan(item) for name, item in plain.items()}
    if isinstance(plain, list | tuple):
        return [_without_nan(item) for item in plain]
    return plain


@cache
def _converter() -> cattrs.Converter:
    converter = cattrs.Converter(detailed_validation=True)
    converter.register_structure_hook(float, _float)
    converter.register_structure_hook(int, _integer)
    converter.register_structure_hook(str, _text)
    converter.register_structure_hook(bool, _truth)
    # A StrEnum is a str, whose own hook would leave it one.
    for words in (FailureKind, KernelKind, LaunchStatus, Pattern, StopReason):
        converter.register_structure_hook(words, _word)
    return converter


def _float(plain: Any, _kind: type[float]) -> float:
    if plain is None:
        return math.nan
    if isinstance(plain, bool) or not isinstance(plain, int | float):
        raise TypeError(f"{plain!r} is not a number")
    if not math.isfinite(plain):
        raise ValueError(f"{plain!r} is not finite")
    return float(plain)


def _integer(plain: Any, _kind: type[int]) -> int:
    if isinstance(plain, bool) or not isinstance(plain, int):
        raise TypeError(f"{plain!r} is not a whole number")
    if not -_MOST <= plain <= _MOST:
        raise ValueError("a whole number is larger than any that is written")
    return plain


def _text(plain: Any, kind: type[str]) -> str:
    if not isinstance(plain, str):
        raise TypeError(f"{plain!r} is not text")
    return kind(plain)  # a word of an enumeration stays one


def _word(plain: Any, kind: type[StrEnum]) -> StrEnum:
    return kind(_text(plain, str))


def _truth(plain: Any, _kind: type[bool]) -> bool:
    if not isinstance(plain, bool):
        raise TypeError(f"{plain!r} is neither true nor false")
    return plain
