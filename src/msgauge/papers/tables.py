"""The tables of a paper with published, measured and simulated numbers, and how near these come to the published ones.

A column of a table names the system the document measured, the stacks that stand for it today, and, where there is
one, the simulated system of its time. Simulated numbers, and those across hosts that stand for the network of the
document, are compared with published ones as absolute values; what was measured on this computer alone is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import isfinite, nan
from statistics import median
from typing import Literal

import numpy as np
from attrs import evolve, frozen

from msgauge.analysis.estimates.observations import Observation, find_paces
from msgauge.analysis.verdicts.clock_steps import reach_further
from msgauge.papers.number_selection import Case, Pick, Rounds, find, find_half_step, select_rounds
from msgauge.stats.dependence import STEADY, Pace
from msgauge.stats.location import Location
from msgauge.units import format_count, format_ratio

Form = Literal["time", "rate"]
Statistic = Literal["median", "minimum", "mean", "maximum"]
Systems = Mapping[str, Sequence[str]]
FACTORS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9, "B/s": 1.0, "kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9}
"""ns in a unit of time, bytes per second in a unit of bandwidth."""
TIED = 0.05
"""Published values nearer than this have no order."""


@frozen
class Column:
    """One system of a table: the document's name, the role of today's stacks, and that of the simulated ones."""

    name: str
    system: str = ""
    simulated: str = ""


@frozen
class Row:
    """One quantity of a table; ``published`` has a value for each column, nan where the document has none."""

    label: str
    pick: Pick
    form: Form = "time"
    unit: str = "us"
    statistic: Statistic = "median"
    published: tuple[float, ...] = ()
    calibration: tuple[int, ...] = ()
    """Columns, from 1, whose published number of this row was used to calibrate the simulated system: no evidence."""


@frozen
class Table:
    """A table of the document, or what stands for one of its figures."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: str = ""


@frozen
class Value:
    """A number in the unit of its row, with a 95 % interval where it has one."""

    value: float = nan
    low: float = nan
    high: float = nan
    oversubscribed: bool = False
    """More processes than cores."""

    @property
    def known(self) -> bool:
        return isfinite(self.value)


@frozen
class ComparedValue:
    """One value of a table: published, measured by stack, simulated by stack."""

    published: float
    calibration: bool = False
    measured: tuple[tuple[str, Value], ...] = ()
    """On this computer."""
    across: tuple[tuple[str, Value], ...] = ()
    """Across the hosts of the run."""
    simulated: tuple[tuple[str, Value], ...] = ()


@frozen
class RedrawnTable:
    """A table with all three kinds of numbers; ``values``: one tuple a row, in the order of the columns."""

    title: str
    columns: tuple[Column, ...]
    labels: tuple[str, ...]
    units: tuple[str, ...]
    values: tuple[tuple[ComparedValue, ...], ...]
    note: str = ""
    accuracy: Accuracy | None = None
    """Of the simulated numbers."""
    across_accuracy: Accuracy | None = None
    """Of those across hosts."""


@frozen
class Accuracy:
    """Our numbers over published ones, for all values that have both and were not used for calibration."""

    calibration_values: int
    """Values whose published number was used to calibrate the simulated system."""
    values: int
    median_factor: float
    """Median factor, ours over published or its inverse, whichever is above one."""
    largest_factor: float
    largest_at: str
    pairs: int
    """Pairs of systems in one row, and across hosts of rows of one system, whose published values differ by more than
    5 %."""
    pairs_in_order: int
    """Of these, pairs that ours put in the same order."""
    calibration_factor: float = 1.0
    """The largest factor between a simulated number and the published one that it was calibrated with."""


def redraw(
    table: Table, observed: Iterable[Observation], systems: Systems, across: Systems | None = None
) -> RedrawnTable:
    """Fill a table from what was measured; ``systems``: the stacks of each role here, ``across``: those on hosts."""
    known, away = tuple(observed), across or {}
    paces = find_paces(known)
    places = tuple(
        tuple(
            ComparedValue(
                row.published[index] if index < len(row.published) else nan,
                index + 1 in row.calibration,
                values(row, known, systems.get(column.system, ()), paces),
                values(row, known, away.get(column.system, ()), paces),
                values(row, known, systems.get(column.simulated, ()), paces),
            )
            for index, column in enumerate(table.columns)
        )
        for row in table.rows
    )
    drawn = RedrawnTable(
        table.title,
        table.columns,
        tuple(row.label for row in table.rows),
        tuple(row.unit for row in table.rows),
        places,
        table.note,
    )
    return evolve(drawn, accuracy=simulation_accuracy(drawn), across_accuracy=across_accuracy(drawn))


def simulation_accuracy(table: RedrawnTable) -> Accuracy | None:
    """Simulated against published; None where no value has both that was not used for calibration."""
    rows = [[_Both.of(one, one.simulated, one.calibration, at) for one, at in row] for row in _name_values(table)]
    pairs = [pair for row in rows for pair in combinations([one for one in row if one and not one.calibration], 2)]
    return _judge([one for row in rows for one in row if one], pairs)


