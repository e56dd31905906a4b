"""Numbers in columns as plain lines, for tables whose row labels are long: a label stands on a line of its own.

A table wider than the terminal is continued below with the columns that are left.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from attrs import frozen

GAP = 2
_USUAL = 9
"""A heading is broken into lines of about so many characters."""


@frozen
class GridRow:
    """``label`` alone on its line when ``texts`` is empty; else the line's name and a text a column."""

    label: str
    texts: tuple[str, ...] = ()


def grid(columns: Sequence[str], rows: Sequence[GridRow], width: int) -> Iterator[str]:
    """The lines of a table, none wider than ``width`` where that can be."""
    first = max((len(row.label) for row in rows if row.texts), default=0)
    widths = [_width(name, [row.texts[i] for row in rows if row.texts]) for i, name in enumerate(columns)]
    for some in split_columns(widths, width - first):
        yield from _headings([columns[i] for i in some], [widths[i] for i in some], first)
        for row in rows:
            cells = "".join(" " * GAP + row.texts[i].rjust(widths[i]) for i in some) if row.texts else ""
            yield f"{row.label.ljust(first) if row.texts else row.label}{cells}"
        yield ""


def _width(heading: str, texts: Sequence[str]) -> int:
    return max(max(map(len, _break_heading(heading)), default=0), max(map(len, texts), default=0))


def _break_heading(heading: str) -> list[str]:
    return textwrap.wrap(heading, _USUAL, break_long_words=False)


def split_columns(widths: Sequence[int], room: int) -> Iterator[list[int]]:
    """Indexes of the columns that fit side by side with a gap before each, at least one at a time."""
    part: list[int] = []
    for index, width in enumerate(widths):
        if part and sum(widths[i] + GAP for i in part) + width + GAP > room:
            yield part
            part = []
        part.append(index)
    yield part


def _headings(names: Sequence[str], widths: Sequence[int], first: int) -> Iterator[str]:
    """Headings stand at the bottom, above a rule."""
    broken = [_break_heading(name) for name in names]
    deepest = max(map(len, broken), default=0)
    padded = [[""] * (deepest - len(lines)) + lines for lines in broken]
    for level in range(deepest):
        cells = (" " * GAP + lines[level].rjust(width) for lines, width in zip(padded, widths, strict=True))
        yield " " * first + "".join(cells)
    yield "─" * (first + sum(width + GAP for width in widths))
