"""The claims of a document held against what was measured: holds, does not hold, undecided, with the numbers.

Most claims are ratios: left / right lies between two bounds, at every size and number of ranks the document speaks of
(or at most of them, or at one at least). Each case is a paired ratio over rounds. A case *fits* when its whole interval
lies within the bounds, *contradicts* when none of it does, and is *open* otherwise; how sure it has to be is said by
``case_levels``.

Source: ``stats.ratio.interval_at`` for the interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import product
from math import exp, inf, isfinite, nan
from typing import Literal

import numpy as np
from attrs import evolve, field, frozen

from msgauge.analysis.observations import Observation
from msgauge.papers.case_levels import (
    FAMILY_ERROR,
    CaseLevels,
    Hold,
    Outcome,
    Verdict,
    combine_verdicts,
    decide_case,
    find_levels,
    level_of,
)
from msgauge.papers.number_selection import Case, Pick, Rounds, display_name, select_rounds
from msgauge.stats.location import LEAST_FOR_ORDER, median_interval
from msgauge.stats.ratio import interval_at
from msgauge.stats.signed_rank import locate_centres
from msgauge.units import format_count, format_ratio, format_size, format_time

Kind = Literal["ratio", "difference", "spread", "fact", "ran", "start-up", "rate-change"]
Direction = Literal["either", "slower", "faster"]
LEAST_ROUNDS = 5
"""As the verdicts of a run: with fewer, launches in two modes agree by chance too often."""
RANGE_OF_TEN = 3.078
"""Expected range of ten normal values in standard deviations (Tippett 1925): what ten repetitions would show."""


@frozen
class Claim:
    """A sentence of a document, and how it is judged. ``question``: the document left it open; it is answered.

    ``difference`` is left - right in time instead of left / right, for questions alone; ``ran`` tells which systems did
    the same as it stands. ``direction``: whether a rate change makes what comes after it slower or faster.
    ``error``: how often it may be said to hold though it does not, and the reverse.
    """

    text: str
    where: str = ""
    kind: Kind = "ratio"
    left: Pick = field(factory=Pick)
    right: Pick = field(factory=Pick)
    sizes: tuple[int, ...] = (0,)
    ranks: tuple[int, ...] = (2,)
    low: float = 0.0
    high: float = inf
    hold: Hold = "all"
    fact: str = ""
    expected: bool = True
    direction: Direction = "either"
    question: bool = False
    note: str = ""
    error: float = FAMILY_ERROR


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


@frozen(eq=False)
class RatioEstimate:
    """One case before the number of cases is known: ``limits`` gives low and high at any level."""

    what: str
    value: float
    rounds: int
    limits: Callable[[float], tuple[float, float]]
    unit: Literal["ratio", "ns"] = "ratio"


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


def judge_claim(claim: Claim, observed: Iterable[Observation], systems: Mapping[str, Sequence[str]]) -> JudgedClaim:
    """Judge a claim of kind ratio, difference, spread or ran; ``systems``: the stacks of each role of the document.

    Raises:
        Nothing: what was not measured leaves the claim undecided, and says what is missing.
    """
    known = tuple(observed)
    if claim.kind == "ran":
        return _ran(claim, known, systems)
    cases = _spreads(claim, known, systems) if claim.kind == "spread" else _ratios(claim, known, systems)
    if not cases:
        return _leave_open(claim, systems)
    count = sum(one.rounds >= LEAST_ROUNDS for one in cases)
    levels = choose_levels(claim, len(cases), count)
    evidence = tuple(_make_evidence(one, claim, levels) for one in cases)
    if claim.question:
        word: Verdict = "answered" if count else "undecided"
        return conclude(claim, word, _answer(evidence), evidence)
    verdict = combine_verdicts([one.outcome for one in evidence], claim.hold)
    return conclude(claim, verdict, _explain(evidence, claim, verdict), evidence)


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
    specs = [spec for spec in systems.get(claim.left.system, ()) if spec in facts]
    if not specs:
        return _leave_open(claim, systems)
    true = [spec for spec in specs if (claim.fact in facts[spec]) == claim.expected]
    says = ["fits" if spec in true else "contradicts" for spec in specs]
    facts_text = ", ".join(
        f"{spec} {'needs' if claim.fact in facts[spec] else 'needs no'} {claim.fact}" for spec in specs
    )
    return conclude(claim, combine_verdicts(says, claim.hold), f"{facts_text}.", ())


def _ratios(
    claim: Claim, observed: tuple[Observation, ...], systems: Mapping[str, Sequence[str]]
) -> list[RatioEstimate]:
    """Every stack of the left against every stack of the right, at every size and number of ranks.

    A simulated stack is set against simulated ones only.
    """
    found = []
    simulated = _find_simulated(observed)
    for size, ranks in product(claim.sizes, claim.ranks):
        case = Case(size, ranks)
        left = select_rounds(claim.left, case, observed, _specs(claim.left, observed, systems))
        if claim.right.is_constant:
            found += [_against_number(spec, mine, claim, case) for spec, mine in left.items()]
            continue
        right = select_rounds(claim.right, case, observed, _specs(claim.right, observed, systems))
        same = claim.left.system == claim.right.system
        pairs = [(spec, spec) for spec in left if spec in right] if same else list(product(left, right))
        pairs = [(a, b) for a, b in pairs if (a in simulated) == (b in simulated)]
        found += [one for a, b in pairs if (one := _pair((a, left[a]), (b, right[b]), claim, case)) is not None]
    return found


def _specs(pick: Pick, observed: Sequence[Observation], systems: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The stacks of a pick's system; of one that names none all that were measured, and never simulated ones."""
    if pick.system:
        return tuple(systems.get(pick.system, ()))
    simulated = _find_simulated(observed)
    every = dict.fromkeys(spec for specs in systems.values() for spec in specs)
    return tuple(spec for spec in every if spec not in simulated)


