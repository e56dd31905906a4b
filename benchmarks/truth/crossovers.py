"""Crossovers: where the faster of two stacks changes with the size of the message, and where it does not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from benchmarks.truth.machines import ALIKE
from benchmarks.truth.simulated_runs import dataset_of, make_plan
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.run import analyse
from msgauge.model import Analysis, Finding, Stopping, StopReason

SIZES = tuple(8 << 2 * number for number in range(9))
"""Bytes: 8 to 512 KiB."""
LATENCY_NS, BYTE_NS = 1000.0, 0.1
"""Of all stacks but the second one (Hockney 1994)."""


def false_crossovers(machine: str, rounds: int, gain: float, trials: int) -> Figure:
    """Share of runs with a crossover that the true times do not have, one size after the other.

    ``gain``: by how much a message of nothing is faster on the second of three stacks, and each byte slower; 0: alike.
    """
    false = sum(_tells_falsely(run, gain) for run in _runs(machine, rounds, gain, trials))
    return Figure("no crossover is told that is none", "<= 5 %", _case(machine, rounds, gain), *_shares(false, trials))


def crossovers_found(machine: str, rounds: int, gain: float, trials: int) -> Figure:
    """Share of runs that tell the crossover of the second stack with the first one."""
    found = 0
    for run in _runs(machine, rounds, gain, trials):
        pairs = [{dict(one.evidence)["winner"], dict(one.evidence)["loser"]} for one in _crossovers(run)]
        found += {"stack0@1", "stack1@1"} in pairs
    return Figure("a crossover is told", "", _case(machine, rounds, gain), *_shares(found, trials))


def _shares(count: int, trials: int) -> tuple[float, float, int]:
    return count / trials, float("nan"), trials


def _case(machine: str, rounds: int, gain: float) -> str:
    apart = f"the second has {gain:.0%} less latency and bandwidth" if gain else "all of one law"
    return f"{machine}, {rounds} rounds: 3 stacks, {len(SIZES)} sizes, {apart}"


def _true_ns(gain: float) -> np.ndarray:
    """Shape (stacks, sizes)."""
    usual = LATENCY_NS + BYTE_NS * np.array(SIZES, dtype=float)
    other = LATENCY_NS * (1 - gain) + BYTE_NS / (1 - gain) * np.array(SIZES, dtype=float)
    return np.stack([usual, other, usual])


def _runs(machine: str, rounds: int, gain: float, trials: int) -> Iterator[Analysis]:
    random = generator(170)
    plan = make_plan(3, len(SIZES), Stopping(minimum_rounds=rounds, maximum_rounds=rounds), sizes=SIZES)
    for _ in range(trials):
        times_ns = _true_ns(gain)[..., None] * np.exp(ALIKE[machine]((3, len(SIZES), rounds), random))
        yield analyse(dataset_of(plan, times_ns), run="", stopped=StopReason.ROUNDS)


def _crossovers(run: Analysis) -> list[Finding]:
    return [one for one in run.findings if one.kind == "crossover"]


def _tells_falsely(run: Analysis, gain: float) -> bool:
    """Whether any names a size as the last before it, or the first behind it, at which the other one is faster."""
    truth = _true_ns(gain)
    for one in _crossovers(run):
        said = dict(one.evidence)
        winner, loser = (int(said[name].removeprefix("stack").removesuffix("@1")) for name in ("winner", "loser"))
        before, after = (SIZES.index(int(said[name])) for name in ("after", "at"))
        if not (truth[loser, before] < truth[winner, before] and truth[winner, after] < truth[loser, after]):
            return True
    return False


def simulations() -> Iterator[Simulation]:
    """Those of crossovers; five minutes of one core."""
    for machine in ("lognormal", "two modes, launch by launch"):
        for rounds in (7, 20):
            for gain in (0.0, 0.02):
                yield Simulation(false_crossovers, (machine, rounds, gain), 200)
            yield Simulation(crossovers_found, (machine, rounds, 0.1), 100)
