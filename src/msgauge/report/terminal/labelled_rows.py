"""Labelled rows of plain text, in columns as wide as what stands in them, and the sentences around them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

WIDTH = 100
_LONGEST_LABEL = 38
"""A longer one has a line of its own."""


def measure_columns(rows: Sequence[Sequence[str]]) -> list[int]:
    """How wide each column has to be; the first one holds labels."""
    labels, *columns = zip(*rows, strict=True)
    label = max(len(one) for one in labels if len(one) <= _LONGEST_LABEL)
    return [label, *(max(map(len, texts)) for texts in columns)]


def write_row(texts: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    """A line of the table; two where the label is wider than its column."""
    label, *others = texts
    if len(label) > widths[0]:
        yield label
        label = ""
    yield "  ".join(text.ljust(wide) for text, wide in zip((label, *others), widths, strict=True)).rstrip()


def wrap_text(text: str, width: int = WIDTH) -> list[str]:
    """Lines of at most so many columns; a word that is longer stays whole, so that it can be copied."""
    return textwrap.wrap(text, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
