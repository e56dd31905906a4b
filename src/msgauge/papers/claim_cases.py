"""The cases of a claim: each with its value in every round, from which an interval follows at any level.

Source: ``stats.ratio.interval_at`` for the interval.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import product
from math import exp, nan
from typing import Literal

import numpy as np
from attrs import evolve, frozen

from msgauge.analysis.estimates.observations import Observation, find_memory_factors, find_paces
from msgauge.model.starts import list_unlike
from msgauge.papers.claim_statement import Claim
from msgauge.papers.difference_ratios import DifferenceRatio, limit_difference
from msgauge.papers.number_selection import Case, Pick, Rounds, display_name, find_half_step, list_starts, select_rounds
from msgauge.stats.dependence import Pace
from msgauge.stats.error_bounds import bound_log, bound_ratio
from msgauge.stats.launch_ranges import estimate_range, limit_ranges
from msgauge.stats.ratio import limit_medians
from msgauge.stats.signed_rank import locate_centres
from msgauge.units import format_count, format_size

KINDS_OF_CASES = frozenset({"ratio", "difference", "spread"})
"""Of claims that consist of cases with an interval each."""


@frozen
class CasePlace:
    """Which case of a claim: its size and ranks, and its stacks: those set against each other, or the only one.

    Without stacks it is one that no stack measures.
    """

    case: Case
    stacks: tuple[str, ...]


@frozen(eq=False)
class RatioEstimate:
    """One case before the number of cases is known.

    ``values``: shape (rounds,), logarithms of ratios or of launches; ns where the unit says so. ``limits_of``: low and
    high at a level, of values of shape (..., rounds).
    """

    what: str
    value: float
    values: np.ndarray
    limits_of: Callable[[np.ndarray, float], tuple[np.ndarray, np.ndarray]]
    place: CasePlace
    unit: Literal["ratio", "ns"] = "ratio"
    differences: DifferenceRatio | None = None
    """Of a ratio whose sides may be zero or less, which it is judged by. Then ``values`` are those of the left, ns."""

    @property
    def rounds(self) -> int:
        """How many it rests on."""
        return self.values.size

    def limits(self, level: float) -> tuple[float, float]:
        """Its interval, which holds the value."""
        low, high = self.limits_of(self.values, level)
        return float(np.minimum(low, self.value)), float(np.maximum(high, self.value))


def find_cases(
    claim: Claim, observed: Sequence[Observation], systems: Mapping[str, Sequence[str]]
) -> list[RatioEstimate]:
    """Every case of a claim of kind ratio, difference or spread that was measured."""
    return (_find_spreads if claim.kind == "spread" else _find_ratios)(claim, observed, systems)


def _find_ratios(
    claim: Claim, observed: Sequence[Observation], systems: Mapping[str, Sequence[str]]
) -> list[RatioEstimate]:
    """Every stack of the left against every stack of the right, or a number, at every size and number of ranks.

    A simulated stack is set against simulated ones only. Rounds in which one side began behind a barrier and the other
    at an agreed time are left out; a case that has no others has no rounds.
    """
    if claim.right.is_constant:
        return _find_times(claim, observed, systems)
    found: list[_Pair] = []
    simulated = find_simulated(observed)
    for case in claim.cases:
        left = select_rounds(claim.left, case, observed, list_specs(claim.left, observed, systems))
        right = select_rounds(claim.right, case, observed, list_specs(claim.right, observed, systems))
        pairs = pair_stacks(claim, tuple(left), tuple(right), simulated)
        for a, b in pairs:
            starts = (*list_starts(claim.left, case, observed, a), *list_starts(claim.right, case, observed, b))
            one = _pair((a, left[a]), (b, right[b]), claim, case, list_unlike(*starts))
            found += [_add_half_steps(one, claim, case, observed)] if one else []
    alike = [one for one in found if one.left.size]
    apart = [RatioEstimate(one.what, nan, one.left, limit_medians, one.place) for one in found if not one.left.size]
    if claim.kind == "difference":
        return _find_differences(alike, observed) + apart
    if claim.left.less or claim.right.less:
        return _compare_differences(alike, observed) + apart
    factors = find_memory_factors(observed)
    factors_of = (max(factors[spec] for spec in one.place.stacks) for one in alike)
    ratios = [
        evolve(one.ratio, limits_of=partial(_limit_ratios, by)) for one, by in zip(alike, factors_of, strict=True)
    ]
    return [_allow_for_steps(one, pair.step_log) for one, pair in zip(ratios, alike, strict=True)] + apart


def pair_stacks(
    claim: Claim, left: Sequence[str], right: Sequence[str], simulated: Collection[str]
) -> list[tuple[str, str]]:
    """Each stack of the left with each of the right, or with itself where both sides are of one system."""
    same = claim.left.system == claim.right.system
    pairs = [(spec, spec) for spec in left if spec in right] if same else product(left, right)
    return [(a, b) for a, b in pairs if (a in simulated) == (b in simulated)]


def _find_times(
    claim: Claim, observed: Sequence[Observation], systems: Mapping[str, Sequence[str]]
) -> list[RatioEstimate]:
    """Every stack of the left against the number of the document, at every size and number of ranks."""
    pairs = _pair_with_number(claim, observed, systems)
    if claim.left.less:
        return _compare_differences(pairs, observed)
    paces, ratios = find_paces(observed), [one.ratio for one in pairs]
    shares = [one for one in ratios if claim.left.alone and claim.left.place(one.place.case).ranks > 1]
    together = Pace(tuple(one.values for one in shares))
    found = []
    for one, pair in zip(ratios, pairs, strict=True):
        pace = paces[one.place.stacks[0]]
        known = (pace, together) if one in shares else (pace,)
        found.append(_allow_for_steps(evolve(one, limits_of=partial(_limit_times, known)), pair.step_log))
    return found


def _pair_with_number(
    claim: Claim, observed: Sequence[Observation], systems: Mapping[str, Sequence[str]]
) -> list[_Pair]:
    """What each stack of the left has in every round, and the number of the document."""
    found = []
    for case in claim.cases:
        values = select_rounds(claim.left, case, observed, list_specs(claim.left, observed, systems))
        for spec, mine in values.items():
            left = np.array([mine[number] for number in sorted(mine)])
            half_steps = find_half_step(claim.left, case, observed, spec), 0.0
            right, place = np.full(left.size, claim.right.constant_ns), CasePlace(case, (spec,))
            found.append(_Pair(_name_with_number(spec, claim, case), place, left, right, half_steps))
    return found


def list_specs(pick: Pick, observed: Sequence[Observation], systems: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The stacks of a pick's system; of one that names none all that were measured, and never simulated ones."""
    if pick.system:
        return tuple(systems.get(pick.system, ()))
    simulated = find_simulated(observed)
    every = dict.fromkeys(spec for specs in systems.values() for spec in specs)
    return tuple(spec for spec in every if spec not in simulated)


