"""Whole runs of simulated launches: their data sets, and runs that decide look by look which tests go on.

What a run shows and decides here is what msgauge itself draws up from such launches: ``analysis.run`` and
``analysis.stop_decision``, not a copy of their rules.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from msgauge.analysis.run import analyse, analyse_round
from msgauge.analysis.verdicts.stop_decision import find_open_cells
from msgauge.model import Analysis, Cell, Launch, LaunchRecord, Mode, Origin, Plan, Samples, Stack, Stopping, StopReason
from msgauge.results.dataset import Dataset
from msgauge.stats.look_schedule import looks_of_run

PRECISE = 1000
"""Samples are integers: so many to a ns, that rounding is no part of a simulation."""


def stacks(count: int) -> tuple[Stack, ...]:
    """Measured stacks that nobody has to install."""
    return tuple(Stack(f"stack{number}", "1", Origin("builtin")) for number in range(count))


def make_plan(count: int, cells: int, stopping: Stopping, *, mode: Mode = "batch", sizes: tuple[int, ...] = ()) -> Plan:
    """A plan of ``count`` stacks, the first one the base: ``sizes`` again in each of as many kernels as it takes."""
    sizes = sizes or tuple(8 << number for number in range(cells))
    places = ((f"kernel{row}", size) for row in range(cells // len(sizes)) for size in sizes)
    held = tuple(Cell(number, kernel, size, 2, mode=mode) for number, (kernel, size) in enumerate(places))
    specs = tuple(one.spec for one in stacks(count))
    return Plan("simulated", 1, specs, held, (2,), stopping=stopping, base=specs[0])


def dataset_of(
    plan: Plan, times_ns: np.ndarray, measured: tuple[Stack, ...] = (), *, resolution_ns: float = 0.0
) -> Dataset:
    """Every launch of all rounds; ``times_ns``: (stacks, cells, rounds), or (stacks, cells, rounds, operations).

    ``measured``: the stacks of the plan, where they are other ones than ``stacks`` gives. ``resolution_ns``: what the
    launches say of their clock.
    """
    found = Dataset(plan, measured or stacks(len(plan.stacks)))
    for round in range(times_ns.shape[2]):
        cells = tuple(cell.id for cell in plan.cells)
        add_round(found, times_ns[:, :, round], round, cells, resolution_ns=resolution_ns)
    return found


def add_round(
    dataset: Dataset, times_ns: np.ndarray, round: int, cells: tuple[int, ...], *, resolution_ns: float = 0.0
) -> None:
    """One launch of every stack with these cells; ``times_ns``: (stacks, cells) or (stacks, cells, operations)."""
    for row, stack in enumerate(dataset.plan.stacks):
        number = round * len(dataset.plan.stacks) + row
        launch = Launch(number, round, stack, 2, cells, 1)
        frames = (
            Samples(
                number, cell, "time", np.atleast_1d(np.rint(PRECISE * times_ns[row, cell])).astype(np.int64), PRECISE
            )
            for cell in cells
        )
        started = "2026-01-01T00:00:00.000"
        record = LaunchRecord(launch, "ok", started=started, seconds=1.0, timer_resolution_ns=resolution_ns * PRECISE)
        dataset.add(record, frames)


def run_adaptively(plan: Plan, times_ns: np.ndarray) -> Iterator[tuple[Dataset, Analysis]]:
    """What a run shows at each of its looks, and the report at its end; what a look settled has no more launches.

    ``times_ns``: launch medians, shape (stacks, cells, maximum rounds); those of rounds that a cell does not take part
    in are never looked at.
    """
    dataset = Dataset(plan, stacks(len(plan.stacks)))
    looks = looks_of_run(plan.stopping)
    going: frozenset[int] = frozenset(cell.id for cell in plan.cells)
    before: Analysis | None = None
    for round in range(plan.stopping.maximum_rounds):
        add_round(dataset, times_ns[:, :, round], round, tuple(sorted(going)))
        if round + 1 in looks:
            before = analyse_round(dataset, (), before)
            yield dataset, before
            going = find_open_cells(plan, before, dataset.rounds_of_cells)
            if not going:
                break
    ended = StopReason.ROUNDS if going else StopReason.PRECISION
    yield dataset, analyse(dataset, run="", stopped=ended)
