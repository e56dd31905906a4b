"""Tables of words (easy, poor, excellent): the document's own beside what can be counted or measured today."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite

from attrs import frozen

from msgauge.analysis.estimates.observations import Observation, find_paces
from msgauge.papers.tables import FACTORS, Column, Row, Systems, values
from msgauge.units import format_rate, format_time

Covered = Mapping[str, tuple[int, int]]
"""By stack: operations of its own, and operations there are."""


@frozen
class QualitativeRow:
    """One quality; ``published`` and ``stated`` have a text for each column, "" where there is none.

    Today's text is what ``row`` measures, the ``coverage`` of operations, or as stated where nothing can be measured.
    """

    label: str
    published: tuple[str, ...] = ()
    stated: tuple[str, ...] = ()
    row: Row | None = None
    coverage: bool = False


@frozen
class QualitativeTable:
    """A table of words; a column is a system, as in other tables."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[QualitativeRow, ...]
    note: str = ""


@frozen
class FilledTable:
    """A table of words with today's; ``places``: (published, today) of each row and column."""

    title: str
    columns: tuple[str, ...]
    labels: tuple[str, ...]
    values: tuple[tuple[tuple[str, str], ...], ...]
    note: str = ""


def fill_table(
    table: QualitativeTable, observed: Iterable[Observation], systems: Systems, covered: Covered
) -> FilledTable:
    """Fill a table of words from what was measured and counted."""
    known = tuple(observed)
    places = tuple(
        tuple(
            (_text(row.published, index), _today(row, index, known, systems.get(column.system, ()), covered))
            for index, column in enumerate(table.columns)
        )
        for row in table.rows
    )
    titles = tuple(column.name for column in table.columns)
    return FilledTable(table.title, titles, tuple(row.label for row in table.rows), places, table.note)


def _today(
    row: QualitativeRow, index: int, observed: Sequence[Observation], specs: Sequence[str], covered: Covered
) -> str:
    if not specs:
        return "not run"
    if row.coverage:
        return next((f"{own} of {every} operations" for own, every in (covered[s] for s in specs if s in covered)), "")
    if row.row is None:
        return _text(row.stated, index)
    found = values(row.row, observed, specs, find_paces(observed))
    return _number(row.row, found[0][1].value) if found else "not measured"


def _number(row: Row, value: float) -> str:
    if not isfinite(value):
        return "not measured"
    plain = value * FACTORS[row.unit]
    return format_time(plain) if row.form == "time" else format_rate(plain)


def _text(texts: tuple[str, ...], index: int) -> str:
    return texts[index] if index < len(texts) else ""
