"""The level of every stack in every cell of a run: what runs are compared by, two of them or a history of many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from attrs import evolve, field, frozen

from msgauge.analysis.verdicts.clock_steps import find_half_steps, reach_further
from msgauge.analysis.verdicts.round_starts import part_by_start
from msgauge.analysis.warnings.changed_conditions import warn_changed
from msgauge.errors import NothingMeasuredError, UsageError
from msgauge.model import CacheMode, Cell, Mode, Notice, Pairs, Stack
from msgauge.model.machine_facts import CONDITIONS
from msgauge.model.starts import BARRIER
from msgauge.results.dataset import Dataset, Series
from msgauge.results.launch_times import list_sittings
from msgauge.results.run_folder import RunFolder
from msgauge.results.run_folders import find_run_folders, is_run_folder
from msgauge.stats.between_runs import median_variance
from msgauge.stats.dependence import Pace
from msgauge.stats.error_bounds import bound_log
from msgauge.stats.location import Location

OTHER_CONDITIONS = "the runs were made under different conditions"
_REMEDY = "name folders that 'msgauge run' or 'msgauge compare' made, or a folder of such, usually runs/"


@frozen(order=True)
class SeriesKey:
    """One stack in one cell, by what it is and not by its number in one run."""

    stack: str
    kernel: str
    size_bytes: int
    ranks: int
    options: Pairs = ()
    mode: Mode = "batch"
    cache: CacheMode = "hot"

    def of(self, stack: str) -> SeriesKey:
        """The same cell of another stack."""
        return evolve(self, stack=stack)


@frozen(eq=False)
class RunLevels:
    """One run: when it began, where, what it measured; ``medians_ns`` are the positive launch medians of each cell, in
    the order of launches."""

    path: str
    started: str
    machine: Mapping[str, object] = field(factory=dict)
    stacks: tuple[Stack, ...] = ()
    identities: Mapping[str, str] = field(factory=dict)
    """Digest of what was run, by spec; those that are not known are left out."""
    medians_ns: Mapping[SeriesKey, np.ndarray] = field(factory=dict)
    half_steps_ns: Mapping[SeriesKey, float] = field(factory=dict)
    """By how much times of a cell may be wrong because their clock goes in steps."""
    study: str = ""
    kinds: tuple[tuple[str, ...], ...] = ()
    """The stacks that share a pace: on the hosts of the run, here beside them, in simulated time; none: all do."""
    changed: tuple[Notice, ...] = ()
    """What was not the same for all of the run, as it was resumed."""
    origin: str = ""
    """What copies of a run have in common, and no two runs: when its first launch began and a digest of its samples."""
    sittings: tuple[tuple[str, int], ...] = ()
    """When each part of it began and how many launches it has, where parts lie hours apart: it was resumed later."""
    _paces: dict[frozenset[str], Pace] = field(factory=dict, init=False, repr=False)

    @property
    def name(self) -> str:
        """The folder's own name, which names the run everywhere."""
        return Path(self.path).name

    @property
    def standing(self) -> str:
        """Its place in a history: when it began or, where it was resumed hours later, the part of most launches did."""
        return max(self.sittings, key=lambda part: (part[1], part[0]))[0] if self.sittings else self.started

    def level(self, key: SeriesKey) -> float:
        """Logarithm of the median of its launches; nan where it was not measured."""
        medians = self.medians_ns.get(key)
        return float(np.log(np.median(medians))) if medians is not None and medians.size else float("nan")

    def locate(self, key: SeriesKey) -> Location:
        """Median of its launches with the interval of an absolute time, ns."""
        kind = next((frozenset(one) for one in self.kinds if key.stack in one), frozenset[str]())
        if kind not in self._paces:
            series = [medians for one, medians in self.medians_ns.items() if not kind or one.stack in kind]
            self._paces[kind] = Pace.of(series)
        return reach_further(self._paces[kind].locate(self.medians_ns[key]), self.half_steps_ns.get(key, 0.0))

    def step_log(self, key: SeriesKey) -> float:
        """By how much steps of the clock may have moved ``level``; nan where it was not measured."""
        medians = self.medians_ns.get(key)
        if medians is None or not medians.size:
            return float("nan")
        return bound_log(self.half_steps_ns.get(key, 0.0), float(np.median(medians)))

    def variance(self, key: SeriesKey) -> float:
        """Variance of ``level`` by the launches of this run alone; nan with fewer than two."""
        medians = self.medians_ns.get(key)
        return median_variance(np.log(medians)) if medians is not None else float("nan")


