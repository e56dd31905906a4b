"""All that a report shows of one run, as one frozen value small enough to ship inside a page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from attrs import field, frozen

from msgauge.advise.paper_result import PaperResult
from msgauge.advise.stack_model import Models, StackModel
from msgauge.model import Analysis, Build, Kernel, LaunchRecord, Plan, Samples, Stack

if TYPE_CHECKING:
    from msgauge.store import RunFolder

QUANTILES = 101
"""Points of a sketch: the 0th, 1st ... 100th percentile."""
_FIRST_SERIES = ("time", "completion")
"""What is compared where the kernel's facts are not known."""


@frozen
class Sketch:
    """The distribution of one stack's samples in one cell: ``quantiles_ns`` are 101 percentiles, ns per event."""

    stack: str
    cell: int
    samples: int
    quantiles_ns: tuple[float, ...]


@frozen
class Curve:
    """The typical curve of one stack in one cell: the median of each point over all its samples, ns."""

    stack: str
    cell: int
    series: str
    times_ns: tuple[float, ...]


@frozen
class RunView:
    """One run, ready to be shown. ``detail`` 0 shows all; the page raises it when it would grow past its limit.

    ``room_bytes``: what the figures of single kernels may take on the page.
    """

    name: str
    plan: Plan
    analysis: Analysis
    folder: str = ""
    stacks: tuple[Stack, ...] = ()
    builds: tuple[Build, ...] = ()
    records: tuple[LaunchRecord, ...] = ()
    machine: Mapping[str, object] = field(factory=dict)
    sketches: tuple[Sketch, ...] = ()
    curves: tuple[Curve, ...] = ()
    kernels: tuple[Kernel, ...] = ()
    paper: PaperResult | None = None
    models: tuple[StackModel, ...] = ()
    detail: int = 0
    room_bytes: float = float("inf")

    @property
    def used(self) -> tuple[Kernel, ...]:
        """The facts of the kernels that the run measured."""
        return tuple(self.kernel(name) for name in dict.fromkeys(cell.kernel for cell in self.plan.cells))

    def kernel(self, name: str) -> Kernel:
        """The facts of a kernel; a bare one under its own name when the run used a kernel unknown here."""
        known = (kernel for kernel in self.kernels if kernel.name == name)
        return next(known, Kernel(name=name, title=name, meaning="", source=""))


def load(folder: RunFolder) -> RunView:
    """Read what a run folder holds; nothing is measured and nothing is written.

    Raises:
        StoreError: the folder cannot be read, or holds no analysis yet.
    """
    records = tuple(folder.records())
    kernels = _known_kernels()
    models = folder.derived("models", Models)
    drawn, curves = sketched(folder.samples(), records, _compared(folder.plan, kernels))
    return RunView(
        name=folder.path.name,
        folder=str(folder.path),
        plan=folder.plan,
        analysis=folder.analysis(),
        stacks=tuple(folder.stacks),
        builds=tuple(folder.builds),
        records=records,
        machine=dict(folder.machine),
        sketches=drawn,
        curves=curves,
        kernels=kernels,
        paper=folder.derived("paper", PaperResult),
        models=models.models if models else (),
    )


def sketched(
    samples: Iterable[Samples], records: Sequence[LaunchRecord], compared: Mapping[int, str]
) -> tuple[tuple[Sketch, ...], tuple[Curve, ...]]:
    """Percentiles of all samples of each (stack, cell), and the typical curve where samples are curves.

    Disturbed rounds that were repeated are left out, as they are from the estimates. ``compared`` names the series of
    each cell that is compared: only that one is sketched; curves are drawn of all.
    """
    left_out = _repeated(records)
    launches = [record.launch for record in records if record.launch.number not in left_out]
    stack_of = {launch.number: launch.stack for launch in launches}
    parts: dict[tuple[str, int], list[np.ndarray]] = defaultdict(list)
    points: dict[tuple[str, int, str], list[np.ndarray]] = defaultdict(list)
    for frame in samples:
        stack = stack_of.get(frame.launch)
        if stack is None or frame.cell < 0 or not _delivered(frame):
            continue
        rows = frame.curves
        if rows.shape[1] > 1:
            points[stack, frame.cell, frame.series].append(rows)
        if frame.series == compared.get(frame.cell) or (frame.cell not in compared and frame.series in _FIRST_SERIES):
            parts[stack, frame.cell].append(rows[:, -1] / float(frame.divisor))
    sketches = tuple(_sketch(stack, cell, parts[stack, cell]) for stack, cell in sorted(parts))
    return sketches, tuple(_curve(*place, points[place]) for place in sorted(points))


def _compared(plan: Plan, kernels: Sequence[Kernel]) -> dict[int, str]:
    first = {kernel.name: kernel.series[0] for kernel in kernels}
    return {cell.id: first[cell.kernel] for cell in plan.cells if cell.kernel in first}


def _curve(stack: str, cell: int, series: str, rows: Sequence[np.ndarray]) -> Curve:
    """``rows``: int64 of shape (count, points) of each launch; launches of another length than most are left out."""
    length = max(part.shape[1] for part in rows)
    middle = np.median(np.concatenate([part for part in rows if part.shape[1] == length]), axis=0)
    return Curve(stack, cell, series, tuple(float(f"{value:.5g}") for value in middle))


def _repeated(records: Sequence[LaunchRecord]) -> frozenset[int]:
    """Numbers of the launches in disturbed blocks that a later block of the same round and ranks repeats."""
    last: dict[tuple[int, int], int] = {}
    for launch in (record.launch for record in records):
        last[launch.round, launch.ranks] = max(launch.block, last.get((launch.round, launch.ranks), 0))
    disturbed = {(r.launch.round, r.launch.ranks, r.launch.block) for r in records if r.disturbed}
    return frozenset(
        launch.number
        for launch in (record.launch for record in records)
        if (launch.round, launch.ranks, launch.block) in disturbed and launch.block < last[launch.round, launch.ranks]
    )


def _delivered(frame: Samples) -> bool:
    return frame.values.size > 0 and dict(frame.attributes).get("status", "ok") == "ok"


def _sketch(stack: str, cell: int, parts: Sequence[np.ndarray]) -> Sketch:
    """Percentiles of the samples of all launches together; ``parts`` are float64 of shape (count,), ns per event."""
    values = np.concatenate(parts)
    points = np.quantile(values, np.linspace(0.0, 1.0, QUANTILES))
    return Sketch(stack, cell, int(values.size), tuple(float(f"{point:.5g}") for point in points))


def _known_kernels() -> tuple[Kernel, ...]:
    from msgauge.kernels import load_kernels

    return tuple(load_kernels().values())
