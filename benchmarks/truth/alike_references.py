"""``diff`` beside references of one kind: what a run does to all of them alike, and not to the stack that is judged.

How much a run shifts single stacks is read off how far references lie from each other. Stacks of one library, or all
over shared memory, may shift together, and then it looks small.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from benchmarks.truth.run_paces import CELLS, MOOD, NOISE, calls_different, run_of
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.between_runs.run_comparison import compare_runs
from msgauge.analysis.between_runs.run_levels import RunLevels

ROUNDS = 10
CLAIM = "runs of one binary are not called different beside references that shift together"


def beside_alike_references(
    references: int, runs: tuple[int, int], together: float, apart: float, trials: int
) -> Figure:
    """Share of comparisons of one binary with a cell that is called different.

    ``references``: how many; in each run they shift by ``together`` in common and by ``apart`` each, as the judged
    stack does by itself. ``runs``: old and new ones.
    """
    random, called = generator(191), 0
    names = [f"reference{number}@1" for number in range(references)]
    for _ in range(trials):
        old, new = ([_draw(references, together, apart, random) for _ in range(count)] for count in runs)
        called += calls_different(compare_runs(old, new, names))
    case = (
        f"{runs[0]} old, {runs[1]} new runs, moods of {100 * MOOD:.0f} %, {references} references that shift together "
        f"by {100 * together:g} % a run and apart by {100 * apart:g} %, {ROUNDS} rounds"
    )
    return Figure(CLAIM, "", case, called / trials, float("nan"), trials)


def _draw(references: int, together: float, apart: float, random: np.random.Generator) -> RunLevels:
    stacks = 1 + references
    logs = NOISE * random.normal(0, 1, (stacks, CELLS, ROUNDS)) + MOOD * random.normal()
    logs += apart * random.normal(0, 1, (stacks, 1, 1))
    logs[1:] += together * random.normal()
    return run_of(logs)


def simulations() -> Iterator[Simulation]:
    """A minute of one core."""
    for references, runs, apart in ((3, (1, 1), 0.003), (3, (1, 1), 0.01), (3, (3, 1), 0.003), (3, (5, 1), 0.003)):
        yield Simulation(beside_alike_references, (references, runs, 0.02, apart), 300)
