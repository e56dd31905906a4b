"""The claims of a document held against what was measured: holds, does not hold, undecided, with the numbers.

Most claims are ratios: left / right lies between two bounds, at every size and number of ranks the document speaks of
(or at most of them, or at one at least). Each case is a paired ratio over rounds. Its interval is widened for the
number of cases looked at (Bonferroni), since one case alone can decide a claim. A case *fits* when the whole interval
lies within the bounds, *contradicts* when none of it does, and is *open* otherwise.

Source: Dunn 1961 for the widening; ``stats.ratio`` for the interval.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import exp, inf, isfinite, log, nan
from statistics import NormalDist
from typing import Literal

import numpy as np
from attrs import field, frozen

from msgauge.advise.observed import Case, Observed, Pick, Rounds, picked
from msgauge.stats.ratio import compare
from msgauge.units import format_ratio, format_size

Verdict = Literal["holds", "does not hold", "undecided", "answered"]
Kind = Literal["ratio", "spread", "fact", "start-up", "rate-change", "off-power-of-two"]
Hold = Literal["all", "most", "any"]
LEAST_ROUNDS = 3
"""Fewer rounds in common decide nothing."""
RANGE_OF_TEN = 3.078
"""Expected range of ten normal values in standard deviations (Tippett 1925): what ten repetitions would show."""


@frozen
class Claim:
    """A sentence of a document, and how it is judged. ``question``: the document left it open; it is answered."""

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
    question: bool = False
    note: str = ""


@frozen
class Evidence:
    """One case: what was set against what, the number with its interval, and what it says of the claim."""

    what: str
    value: float
    low: float
    high: float
    rounds: int = 0
    says: Literal["fits", "contradicts", "open"] = "open"


@frozen
class Judged:
    """A claim with its verdict, the reason in a sentence, and every number it rests on."""

    text: str
    where: str
    verdict: Verdict
    because: str
    evidence: tuple[Evidence, ...] = ()
    question: bool = False
    note: str = ""


def judge(claim: Claim, observed: Iterable[Observed], systems: Mapping[str, Sequence[str]]) -> Judged:
    """Judge a claim of kind ratio or spread; ``systems``: the stacks that stand for each role of the document.

    Raises:
        Nothing: what was not measured leaves the claim undecided, and says what is missing.
    """
    known = tuple(observed)
    cases = _spreads(claim, known, systems) if claim.kind == "spread" else _ratios(claim, known, systems)
    if not cases:
        return concluded(claim, "undecided", f"not measured: {_missing(claim, systems)}", ())
    count = sum(one.rounds >= LEAST_ROUNDS for one in cases)
    told = tuple(_told(one, claim, max(count, 1)) for one in cases)
    if claim.question:
        word: Verdict = "answered" if count else "undecided"
        return concluded(claim, word, _answer(told), told)
    verdict = decided([one.says for one in told], claim.hold)
    return concluded(claim, verdict, _because(told, claim), told)


def concluded(claim: Claim, verdict: Verdict, because: str, evidence: Sequence[Evidence]) -> Judged:
    """The claim with a verdict that was found in whatever way."""
    return Judged(claim.text, claim.where, verdict, because, tuple(evidence), claim.question, claim.note)


def decided(says: Sequence[str], hold: Hold) -> Verdict:
    """What the cases say together: all, most or any of them must fit."""
    fit, against, count = says.count("fits"), says.count("contradicts"), len(says)
    if hold == "any":
        return "holds" if fit else "does not hold" if against == count else "undecided"
    if hold == "most":
        return "holds" if fit > count / 2 else "does not hold" if against >= count / 2 else "undecided"
    return "holds" if fit == count else "does not hold" if against else "undecided"


def judge_fact(claim: Claim, facts: Mapping[str, frozenset[str]], systems: Mapping[str, Sequence[str]]) -> Judged:
    """A claim about what a stack needs (``daemon``), held against what its stacks here do need; ``facts`` by spec."""
    specs = [spec for spec in systems.get(claim.left.system, ()) if spec in facts]
    if not specs:
        return concluded(claim, "undecided", f"not measured: {_missing(claim, systems)}", ())
    true = [spec for spec in specs if (claim.fact in facts[spec]) == claim.expected]
    says = ["fits" if spec in true else "contradicts" for spec in specs]
    told = ", ".join(f"{spec} {'needs' if claim.fact in facts[spec] else 'needs no'} {claim.fact}" for spec in specs)
    return concluded(claim, decided(says, claim.hold), f"{told}.", ())


# --- cases ------------------------------------------------------------------------------------------------------


def _ratios(claim: Claim, observed: tuple[Observed, ...], systems: Mapping[str, Sequence[str]]) -> list[Evidence]:
    """Every stack of the left against every stack of the right, at every size and number of ranks."""
    found = []
    for size, ranks in product(claim.sizes, claim.ranks):
        case = Case(size, ranks)
        left = picked(claim.left, case, observed, _specs(claim.left, systems))
        if claim.right.is_constant:
            found += [_against_number(spec, mine, claim, case) for spec, mine in left.items()]
            continue
        right = picked(claim.right, case, observed, _specs(claim.right, systems))
        same = claim.left.system == claim.right.system
        pairs = [(spec, spec) for spec in left if spec in right] if same else list(product(left, right))
        found += [one for a, b in pairs if (one := _pair((a, left[a]), (b, right[b]), claim, case)) is not None]
    return found


def _specs(pick: Pick, systems: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    if pick.system:
        return tuple(systems.get(pick.system, ()))
    return tuple(dict.fromkeys(spec for specs in systems.values() for spec in specs))


def _pair(left: tuple[str, Rounds], right: tuple[str, Rounds], claim: Claim, case: Case) -> Evidence | None:
    shared = sorted(left[1].keys() & right[1].keys())
    if not shared:
        return None
    ratio = compare(np.array([right[1][n] for n in shared]), np.array([left[1][n] for n in shared]))
    what = f"{_said(left[0], claim.left, case)} against {_said(right[0], claim.right, case, left[0])}"
    return Evidence(f"{what}{_place(claim, case)}", ratio.ratio, ratio.low, ratio.high, ratio.rounds)


def _against_number(spec: str, mine: Rounds, claim: Claim, case: Case) -> Evidence:
    values = np.array(list(mine.values()))
    ratio = compare(np.full(values.size, claim.right.constant_ns), values)
    what = f"{_said(spec, claim.left, case)} against the published number{_place(claim, case)}"
    return Evidence(what, ratio.ratio, ratio.low, ratio.high, ratio.rounds)


def _spreads(claim: Claim, observed: tuple[Observed, ...], systems: Mapping[str, Sequence[str]]) -> list[Evidence]:
    """Slowest over fastest of ten launches, as the scatter of the launches says; interval from chi-square."""
    from scipy.stats import chi2

    found = []
    for size, ranks in product(claim.sizes, claim.ranks):
        case = Case(size, ranks)
        for spec, mine in picked(claim.left, case, observed, _specs(claim.left, systems)).items():
            logs = np.log(np.array(list(mine.values())))
            n = logs.size
            deviation = float(logs.std(ddof=1)) if n > 1 else nan
            low, high = (
                (deviation * ((n - 1) / float(chi2.ppf(q, n - 1))) ** 0.5 for q in (0.975, 0.025))
                if n > 1
                else (nan, nan)
            )
            what = f"slowest over fastest of ten launches of {_said(spec, claim.left, case)}{_place(claim, case)}"
            value, least, most = (exp(RANGE_OF_TEN * one) for one in (deviation, low, high))
            found.append(Evidence(what, value, least, most, n))
    return found


# --- what a case says -------------------------------------------------------------------------------------------


def _told(case: Evidence, claim: Claim, family: int) -> Evidence:
    low, high = _widened(case, family)
    if case.rounds < LEAST_ROUNDS or not (isfinite(low) and isfinite(high)):
        says: Literal["fits", "contradicts", "open"] = "open"
    elif claim.low <= low and high <= claim.high:
        says = "fits"
    else:
        says = "contradicts" if high < claim.low or low > claim.high else "open"
    return Evidence(case.what, case.value, low, high, case.rounds, says)


def _widened(case: Evidence, family: int) -> tuple[float, float]:
    """The 95 % interval of one case widened on the log scale so that ``family`` of them hold together."""
    if family < 2 or not (case.low > 0 and isfinite(case.high)):
        return case.low, case.high
    factor = NormalDist().inv_cdf(1 - 0.025 / family) / NormalDist().inv_cdf(0.975)
    middle = log(case.value)
    return exp(middle - factor * (middle - log(case.low))), exp(middle + factor * (log(case.high) - middle))


def _because(told: Sequence[Evidence], claim: Claim) -> str:
    """The count, and the case that decides: the clearest one against, or the first."""
    fit = sum(one.says == "fits" for one in told)
    against = [one for one in told if one.says == "contradicts"]
    open_ = [one for one in told if one.says == "open"]
    shown = (against or open_ or list(told))[0] if claim.hold != "any" else _first(told, "fits")
    counted = f"{fit} of {len(told)} cases fit" + (f", {len(against)} contradict" if against else "")
    few = " (too few rounds)" if shown.rounds < LEAST_ROUNDS else ""
    return f"{counted}; {shown.what}: {numbers(shown)}{few}; claimed {_bounds(claim)}."


def _first(told: Sequence[Evidence], says: str) -> Evidence:
    return next((one for one in told if one.says == says), told[0])


def _answer(told: Sequence[Evidence]) -> str:
    """All numbers in a row: what a question asked for."""
    most = 12
    rows = "; ".join(f"{one.what}: {numbers(one)}" for one in told[:most])
    return rows + (f"; and {len(told) - most} more." if len(told) > most else ".")


def numbers(one: Evidence) -> str:
    """``1.52 × (1.40 to 1.66), 8 rounds``."""
    limits = f" ({format_ratio(one.low)} to {format_ratio(one.high)})" if isfinite(one.low) else ""
    return f"{format_ratio(one.value)} ×{limits}, {one.rounds} round{'s' if one.rounds != 1 else ''}"


def _bounds(claim: Claim) -> str:
    if not isfinite(claim.high):
        return f"at least {format_ratio(claim.low)} ×"
    if claim.low <= 0:
        return f"at most {format_ratio(claim.high)} ×"
    return f"{format_ratio(claim.low)} to {format_ratio(claim.high)} ×"


def _said(spec: str, pick: Pick, case: Case, other: str = "") -> str:
    """The stack, and what a pick states that the case does not; the stack is left out when it is the same again."""
    parts = [f"{name} {value}" for name, value in pick.options]
    parts += [format_size(pick.size_bytes)] if pick.size_bytes not in (None, case.size_bytes) else []
    parts += [f"{pick.ranks} ranks"] if pick.ranks not in (None, case.ranks) else []
    parts += [pick.series] if pick.series else []
    words = " ".join([*([] if spec == other else [spec]), pick.kernel, *parts])
    return words or spec


def _place(claim: Claim, case: Case) -> str:
    """`` at 8 B, 4 ranks`` as far as the case states it."""
    fixed = claim.left.size_bytes is not None
    parts = [format_size(case.size_bytes)] if case.size_bytes and not fixed else []
    parts += [f"{case.ranks} ranks"] if claim.left.ranks is None else []
    return f" at {', '.join(parts)}" if parts else ""


def _missing(claim: Claim, systems: Mapping[str, Sequence[str]]) -> str:
    """Which system is not here, or which kernel delivered nothing."""
    roles = [pick.system for pick in (claim.left, claim.right) if pick.system and not systems.get(pick.system)]
    if roles:
        return f"no stack stands for {' and '.join(dict.fromkeys(roles))} here"
    kernels = dict.fromkeys(pick.kernel for pick in (claim.left, claim.right) if pick.kernel)
    return f"no samples of {' and '.join(kernels) or 'it'} at what the claim speaks of"
