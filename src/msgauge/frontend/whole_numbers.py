"""Options that are whole numbers: what is none is refused, and not rounded to one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter, Token

from msgauge.errors import UsageError

_WHOLE = re.compile("[+-]?[0-9]{1,18}")
_LONGEST = 60
"""Letters."""


def read_whole(_: Any, tokens: Sequence[Token]) -> int:
    """The number that was typed.

    Raises:
        UsageError: anything else: 3.5, 1e3, digits of other alphabets, more digits than any count has.
    """
    (token,) = tokens
    if not _WHOLE.fullmatch(token.value):
        raise UsageError(
            f"{token.keyword} {shorten(token.value)!r} is no whole number",
            remedy=f"write for example {token.keyword} 10",
        )
    return int(token.value)


def shorten(text: str) -> str:
    """What was typed, as much of it as one wants to read again."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


Whole = Annotated[int, Parameter(converter=read_whole)]
MaybeWhole = Annotated[int | None, Parameter(converter=read_whole)]
"""None where nothing was typed."""
