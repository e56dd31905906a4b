"""A repeated paper as text: published numbers above those measured, then claims with verdicts."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from math import isfinite
from pathlib import Path

from attrs import frozen
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from msgauge import units
from msgauge.papers.claim_forecast import ClaimForecast, tell_command, tell_outlook
from msgauge.papers.claims import JudgedClaim, tell_evidence
from msgauge.papers.qualitative_tables import FilledTable
from msgauge.papers.result import PaperResult
from msgauge.papers.tables import RedrawnTable, Value, describe_accuracy
from msgauge.report.terminal.aligned_columns import GridRow, grid
from msgauge.report.terminal.console import make_console

MARKS = {"holds": "+", "does not hold": "-", "undecided": "?", "answered": ">"}
OVERSUBSCRIBED = "o: oversubscribed; the number depends on how the library waits."
HERE = "this computer"
"""What numbers of a run on hosts are called that were measured on the present computer alone."""
_ANSWERS = 8
"""Cases of a question that the terminal shows; the page has all."""
_INDENT = (0, 0, 0, 4)


def count_verdicts(found: PaperResult) -> str:
    """``3 hold, 1 does not hold, 2 undecided``."""
    holds, fails, open_ones = map(found.count, ("holds", "does not hold", "undecided"))
    return (
        f"{holds} {'holds' if holds == 1 else 'hold'}, {fails} {'does' if fails == 1 else 'do'} not hold, "
        f"{open_ones} undecided"
    )


@frozen
class Band:
    """One line of a table: the row's label on its first line only, whose numbers they are, and a text a column."""

    label: str
    whose: str
    texts: tuple[str, ...]
    kind: str = ""
    """published, across, measured or simulated; ``whose`` says it in the words of the run."""


def print_paper(found: PaperResult, path: Path) -> None:
    """Print a paper's result to standard output."""
    console = make_console()
    console.print(Text(found.title, style="bold"))
    console.print(Text(found.source))
    if found.network:
        console.print(Text(describe_places(found)))
    for one in found.missing:
        console.print(Text(f"missing from this run: {one}"))
    if found.left_out:
        console.print(Text(f"left out by --systems: {', '.join(found.left_out)}"))
    for table in found.tables:
        _show_table(console, table, found)
    for words in found.qualitative_tables:
        _show_words(console, words)
    console.print(Text(f"\nClaims: {count_verdicts(found)}", style="bold"))
    if not_asked := found.describe_not_asked():
        console.print(Text(not_asked))
    for claim in found.statements:
        console.print(Text(f"{MARKS[claim.verdict]} {tell_verdict(claim)}: {claim.text}{_where(claim)}"))
        console.print(Padding(Text(claim.reason), _INDENT))
        _show_forecast(console, claim.forecast, path)
        if beside := tell_beside(claim):
            console.print(Padding(Text(beside), _INDENT))
    if found.questions:
        console.print(Text("\nOpen questions of the paper", style="bold"))
    for claim in found.questions:
        _show_answer(console, claim)
    for note in found.notes:
        console.print(Text(f"note: {note}"))
    console.print(Text(f"\npage: {path / 'report.html'}"))


def _show_forecast(console: Console, found: ClaimForecast | None, path: Path) -> None:
    """What would decide a claim; the command has a line of its own, which is never broken nor cut."""
    sentence, command = tell_outlook(found), tell_command(found, shlex.quote(str(path)))
    if sentence:
        console.print(Padding(Text(f"{sentence}:" if command else sentence), _INDENT))
    if command:
        console.print(Text(f"    {command}"), soft_wrap=True)


def describe_places(found: PaperResult) -> str:
    """What the lines of tables in a run on hosts are of."""
    real = f"{found.across}: across hosts, {found.network}"
    return f"{real}; {HERE}: what the same stacks do here, without hosts. Claims are judged where the hosts are."


def tell_verdict(claim: JudgedClaim) -> str:
    """``holds (emulated)``: the verdict, and where it was judged if not on this computer."""
    return f"{claim.verdict} ({claim.place})" if claim.place else claim.verdict


def tell_beside(claim: JudgedClaim) -> str:
    """What this computer alone says of a claim that was judged elsewhere; '' where it was judged here."""
    return f"{HERE}: {claim.verdict_here}; {claim.reason_here}" if claim.place else ""


def _show_table(console: Console, table: RedrawnTable, found: PaperResult) -> None:
    if lacks := describe_missing_systems(table, found):
        console.print(Text(f"\n{table.title}", style="bold"))
        console.print(Text(lacks))
        return
    lines = list(bands(table, found.across))
    _print_grid(console, table.title, [column.name for column in table.columns], _rows(lines))
    for note in table_notes(table, found):
        console.print(Text(note))


