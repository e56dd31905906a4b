"""The samples of one run, read, filtered and grouped once, a launch at a time.

Everything that is said or drawn of a run takes its numbers from here: estimates, comparisons, models, papers, tables,
page, figures and export. A launch that is added later costs its own frames and nothing else.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from attrs import evolve, frozen

from msgauge.model import Block, CellKey, Launch, LaunchRecord, Plan, Samples, SampleStatus, Stack
from msgauge.results.launch_selection import find_left_out

WARMUP = "warmup"
"""The series of the samples that a worker dropped as warm-up: kept to be looked at, part of no estimate."""


@frozen(eq=False)
class Series:
    """One series of one stack in one cell: one frame and one median for each launch that counts, by launch number."""

    key: CellKey
    name: str
    launches: tuple[Launch, ...]
    frames: tuple[Samples, ...]
    medians_ns: np.ndarray
    """Float64 of shape (launches,): one median per launch, the unit of inference; ns per event."""
    pairs: np.ndarray
    """Int64 of shape (launches,): the round of each; launches of different stacks that share it are paired."""
    emulated: bool = False
    """In any launch a reference algorithm stood in for the stack's own operation."""
    stationary: bool = True
    """In every launch its times had stopped drifting."""
    oversubscribed: bool = False
    """Some launch had more ranks than processors on a host."""

    @property
    def rounds(self) -> tuple[int, ...]:
        """The round of each launch."""
        return tuple(self.pairs.tolist())

    def of_launches(self, places: Sequence[int]) -> Series:
        """The same with some of its launches alone, by their places among them."""
        return evolve(
            self,
            launches=tuple(self.launches[place] for place in places),
            frames=tuple(self.frames[place] for place in places),
            medians_ns=self.medians_ns[list(places)],
            pairs=self.pairs[list(places)],
        )


@frozen(eq=False)
class CellSamples:
    """What one stack delivered in one cell: the series that is compared, and the others of the kernel."""

    compared: Series
    further: tuple[Series, ...] = ()
    """By name; the warm-up is among them."""

    @property
    def key(self) -> CellKey:
        """The cell of the stack."""
        return self.compared.key

    @property
    def frames(self) -> tuple[Samples, ...]:
        """The frames that are compared, one a launch."""
        return self.compared.frames

    @property
    def medians_ns(self) -> np.ndarray:
        """Launch medians of the series that is compared, float64 of shape (launches,), ns per event."""
        return self.compared.medians_ns

    @property
    def series(self) -> tuple[Series, ...]:
        """All of them, the one that is compared first."""
        return (self.compared, *self.further)


@frozen(eq=False)
class LaunchSamples:
    """A launch with its frames of cells, those that do not count too."""

    record: LaunchRecord
    frames: tuple[Samples, ...]


def group_by_kind(plan: Plan, stacks: Sequence[Stack]) -> tuple[tuple[str, ...], ...]:
    """The stacks of a plan by where their messages went: between hosts, within this computer, in simulated time.

    Only stacks of one kind are compared. Kinds that the plan has nothing of are left out.
    """
    local, simulated = _find_apart(plan, stacks)
    away = frozenset(plan.stacks) - local - simulated
    kinds = (tuple(spec for spec in plan.stacks if spec in kind) for kind in (away, local, simulated))
    return tuple(kind for kind in kinds if kind)


def _find_apart(plan: Plan, stacks: Sequence[Stack]) -> tuple[frozenset[str], frozenset[str]]:
    """Those that stayed on the present computer while others stood on hosts, and those that ran in simulated time."""
    simulated = frozenset(stack.spec for stack in stacks if stack.simulated)
    return frozenset(stack.spec for stack in stacks if stack.stays and plan.hosts.names) - simulated, simulated


