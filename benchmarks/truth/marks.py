"""Marks of the best, and launches that are left out: what is shown follows from the data and not from their outcome."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import numpy as np
from attrs import evolve
from benchmarks.truth import former
from benchmarks.truth.machines import ALIKE, SLOW_SHARE
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.model import Cell, CellKey, Launch, LaunchRecord, Origin, Plan, Samples, Stack
from msgauge.results.dataset import Dataset
from msgauge.results.disturbances import find_disturbances, find_shifts
from msgauge.stats.pairwise import FASTER, SLOWER, best, judge_pairs

ROUNDS_OF_A_RUN = 20
LAUNCHES_OF_A_RUN = 120
PROBE_SCATTER = 0.01
FORMER_SHIFT = 1.05
"""A probe that moved by more once marked the launch."""


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
        found = Dataset.of(plan, [_STACK], _records(slow, random), frames)
        kept += [slow[launch.number] for launch in found.cells[CellKey(_STACK.spec, 0)].compared.launches]
        former_kept += np.where(slow, again, slow).tolist()
    start = ", quiet start asked for" if quiet_start else ""
    case = f"{ROUNDS_OF_A_RUN} rounds of one stack, 30 % slow, all of them seen afterwards{start}"
    shares = float(np.mean(kept)), float(np.mean(former_kept))
    return Figure("what is left out does not depend on the outcome", "29 to 31 %", case, *shares, len(kept))


def false_alarms(scatter: float, trials: int) -> Figure:
    """Share of launches called disturbed on a machine on which nothing disturbs, but whose probes scatter."""
    random = generator(14)
    now = before = 0
    for _ in range(trials):
        records = [_record(number, random, scatter) for number in range(LAUNCHES_OF_A_RUN)]
        now += len(find_disturbances(records).launches)
        before += sum(
            find_shifts(one.sentinel_before, one.sentinel_after)["loop"] > np.log(FORMER_SHIFT) for one in records
        )
    launches = trials * LAUNCHES_OF_A_RUN
    case = f"{LAUNCHES_OF_A_RUN} launches, probes that scatter by {100 * scatter:g} %"
    claim = "a launch in which nothing happened is not called disturbed"
    return Figure(claim, "about 1 %", case, now / launches, before / launches, launches)


_STACK = Stack("one", "1", Origin("builtin"))
_PLAN = Plan("simulated", 1, (_STACK.spec,), (Cell(0, "pingpong", 8, 2),), (2,))
_BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


def _records(slow: np.ndarray, random: np.random.Generator) -> list[LaunchRecord]:
    """A loop takes a third longer after each launch that was slow."""
    return [_record(n, random, PROBE_SCATTER, 1.3 if one else 1.0) for n, one in enumerate(slow)]


def _record(number: int, random: np.random.Generator, scatter: float, after: float = 1.0) -> LaunchRecord:
    """A launch a second; its probes scatter, and the one after it is slower by so much."""
    probes = []
    for pace in (1.0, after):
        ns = 1000 * pace * float(np.exp(random.normal(0, scatter)))
        probes.append((("loop_ns", f"{ns:.3f}"), ("loop_min_ns", f"{0.99 * ns:.3f}")))
    started = (_BEGIN + timedelta(seconds=number)).isoformat(timespec="milliseconds")
    launch = Launch(number, number, _STACK.spec, 2, (0,), 1)
    return LaunchRecord(launch, "ok", started=started, seconds=0.9, sentinel_before=probes[0], sentinel_after=probes[1])


def simulations() -> Iterator[Simulation]:
    """Those of marks and of what is left out."""
    for machine in ("lognormal", "two modes, cell by cell"):
        for rounds in (5, 7, 10):
            yield Simulation(blanks, ((6, 9, rounds), machine), 1000)
    for difference in (0.02, 0.05):
        yield Simulation(contradicted_rows, ("drifting", difference), 100)
    for quiet_start in (False, True):
        yield Simulation(slow_launches_kept, (quiet_start,), 3000)
    for scatter in (0.01, 0.05, 0.2):
        yield Simulation(false_alarms, (scatter,), 800)