def find_simulated(observed: Sequence[Observation]) -> frozenset[str]:
    """The stacks among those measured that are simulated."""
    return frozenset(one.stack for one in observed if one.simulated)


@frozen(eq=False)
class _Pair:
    """Both sides of a case, ns, in the rounds that they share, or one side and the number of the document."""

    what: str
    place: CasePlace
    left: np.ndarray
    right: np.ndarray
    half_steps: tuple[float, float] = (0.0, 0.0)
    """By how much steps of the clock may have moved each side, in its unit."""

    @property
    def step_log(self) -> float:
        """By how much they may have moved the logarithm of the ratio."""
        sides = zip(self.half_steps, (self.left, self.right), strict=True)
        return bound_ratio(*((half, float(np.median(values))) for half, values in sides))

    @property
    def ratio(self) -> RatioEstimate:
        """Left over right; both are times, above zero."""
        return _estimate_ratio(self.what, np.log(self.left / self.right), self.place)


def _pair(
    left: tuple[str, Rounds], right: tuple[str, Rounds], claim: Claim, case: Case, unlike: Collection[int]
) -> _Pair | None:
    """Of the rounds that both have and that began alike; None where they share none."""
    shared = sorted(left[1].keys() & right[1].keys())
    if not shared:
        return None
    alike = [number for number in shared if number not in unlike]
    mine, theirs = np.array([left[1][n] for n in alike]), np.array([right[1][n] for n in alike])
    what = f"{_names(left[0], right[0], claim, case)}{_place(claim, case)}{_tell_unlike(len(alike), len(shared))}"
    return _Pair(what, CasePlace(case, (left[0], right[0])), mine, theirs)