class Dataset:
    """The one data set of a run; it grows by ``add`` and is otherwise only looked at."""

    def __init__(self, plan: Plan, stacks: Sequence[Stack]) -> None:
        self.plan = plan
        self.stacks = tuple(stacks)
        self.local, self.simulated = _find_apart(plan, stacks)
        """The stacks that stayed on the present computer while others stood on hosts; those in simulated time."""
        self.kinds = group_by_kind(plan, stacks)
        """The stacks that are compared among themselves: on the hosts of the run, here beside them, simulated."""
        self._launches: dict[int, LaunchSamples] = {}
        self._rows: dict[CellKey, dict[str, _Rows]] = {}
        self._wrong: set[CellKey] = set()
        self._left_out: frozenset[Block] = frozenset()
        self._judged: dict[Block, bool] = {}
        """Whether a block is left out; forgotten when a launch comes that was made before others."""
        self._by_round: dict[int, dict[int, LaunchSamples]] = {}
        self._rounds_of_cells: dict[int, set[int]] = {}
        self._grown = False
        """The rule of what counts was not asked since the last launch came."""
        self._cells: dict[CellKey, CellSamples] | None = None
        self.oversubscribed: set[int] = set()
        """Numbers of the launches that had more ranks than processors on some host."""
        self.started: set[CellKey] = set()
        """Cells of all launches, whether or not anything of them arrived."""
        self.broken: list[LaunchSamples] = []
        """Launches that broke off: a crash, a wrong number of ranks, a limit of time."""
        self.unmeasured: list[tuple[LaunchRecord, Samples]] = []
        """Frames whose worker said that it refused the cell, got an error or wrong bytes; left-out launches too."""

    @classmethod
    def of(
        cls, plan: Plan, stacks: Sequence[Stack], records: Sequence[LaunchRecord], frames: Iterable[Samples]
    ) -> Dataset:
        """The data set of launches that are all there already; frames in any order, those of no launch passed over."""
        found, by_launch = cls(plan, stacks), dict[int, list[Samples]]()
        for frame in frames:
            by_launch.setdefault(frame.launch, []).append(frame)
        for record in records:
            found.add(record, by_launch.get(record.launch.number, ()))
        return found

    def add(self, record: LaunchRecord, frames: Iterable[Samples]) -> None:
        """Take in a launch that is whole; ``frames`` in any order, those about the launch itself are passed over.

        Every whole frame counts, also of a launch that failed later: what was measured was measured. Those of tests
        that the launch was not asked for are kept and count for nothing; those of a launch that was not the one that
        was asked for are times of something else, and are left where they are.
        """
        self._cells = None
        mine = () if record.astray else tuple(frame for frame in frames if frame.cell >= 0)
        whole = LaunchSamples(record, mine)
        if record.launch.number <= next(reversed(self._launches), -1):
            self._judged.clear()
        self._launches[record.launch.number] = whole
        self._by_round.setdefault(record.launch.round, {})[record.launch.number] = whole
        for cell in record.launch.cells:
            self._rounds_of_cells.setdefault(cell, set()).add(record.launch.round)
        self._grown = True
        self.started.update(CellKey(record.launch.stack, cell) for cell in record.launch.cells)
        if record.status.broke_off:
            self.broken.append(whole)
        if record.oversubscribed:
            self.oversubscribed.add(record.launch.number)
        for frame in _keep_asked(record.launch, mine):
            status = frame.status
            if status is not SampleStatus.OK:
                self.unmeasured.append((record, frame))
            if status is SampleStatus.WRONG_BYTES:
                self._wrong.add(CellKey(record.launch.stack, frame.cell))
        if record.launch.in_block not in self._left_out:
            self._count(record.launch, mine)

    def __contains__(self, number: int) -> bool:
        """Whether the launch of this number is known."""
        return number in self._launches

    @property
    def records(self) -> list[LaunchRecord]:
        """The records of all launches, by number."""
        return [one.record for one in self.launches]

    @property
    def launches(self) -> list[LaunchSamples]:
        """All launches with their frames, by number."""
        return [self._launches[number] for number in sorted(self._launches)]

    @property
    def frames(self) -> Iterator[Samples]:
        """All frames of cells, those that do not count too, by launch number."""
        return (frame for launch in self.launches for frame in launch.frames)

    @property
    def left_out(self) -> frozenset[Block]:
        """The blocks that do not count, see ``launch_selection.find_left_out``."""
        if self._grown and self.plan.quiet_start:
            self._grown = False
            now = find_left_out(self.records, quiet_start=self.plan.quiet_start, judged=self._judged)
            if now != self._left_out:
                self._leave_out(now)
                self._left_out = now
        return self._left_out

    def select(self, counts: Callable[[LaunchRecord], bool]) -> Dataset:
        """The data set of some of the launches that count here."""
        chosen = Dataset(evolve(self.plan, quiet_start=False), self.stacks)
        for one in self.launches:
            if counts(one.record) and one.record.launch.in_block not in self.left_out:
                chosen.add(one.record, one.frames)
        return chosen

    @property
    def cells(self) -> Mapping[CellKey, CellSamples]:
        """What each stack delivered in each cell; a cell with wrong bytes in any launch has failed and is left out."""
        _ = self.left_out
        if self._cells is None:
            self._cells = self._group()
        return self._cells

    def _group(self) -> dict[CellKey, CellSamples]:
        found, options = {}, {cell.id: dict(cell.options) for cell in self.plan.cells}
        for key, rows in self._rows.items():
            named = {name: one for name, one in rows.items() if one.launches}
            if named and key not in self._wrong:
                first = first_series(list(named), options.get(key.cell, {}))
                further = tuple(self._series(key, name, named[name]) for name in sorted(named) if name != first)
                found[key] = CellSamples(self._series(key, first, named[first]), further)
        return found

    def _series(self, key: CellKey, name: str, rows: _Rows) -> Series:
        found = rows.series(key, name)
        return _still(found) if key.stack in self.simulated else found

    @property
    def rounds(self) -> int:
        """How many rounds have a launch."""
        return len(self._by_round)

    @property
    def latest_round(self) -> int:
        """The last round that has a launch; -1 without any."""
        return max(self._by_round, default=-1)

    def launches_of_round(self, round: int) -> list[LaunchSamples]:
        """The launches of a round with their frames, by number."""
        launches = self._by_round.get(round, {})
        return [launches[number] for number in sorted(launches)]

    @property
    def rounds_of_cells(self) -> Counter[int]:
        """In how many rounds each cell was launched, by any stack, whether or not anything of it arrived."""
        return Counter({cell: len(rounds) for cell, rounds in self._rounds_of_cells.items()})

    def _count(self, launch: Launch, frames: Iterable[Samples]) -> None:
        for frame in _keep_asked(launch, frames):
            if frame.is_measured:
                series = self._rows.setdefault(CellKey(launch.stack, frame.cell), {})
                oversubscribed = launch.number in self.oversubscribed
                series.setdefault(frame.series, _Rows()).add(launch, frame, oversubscribed)

    def _leave_out(self, now: frozenset[Block]) -> None:
        """Only launches of blocks that the rule judges otherwise than before are touched."""
        for one in self.launches:
            launch = one.record.launch
            before, after = launch.in_block in self._left_out, launch.in_block in now
            if after and not before:
                for frame in _keep_asked(launch, one.frames):
                    if frame.is_measured:
                        self._rows[CellKey(launch.stack, frame.cell)][frame.series].remove(launch)
            elif before and not after:
                self._count(launch, one.frames)
        self._cells = None