def across_accuracy(table: RedrawnTable) -> Accuracy | None:
    """Across hosts against published; None where no value has both.

    One system is mostly all that a document has on a network, so that its rows are set against each other too.
    """
    rows = [[_Both.of(one, one.across, False, at) for one, at in row] for row in _name_values(table)]
    lines = [*rows, *(_of_one_unit(column, table.units) for column in zip(*rows, strict=True))]
    pairs = [pair for line in lines for pair in combinations([one for one in line if one], 2)]
    return _judge([one for row in rows for one in row if one], pairs)


@frozen
class _Both:
    """A published number and ours."""

    published: float
    mine: float
    calibration: bool
    at: str

    @classmethod
    def of(cls, one: ComparedValue, mine: Sequence[tuple[str, Value]], calibration: bool, at: str) -> _Both | None:
        value = mine[0][1].value if mine else nan
        both = isfinite(one.published) and isfinite(value)
        return cls(one.published, value, calibration, at) if both else None

    @property
    def factor(self) -> float:
        return _factor(self.published, self.mine)


def _name_values(table: RedrawnTable) -> list[list[tuple[ComparedValue, str]]]:
    """Every value of a table with what it is of, by row."""
    return [
        [(one, f"{column.name}, {label}") for one, column in zip(row, table.columns, strict=True)]
        for label, row in zip(table.labels, table.values, strict=True)
    ]


def _of_one_unit(column: Sequence[_Both | None], units: Sequence[str]) -> list[_Both | None]:
    """A column's values of the unit that most of its rows have; others have no order with them."""
    usual = max(set(units), key=units.count, default="")
    return [one for one, unit in zip(column, units, strict=True) if unit == usual]


def _judge(known: Sequence[_Both], pairs: Sequence[tuple[_Both, _Both]]) -> Accuracy | None:
    counted = sorted((one.factor, one.at) for one in known if not one.calibration)
    if not counted:
        return None
    ordered = [(a, b) for a, b in pairs if abs(a.published / b.published - 1) > TIED]
    returned = [one.factor for one in known if one.calibration]
    return Accuracy(
        calibration_values=len(returned),
        values=len(counted),
        median_factor=median(factor for factor, _ in counted),
        largest_factor=counted[-1][0],
        largest_at=counted[-1][1],
        pairs=len(ordered),
        pairs_in_order=sum((a.published > b.published) == (a.mine > b.mine) for a, b in ordered),
        calibration_factor=max(returned, default=1.0),
    )


def _factor(one: float, other: float) -> float:
    return max(one / other, other / one)


def describe_accuracy(found: Accuracy, ours: str = "Simulated", pairs: str = "systems") -> str:
    """``Simulated over published: within a factor of 1.80 for 20 values (median 1.20; largest: PVM, ping); ...``

    ``pairs``: what is in the published order.
    """
    largest, median = format_ratio(found.largest_factor), format_ratio(found.median_factor)
    parts = [
        f"{ours} over published: within a factor of {largest} for "
        f"{format_count(found.values, 'value')} (median {median}; largest: {found.largest_at})"
    ]
    if found.pairs:
        parts += [f"{found.pairs_in_order} of {format_count(found.pairs, 'pair')} of {pairs} in the published order"]
    if found.calibration_values:
        verbs = ("was", "is") if found.calibration_values == 1 else ("were", "are")
        parts += [
            f"{format_count(found.calibration_values, 'value')} {verbs[0]} used for calibration and {verbs[1]} "
            f"reproduced within a factor of {format_ratio(found.calibration_factor)}"
        ]
    return f"{'; '.join(parts)}."


def values(
    row: Row, observed: Sequence[Observation], specs: Sequence[str], paces: Mapping[str, Pace]
) -> tuple[tuple[str, Value], ...]:
    """What each stack that has it measured, by stack; ``paces`` by stack too."""
    found = []
    case = Case(row.pick.size_bytes or 0, row.pick.ranks or 2)
    for spec in specs:
        one = find(row.pick, observed, spec, 2)
        rounds = select_rounds(row.pick, case, observed, (spec,)).get(spec)
        if one is not None and rounds:
            place = _location(rounds, STEADY if row.pick.alone else paces[spec])
            half = find_half_step(row.pick, case, observed, spec)
            found.append((spec, value_of(row, one, reach_further(place, half))))
    return tuple(found)


def value_of(row: Row, one: Observation, place: Location) -> Value:
    """What was measured in the form and unit of the row; a rate turns the interval around. ``place``: as picked."""
    middle, low, high = (
        (place.median, place.low, place.high) if row.statistic == "median" else (_extreme(row, one), nan, nan)
    )
    factor = FACTORS[row.unit]
    if row.form == "time":
        return Value(middle / factor, low / factor, high / factor, one.oversubscribed)
    moved = one.size_bytes * 1e9 / factor
    low, high = (moved / high, moved / low) if low > 0 else (nan, nan)
    return Value(moved / middle, low, high, one.oversubscribed)


def _extreme(row: Row, one: Observation) -> float:
    known = {"minimum": one.minimum_ns, "mean": one.mean_ns, "maximum": one.maximum_ns}
    return row.pick.times * known[row.statistic]


def _location(rounds: Rounds, pace: Pace) -> Location:
    """Median over rounds with its interval, ns; a difference may be below zero and then has none."""
    values = np.array([rounds[number] for number in sorted(rounds)])
    if values.min() <= 0:
        return Location(float(np.median(values)), nan, nan, values.size)
    return pace.locate(values)
