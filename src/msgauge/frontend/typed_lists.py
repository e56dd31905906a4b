"""Options that are lists with commas: a comma with nothing beside it is refused, and not passed over.

A variable that is not set leaves one (``--ranks 2,$MORE``): what was meant would not be measured, and nobody told.
"""

from __future__ import annotations

import re

from msgauge.errors import UsageError
from msgauge.model.stack_expression import split_list


def read_list(option: str, text: str) -> list[str]:
    """The words of a list, blanks around them left out; none where the option was left out.

    Raises:
        UsageError: blanks or commas alone, or a comma with nothing beside it.
    """
    words = split_list(text)
    if text and not words:
        raise UsageError(f"{option} {text!r} names nothing", remedy=f"write names, or leave out {option}")
    places = re.sub(r"\[[^\[\]]*\]", "[]", text).split(",") if words else []
    if not all(place.strip() for place in places):
        raise UsageError(
            f"{option} {text!r} has a comma with nothing beside it",
            remedy=f"write {','.join(words)!r}, or what is missing; is it a variable that is not set?",
        )
    return words