def _tell_unlike(alike: int, shared: int) -> str:
    """Which rounds of a case are left out; '' where none is."""
    which = "in which one side began behind a barrier, the other at an agreed start"
    return f", without {shared - alike} of {format_count(shared, 'round')} {which}" if alike < shared else ""


def _add_half_steps(one: _Pair, claim: Claim, case: Case, observed: Sequence[Observation]) -> _Pair:
    sides = zip((claim.left, claim.right), one.place.stacks, strict=True)
    left, right = (find_half_step(pick, case, observed, spec) for pick, spec in sides)
    return evolve(one, half_steps=(left, right))


def _allow_for_steps(one: RatioEstimate, reach: float) -> RatioEstimate:
    """With limits that reach as much further as steps of the clock leave open: ns, or of the logarithm of a ratio."""
    return evolve(one, limits_of=partial(_limit_further, one, reach)) if reach > 0 else one


def _limit_further(one: RatioEstimate, reach: float, values: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    low, high = one.limits_of(values, level)
    return (low - reach, high + reach) if one.unit == "ns" else (low * np.exp(-reach), high * np.exp(reach))


def _estimate_ratio(what: str, logs: np.ndarray, place: CasePlace) -> RatioEstimate:
    """A ratio, of its logarithm in each round."""
    return RatioEstimate(what, exp(locate_centres(logs)), logs, limit_medians, place)


def _find_differences(pairs: Sequence[_Pair], observed: Sequence[Observation]) -> list[RatioEstimate]:
    """Medians over rounds of left - right, ns, with intervals as wide as those of absolute times have to be.

    Much of the pace of the machine cancels in some of them and little in others. They wander by no more than the
    machine does, nor by more than all differences of the claim show: the narrower interval counts.
    """
    apart = [one.left - one.right for one in pairs]
    paces, together = find_paces(observed), Pace(tuple(apart))
    found = [
        RatioEstimate(
            one.what,
            float(np.median(values)),
            values,
            partial(limit_difference, (paces[one.place.stacks[0]], together)),
            one.place,
            "ns",
        )
        for one, values in zip(pairs, apart, strict=True)
    ]
    return [_allow_for_steps(one, sum(pair.half_steps)) for one, pair in zip(found, pairs, strict=True)]


def _compare_differences(pairs: Sequence[_Pair], observed: Sequence[Observation]) -> list[RatioEstimate]:
    """Ratios of differences, which may be zero or less; their intervals are as wide as those of differences."""
    paces = find_paces(observed)
    sides = [DifferenceRatio(one.left, one.right, one.half_steps, (paces[one.place.stacks[0]],)) for one in pairs]
    together = Pace(tuple(one.left_over for one in sides))
    found = [evolve(one, paces=(*one.paces, together)) for one in sides]
    return [
        RatioEstimate(pair.what, one.value, one.left, partial(_limit_differences, one), pair.place, differences=one)
        for pair, one in zip(pairs, found, strict=True)
    ]


def _limit_differences(sides: DifferenceRatio, left: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    low, high = evolve(sides, left=left).limits(level)
    return np.array(low), np.array(high)


def _limit_ratios(factor: float, logs: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """As ``limit_medians``, so many times as wide: rounds may resemble those before them in how stacks compare."""
    low, high = limit_medians(logs, level)
    middle = np.exp(np.median(logs, axis=-1))
    return middle * (low / middle) ** factor, middle * (high / middle) ** factor


def _limit_times(paces: Sequence[Pace], logs: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Of absolute times over a number, as wide as the rounds of their machine resemble each other.

    A time over that on one rank, of the same round, wanders by no more than the machine does, nor by more than all of
    the claim show: the narrower interval counts.
    """
    low, high = min(paces, key=lambda one: one.factor(logs.shape[-1], level)).limits(logs, level)
    return np.exp(low), np.exp(high)


def _find_spreads(
    claim: Claim, observed: Sequence[Observation], systems: Mapping[str, Sequence[str]]
) -> list[RatioEstimate]:
    """Slowest over fastest of ten launches in a row, as the scatter of the launches says."""
    found = []
    for case in claim.cases:
        for spec, mine in select_rounds(claim.left, case, observed, list_specs(claim.left, observed, systems)).items():
            logs = np.log(np.array([mine[number] for number in sorted(mine)]))
            what = f"{_describe_case(spec, claim.left, case)}{_place(claim, case)}"
            what = f"slowest over fastest of ten launches in a row of {what}, if launches scatter normally"
            spread = RatioEstimate(what, exp(estimate_range(logs)), logs, _limit_spread, CasePlace(case, (spec,)))
            step = bound_log(find_half_step(claim.left, case, observed, spec), float(np.exp(np.median(logs))))
            found.append(_allow_for_steps(spread, 2 * step))
    return found


def _limit_spread(logs: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Of slowest over fastest of ten; shape (..., launches) to (...)."""
    low, high = limit_ranges(logs, level)
    return np.exp(low), np.exp(high)


def _name_with_number(spec: str, claim: Claim, case: Case) -> str:
    return f"{_describe_case(spec, claim.left, case)} vs the published number{_place(claim, case)}"


def _names(left: str, right: str, claim: Claim, case: Case) -> str:
    """``openmpi@5, send synchronous vs send standard``: what both sides share stands once or not at all."""
    mine, theirs = claim.left, claim.right
    if mine.less or theirs.less:  # what is subtracted is nothing without what it is subtracted from
        pass
    elif mine.kernel == theirs.kernel and left != right and mine.options == theirs.options:
        mine, theirs = evolve(mine, kernel="", options=()), evolve(theirs, kernel="", options=())
    elif mine.kernel == theirs.kernel:
        mine, theirs = evolve(mine, kernel=""), evolve(theirs, kernel="")
    return f"{_describe_case(left, mine, case)} vs {_describe_case(right, theirs, case, left)}"


def _describe_case(spec: str, pick: Pick, case: Case, other: str = "") -> str:
    """The stack, and what a pick states that the case does not; the stack is left out when it is the same again."""
    stack = "" if spec == other else display_name(spec, pick.system)
    what = ", ".join(filter(None, [stack, pick.name or _describe_pick(pick, case)])) or display_name(spec, pick.system)
    less = [one.name or _describe_pick(one, pick.place(case)) for one in pick.less]
    return what if pick.name else " less ".join([what, *less])


def _describe_pick(pick: Pick, case: Case) -> str:
    """Without its stack."""
    parts = [f"{name} {value}" for name, value in pick.options]
    parts += [format_size(pick.size_bytes)] if pick.size_bytes not in (None, case.size_bytes) else []
    parts += [name_processes(pick.ranks)] if pick.ranks not in (None, case.ranks) else []
    parts += [pick.series] if pick.series else []
    return ", ".join(filter(None, [pick.kernel, *parts]))


def _place(claim: Claim, case: Case) -> str:
    """`` at 8 B, 4 ranks`` as far as the case states it."""
    fixed = claim.left.size_bytes is not None
    parts = [format_size(case.size_bytes)] if case.size_bytes and not fixed else []
    parts += [name_processes(case.ranks)] if claim.left.ranks is None and claim.ranks != (2,) else []
    return f" at {', '.join(parts)}" if parts else ""


def name_processes(count: int | None) -> str:
    """``1 process``, ``5 processes``."""
    return f"{count} process{'es' if count != 1 else ''}"
