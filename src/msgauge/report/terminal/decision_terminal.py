"""The decision on a terminal: the table of the stacks, what to use when. At 60 columns as at 200."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from attrs import evolve
from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from msgauge.model import Summary
from msgauge.report.decision_table import (
    STANDINGS,
    DecisionCell,
    DecisionRow,
    explain_numbers,
    list_headings,
    list_rows,
)
from msgauge.report.phrasing import fill_lines, plain
from msgauge.report.terminal.aligned_columns import GAP, split_columns
from msgauge.report.terminal.console import UNWRAPPED

Headings = Sequence[tuple[list[str], list[str]]]
"""Title of each column and what it is measured by, in lines."""
Texts = Sequence[Sequence[str]]
"""A text for each row and column."""
_STYLES = {"fastest": "bold green", "may be fastest": "green"}
_LONGEST_NAME = 16
_LONGEST_PART = 24
_HEADING = 13


def print_decision(summary: Summary, width: int, level: float = 0.95) -> Iterator[RenderableType]:
    """The table, and below it the lines of advice; cells take two lines where one does not fit."""
    rows = [evolve(row, stack="\n".join(fold_name(row.stack, longest_name(width)))) for row in list_rows(summary)]
    longest = longest_name(width, _HEADING)
    headings = [(_fold(title, longest), _fold(where, longest)) for title, where in list_headings(summary)]
    one_line = [[_write(cell, together=True) for cell in row.cells] for row in rows]
    fits = _total(rows, headings, one_line) <= width
    texts = one_line if fits else [[_write(cell, together=False) for cell in row.cells] for row in rows]
    for part in split_columns(_widths(headings, texts), width - _name_width(rows)):
        yield _table(rows, headings, texts, part)
    yield Text(explain_numbers(summary, level), style="dim")
    if summary.guidance:
        yield Text()
        yield Text("What to use when", style="bold")
        for line in summary.guidance:
            grid = Table.grid(padding=(0, 1, 0, 0))
            grid.add_row(Text(" •"), Text(plain(line)))
            yield grid
    yield Text()


def _write(cell: DecisionCell, *, together: bool) -> str:
    """``* 125 ns ±8%``, or the interval and a verdict on lines of their own; a mark stands for its word."""
    word = "" if cell.mark is not None and cell.word in STANDINGS else cell.word
    indent = "" if cell.mark is None else "  "
    parts = [f"{cell.mark or indent[1:]} {cell.number}".removeprefix("" if indent else " "), cell.interval, word]
    if together:
        return " ".join(part for part in parts if part)
    return "\n".join([parts[0], *(f"{indent}{part}" for part in parts[1:] if part)])


def _table(
    rows: Sequence[DecisionRow],
    headings: Headings,
    texts: Texts,
    part: Sequence[int],
) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, GAP - 1, 0, 0), show_edge=False, header_style="bold")
    lines = max(len(headings[index][0]) + len(headings[index][1]) for index in part)
    table.add_column(Text("\n" * (lines - 1) + "stack"), no_wrap=True, vertical="top")
    for title, where in (headings[index] for index in part):
        head = Text("\n" * (lines - len(title) - len(where)) + "\n".join(title))
        head.append("".join(f"\n{line}" for line in where), style="not bold dim")
        table.add_column(head, no_wrap=True, vertical="top")
    for row, cells in zip(rows, texts, strict=True):
        shown = [Text(cells[index], style=_STYLES.get(row.cells[index].word, "")) for index in part]
        table.add_row(Text(row.stack + "\nsimulated" * row.simulated), *shown)
    return table


def longest_name(width: int, on_a_screen: int = _LONGEST_NAME) -> int:
    """Letters of a name that stand in one line: all of them where nobody's window cuts, so that a search finds it."""
    return width if width >= UNWRAPPED else on_a_screen


def fold_name(name: str, longest: int) -> list[str]:
    """A stack's name in lines that break where its parts begin; no letter is left out. Up to ``longest`` it is one."""
    text = plain(name).replace("\n", " ")
    if len(text) <= longest:
        return [text]
    lines = fill_lines(re.split(r"(?=[@+\[/])|(?<=,)", text), longest)
    return [line[start : start + _LONGEST_PART] for line in lines for start in range(0, len(line), _LONGEST_PART)]


def _fold(text: str, longest: int) -> list[str]:
    """A heading in short lines: broken after commas, else between words; names above ``longest`` where parts begin."""
    lines = []
    for part in plain(text).split(", "):
        short = textwrap.wrap(part, _HEADING, break_long_words=False, break_on_hyphens=False)
        lines += [piece for line in short for piece in fold_name(line, longest)]
    return lines


def _total(rows: Sequence[DecisionRow], headings: Headings, texts: Texts) -> int:
    return _name_width(rows) + sum(one + GAP for one in _widths(headings, texts))


def _name_width(rows: Sequence[DecisionRow]) -> int:
    return max(
        len(line) for row in rows for line in (*row.stack.split("\n"), "simulated" if row.simulated else "stack")
    )


def _widths(headings: Headings, texts: Texts) -> list[int]:
    columns = [[*title, *where] for title, where in headings]
    for cells in texts:
        for lines, cell in zip(columns, cells, strict=True):
            lines.extend(cell.split("\n"))
    return [max(map(len, lines)) for lines in columns]
