"""Which numbers a claim, a row of a table or a line of a figure speaks of, picked from all observations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import expm1, nan
from typing import TypeVar

from attrs import frozen

from msgauge.analysis.estimates.burst_traces import Trace
from msgauge.analysis.estimates.observations import Observation
from msgauge.model import Cell, Pairs
from msgauge.model.measured_way import name_way
from msgauge.model.starts import Starts
from msgauge.stats.error_bounds import bound_log

Rounds = Mapping[int, float]
"""Value by round: what two sides share is paired."""
Optioned = TypeVar("Optioned", Observation, Trace, Cell)
Placed = TypeVar("Placed", Observation, Cell)


@frozen
class Pick:
    """Which numbers a claim or a row of a table speaks of. What is left open (None) is that of the case judged.

    ``system`` is a role that the document gives a stack (``lam``), never a stack itself; "" stands for every system.
    """

    system: str = ""
    kernel: str = ""
    size_bytes: int | None = None
    ranks: int | None = None
    options: Pairs = ()
    series: str = ""
    """Empty: the series that is compared, the first one."""
    times: float = 1.0
    """Factor on the time, e.g. 2 where a kernel gives half round trips."""
    constant_ns: float = nan
    """A number of the document instead of a measurement."""
    alone: bool = False
    """Divide by the same on one rank, times the ranks: the inverse of the parallel efficiency."""
    less: tuple[Pick, ...] = ()
    """Subtracted, round by round: L is half a round trip less both overheads."""
    name: str = ""
    """What people call it, where its options would not tell them."""

    @property
    def is_constant(self) -> bool:
        return self.constant_ns == self.constant_ns

    def place(self, case: Case) -> Case:
        """Size and ranks that it means in a case."""
        return Case(
            case.size_bytes if self.size_bytes is None else self.size_bytes,
            case.ranks if self.ranks is None else self.ranks,
        )


@frozen
class Case:
    """One size on one number of ranks."""

    size_bytes: int
    ranks: int


def display_name(spec: str, role: str) -> str:
    """A stack by its name, or by its role in the document where its name is a list of parameters."""
    return role if role and "=" in spec else spec


def select_rounds(pick: Pick, case: Case, observed: Iterable[Observation], specs: Sequence[str]) -> dict[str, Rounds]:
    """The values by round of each stack among ``specs`` that has them, in the order of ``specs``; ns."""
    whole = tuple(observed)
    found = {spec: _values(pick, case, whole, spec) for spec in specs}
    return {spec: values for spec, values in found.items() if values}


def _values(pick: Pick, case: Case, observed: Sequence[Observation], spec: str) -> Rounds:
    """The values of one stack by round; none where anything that the pick needs was not measured."""
    place = pick.place(case)
    size, ranks = place.size_bytes, place.ranks
    mine = _best_match(observed, (spec, pick.kernel, size, ranks), pick)
    if mine is None:
        return {}
    values = {number: pick.times * value for number, value in zip(mine.rounds, mine.medians_ns, strict=True)}
    if pick.alone and ranks > 1:
        alone = _best_match(observed, (spec, pick.kernel, size, 1), pick)
        values = {} if alone is None else per_share(values, alone, ranks)
    for one in pick.less:
        taken = _values(one, Case(size, ranks), observed, spec)
        values = {number: value - taken[number] for number, value in values.items() if number in taken}
    return values


def find_half_step(pick: Pick, case: Case, observed: Iterable[Observation], spec: str) -> float:
    """By how much steps of the clock may have moved the values of ``select_rounds``: ns, or part of 1 of a share.

    inf where they may be anything; 0 of what was not measured.
    """
    whole, place = tuple(observed), pick.place(case)
    size, ranks = place.size_bytes, place.ranks
    mine = _best_match(whole, (spec, pick.kernel, size, ranks), pick)
    if mine is None:
        return 0.0
    half = pick.times * mine.half_step_ns
    alone = _best_match(whole, (spec, pick.kernel, size, 1), pick) if pick.alone and ranks > 1 else None
    if alone is not None:
        share = pick.times * mine.median_ns * ranks / alone.median_ns
        half = share * expm1(_doubt(mine) + _doubt(alone))
    return half + sum(find_half_step(one, Case(size, ranks), whole, spec) for one in pick.less)


def list_starts(pick: Pick, case: Case, observed: Sequence[Observation], spec: str) -> Iterator[Starts]:
    """How rounds of the values of ``select_rounds`` began, and of what is subtracted from them."""
    place = pick.place(case)
    mine = _best_match(observed, (spec, pick.kernel, place.size_bytes, place.ranks), pick)
    if mine is not None:
        yield dict(mine.starts)
        for one in pick.less:
            yield from list_starts(one, place, observed, spec)


def _doubt(one: Observation) -> float:
    return bound_log(one.half_step_ns, one.median_ns)


def find(pick: Pick, observed: Iterable[Observation], spec: str, ranks: int) -> Observation | None:
    """The one series that a fully stated pick means for a stack, or None where it was not measured."""
    return _best_match(tuple(observed), (spec, pick.kernel, pick.size_bytes or 0, pick.ranks or ranks), pick)


def _best_match(observed: Sequence[Observation], place: tuple[str, str, int, int], pick: Pick) -> Observation | None:
    there = (
        one
        for one in observed
        if (one.stack, one.kernel, one.size_bytes, one.ranks) == place
        and (not pick.series or one.series == pick.series)
    )
    return match_options(pick, there)


def match_options(pick: Pick, there: Iterable[Optioned]) -> Optioned | None:
    """What was measured with more options than the pick names fits too; the one with the fewest is taken.

    Of those that differ in mode or cache alone it is the one measured as usual, in batches with a warm cache.
    """
    fits = (one for one in there if set(pick.options) <= set(one.options))
    return min(fits, key=prefer, default=None)


def prefer(one: Optioned) -> tuple[int, int]:
    """What comes first of all that a pick fits: the fewest options, and measured as usual."""
    return len(one.options), len(name_way(one))


def list_needed(pick: Pick, case: Case, there: Sequence[Placed]) -> Iterator[Placed | None]:
    """Of what is planned or measured of one stack: what a pick means in a case, and what that is set against.

    None for each that is not there. A pick of bursts names no kernel.
    """
    place = pick.place(case)
    yield _find_placed(pick, place, there)
    if pick.alone and place.ranks > 1:
        yield _find_placed(pick, Case(place.size_bytes, 1), there)
    for one in pick.less:
        yield from list_needed(one, place, there)


def _find_placed(pick: Pick, place: Case, there: Sequence[Placed]) -> Placed | None:
    at = (place.size_bytes, place.ranks)
    same = (one for one in there if (one.size_bytes, one.ranks) == at and one.kernel == (pick.kernel or one.kernel))
    return match_options(pick, same)


def per_share(values: Rounds, alone: Observation, ranks: int) -> dict[int, float]:
    """Time on p ranks × p / time on one, of the same round: 1 where the work divides perfectly, 2 at one half."""
    single = dict(zip(alone.rounds, alone.medians_ns, strict=True))
    return {number: value * ranks / single[number] for number, value in values.items() if number in single}
