"""The claims of a document held against what was measured: holds, does not hold, undecided, with the numbers.

Most claims are ratios: left / right lies between two bounds, at every size and number of ranks the document speaks of
(or at most of them, or at one at least). Each case is a paired ratio over rounds. A case *fits* when its whole interval
lies within the bounds, *contradicts* when none of it does, and is *open* otherwise; how sure it has to be is said by
``case_levels``.

Source: ``stats.ratio.interval_at`` for the interval.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite, isnan, nan
from typing import Literal

from attrs import evolve, frozen

from msgauge.analysis.estimates.observations import Observation
from msgauge.papers.case_levels import (
    CaseLevels,
    Outcome,
    Verdict,
    combine_verdicts,
    decide_case,
    find_levels,
    level_of,
)
from msgauge.papers.claim_cases import RatioEstimate, find_cases, list_specs
from msgauge.papers.claim_coverage import Planned, describe_unmeasured, list_places, list_unmeasured, name_places
from msgauge.papers.claim_forecast import LEAST_ROUNDS, ClaimForecast
from msgauge.papers.claim_statement import Claim
from msgauge.papers.difference_ratios import DifferenceRatio
from msgauge.papers.number_selection import display_name
from msgauge.units import format_count, format_estimate, format_ratio, format_time


@frozen
class Evidence:
    """One case: what was set against what, the number with its interval, and what it says of the claim."""

    what: str
    value: float
    low: float
    high: float
    rounds: int = 0
    outcome: Outcome = "open"
    unit: Literal["ratio", "ns", "text"] = "ratio"
    """``text``: ``what`` holds the number already."""


@frozen
class JudgedClaim:
    """A claim with its verdict, the reason in a sentence, and every number it rests on."""

    text: str
    where: str
    verdict: Verdict
    reason: str
    evidence: tuple[Evidence, ...] = ()
    question: bool = False
    note: str = ""
    place: str = ""
    """Where it was judged: ``emulated`` or ``across hosts``; empty for this computer."""
    verdict_here: str = ""
    """The verdict of what was measured on this computer, where it was judged elsewhere; and the reason."""
    reason_here: str = ""
    lacking: tuple[str, ...] = ()
    """The roles without which nothing could be said."""
    unmeasured: tuple[str, ...] = ()
    """The cases that it speaks of and nobody measured, where others were: each of them is open."""
    forecast: ClaimForecast | None = None
    """What would decide it, where it is undecided and that is known."""


def judge_claim(
    claim: Claim,
    observed: Iterable[Observation],
    systems: Mapping[str, Sequence[str]],
    planned: Planned | None = None,
) -> JudgedClaim:
    """Judge a claim of kind ratio, difference, spread or ran; ``systems``: the stacks of each role of the document.

    A case that was not measured is open, and named. ``planned``: by stack, whose cases a claim that names no system
    speaks of; without it, those that were measured.

    Raises:
        Nothing: what was not measured leaves the claim undecided unless the rest decides, and says what is missing.
    """
    known = tuple(observed)
    if claim.kind == "ran":
        return _ran(claim, known, systems, planned)
    cases = find_cases(claim, known, systems)
    if not cases:
        return _leave_open(claim, systems)
    expected = list_places(claim, known, systems, planned)
    missing = list_unmeasured(expected, [one.place for one in cases])
    total, count = len(cases) + len(missing), sum(one.rounds >= LEAST_ROUNDS for one in cases)
    levels = choose_levels(claim, total, count)
    evidence = tuple(_make_evidence(one, claim, levels) for one in cases)
    if claim.question:
        verdict: Verdict = "answered" if count else "undecided"
        because = _answer(evidence)
    else:
        verdict = combine_outcomes(claim, evidence, len(missing))
        because = _explain(evidence, claim, verdict, total)
    judged = conclude(claim, verdict, because + describe_unmeasured(missing, expected, systems), evidence)
    return evolve(judged, unmeasured=name_places(missing, expected, systems))


def combine_outcomes(claim: Claim, evidence: Iterable[Evidence], unmeasured: int = 0) -> Verdict:
    """What the cases say together, those that were not measured open."""
    return combine_verdicts([*(one.outcome for one in evidence), *["open"] * unmeasured], claim.hold)


def choose_levels(claim: Claim, cases: int, measured: int) -> CaseLevels:
    """How sure each of so many cases has to be; the numbers that answer a question hold all together."""
    if claim.question:
        return CaseLevels(level_of(measured, claim.error), level_of(measured, claim.error))
    return find_levels(cases, measured, claim.hold, claim.error)


def conclude(claim: Claim, verdict: Verdict, because: str, evidence: Sequence[Evidence]) -> JudgedClaim:
    """The claim with a verdict that was found in whatever way."""
    return JudgedClaim(claim.text, claim.where, verdict, because, tuple(evidence), claim.question, claim.note)


def _leave_open(claim: Claim, systems: Mapping[str, Sequence[str]]) -> JudgedClaim:
    """The claim, undecided, with what is missing."""
    open_claim = conclude(claim, "undecided", f"not measured: {_describe_missing(claim, systems)}", ())
    return evolve(open_claim, lacking=_list_missing(claim, systems))


def judge_fact(claim: Claim, facts: Mapping[str, frozenset[str]], systems: Mapping[str, Sequence[str]]) -> JudgedClaim:
    """A claim about what a stack needs (``daemon``), held against what its stacks here do need; ``facts`` by spec."""
    every = systems.get(claim.left.system, ())
    specs, unknown = [spec for spec in every if spec in facts], tuple(spec for spec in every if spec not in facts)
    if not specs:
        return _leave_open(claim, systems)
    true = [spec for spec in specs if (claim.fact in facts[spec]) == claim.expected]
    says = [*("fits" if spec in true else "contradicts" for spec in specs), *["open" for _ in unknown]]
    told = [f"{spec} {'needs' if claim.fact in facts[spec] else 'needs no'} {claim.fact}" for spec in specs]
    told += [f"of {spec} it is not known" for spec in unknown]
    return evolve(
        conclude(claim, combine_verdicts(says, claim.hold), f"{', '.join(told)}.", ()), unmeasured=tuple(unknown)
    )


def _ran(
    claim: Claim, observed: Sequence[Observation], systems: Mapping[str, Sequence[str]], planned: Planned | None
) -> JudgedClaim:
    """Which systems ran the kernel of the claim, each by its role, and which were to and did not."""
    specs = list_specs(claim.left, observed, systems)
    done = {one.stack for one in observed if one.kernel == claim.left.kernel}
    asked = {spec for spec, cells in (planned or {}).items() if any(one.kernel == claim.left.kernel for one in cells)}
    not_run = tuple(_display_system(spec, systems) for spec in specs if spec in asked - done)
    ran = [_display_system(spec, systems) for spec in specs if spec in done]
    if not ran:
        return _leave_open(claim, systems)
    because = f"{', '.join(ran)}: {format_count(len(ran), 'system')} ran the same {claim.left.kernel} unchanged."
    because += f" Not measured: {', '.join(not_run)}." if not_run else ""
    says = combine_verdicts([*["fits" for _ in ran], *["open" for _ in not_run]], claim.hold)
    return evolve(conclude(claim, "answered" if claim.question else says, because, ()), unmeasured=not_run)


# --- what a case says -------------------------------------------------------------------------------------------


def _make_evidence(case: RatioEstimate, claim: Claim, levels: CaseLevels) -> Evidence:
    if not case.rounds:
        return Evidence(case.what, nan, nan, nan, unit="text")
    level, outcome = decide_case(lambda level: level, lambda level: _judge_case(case, claim, level), levels)
    low, high = case.limits(level)
    if case.differences is not None and case.rounds >= LEAST_ROUNDS and isnan(low):
        what = f"{case.what}: {_tell_margins(case.differences, claim, level)}, {case.rounds} rounds"
        return Evidence(what, nan, nan, nan, case.rounds, outcome, "text")
    return Evidence(case.what, case.value, low, high, case.rounds, outcome, case.unit)


def _judge_case(case: RatioEstimate, claim: Claim, level: float) -> Outcome:
    if case.unit == "ns" or case.rounds < LEAST_ROUNDS:
        return "open"
    if case.differences is not None:
        return _judge_differences(case.differences, claim, level)
    low, high = case.limits(level)
    if not (isfinite(low) and isfinite(high)):
        return "open"
    if claim.low <= low and high <= claim.high:
        return "fits"
    return "contradicts" if high < claim.low or low > claim.high else "open"


def _judge_differences(sides: DifferenceRatio, claim: Claim, level: float) -> Outcome:
    """Left - bound × right has to lie above zero for the lower bound, and below it for the upper one."""
    above = [sides.subtract_times(claim.low, level)] if claim.low else []
    below = [sides.subtract_times(claim.high, level)] if isfinite(claim.high) else []
    if all(low >= 0 for _, low, _ in above) and all(high <= 0 for *_, high in below):
        return "fits"
    return "contradicts" if any(high < 0 for *_, high in above) or any(low > 0 for _, low, _ in below) else "open"


def _tell_margins(sides: DifferenceRatio, claim: Claim, level: float) -> str:
    """In place of a ratio: ``left - 8.00 × right is 14.0 ns (2.10 ns to 25.0 ns)``, for each bound."""
    told = ["no ratio, as what it is divided by may be zero or less"]
    for bound in (claim.low, claim.high):
        if bound and isfinite(bound) and not claim.question:
            middle, low, high = map(format_time, sides.subtract_times(bound, level))
            told.append(f"left - {format_ratio(bound)} × right is {middle} ({low} to {high})")
    return "; ".join(told)


def _explain(evidence: Sequence[Evidence], claim: Claim, verdict: Verdict, total: int) -> str:
    """The count among all of the cases, a case that decides, and one that speaks against a claim that holds."""
    fit = sum(one.outcome == "fits" for one in evidence)
    against = [one for one in evidence if one.outcome == "contradicts"]
    shown = _first(evidence, {"holds": "fits", "does not hold": "contradicts"}.get(verdict, "open"))
    counted = f"{fit} of {total} cases agree" + (f", {len(against)} against" if against else "") + "; "
    few = " (too few rounds)" if shown.rounds < LEAST_ROUNDS else ""
    but = f"; not so {tell_evidence(against[0])}" if against and verdict == "holds" else ""
    numbers = f"{tell_evidence(shown)}{few}{but}"
    return f"{counted if total > 1 else ''}{numbers}; claimed {_bounds(claim)}."


def _first(evidence: Sequence[Evidence], says: str) -> Evidence:
    return next((one for one in evidence if one.outcome == says), evidence[0])


def _answer(evidence: Sequence[Evidence]) -> str:
    """The only number, or the least and the most of them; each stands in the evidence."""
    if len(evidence) == 1:
        return f"{tell_evidence(evidence[0])}."
    ordered = sorted((one for one in evidence if isfinite(one.value)), key=lambda one: one.value)
    if not ordered:
        return f"{evidence[0].what}." if evidence[0].unit == "text" else "too few rounds."
    ends = (f"{format_evidence(one)} ({one.what})" for one in (ordered[0], ordered[-1]))
    return f"from {' to '.join(ends)}."


def tell_evidence(one: Evidence) -> str:
    """What was set against what, and the number; a case of a burst, or without a ratio, says its number itself."""
    return one.what if one.unit == "text" else f"{one.what}: {format_evidence(one)}"


def format_evidence(one: Evidence) -> str:
    """``1.52 × (1.40 to 1.66), 8 rounds``; a difference in its unit of time."""
    if one.unit == "ns":
        value, limits = format_time(one.value), f"{format_time(one.low)} to {format_time(one.high)}"
    else:
        ratio, limits = format_estimate(one.value, one.low, one.high)
        value = f"{ratio} ×"
    known = f" ({limits})" if isfinite(one.low) and isfinite(one.high) else ""
    return f"{value}{known}, {one.rounds} round{'s' if one.rounds != 1 else ''}"


def _bounds(claim: Claim) -> str:
    if not isfinite(claim.high):
        return f"at least {format_ratio(claim.low)} ×"
    if claim.low <= 0:
        return f"at most {format_ratio(claim.high)} ×"
    return f"{format_ratio(claim.low)} to {format_ratio(claim.high)} ×"


def _display_system(spec: str, systems: Mapping[str, Sequence[str]]) -> str:
    return display_name(spec, next((role for role, specs in systems.items() if spec in specs), ""))


def _list_missing(claim: Claim, systems: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    roles = [pick.system for pick in (claim.left, claim.right) if pick.system and not systems.get(pick.system)]
    return tuple(dict.fromkeys(roles))


def _describe_missing(claim: Claim, systems: Mapping[str, Sequence[str]]) -> str:
    """Which system is not here, or which kernel delivered nothing."""
    roles = _list_missing(claim, systems)
    if roles:
        return f"{' and '.join(roles)} {'was' if len(roles) == 1 else 'were'} not run"
    kernels = dict.fromkeys(pick.kernel for pick in (claim.left, claim.right) if pick.kernel)
    return f"no samples of {' and '.join(kernels) or 'the kernel'} at the sizes and ranks of the claim"