def list_runs(places: Iterable[Path]) -> list[Path]:
    """The run folders that are named: themselves, or all directly below a folder that is none.

    Raises:
        UsageError: a place that is neither, or a run that is named twice.
    """
    found: list[Path] = []
    for place in places:
        if is_run_folder(place):
            found.append(place)
            continue
        inside = find_run_folders(place)
        if not inside:
            what = "holds no run folder" if place.is_dir() else "is no folder"
            raise UsageError(f"{place} {what}", remedy=_REMEDY)
        found += inside
    twice = [str(path) for number, path in enumerate(found) if path.resolve() in {p.resolve() for p in found[:number]}]
    if twice:
        raise UsageError(f"{', '.join(twice)} is named twice", remedy="name each run once")
    return found


def read_run(path: Path) -> RunLevels:
    """The levels of one run, from its samples.

    Raises:
        StoreError: no run folder, or a damaged one.
        NothingMeasuredError: nothing was measured in it.
    """
    folder = RunFolder.open(path)
    return take_levels(folder, find_series(folder.dataset))


def take_levels(folder: RunFolder, series: Mapping[SeriesKey, Series]) -> RunLevels:
    """The same of a run folder that is open, and its series (``find_series``); it raises as ``read_run`` does."""
    path, dataset = folder.path, folder.dataset
    medians = {key: one.medians_ns[one.medians_ns > 0] for key, one in series.items() if (one.medians_ns > 0).any()}
    if not medians:
        remedy = f"resume it (msgauge run --resume {path}), or leave it out"
        raise NothingMeasuredError("nothing was measured in this run", where=str(path), remedy=remedy)
    sittings = list_sittings(dataset.records)
    half_steps_ns = find_half_steps(dataset)
    return RunLevels(
        path=str(path),
        started=sittings[0][0] if sittings else path.name,
        machine=folder.machine,
        stacks=folder.stacks,
        identities={one.stack: one.identity for one in folder.builds if one.identity},
        medians_ns=medians,
        half_steps_ns={key: half_steps_ns[one.key] for key, one in series.items()},
        study=folder.plan.study,
        kinds=dataset.kinds,
        changed=warn_changed(folder),
        origin=min((f"{one.started} {one.samples_digest}" for one in dataset.records if one.started), default=""),
        sittings=tuple(sittings),
    )


def find_series(dataset: Dataset) -> dict[SeriesKey, Series]:
    """What is compared of every stack in every cell of a run, stacks and cells in the order of its plan.

    Rounds of a collective behind a barrier are another test than those at an agreed time: the launches of a cell that
    began so stand apart, under ``start=barrier`` (see ``round_starts``).
    """
    cells, stacks = {cell.id: cell for cell in dataset.plan.cells}, dataset.plan.stacks
    ordered = sorted(dataset.cells.values(), key=lambda one: (stacks.index(one.key.stack), one.key.cell))
    return {
        _key_of(one.key.stack, cells[one.key.cell], behind=behind): part
        for one in ordered
        for behind, part in part_by_start(one.compared)
    }


def _key_of(stack: str, cell: Cell, *, behind: bool) -> SeriesKey:
    """The key of a stack in a cell of a plan, whose rounds began ``behind`` a barrier or not."""
    options = (*cell.options, ("start", BARRIER)) if behind else cell.options
    return SeriesKey(stack, cell.kernel, cell.size_bytes, cell.ranks, options, cell.mode, cell.cache)


def warn_of_conditions(runs: Sequence[RunLevels], remedy: str) -> list[Notice]:
    """A warning where the runs were not made on the same machine in the same state; its evidence: what differs."""
    differing = _list_differences(runs)
    if not differing:
        return []
    message = f"{OTHER_CONDITIONS}: {', '.join(name for name, _ in differing)}"
    return [Notice("machines-differ", message, remedy, tuple(differing))]


def _list_differences(runs: Sequence[RunLevels]) -> list[tuple[str, str]]:
    """Name and values of the conditions that are not the same in all runs that state them."""
    found = []
    for name in CONDITIONS:
        values = dict.fromkeys(str(run.machine[name]) for run in runs if name in run.machine)
        if len(values) > 1:
            found.append((name, " / ".join(values)[:200]))
    return found
