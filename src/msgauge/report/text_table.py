"""A table of texts under a heading, for terminal and page."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen
from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from msgauge.report.phrasing import plain

_NAMES = ("stack", "kernel")
"""Columns of names, which stand to the left."""


@frozen
class TextTable:
    """One table: its heading, the names of its columns, and its rows as text."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def make_open_table() -> Table:
    """An empty table with a rule below its headings and no other line, as all tables of a terminal and a pipe are."""
    return Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False)


def print_table(sheet: TextTable) -> Iterator[RenderableType]:
    """The heading and the table for a terminal."""
    yield Text(f"\n{plain(sheet.title)}", style="bold")
    table = make_open_table()
    for name in sheet.columns:
        table.add_column(Text(plain(name)), justify="left" if name in _NAMES else "right")
    for row in sheet.rows:
        table.add_row(*(Text(plain(word)) for word in row))
    yield table
