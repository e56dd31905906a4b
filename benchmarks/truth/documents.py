"""Claims of documents, each about several cases: called true or false by mistake, and decided where they are true."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from benchmarks.truth.machines import ALIKE
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.observations import Observation
from msgauge.model import Stopping
from msgauge.papers.case_levels import FAMILY_ERROR, Hold, combine_verdicts, count_against, count_enough, level_of
from msgauge.papers.claim_progress import LOOK_ERROR
from msgauge.papers.claim_statement import Claim
from msgauge.papers.claims import JudgedClaim, judge_claim
from msgauge.papers.number_selection import Pick
from msgauge.stats.look_schedule import looks_of_run
from msgauge.stats.ratio import interval_at

FAR = np.log(3.0)
LAST = 100
"""Rounds of the longest runs, which have nine looks."""
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
    """As ``false_claims``, where a claim gets no more rounds once a look finds it decided.

    It is judged in the end by the rounds that it has then. Before: a look was as easy to convince as the last word.
    """
    random = generator(84)
    wrong = {LOOK_ERROR: np.zeros(2), FAMILY_ERROR: np.zeros(2)}
    for _ in range(trials):
        for side, (away, distance, word) in enumerate(_sides(hold, cases)):
            times = ALIKE[machine]((2, cases, LAST), random)
            times[0, :away] += distance
            for error, count in wrong.items():
                count[side] += judge(hold, times[..., : _rounds_of(hold, times, error)]).verdict == word
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


def _sides(hold: Hold, cases: int) -> tuple[tuple[int, float, str], ...]:
    """How many cases lie far away, how far (logarithm), and what would be said by mistake: one case more decides."""
    return (count_enough(cases, hold) - 1, FAR, "holds"), (count_against(cases, hold) - 1, -FAR, "does not hold")


def _rounds_of(hold: Hold, times: np.ndarray, error: float) -> int:
    """The rounds of the first look that finds the claim decided with so much error, else all."""
    looks = looks_of_run(Stopping(minimum_rounds=7, maximum_rounds=LAST))
    told = (look for look in looks if judge(hold, times[..., :look], error).verdict != "undecided")
    return next(told, LAST)


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


def judge(hold: Hold, times: np.ndarray, error: float = FAMILY_ERROR) -> JudgedClaim:
    """That the first of two stacks is slower, in so many cases; ``times``: logarithms, shape (2, cases, rounds)."""
    left, right = (Pick(role, "pingpong") for role in SYSTEMS)
    sizes = tuple(range(1, times.shape[1] + 1))
    claim = Claim("slower", left=left, right=right, sizes=sizes, low=1.0, hold=hold, error=error)
    return judge_claim(claim, _observe(times), SYSTEMS)


def _observe(times: np.ndarray) -> list[Observation]:
    """What was measured of as many stacks as ``times`` has: logarithms, shape (stacks, cases, rounds)."""
    rounds = tuple(range(times.shape[2]))
    return [
        Observation(stack, "pingpong", 1 + case, 2, (), "time", rounds, tuple(np.exp(logs)))
        for (stack,), of_stack in zip(SYSTEMS.values(), times, strict=False)
        for case, logs in enumerate(of_stack)
    ]


def _judge_together(hold: Hold, times: np.ndarray) -> str:
    low, high = interval_at(times[0] - times[1], level_of(times.shape[1]))
    return combine_verdicts(list(np.where(low >= 1, "fits", np.where(high < 1, "contradicts", "open"))), hold)


def simulations() -> Iterator[Simulation]:
    """All of them take a quarter of an hour of one core."""
    families: tuple[tuple[Hold, int], ...] = (("all", 26), ("most", 6), ("any", 6))
    for machine in ("lognormal", "heavy tails", "two modes, cell by cell", "two modes, launch by launch", "drifting"):
        for hold, cases in families:
            for rounds in (5, 10):
                yield Simulation(false_claims, (hold, cases, rounds, machine), 400)
        yield Simulation(false_claims_at_looks, ("all", 1, machine), 600)
    for machine in ("lognormal", "two modes, launch by launch"):
        yield Simulation(false_claims_at_looks, ("most", 6, machine), 300)
    yield Simulation(false_claims_at_looks, ("all", 26, "lognormal"), 100)
    for distance in (0.02, 0.05):
        yield Simulation(false_claims_beside, (distance, "lognormal"), 600)
    for rounds in (5, 7):
        yield Simulation(claims_decided, ("all", 26, rounds, 1.5), 200)
        yield Simulation(claims_decided, ("most", 6, rounds, 1.25), 200)
    for slow_share in (0.0, 0.1, 0.3):
        for rounds in (5, 10):
            yield Simulation(spreads_held, (slow_share, rounds), 2000)
