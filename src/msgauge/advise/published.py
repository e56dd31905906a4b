"""The tables and figures of a document redrawn: its numbers beside ours, and how close the simulated ones come.

A column of a table names the system the document measured, the stacks that stand for it today, and, where there is
one, the simulated system of its time. Only simulated numbers are compared with published ones as absolute values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import isfinite, nan
from typing import Literal

import numpy as np
from attrs import evolve, frozen

from msgauge.advise.observed import Case, Observed, Pick, Rounds, find, picked
from msgauge.stats.location import locate

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
    put_in: tuple[int, ...] = ()
    """Columns, from 1, whose published number of this row went into the simulated system: they prove nothing."""


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
    crowded: bool = False
    """More processes than cores."""

    @property
    def known(self) -> bool:
        return isfinite(self.value)


@frozen
class Place:
    """One place of a redrawn table: published, ours by stack, simulated by stack."""

    published: float
    put_in: bool = False
    ours: tuple[tuple[str, Value], ...] = ()
    simulated: tuple[tuple[str, Value], ...] = ()


@frozen
class Redrawn:
    """A table with all three kinds of numbers; ``places``: one tuple a row, in the order of the columns."""

    title: str
    columns: tuple[Column, ...]
    labels: tuple[str, ...]
    units: tuple[str, ...]
    places: tuple[tuple[Place, ...], ...]
    note: str = ""
    closeness: Closeness | None = None


@frozen
class Closeness:
    """How the simulated numbers compare with the published ones, over all places that have both and were not put in."""

    given: int
    """Places whose published number was put into the simulated system."""
    places: int
    typical: float
    """Median factor, simulated over published or its inverse, whichever is above one."""
    worst: float
    worst_at: str
    pairs: int
    """Pairs of systems in one row whose published values differ by more than 5 %."""
    in_order: int
    """Of these, pairs that the simulation puts in the same order."""
    returned: float = 1.0
    """The factor by which a simulated number is farthest from the published one that was put in for it."""


def redraw(table: Table, observed: Iterable[Observed], systems: Systems) -> Redrawn:
    """Fill a table from what was measured; ``systems``: the stacks of each role."""
    known = tuple(observed)
    places = tuple(
        tuple(
            Place(
                row.published[index] if index < len(row.published) else nan,
                index + 1 in row.put_in,
                values(row, known, systems.get(column.system, ())),
                values(row, known, systems.get(column.simulated, ())),
            )
            for index, column in enumerate(table.columns)
        )
        for row in table.rows
    )
    drawn = Redrawn(
        table.title,
        table.columns,
        tuple(row.label for row in table.rows),
        tuple(row.unit for row in table.rows),
        places,
        table.note,
    )
    return evolve(drawn, closeness=closeness(drawn))


def closeness(table: Redrawn) -> Closeness | None:
    """Simulated against published; None where no place has both that was not put in."""
    factors: list[tuple[float, str]] = []
    returned: list[float] = []
    pairs = in_order = 0
    for label, row in zip(table.labels, table.places, strict=True):
        known = (place for place in row if place.put_in and isfinite(place.published) and isfinite(_simulated(place)))
        returned += [_factor(place.published, _simulated(place)) for place in known]
        named = [(place, column.name) for place, column in zip(row, table.columns, strict=True) if not place.put_in]
        both = [(place.published, _simulated(place), name) for place, name in named]
        both = [one for one in both if isfinite(one[0]) and isfinite(one[1])]
        factors += [(_factor(theirs, mine), f"{name}, {label}") for theirs, mine, name in both]
        for (a, mine_a, _), (b, mine_b, _) in combinations(both, 2):
            if abs(a / b - 1) > TIED:
                pairs += 1
                in_order += (a > b) == (mine_a > mine_b)
    if not factors:
        return None
    ordered = sorted(factors)
    return Closeness(
        given=len(returned),
        places=len(factors),
        typical=ordered[len(ordered) // 2][0],
        worst=ordered[-1][0],
        worst_at=ordered[-1][1],
        pairs=pairs,
        in_order=in_order,
        returned=max(returned, default=1.0),
    )


def _factor(one: float, other: float) -> float:
    return max(one / other, other / one)


def said(close: Closeness) -> str:
    """``At 20 places the simulated numbers are within a factor of 1.80 of the published ones (typically 1.20; ...``"""
    order = f"; {close.in_order} of {close.pairs} pairs of systems stand in the published order" if close.pairs else ""
    back = f"{close.given} published numbers were put into the simulated systems and come back within a factor of"
    given = f"{back} {close.returned:.2f}. At the other " if close.given else "At "
    return (
        f"{given}{close.places} places the simulated numbers are within a factor of {close.worst:.2f} of the published"
        f" ones (typically {close.typical:.2f}; farthest: {close.worst_at}){order}."
    )


def _simulated(place: Place) -> float:
    return place.simulated[0][1].value if place.simulated else nan


def values(row: Row, observed: Sequence[Observed], specs: Sequence[str]) -> tuple[tuple[str, Value], ...]:
    """What each stack that has it measured, by stack."""
    found = []
    for spec in specs:
        one = find(row.pick, observed, spec, 2)
        rounds = picked(row.pick, Case(row.pick.size_bytes or 0, row.pick.ranks or 2), observed, (spec,)).get(spec)
        if one is not None and rounds:
            found.append((spec, value_of(row, one, rounds)))
    return tuple(found)


def value_of(row: Row, one: Observed, rounds: Rounds) -> Value:
    """What was measured in the form and unit of the row; a rate turns the interval around. ``rounds``: as picked."""
    middle, low, high = _location(rounds) if row.statistic == "median" else (_extreme(row, one), nan, nan)
    factor = FACTORS[row.unit]
    if row.form == "time":
        return Value(middle / factor, low / factor, high / factor, one.oversubscribed)
    moved = one.size_bytes * 1e9 / factor
    return Value(moved / middle, moved / high, moved / low, one.oversubscribed)


def _extreme(row: Row, one: Observed) -> float:
    known = {"minimum": one.minimum_ns, "mean": one.mean_ns, "maximum": one.maximum_ns}
    return row.pick.times * known[row.statistic]


def _location(rounds: Rounds) -> tuple[float, float, float]:
    """Median over rounds with its interval, ns; a difference may be below zero and then has none."""
    values = np.array(list(rounds.values()))
    if values.min() <= 0:
        return float(np.median(values)), nan, nan
    where = locate(values)
    return where.median, where.low, where.high