def _keep_asked(launch: Launch, frames: Iterable[Samples]) -> Iterator[Samples]:
    """Those of the tests that the launch was asked for; the others count for nothing."""
    return (frame for frame in frames if frame.cell in launch.cells)


def first_series(names: Sequence[str], options: Mapping[str, str] = MappingProxyType({})) -> str:
    """The series that is compared: completion of a collective, else time, else that of the side which ``options`` say
    is idle, as the other one only shows its pace, else whichever came first.
    """
    idle = options.get("idle_at", "") if options.get("idle", "0") != "0" else ""
    return next((name for name in ("completion", "time", idle) if name in names), names[0])


def _still(simulated: Series) -> Series:
    """With one median where launches differ by no more than the rounding of a simulated clock to whole ns.

    A sample is the difference of two readings, each rounded by itself, so that the same time comes as two numbers.
    """
    medians = simulated.medians_ns
    step = max(2 / frame.divisor for frame in simulated.frames)
    if medians.size < 2 or not 0 < np.ptp(medians) <= step:
        return simulated
    return evolve(simulated, medians_ns=np.full(medians.size, np.median(medians)))


class _Rows:
    """A series that grows: columns, so that a median is computed once and looking at them costs next to nothing."""

    def __init__(self) -> None:
        self.launches: list[Launch] = []
        self.frames: list[Samples] = []
        self.medians = array("d")
        self.pairs = array("q")
        self.flags: list[tuple[bool, bool, bool]] = []
        """Emulated, drifting, oversubscribed; of each launch."""
        self.counts = [0, 0, 0]
        """How many launches have each."""

    def add(self, launch: Launch, frame: Samples, oversubscribed: bool) -> None:
        """At its place by launch number; of two frames of one launch the later one stands."""
        place = len(self.launches)
        while place and self.launches[place - 1].number >= launch.number:
            place -= 1
        if place < len(self.launches) and self.launches[place].number == launch.number:
            self.remove(launch)
        self.launches.insert(place, launch)
        self.frames.insert(place, frame)
        self.medians.insert(place, frame.median_ns)
        self.pairs.insert(place, launch.round)
        self.flags.insert(place, (frame.emulated, not frame.stationary, oversubscribed))
        self._count(place, 1)

    def remove(self, launch: Launch) -> None:
        """Without this launch."""
        place = next((index for index, one in enumerate(self.launches) if one.number == launch.number), None)
        if place is not None:
            self._count(place, -1)
            del self.launches[place], self.frames[place], self.medians[place], self.pairs[place], self.flags[place]

    def _count(self, place: int, sign: int) -> None:
        self.counts = [count + sign * flag for count, flag in zip(self.counts, self.flags[place], strict=True)]

    def series(self, key: CellKey, name: str) -> Series:
        """As it stands now."""
        return Series(
            key,
            name,
            tuple(self.launches),
            tuple(self.frames),
            np.array(self.medians),
            np.array(self.pairs),
            emulated=self.counts[0] > 0,
            stationary=self.counts[1] == 0,
            oversubscribed=self.counts[2] > 0,
        )
