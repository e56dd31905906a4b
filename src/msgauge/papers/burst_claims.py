"""Claims about the course of a burst: a transient before the equilibrium, a rate that changes with the bytes sent.

A burst is a row of messages of one size sent one after the other from rest; its trace is the time of each step. What is
found in it is found by ``models.anomalies``: in most launches, beyond chance, and large enough to matter. What is not
found is absent only where ``analysis.findings.burst_effects`` says that one would have seen it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import nan

from attrs import evolve

from msgauge.analysis.estimates.burst_traces import SERIES, Trace
from msgauge.analysis.findings.burst_effects import (
    MeasuredEffect,
    Window,
    measure_rate_changes,
    measure_start_up,
)
from msgauge.models.anomalies import MINIMUM_LAUNCHES, SMALLEST_EXCESS
from msgauge.papers.case_levels import CaseLevels, Outcome, Verdict, decide_case
from msgauge.papers.claim_cases import CasePlace
from msgauge.papers.claim_coverage import describe_unmeasured, list_unmeasured, name_places
from msgauge.papers.claim_statement import Claim
from msgauge.papers.claims import Evidence, JudgedClaim, choose_levels, combine_outcomes, conclude
from msgauge.papers.number_selection import Case, Pick, display_name, match_options
from msgauge.units import format_ratio, format_size

DIRECTIONS = {"either": (True, False), "slower": (True,), "faster": (False,)}


def judge_trace(claim: Claim, traces: Sequence[Trace], systems: Mapping[str, Sequence[str]]) -> JudgedClaim:
    """Judge a claim of kind start-up or rate-change on the bursts of its system.

    ``low`` is the least effect (slow over fast) that the claim means, ``sizes`` the sizes of a message. A rate change
    counts after the start-up is over, into the claim's ``direction``, and where its cumulative bytes lie between the
    claim's ``right`` size and ``left`` size, when those are stated. A claim that is not ``expected`` says that there is
    none. A case is open where its interval holds ``low``, or where such an effect could hide, and where too few
    launches or none at all have its bursts, which is said by name.
    """
    series = claim.left.series or SERIES[0]
    expected = [(spec, size) for spec in systems.get(claim.left.system, ()) for size in claim.sizes]
    found = {place: one for place in expected if (one := find_trace(traces, (*place, series), claim.left))}
    enough = {place: one for place, one in found.items() if one.steps_ns.shape[0] >= MINIMUM_LAUNCHES}
    if not enough:
        few = f"fewer than {MINIMUM_LAUNCHES} launches" if found else "no bursts of these sizes"
        return conclude(claim, "undecided", f"not measured: {few}", ())
    places = [_place(*place) for place in expected]
    missing = list_unmeasured(places, [_place(*place) for place in enough])
    levels = choose_levels(claim, len(expected), len(enough))
    evidence = tuple(_evidence(one, claim, levels) for one in enough.values())
    verdict: Verdict = "answered" if claim.question else combine_outcomes(claim, evidence, len(missing))
    gap = describe_unmeasured(missing, places, systems, f"measured in {MINIMUM_LAUNCHES} launches")
    judged = conclude(claim, verdict, "; ".join(one.what for one in evidence) + "." + gap, evidence)
    return evolve(judged, unmeasured=name_places(missing, places, systems))


def _place(spec: str, size_bytes: int) -> CasePlace:
    return CasePlace(Case(size_bytes, 2), (spec,))


def find_trace(traces: Iterable[Trace], place: tuple[str, int, str], pick: Pick) -> Trace | None:
    """The trace of a (stack, size, series) that a pick means: of those with its options the one with the fewest."""
    return match_options(pick, (one for one in traces if (one.stack, one.size_bytes, one.series) == place))


def _evidence(one: Trace, claim: Claim, levels: CaseLevels) -> Evidence:
    shown, outcome = decide_case(
        lambda level: _measure_effect(one, claim, level), lambda shown: _judge_effect(shown, claim), levels
    )
    launches = one.steps_ns.shape[0]
    name = f"{display_name(one.stack, claim.left.system)}, bursts of {format_size(one.size_bytes)}"
    name += "".join(f", {option} {value}" for option, value in claim.left.options)
    effect = shown.found[0] if shown.found else shown.most
    what = f"{name}: {_describe_effect(shown, claim, launches)}"
    if outcome == "open" and shown.unseen:
        what += f"; {shown.unseen}"
    if effect is None:
        return Evidence(what, nan, nan, nan, launches, outcome, "text")
    return Evidence(what, effect.value, effect.low, effect.high, launches, outcome, "text")


def _judge_effect(shown: MeasuredEffect, claim: Claim) -> Outcome:
    there = shown.has(max(claim.low, 1 + SMALLEST_EXCESS))
    return "open" if there is None else "fits" if there == claim.expected else "contradicts"


def _measure_effect(one: Trace, claim: Claim, level: float) -> MeasuredEffect:
    if claim.kind == "start-up":
        return measure_start_up(one.steps_ns, level, one.reach)
    window = Window(claim.right.size_bytes, claim.left.size_bytes, DIRECTIONS[claim.direction])
    return measure_rate_changes(one.steps_ns, one.size_bytes, window, level, one.reach)


def _describe_effect(shown: MeasuredEffect, claim: Claim, launches: int) -> str:
    """The clearest of what was found, or how much may hide."""
    if shown.found:
        found = shown.found[0]
        value, low, high = map(format_ratio, (found.value, found.low, found.high))
        numbers = f"{value} × ({low} to {high}) in {launches} launches"
        if claim.kind == "start-up":
            return f"the first {found.after} messages are slower than the steady state, {numbers}"
        return f"{'slower' if found.slower else 'faster'} after {found.after} messages, {numbers}"
    way = "" if claim.kind == "start-up" or claim.direction == "either" else f" to a {claim.direction} rate"
    nothing = f"no {'start-up' if claim.kind == 'start-up' else 'change'}{way} found in {launches} launches"
    return f"{nothing}, at most {format_ratio(shown.most.high)} × would remain undetected" if shown.most else nothing
