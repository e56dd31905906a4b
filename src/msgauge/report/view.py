"""All that a report shows of one run, as one frozen value small enough to ship inside a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from attrs import field, frozen

from msgauge.analysis.estimates.cell_estimates import all_samples
from msgauge.analysis.findings.cluster_map import ClusterMap, ClusterMaps
from msgauge.analysis.stack_models.stack_model import Models, StackModel
from msgauge.model import Analysis, Build, CellKey, Kernel, KernelKind, LaunchRecord, Plan, ProgramEfficiency, Stack
from msgauge.papers.result import PaperResult
from msgauge.results.dataset import CellSamples, Dataset, Series

if TYPE_CHECKING:
    from msgauge.results.run_folder import RunFolder

QUANTILES = 101
"""Points of a sketch: the 0th, 1st ... 100th percentile."""


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
    hosts: Mapping[str, str] = field(factory=dict)
    """What was found out about the hosts of the run; empty for the present computer alone."""
    host_survey: Mapping[str, Mapping[str, str]] = field(factory=dict)
    """What each of them said of itself."""
    sketches: tuple[Sketch, ...] = ()
    curves: tuple[Curve, ...] = ()
    kernels: tuple[Kernel, ...] = ()
    paper: PaperResult | None = None
    models: tuple[StackModel, ...] = ()
    maps: tuple[ClusterMap, ...] = ()
    detail: int = 0
    room_bytes: float = float("inf")

    @cached_property
    def efficiencies(self) -> Mapping[CellKey, ProgramEfficiency]:
        """The parallel efficiency of each program that has one, with its limits at ``interval_level``."""
        return {one.key: one for one in self.analysis.efficiencies}

    def kernel(self, name: str) -> Kernel:
        """The facts of a kernel; a bare one under its own name when the run used a kernel unknown here."""
        known = (kernel for kernel in self.kernels if kernel.name == name)
        return next(known, Kernel(name=name, title=name, meaning="", source=""))


def load(folder: RunFolder, analysis: Analysis | None = None) -> RunView:
    """Read what a run folder holds; nothing is measured and nothing is written. ``analysis``: in place of its own.

    Raises:
        StoreError: the folder cannot be read, or holds no analysis yet.
    """
    kernels = folder.facts.kernels
    models = folder.read_derived("models", Models)
    maps = folder.read_derived("map", ClusterMaps)
    drawn, curves = make_sketches(folder.dataset, kernels)
    return RunView(
        name=folder.path.name,
        folder=str(folder.path),
        plan=folder.plan,
        analysis=folder.analysis() if analysis is None else analysis,
        stacks=tuple(folder.stacks),
        builds=tuple(folder.builds),
        records=tuple(folder.dataset.records),
        machine=dict(folder.machine),
        hosts=folder.hosts,
        host_survey=folder.host_survey,
        sketches=drawn,
        curves=curves,
        kernels=kernels,
        paper=folder.read_derived("paper", PaperResult),
        models=models.models if models else (),
        maps=maps.maps if maps else (),
    )


def make_sketches(dataset: Dataset, kernels: Sequence[Kernel] = ()) -> tuple[tuple[Sketch, ...], tuple[Curve, ...]]:
    """Percentiles of all samples of each (stack, cell), and the typical curve where samples are curves.

    Of the launches that estimates are made of. The series that is compared is sketched; curves are drawn of all. What
    was measured of every pair of hosts is neither: the map shows it.
    """
    matrix = {kernel.name for kernel in kernels if kernel.kind is KernelKind.MATRIX}
    mapped = {cell.id for cell in dataset.plan.cells if cell.kernel in matrix}
    cells = [dataset.cells[key] for key in sorted(dataset.cells) if key.cell not in mapped]
    curves = (_curve(series) for one in cells for series in sorted(one.series, key=lambda series: series.name))
    return tuple(map(_sketch, cells)), tuple(curve for curve in curves if curve is not None)


def _sketch(one: CellSamples) -> Sketch:
    """Percentiles of the samples of all launches together."""
    values = all_samples(one.frames)
    points = np.quantile(values, np.linspace(0.0, 1.0, QUANTILES))
    return Sketch(one.key.stack, one.key.cell, int(values.size), tuple(float(f"{point:.5g}") for point in points))


def _curve(series: Series) -> Curve | None:
    """None where samples are no curves; launches of another length than the longest are left out."""
    rows = [curves for frame in series.frames if (curves := frame.curves).shape[1] > 1]
    if not rows:
        return None
    length = max(part.shape[1] for part in rows)
    middle = np.median(np.concatenate([part for part in rows if part.shape[1] == length]), axis=0)
    times = tuple(float(f"{value:.5g}") for value in middle)
    return Curve(series.key.stack, series.key.cell, series.name, times)
