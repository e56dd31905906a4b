"""Marks of the best, and launches that are left out: what is shown follows from the data and not from their outcome."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import evolve
from benchmarks.truth import former
from benchmarks.truth.machines import ALIKE, SLOW_SHARE
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.model import Cell, CellKey, Launch, LaunchRecord, Origin, Plan, Samples, Stack
from msgauge.results.dataset import Dataset
from msgauge.stats.pairwise import FASTER, SLOWER, best, judge_pairs

ROUNDS_OF_A_RUN = 20


def blanks(shape: tuple[int, int, int], machine: str, trials: int) -> Figure:
    """Share of A/A tables in which a stack has no mark of the best."""
    random = generator(11)
    now = before = 0
    for _ in range(trials):
        logs = ALIKE[machine](shape, random)
        now += not best(judge_pairs(np.exp(logs)), shape[0]).all()
        before += former.marks(logs)[1].any()
    stacks, cells, rounds = shape
    case = f"{machine}: {stacks} stacks, {cells} cells, {rounds} rounds"
    claim = "among identical stacks every one is marked as perhaps the best"
    return Figure(claim, "all but 5 %", case, now / trials, before / trials, trials)


def contradicted_rows(machine: str, difference: float, trials: int) -> Figure:
    """Share of rows with a verdict in which a mark contradicts it; stacks differ cell by cell."""
    random = generator(12)
    now, before = np.zeros(2), np.zeros(2)
    for _ in range(trials):
        logs = ALIKE[machine]((6, 9, 10), random) + random.normal(0, difference, (6, 9, 1))
        found = judge_pairs(np.exp(logs))
        marked = best(found, 6)
        decided = np.isin(found.word, (FASTER, SLOWER)).any(axis=0)
        wrong = (marked[found.second] & (found.word == SLOWER)) | (marked[found.first] & (found.word == FASTER))
        now += np.array([(wrong.any(axis=0) & decided).sum(), decided.sum()])
        before += np.array(former.contradicted_rows(logs))
    case = f"{machine}: 6 stacks that differ by {100 * difference:.0f} %, 9 cells, 10 rounds"
    shares = (float(wrong / max(1, rows)) for wrong, rows in (now, before))
    return Figure("no mark contradicts the verdict of its row", "0", case, *shares, int(max(1, now[1])))


def slow_launches_kept(quiet_start: bool, trials: int) -> Figure:
    """Share of slow launches among those that count, where a probe after each launch sees exactly the slow ones.

    Three launches in ten are slow. Before: what was seen after a launch had its round measured again, and left out.
    """
    random = generator(13)
    kept, former_kept = [], []
    plan = evolve(_PLAN, quiet_start=quiet_start)
    for _ in range(trials):
        slow, again = random.random((2, ROUNDS_OF_A_RUN)) < SLOW_SHARE
        frames = [Samples(n, 0, "time", np.array([1300 if one else 1000])) for n, one in enumerate(slow)]
        found = Dataset.of(plan, [_STACK], list(map(_record, range(ROUNDS_OF_A_RUN), slow)), frames)
        kept += [slow[launch.number] for launch in found.cells[CellKey(_STACK.spec, 0)].compared.launches]
        former_kept += np.where(slow, again, slow).tolist()
    start = ", quiet start asked for" if quiet_start else ""
    case = f"{ROUNDS_OF_A_RUN} rounds of one stack, 30 % slow, all of them seen afterwards{start}"
    shares = float(np.mean(kept)), float(np.mean(former_kept))
    return Figure("what is left out does not depend on the outcome", "30 %", case, *shares, len(kept))


_STACK = Stack("one", "1", Origin("builtin"))
_PLAN = Plan("simulated", 1, (_STACK.spec,), (Cell(0, "pingpong", 8, 2),), (2,))


def _record(number: int, slow: bool) -> LaunchRecord:
    """A launch, and a loop that takes a third longer after it where it was slow."""
    launch = Launch(number, number, _STACK.spec, 2, (0,), 1)
    after = (("loop", "1300" if slow else "1000"),)
    return LaunchRecord(launch, "ok", sentinel_before=(("loop", "1000"),), sentinel_after=after)


def simulations() -> Iterator[Simulation]:
    """Those of marks and of what is left out."""
    for machine in ("lognormal", "two modes, cell by cell"):
        for rounds in (5, 7, 10):
            yield Simulation(blanks, ((6, 9, rounds), machine), 400)
    for difference in (0.02, 0.05):
        yield Simulation(contradicted_rows, ("drifting", difference), 100)
    for quiet_start in (False, True):
        yield Simulation(slow_launches_kept, (quiet_start,), 50)