def _find_simulated(observed: Sequence[Observation]) -> frozenset[str]:
    return frozenset(one.stack for one in observed if one.simulated)


def _pair(left: tuple[str, Rounds], right: tuple[str, Rounds], claim: Claim, case: Case) -> RatioEstimate | None:
    shared = sorted(left[1].keys() & right[1].keys())
    if not shared:
        return None
    mine, theirs = np.array([left[1][n] for n in shared]), np.array([right[1][n] for n in shared])
    what = f"{_names(left[0], right[0], claim, case)}{_place(claim, case)}"
    if claim.kind == "difference":
        return _difference(what, mine - theirs)
    counted = (mine > 0) & (theirs > 0)
    return _estimate_ratio(what, np.log(mine[counted] / theirs[counted]))


def _estimate_ratio(what: str, logs: np.ndarray) -> RatioEstimate:
    """A ratio, of its logarithm in each round."""
    return RatioEstimate(what, exp(locate_centres(logs)), logs.size, partial(_limits, logs))


def _limits(logs: np.ndarray, level: float) -> tuple[float, float]:
    low, high = interval_at(logs, level)
    return float(low), float(high)


def _difference(what: str, values: np.ndarray) -> RatioEstimate:
    """Median over rounds of left - right, ns, with the interval of order statistics from five rounds on."""

    def limits(_: float) -> tuple[float, float]:
        low, high = median_interval(values) if values.size >= LEAST_FOR_ORDER else (nan, nan)
        return float(low), float(high)

    return RatioEstimate(what, float(np.median(values)), values.size, limits, unit="ns")


def _against_number(spec: str, mine: Rounds, claim: Claim, case: Case) -> RatioEstimate:
    values = np.array([value for value in mine.values() if value > 0])
    what = f"{_describe_case(spec, claim.left, case)} vs the published number{_place(claim, case)}"
    return _estimate_ratio(what, np.log(values / claim.right.constant_ns))


def _ran(claim: Claim, observed: Sequence[Observation], systems: Mapping[str, Sequence[str]]) -> JudgedClaim:
    """Which systems ran the kernel of the claim, each by its role."""
    specs = _specs(claim.left, observed, systems)
    done = {one.stack for one in observed if one.kernel == claim.left.kernel}
    ran = [_display_system(spec, systems) for spec in specs if spec in done]
    if not ran:
        return _leave_open(claim, systems)
    because = f"{', '.join(ran)}: {format_count(len(ran), 'system')} ran the same {claim.left.kernel} unchanged."
    return conclude(claim, "answered" if claim.question else "holds", because, ())


def _spreads(
    claim: Claim, observed: tuple[Observation, ...], systems: Mapping[str, Sequence[str]]
) -> list[RatioEstimate]:
    """Slowest over fastest of ten launches, as the scatter of the launches says."""
    found = []
    for size, ranks in product(claim.sizes, claim.ranks):
        case = Case(size, ranks)
        for spec, mine in select_rounds(claim.left, case, observed, _specs(claim.left, observed, systems)).items():
            logs = np.log(np.array(list(mine.values())))
            deviation = float(logs.std(ddof=1)) if logs.size > 1 else nan
            what = f"{_describe_case(spec, claim.left, case)}{_place(claim, case)}"
            what = f"slowest over fastest of ten launches of {what}, if launches scatter normally"
            limits = partial(_spread_limits, deviation, logs.size)
            found.append(RatioEstimate(what, exp(RANGE_OF_TEN * deviation), logs.size, limits))
    return found


def _spread_limits(deviation: float, launches: int, level: float) -> tuple[float, float]:
    """Of the range of ten, from the chi-square interval of the standard deviation."""
    from scipy.special import chdtri  # scipy.stats has the same by name and takes two seconds to import

    if launches < 2:
        return nan, nan
    ends = (chdtri(launches - 1, (1 - side * level) / 2) for side in (1, -1))
    low, high = (exp(RANGE_OF_TEN * deviation * ((launches - 1) / float(end)) ** 0.5) for end in ends)
    return low, high


# --- what a case says -------------------------------------------------------------------------------------------


