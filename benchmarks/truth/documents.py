"""Claims of documents, each about several cases: called true or false by mistake, and decided where they are true."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from attrs import evolve
from benchmarks.truth.machines import ALIKE
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.estimates.observations import Observation
from msgauge.model import Stopping
from msgauge.papers.case_levels import (
    FAMILY_ERROR,
    LOOK_ERROR,
    Hold,
    choose_error,
    combine_verdicts,
    count_against,
    count_enough,
    error_when_resumed,
    level_of,
)
from msgauge.papers.claim_cases import find_cases
from msgauge.papers.claim_forecast import Word
from msgauge.papers.claim_prospects import foretell_claim
from msgauge.papers.claim_statement import Claim
from msgauge.papers.claims import Evidence, JudgedClaim, judge_claim
from msgauge.papers.number_selection import Pick
from msgauge.stats.look_schedule import looks_of_run
from msgauge.stats.prediction import MOST_TIMES
from msgauge.stats.ratio import interval_at

FAR = np.log(3.0)
LAST = 100
"""Rounds of the longest runs, which have nine looks."""
LOOKS = looks_of_run(Stopping(minimum_rounds=7, maximum_rounds=LAST))
REPORTS = (10, 20, 40, 80)
SYSTEMS = {"left": ("tcp@1",), "right": ("mpich@5",)}


def false_claims(hold: Hold, cases: int, rounds: int, machine: str, trials: int) -> Figure:
    """Share of claims that are said to hold, or not to, though the truth lies on the bound.

    One case fewer than would decide is far on that side, the others are on the bound; both sides are tried, and the
    worse one counts. Before: every interval at the level at which all hold together.
    """
    random = generator(81)
    now, before = np.zeros(2), np.zeros(2)
    for _ in range(trials):
        for side, (away, distance, word) in enumerate(_sides(hold, cases)):
            times = ALIKE[machine]((2, cases, rounds), random)
            times[0, :away] += distance
            now[side] += judge(hold, times).verdict == word
            before[side] += _judge_together(hold, times) == word
    case = f"{machine}: {hold} of {cases} cases, {rounds} rounds"
    claim = "a claim of a document is not called true or false by mistake"
    return Figure(claim, "<= 5 %", case, max(now) / trials, max(before) / trials, trials)


def false_claims_at_looks(hold: Hold, cases: int, machine: str, trials: int) -> Figure:
    """As ``false_claims``, where a claim gets no more rounds once a look finds it decided, nor a case that is clear.

    It is judged in the end by the rounds that each case has then. Before: a look was as easy to convince as the last
    word, and a claim got them for all of its cases or for none.
    """
    random = generator(84)
    wrong = {LOOK_ERROR: np.zeros(2), FAMILY_ERROR: np.zeros(2)}
    for _ in range(trials):
        for side, (away, distance, word) in enumerate(_sides(hold, cases)):
            times = ALIKE[machine]((2, cases, LAST), random)
            times[0, :away] += distance
            by_case = _rounds_of_cases(hold, times, LOOK_ERROR)
            wrong[LOOK_ERROR][side] += judge(hold, times, rounds_of_cases=by_case).verdict == word
            together = _rounds_of(hold, times, FAMILY_ERROR)
            wrong[FAMILY_ERROR][side] += judge(hold, times[..., :together]).verdict == word
    case = f"{machine}: {hold} of {cases} cases, looks up to {LAST} rounds"
    claimed = "a claim is not called true or false by mistake where it gets no more rounds once it is decided"
    return Figure(claimed, "<= 5 %", case, *(max(count) / trials for count in wrong.values()), trials)


def false_claims_beside(distance: float, machine: str, trials: int) -> Figure:
    """As ``false_claims_at_looks`` of one case, where another claim about the same numbers decides how long they go on.

    That one claims a ratio ``distance`` (logarithm) below the truth, which is easier to see the more the scatter errs
    upwards; downwards is the same. Before: it too was as easily convinced as by the last word.
    """
    random = generator(85)
    wrong = {LOOK_ERROR: np.zeros(2), FAMILY_ERROR: np.zeros(2)}
    for _ in range(trials):
        times = ALIKE[machine]((2, 1, LAST), random)
        other = times + np.array([distance, 0.0])[:, None, None]
        for error, count in wrong.items():
            verdict = judge("all", times[..., : _rounds_of("all", other, error)]).verdict
            count[0] += verdict == "holds"
            count[1] += verdict == "does not hold"
    case = f"{machine}: the other's bound lies {100 * distance:.0f} % below, looks up to {LAST} rounds"
    claimed = "a claim is not called true or false by mistake where another one about the same numbers is decided first"
    return Figure(claimed, "<= 5 %", case, *(max(count) / trials for count in wrong.values()), trials)


def false_claims_when_resumed(hold: Hold, cases: int, machine: str, trials: int) -> Figure:
    """As ``false_claims``, where a run ends after 10 rounds and is resumed for 20, 40 and 80: any of the four reports.

    Before: each report had 5 %.
    """
    random = generator(87)
    now, before = np.zeros(2), np.zeros(2)
    errors = [choose_error(Stopping(ends=ends), "rounds") for ends in range(len(REPORTS))]
    for _ in range(trials):
        for side, (away, distance, word) in enumerate(_sides(hold, cases)):
            times = ALIKE[machine]((2, cases, REPORTS[-1]), random)
            times[0, :away] += distance
            for count, levels in ((now, errors), (before, [FAMILY_ERROR] * len(REPORTS))):
                reports = zip(REPORTS, levels, strict=True)
                count[side] += any(judge(hold, times[..., :end], error).verdict == word for end, error in reports)
    case = f"{machine}: {hold} of {cases} cases, reports after 10, 20, 40 and 80 rounds"
    claimed = "a claim is not called true or false by mistake in any report of a run that is resumed"
    return Figure(claimed, "<= 5 %", case, max(now) / trials, max(before) / trials, trials)


def _sides(hold: Hold, cases: int) -> tuple[tuple[int, float, str], ...]:
    """How many cases lie far away, how far (logarithm), and what would be said by mistake: one case more decides."""
    return (count_enough(cases, hold) - 1, FAR, "holds"), (count_against(cases, hold) - 1, -FAR, "does not hold")


def _rounds_of(hold: Hold, times: np.ndarray, error: float) -> int:
    """The rounds of the first look that finds the claim decided with so much error, else all."""
    told = (look for look in LOOKS if judge(hold, times[..., :look], error).verdict != "undecided")
    return next(told, LAST)


def _rounds_of_cases(hold: Hold, times: np.ndarray, error: float) -> list[int]:
    """Of each case, those of the first look that finds it clear with so much error, or the claim decided; else all."""
    rounds = [LAST] * times.shape[1]
    for look in LOOKS:
        found = judge(hold, times, error, [min(look, ended) for ended in rounds])
        clear = [found.verdict != "undecided" or one.outcome != "open" for one in found.evidence]
        rounds = [min(look, ended) if done else ended for ended, done in zip(rounds, clear, strict=True)]
        if all(clear):
            break
    return rounds


def claims_decided(hold: Hold, cases: int, rounds: int, ratio: float, trials: int) -> Figure:
    """Share of claims found to hold where each case is by ``ratio`` beyond the bound; before: as above."""
    random = generator(82)
    now = before = 0
    for _ in range(trials):
        times = random.normal(0, 0.1, (2, cases, rounds))
        times[0] += np.log(ratio)
        now += judge(hold, times).verdict == "holds"
        before += _judge_together(hold, times) == "holds"
    case = f"scatter 10 %, {hold} of {cases} cases, {rounds} rounds, {100 * (ratio - 1):.0f} % beyond the bound"
    return Figure("a claim of a document that is true is found so", "", case, now / trials, before / trials, trials)


def spreads_held(slow_share: float, rounds: int, trials: int) -> Figure:
    """Share of intervals of "slowest over fastest of ten launches" that hold; slow launches take e times as long."""
    random = generator(83)

    def launches(shape: tuple[int, int]) -> np.ndarray:
        return random.normal(0, 0.15, shape) + (random.random(shape) < slow_share)

    truth = np.exp(np.ptp(launches((100_000, 10)), axis=1).mean())
    claim = Claim("spread", kind="spread", question=True, left=Pick("left", "pingpong"), sizes=(1,))
    held = 0
    for logs in launches((trials, rounds)):
        shown = judge_claim(claim, _observe(logs[None, None]), SYSTEMS).evidence[0]
        held += shown.low <= truth <= shown.high
    slow = f"{100 * slow_share:.0f} % of launches slow" if slow_share else "no launch slow"
    claim_made = "the scatter of launches is told right if they scatter normally"
    promised = "" if slow_share else "93 to 97 %"
    return Figure(claim_made, promised, f"{slow}, {rounds} rounds", held / trials, float("nan"), trials)


def claim_forecasts(word: Word, of: tuple[Hold, int], rounds: int, machine: str, trials: int) -> Figure:
    """Share of "about N more rounds would decide it" that came true, where the run had so many more.

    ``word``: of those that are promised (``decides``), or are said to come true in one run of two (``may``).

    The bound lies by 3 % or so beside the truth, and by another 1 % in each case. Before: the rounds after which the
    interval that is there, made narrower by their root, would clear the bound.
    """
    hold, cases = of
    claim = _claim_of(hold, cases, FAMILY_ERROR)

    def draw(random: np.random.Generator) -> np.ndarray:
        times = ALIKE[machine]((2, cases, MOST_TIMES * rounds), random)
        times[0] += random.normal(0, 0.03) + random.normal(0, 0.01, (cases, 1))
        return times

    case = f"{machine}: {hold} of {cases} cases, after {rounds} rounds, some 3 % from the bound"
    return _keep_forecasts((claim, word), rounds, draw, case, trials)


def _keep_forecasts(
    said: tuple[Claim, Word], rounds: int, draw: Callable[[np.random.Generator], np.ndarray], case: str, trials: int
) -> Figure:
    """``draw``: logarithms of times, shape (stacks, cases, ten times the rounds)."""
    claim, word = said
    resumed = evolve(claim, error=error_when_resumed(Stopping()))
    random, kept, before = generator(86), list[bool](), list[bool]()
    while len(kept) < trials:
        times = draw(random)
        observed = _observe(times[..., :rounds])
        judged = judge_claim(claim, observed, SYSTEMS)
        if judged.verdict != "undecided":
            continue
        told = foretell_claim(resumed, find_cases(claim, observed, SYSTEMS), judged.evidence)
        for needed, count in (
            (told.rounds if told and told.word == word else 0, kept),
            (_extrapolate(claim, judged.evidence), before),
        ):
            if 0 < needed <= (MOST_TIMES - 1) * rounds:
                later = judge_claim(resumed, _observe(times[..., : rounds + needed]), SYSTEMS)
                count.append(later.verdict != "undecided")
    claimed = "so many rounds more as a report names decide a claim in one run of two"
    return Figure(claimed, "at least 50 %", case, float(np.mean(kept)), float(np.mean(before)), len(kept))


def _extrapolate(claim: Claim, evidence: Sequence[Evidence]) -> int:
    """Rounds more after which as many cases as are enough clear the bound, if every estimate stays as it is."""
    needs = []
    for one in evidence:
        away = np.log(one.value / claim.low)
        reach = np.log(one.value / one.low) if away > 0 else np.log(one.high / one.value)
        needs.append((bool(away > 0), one.rounds * (max(1.0, (reach / abs(away)) ** 2) - 1)))
    above, below = (sorted(more for side, more in needs if side is way) for way in (True, False))
    enough = ((above, count_enough(len(needs), claim.hold)), (below, count_against(len(needs), claim.hold)))
    most = 10.0 * MOST_TIMES * evidence[0].rounds
    return int(np.ceil(min([most, *(side[count - 1] for side, count in enough if len(side) >= count)])))


def judge(
    hold: Hold, times: np.ndarray, error: float = FAMILY_ERROR, rounds_of_cases: Sequence[int] = ()
) -> JudgedClaim:
    """That the first of two stacks is slower, in so many cases; ``times``: logarithms, shape (2, cases, rounds).

    ``rounds_of_cases``: how many each case had; all of them unless told.
    """
    return judge_claim(_claim_of(hold, times.shape[1], error), _observe(times, rounds_of_cases), SYSTEMS)


def _claim_of(hold: Hold, cases: int, error: float) -> Claim:
    left, right = (Pick(role, "pingpong") for role in SYSTEMS)
    return Claim("slower", left=left, right=right, sizes=tuple(range(1, cases + 1)), low=1.0, hold=hold, error=error)


def _observe(times: np.ndarray, rounds_of_cases: Sequence[int] = ()) -> list[Observation]:
    """What was measured of as many stacks as ``times`` has: logarithms, shape (stacks, cases, rounds)."""
    had = rounds_of_cases or [times.shape[2]] * times.shape[1]
    return [
        Observation(stack, "pingpong", 1 + case, 2, (), "time", tuple(range(ended)), tuple(np.exp(logs[:ended])))
        for (stack,), of_stack in zip(SYSTEMS.values(), times, strict=False)
        for case, (logs, ended) in enumerate(zip(of_stack, had, strict=True))
    ]


def _judge_together(hold: Hold, times: np.ndarray) -> str:
    low, high = interval_at(times[0] - times[1], level_of(times.shape[1]))
    return combine_verdicts(list(np.where(low >= 1, "fits", np.where(high < 1, "contradicts", "open"))), hold)


def simulations() -> Iterator[Simulation]:
    """All of them take half an hour of one core."""
    yield from _mistakes()
    for rounds in (5, 7):
        yield Simulation(claims_decided, ("all", 26, rounds, 1.5), 200)
        yield Simulation(claims_decided, ("most", 6, rounds, 1.25), 200)
    for slow_share in (0.0, 0.1, 0.3):
        for rounds in (5, 10):
            yield Simulation(spreads_held, (slow_share, rounds), 3000)
    yield from _forecasts()


def _mistakes() -> Iterator[Simulation]:
    """Claims that are called true or false and are not."""
    families: tuple[tuple[Hold, int], ...] = (("all", 26), ("most", 6), ("any", 6))
    for machine in ("lognormal", "heavy tails", "two modes, cell by cell", "two modes, launch by launch", "drifting"):
        for hold, cases in families:
            for rounds in (5, 10):
                yield Simulation(false_claims, (hold, cases, rounds, machine), 1500)
        yield Simulation(false_claims_at_looks, ("all", 1, machine), 1500)
    for machine in ("lognormal", "two modes, launch by launch"):
        yield Simulation(false_claims_at_looks, ("most", 6, machine), 600)
        yield Simulation(false_claims_at_looks, ("any", 6, machine), 600)
    yield Simulation(false_claims_at_looks, ("all", 26, "lognormal"), 600)
    for machine in ("lognormal", "heavy tails", "two modes, launch by launch", "drifting"):
        yield Simulation(false_claims_when_resumed, ("all", 1, machine), 3000)
    for hold in ("most", "any"):
        yield Simulation(false_claims_when_resumed, (hold, 6, "lognormal"), 1000)
    for distance in (0.02, 0.05):
        yield Simulation(false_claims_beside, (distance, "lognormal"), 12_000)


def _forecasts() -> Iterator[Simulation]:
    """What is foretold of undecided claims."""
    alone: tuple[Hold, int] = ("all", 1)
    for machine in ("lognormal", "heavy tails", "two modes, launch by launch"):
        for family in (alone, ("most", 6)):
            for rounds in (10, 20):
                yield Simulation(claim_forecasts, ("may", family, rounds, machine), 200)
    yield Simulation(claim_forecasts, ("may", ("all", 26), 10, "lognormal"), 200)
    yield Simulation(claim_forecasts, ("may", ("any", 6), 10, "lognormal"), 200)
    yield Simulation(claim_forecasts, ("may", alone, 5, "lognormal"), 200)
