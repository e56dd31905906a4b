"""A paper run again, as text: tables with published and own numbers side by side, then each claim with its verdict."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from msgauge import units
from msgauge.advise.paper_result import PaperResult
from msgauge.advise.published import Place, Redrawn, Value, said

MARKS = {"holds": "+", "does not hold": "-", "undecided": "?", "answered": ">"}


def show(found: PaperResult, path: Path) -> None:
    """Print a paper's result to standard output."""
    console = Console(highlight=False, soft_wrap=False)
    console.print(Text(found.title, style="bold"))
    console.print(Text(found.source))
    for one in found.missing:
        console.print(Text(f"missing: {one}"))
    for table in found.tables:
        console.print(_table(table))
        if table.closeness is not None:
            console.print(Text(said(table.closeness)))
        if table.note:
            console.print(Text(table.note))
    counts = ", ".join(f"{found.count(word)} {word}" for word in ("holds", "does not hold", "undecided"))
    console.print(Text(f"\nClaims: {counts}", style="bold"))
    for claim in (*found.claims, *found.questions):
        console.print(Text(f"{MARKS[claim.verdict]} {claim.verdict}: {claim.text} [{claim.where}]"))
        console.print(Text(f"    {claim.because}"))
    for note in found.notes:
        console.print(Text(f"note: {note}"))
    console.print(Text(f"\npage: {path / 'report.html'}"))


def _table(table: Redrawn) -> Table:
    """One row a quantity; in each place published | today | simulated."""
    drawn = Table(title=table.title, title_justify="left", caption="published | today | simulated", show_lines=True)
    drawn.add_column("")
    for column in table.columns:
        drawn.add_column(Text(column.name))
    for label, unit, row in zip(table.labels, table.units, table.places, strict=True):
        drawn.add_row(Text(f"{label}, {unit}"), *(Text(place_text(place)) for place in row))
    return drawn


def place_text(place: Place) -> str:
    """``263 | 9.1 (pvm@3.4.6) | 250``; a dash where there is no number."""
    ours = ", ".join(number(value) for _, value in place.ours) or "–"
    simulated = f" | {number(place.simulated[0][1])}" if place.simulated else ""
    return f"{units.three_digits(place.published)} | {ours}{simulated}"


def number(value: Value) -> str:
    """Three digits."""
    return units.three_digits(value.value)