def _make_evidence(case: RatioEstimate, claim: Claim, levels: CaseLevels) -> Evidence:
    (low, high), outcome = decide_case(case.limits, lambda limits: _judge_limits(case, limits, claim), levels)
    return Evidence(case.what, case.value, low, high, case.rounds, outcome, case.unit)


def _judge_limits(case: RatioEstimate, limits: tuple[float, float], claim: Claim) -> Outcome:
    low, high = limits
    if case.unit == "ns" or case.rounds < LEAST_ROUNDS or not (isfinite(low) and isfinite(high)):
        return "open"
    if claim.low <= low and high <= claim.high:
        return "fits"
    return "contradicts" if high < claim.low or low > claim.high else "open"


def _explain(evidence: Sequence[Evidence], claim: Claim, verdict: Verdict) -> str:
    """The count, a case that decides, and one that speaks against a claim that holds."""
    fit = sum(one.outcome == "fits" for one in evidence)
    against = [one for one in evidence if one.outcome == "contradicts"]
    shown = _first(evidence, {"holds": "fits", "does not hold": "contradicts"}.get(verdict, "open"))
    counted = f"{fit} of {len(evidence)} cases agree" + (f", {len(against)} against" if against else "") + "; "
    few = " (too few rounds)" if shown.rounds < LEAST_ROUNDS else ""
    but = f"; not so {against[0].what}: {format_evidence(against[0])}" if against and verdict == "holds" else ""
    numbers = f"{shown.what}: {format_evidence(shown)}{few}{but}"
    return f"{counted if len(evidence) > 1 else ''}{numbers}; claimed {_bounds(claim)}."


def _first(evidence: Sequence[Evidence], says: str) -> Evidence:
    return next((one for one in evidence if one.outcome == says), evidence[0])


def _answer(evidence: Sequence[Evidence]) -> str:
    """The only number, or the least and the most of them; each stands in the evidence."""
    if len(evidence) == 1:
        return f"{evidence[0].what}: {format_evidence(evidence[0])}."
    ordered = sorted((one for one in evidence if isfinite(one.value)), key=lambda one: one.value)
    if not ordered:
        return "too few rounds."
    ends = (f"{format_evidence(one)} ({one.what})" for one in (ordered[0], ordered[-1]))
    return f"from {' to '.join(ends)}."


def format_evidence(one: Evidence) -> str:
    """``1.52 × (1.40 to 1.66), 8 rounds``; a difference in its unit of time."""
    plain = format_time if one.unit == "ns" else format_ratio
    limits = f" ({plain(one.low)} to {plain(one.high)})" if isfinite(one.low) and isfinite(one.high) else ""
    return f"{_value(one)}{limits}, {one.rounds} round{'s' if one.rounds != 1 else ''}"


def _value(one: Evidence) -> str:
    return format_time(one.value) if one.unit == "ns" else f"{format_ratio(one.value)} ×"


def _bounds(claim: Claim) -> str:
    if not isfinite(claim.high):
        return f"at least {format_ratio(claim.low)} ×"
    if claim.low <= 0:
        return f"at most {format_ratio(claim.high)} ×"
    return f"{format_ratio(claim.low)} to {format_ratio(claim.high)} ×"


def _names(left: str, right: str, claim: Claim, case: Case) -> str:
    """``openmpi@5, send synchronous vs send standard``: what both sides share stands once or not at all."""
    mine, theirs = claim.left, claim.right
    if mine.kernel == theirs.kernel and left != right and mine.options == theirs.options:
        mine, theirs = evolve(mine, kernel="", options=()), evolve(theirs, kernel="", options=())
    elif mine.kernel == theirs.kernel:
        mine, theirs = evolve(mine, kernel=""), evolve(theirs, kernel="")
    return f"{_describe_case(left, mine, case)} vs {_describe_case(right, theirs, case, left)}"


def _describe_case(spec: str, pick: Pick, case: Case, other: str = "") -> str:
    """The stack, and what a pick states that the case does not; the stack is left out when it is the same again."""
    if pick.name:
        return pick.name if spec == other else f"{display_name(spec, pick.system)}, {pick.name}"
    parts = [f"{name} {value}" for name, value in pick.options]
    parts += [format_size(pick.size_bytes)] if pick.size_bytes not in (None, case.size_bytes) else []
    parts += [_processes(pick.ranks)] if pick.ranks not in (None, case.ranks) else []
    parts += [pick.series] if pick.series else []
    words = ", ".join(
        filter(None, [*([] if spec == other else [display_name(spec, pick.system)]), pick.kernel, *parts])
    )
    return words or display_name(spec, pick.system)


def _place(claim: Claim, case: Case) -> str:
    """`` at 8 B, 4 ranks`` as far as the case states it."""
    fixed = claim.left.size_bytes is not None
    parts = [format_size(case.size_bytes)] if case.size_bytes and not fixed else []
    parts += [_processes(case.ranks)] if claim.left.ranks is None and claim.ranks != (2,) else []
    return f" at {', '.join(parts)}" if parts else ""


def _processes(count: int | None) -> str:
    return f"{count} process{'es' if count != 1 else ''}"


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
