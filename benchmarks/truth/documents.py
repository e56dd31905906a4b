"""Claims of documents, each about several cases: called true or false by mistake, and decided where they are true."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from benchmarks.truth.machines import ALIKE
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.observations import Observation
from msgauge.papers.case_levels import Hold, combine_verdicts, count_against, count_enough, level_of
from msgauge.papers.claims import Claim, JudgedClaim, judge_claim
from msgauge.papers.number_selection import Pick
from msgauge.stats.ratio import interval_at

FAR = np.log(3.0)
SYSTEMS = {"left": ("tcp@1",), "right": ("mpich@5",)}


def false_claims(hold: Hold, cases: int, rounds: int, machine: str, trials: int) -> Figure:
    """Share of claims that are said to hold, or not to, though the truth lies on the bound.

    One case fewer than would decide is far on that side, the others are on the bound; both sides are tried, and the
    worse one counts. Before: every interval at the level at which all hold together.
    """
    random = generator(81)
    sides = ((count_enough(cases, hold) - 1, FAR, "holds"), (count_against(cases, hold) - 1, -FAR, "does not hold"))
    now, before = np.zeros(2), np.zeros(2)
    for _ in range(trials):
        for side, (away, distance, word) in enumerate(sides):
            times = ALIKE[machine]((2, cases, rounds), random)
            times[0, :away] += distance
            now[side] += judge(hold, times).verdict == word
            before[side] += _judge_together(hold, times) == word
    case = f"{machine}: {hold} of {cases} cases, {rounds} rounds"
    claim = "a claim of a document is not called true or false by mistake"
    return Figure(claim, "<= 5 %", case, max(now) / trials, max(before) / trials, trials)


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


def judge(hold: Hold, times: np.ndarray) -> JudgedClaim:
    """That the first of two stacks is slower, in so many cases; ``times``: logarithms, shape (2, cases, rounds)."""
    left, right = (Pick(role, "pingpong") for role in SYSTEMS)
    claim = Claim("slower", left=left, right=right, sizes=tuple(range(1, times.shape[1] + 1)), low=1.0, hold=hold)
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
    """All of them take a few minutes of one core."""
    families: tuple[tuple[Hold, int], ...] = (("all", 26), ("most", 6), ("any", 6))
    for machine in ("lognormal", "heavy tails", "two modes, cell by cell", "two modes, launch by launch", "drifting"):
        for hold, cases in families:
            for rounds in (5, 10):
                yield Simulation(false_claims, (hold, cases, rounds, machine), 400)
    for rounds in (5, 7):
        yield Simulation(claims_decided, ("all", 26, rounds, 1.5), 200)
        yield Simulation(claims_decided, ("most", 6, rounds, 1.25), 200)
    for slow_share in (0.0, 0.1, 0.3):
        for rounds in (5, 10):
            yield Simulation(spreads_held, (slow_share, rounds), 2000)
