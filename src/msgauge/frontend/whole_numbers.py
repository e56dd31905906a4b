"""Options that are whole numbers: what is none is refused, and not rounded to one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter, Token

from msgauge.errors import UsageError


def read_whole(_: Any, tokens: Sequence[Token]) -> int:
    """The number that was typed.

    Raises:
        UsageError: anything else, 3.5 too.
    """
    (token,) = tokens
    try:
        return int(token.value)
    except ValueError:
        raise UsageError(
            f"{token.keyword} {token.value!r} is no whole number", remedy=f"write for example {token.keyword} 10"
        ) from None


Whole = Annotated[int, Parameter(converter=read_whole)]
MaybeWhole = Annotated[int | None, Parameter(converter=read_whole)]
"""None where nothing was typed."""
