"""Claims about the scatter of launches where the pace of the machine wanders: ten launches in a row, and what is said.

"Before": launches taken as independent, by the chi-square interval of their standard deviation.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

import numpy as np
from benchmarks.truth import former
from benchmarks.truth.machines import correlate
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.estimates.observations import Observation
from msgauge.papers.claim_statement import Claim
from msgauge.papers.claims import judge_claim
from msgauge.papers.number_selection import Pick

SCATTER = 0.15
IN_A_ROW = {0.0: 3.077, 0.5: 2.728, 0.8: 2.057}
"""Expected range of ten in a row at each coefficient, in standard deviations."""
NEAR = 1e-4
STACK = "one@1"


def false_claims_of_scatter(correlation: float, rounds: int, trials: int) -> Figure:
    """Share of claims on how far ten launches in a row lie apart that are decided by mistake, the truth on the bound.

    Both bounds, each called true and called false: the worst of four counts.
    """
    random, truth = generator(171), float(np.exp(SCATTER * IN_A_ROW[correlation]))
    tried = (
        (truth * (1 + NEAR), inf, "holds"),
        (0.0, truth * (1 - NEAR), "holds"),
        (truth * (1 - NEAR), inf, "does not hold"),
        (0.0, truth * (1 + NEAR), "does not hold"),
    )
    now, before = np.zeros(len(tried)), np.zeros(len(tried))
    for _ in range(trials):
        logs = _draw(correlation, rounds, SCATTER, random)
        now += [_judge(logs, low, high) == word for low, high, word in tried]
        with former.independent_scatter():
            before += [_judge(logs, low, high) == word for low, high, word in tried]
    claimed = "a claim about the scatter of launches is not called true or false by mistake"
    return Figure(claimed, "<= 5 %", _case(correlation, rounds), max(now) / trials, max(before) / trials, trials)


def ranges_hold(correlation: float, rounds: int, trials: int) -> Figure:
    """Share of intervals of "slowest over fastest of ten launches in a row" that hold."""
    random, truth = generator(172), float(np.exp(SCATTER * IN_A_ROW[correlation]))
    now = before = 0
    for _ in range(trials):
        logs = _draw(correlation, rounds, SCATTER, random)
        now += _holds(logs, truth)
        with former.independent_scatter():
            before += _holds(logs, truth)
    claimed = "how far ten launches in a row lie apart is told right"
    shares = now / trials, before / trials
    return Figure(claimed, "at least 93 %", _case(correlation, rounds), *shares, trials)


def claims_of_scatter_decided(correlation: float, rounds: int, scatter: float, trials: int) -> Figure:
    """Share of claims that launches differ by less than twofold that are found to hold."""
    random = generator(173)
    now = before = 0
    for _ in range(trials):
        logs = _draw(correlation, rounds, scatter, random)
        now += _judge(logs, 0.0, 2.0) == "holds"
        with former.independent_scatter():
            before += _judge(logs, 0.0, 2.0) == "holds"
    case = f"{_case(correlation, rounds)}, scatter {100 * scatter:.0f} %, less than twofold"
    return Figure("a claim about the scatter of launches is decided", "", case, now / trials, before / trials, trials)


def _case(correlation: float, rounds: int) -> str:
    return f"launches AR(1) {correlation}, {rounds} rounds"


def _draw(correlation: float, rounds: int, scatter: float, random: np.random.Generator) -> np.ndarray:
    return correlate(random.normal(0, scatter, rounds), correlation)


def _judge(logs: np.ndarray, low: float, high: float) -> str:
    claim = Claim("", kind="spread", left=Pick("left", "pingpong"), sizes=(8,), low=low, high=high)
    return judge_claim(claim, _observe(logs), {"left": (STACK,)}).verdict


def _holds(logs: np.ndarray, truth: float) -> bool:
    asked = Claim("", kind="spread", left=Pick("left", "pingpong"), sizes=(8,), question=True)
    (told,) = judge_claim(asked, _observe(logs), {"left": (STACK,)}).evidence
    return told.low <= truth <= told.high


def _observe(logs: np.ndarray) -> list[Observation]:
    return [Observation(STACK, "pingpong", 8, 2, (), "time", tuple(range(logs.size)), tuple(np.exp(logs).tolist()))]


def simulations() -> Iterator[Simulation]:
    """Those of the scatter of launches; half a minute of one core each."""
    for correlation, rounds in ((0.0, 10), (0.5, 20), (0.8, 7), (0.8, 20)):
        yield Simulation(false_claims_of_scatter, (correlation, rounds), 1500)
        yield Simulation(ranges_hold, (correlation, rounds), 2000)
    for correlation, rounds, scatter in ((0.0, 10, 0.12), (0.0, 20, 0.15)):
        yield Simulation(claims_of_scatter_decided, (correlation, rounds, scatter), 1000)