def table_notes(table: RedrawnTable, found: PaperResult) -> list[str]:
    """How near our numbers come to the published ones, the note of the document, what marks mean."""
    notes = [
        describe_accuracy(table.accuracy) if table.accuracy else "",
        describe_accuracy(table.across_accuracy, found.across.capitalize(), "values") if table.across_accuracy else "",
        table.note,
        OVERSUBSCRIBED if is_oversubscribed(table) else "",
    ]
    return [note for note in notes if note]


def _rows(lines: Sequence[Band]) -> list[GridRow]:
    """One line a row where nothing but today's numbers stand; else the label above its lines."""
    if all(line.label for line in lines):
        return [GridRow(line.label, line.texts) for line in lines]
    labelled = [([GridRow(line.label)] if line.label else [], line) for line in lines]
    return [row for label, line in labelled for row in (*label, GridRow(f"  {line.whose}", line.texts))]


def _print_grid(console: Console, title: str, columns: Sequence[str], rows: Sequence[GridRow]) -> None:
    console.print(Text(f"\n{title}", style="bold"))
    for line in grid(columns, rows, console.width):
        console.print(Text(line), soft_wrap=True)


def bands(table: RedrawnTable, across: str = "") -> Iterator[Band]:
    """For each row its published, today's and simulated numbers, as far as there are any.

    ``across``: what numbers across the hosts of the run are called; those of this computer are then told from them.
    """
    for label, unit, row in zip(table.labels, table.units, table.values, strict=True):
        title = f"{label}, {unit.replace('us', 'µs')}"
        kinds = (
            ("published", "published", tuple(_exact(place.published) for place in row)),
            ("across", across, tuple(_join(place.across) for place in row)),
            ("simulated", "simulated", tuple(_join(place.simulated) for place in row)),
            ("measured", HERE if across else "measured", tuple(_join(place.measured) for place in row)),
        )
        for kind, whose, texts in kinds if across else (*kinds[:2], kinds[3], kinds[2]):
            if set(texts) != {"–"}:
                yield Band(title, whose, texts, kind)
                title = ""


def describe_missing_systems(table: RedrawnTable, found: PaperResult) -> str:
    """Why a table has no number of this run, naming the systems that were to give it; empty where it has one."""
    if any(line.kind != "published" for line in bands(table, found.across)):
        return ""
    here = {name for role, specs in found.systems for name in (role, *specs)}
    roles = dict.fromkeys(role for column in table.columns for role in (column.system, column.simulated) if role)
    absent = [role for role in roles if role not in here | {*found.left_out}]
    silent = [role for role in roles if role in here]
    reasons = [
        f"{', '.join(names)} {be if len(names) == 1 else are}"
        for names, be, are in (
            ([role for role in roles if role in found.left_out], "was left out", "were left out"),
            (absent, "was not run", "were not run"),
            (silent, "measured none of its rows", "measured none of its rows"),
        )
        if names
    ]
    return f"No results for this table: {'; '.join(reasons)}."


def _exact(published: float) -> str:
    """As the document prints it."""
    return f"{published:.10g}" if isfinite(published) else "–"


def is_oversubscribed(table: RedrawnTable) -> bool:
    """Whether any number of a table is of more processes than cores."""
    known = (value for row in table.values for one in row for _, value in (*one.measured, *one.across))
    return any(value.oversubscribed for value in known)


def number(value: Value) -> str:
    """Three digits, with an ``o`` where there were more processes than cores."""
    return units.three_digits(value.value) + (" o" if value.oversubscribed else "")


def _join(values: Sequence[tuple[str, Value]]) -> str:
    return ", ".join(number(value) for _, value in values) or "–"


def _show_words(console: Console, table: FilledTable) -> None:
    """The document's words and today's, one line each: they are too long for columns."""
    console.print(Text(f"\n{table.title}", style="bold"))
    for label, row in zip(table.labels, table.values, strict=True):
        console.print(Text(label))
        for name, (published, today) in zip(table.columns, row, strict=True):
            console.print(Padding(Text(f"{name}: published {published or '–'}; today {today or '–'}"), _INDENT))
    if table.note:
        console.print(Text(table.note))


def _show_answer(console: Console, claim: JudgedClaim) -> None:
    console.print(Text(f"{MARKS[claim.verdict]} {claim.text}{_where(claim)}"))
    if len(claim.evidence) < 2:
        console.print(Padding(Text(claim.reason), _INDENT))
        return
    for one in claim.evidence[:_ANSWERS]:
        console.print(Padding(Text(tell_evidence(one)), _INDENT))
    if len(claim.evidence) > _ANSWERS:
        console.print(Padding(Text(f"... {len(claim.evidence) - _ANSWERS} more cases on the page."), _INDENT))
    if claim.unmeasured:
        console.print(Padding(Text(f"not measured: {'; '.join(claim.unmeasured)}"), _INDENT))


def _where(claim: JudgedClaim) -> str:
    return f" [{claim.where}]" if claim.where else ""
