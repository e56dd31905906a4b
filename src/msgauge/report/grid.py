"""Sizes as rows, stacks as columns: what stands in each place, and which marks it carries.

The terminal, the page and the figures all read these grids, so that a mark means the same everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Literal

from attrs import evolve, frozen

from msgauge.analysis.verdicts.clock_errors import is_marked
from msgauge.model import Analysis, Cell, CellKey, Estimate, HostSet, Kernel, Pairs, Plan
from msgauge.model.measured_way import name_way, note_marks
from msgauge.model.plan import Headline

Standing = Literal["best", "behind", "alone", "apart", "failed", "refused", "missing"]
"""``best``: may be the fastest of its row, none is said to be faster; ``behind``: another is; ``alone``: compared with
none; ``apart``: simulated where others were measured."""
NOT_ABOVE_ZERO = "its times are not above zero"
"""Why a stack that was measured has no number."""
Shown = Headline
"""What a number of the grid is."""
Flag = Literal["emulated", "simulated", "oversubscribed", "non-stationary", "clock-interval"]


@frozen
class Entry:
    """One stack in one cell."""

    stack: str
    cell: Cell
    standing: Standing
    estimate: Estimate | None = None
    flags: tuple[Flag, ...] = ()
    reason: str = ""


def make_key(*words: str) -> str:
    """A name for files and anchors: letters, digits and dashes only."""
    return "".join(c if c.isascii() and c.isalnum() else "-" for c in "-".join(words))


@frozen
class Grid:
    """All cells that differ only in size. ``rows`` ascend by size; entries stand in the order of ``stacks``."""

    kernel: Kernel
    ranks: int
    options: Pairs
    mode: str
    cache: str
    stacks: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]
    place: str = ""
    """Where its ranks stood, when that was not the present computer alone."""
    local: bool = False
    """Of stacks whose ranks stayed on the present computer, in a run on hosts."""

    @property
    def title(self) -> str:
        """``Ping-pong, 2 ranks`` with the options that are set."""
        notes = [f"{self.ranks} rank{'s' if self.ranks != 1 else ''}", *([self.place] if self.place else [])]
        return ", ".join([self.kernel.title, *notes, *note_marks(self)])

    @property
    def key(self) -> str:
        """A name for files and anchors: letters, digits and dashes only."""
        words = [self.kernel.name, str(self.ranks), *(word for pair in self.options for word in pair)]
        words += ["local"] * self.local + name_way(self)
        return make_key(*words)

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(entry for row in self.rows for entry in row)

    @cached_property
    def shared(self) -> frozenset[Flag]:
        """Flags that every measured entry carries; said once in the heading instead of in each place."""
        measured = [frozenset(entry.flags) for entry in self.entries if entry.estimate]
        return frozenset.intersection(*measured) if measured else frozenset()

    @cached_property
    def moves_bytes(self) -> bool:
        return any(bandwidth(entry)[0] > 0 for entry in self.entries)

    @property
    def shown(self) -> Headline:
        """What people ask this kernel for: most for a time, some for a bandwidth or for messages per second."""
        return "time" if self.kernel.headline == "bandwidth" and not self.moves_bytes else self.kernel.headline


def make_grids(plan: Plan, analysis: Analysis, kernels: Sequence[Kernel] = ()) -> tuple[Grid, ...]:
    """One grid for each kernel, number of ranks and set of options, in the order of the plan.

    What stayed on the present computer while others stood on hosts has grids of its own.
    """
    facts = {kernel.name: kernel for kernel in kernels}
    families: dict[tuple[str, int, Pairs, str, str], list[Cell]] = {}
    for cell in plan.cells:
        families.setdefault(cell.row, []).append(cell)
    local = {one.stack for one in analysis.estimates if one.local}
    places = [(frozenset(plan.stacks) - local, False), *([(frozenset(local), True)] if local else [])]
    judges = [(_Judge.of(plan, analysis, among), here) for among, here in places]
    return tuple(
        Grid(
            kernel=facts.get(kernel) or Kernel(name=kernel, title=kernel, meaning="", source=""),
            ranks=ranks,
            options=options,
            mode=mode,
            cache=cache,
            stacks=judge.stacks,
            rows=rows,
            place="within this computer" if here else _describe_place(plan.hosts, judge.stacks, ranks),
            local=here,
        )
        for (kernel, ranks, options, mode, cache), cells in families.items()
        for judge, here in judges
        if (rows := tuple(judge.row(cell) for cell in sorted(cells, key=lambda cell: cell.size_bytes)))
        and not (local and all(entry.standing == "missing" for row in rows for entry in row))
    )


def _describe_place(hosts: HostSet, stacks: Sequence[str], ranks: int) -> str:
    """``on 4 emulated hosts; [map=core] on 2 emulated hosts, 2 ranks on each``."""
    own = dict(hosts.maps)
    told = {spec: f"[map={own[spec]}] {hosts.of(spec).place(ranks)}" for spec in stacks if spec in own}
    usual = [hosts.place(ranks)] if len(told) < len(stacks) else []
    return "; ".join([*usual, *sorted(set(told.values()))])


def bandwidth(entry: Entry) -> tuple[float, float, float]:
    """Median, low and high in bytes per second; NaN where no bytes are moved."""
    estimate = entry.estimate
    if estimate is None or not estimate.bandwidth_bytes_per_s > 0:
        return (math.nan, math.nan, math.nan)
    moved = estimate.bandwidth_bytes_per_s * estimate.median_ns
    return (estimate.bandwidth_bytes_per_s, *estimate.rate_limits(moved))


def amounts(entry: Entry, shown: Shown) -> tuple[float, float, float]:
    """Median, low and high of what is shown; NaN where there is none."""
    estimate = entry.estimate
    if estimate is None:
        return (math.nan, math.nan, math.nan)
    if shown == "bandwidth":
        return bandwidth(entry)
    if shown == "messages":
        return (estimate.messages_per_s, *estimate.rate_limits(1e9))
    return (estimate.median_ns, estimate.low_ns, estimate.high_ns)


def format_halfwidth(middle: float, low: float, high: float) -> str:
    """The larger side of an interval as a share of the middle: ``±3%``, ``±0.4%``, ``>±100%``."""
    side = max(high - middle, middle - low) / middle if middle else math.nan
    if math.isnan(side):
        return ""
    if side == math.inf:
        return ">±100%"
    if side <= 0:
        return "±0%"
    percent = max(math.ceil(1000 * side - 1e-9) / 10, 0.1)
    if percent < 0.95:
        return f"±{percent:.1f}%"
    return f"±{math.ceil(percent - 1e-9)}%" if percent <= 100 else ">±100%"


@frozen
class _Judge:
    """Looks up what is known of a cell of a stack in an analysis."""

    stacks: tuple[str, ...]
    estimates: Mapping[CellKey, Estimate]
    failures: Mapping[CellKey, str]
    refusals: Mapping[CellKey, str]

    @classmethod
    def of(cls, plan: Plan, analysis: Analysis, among: frozenset[str]) -> _Judge:
        whole = {failure.stack: failure.reason for failure in analysis.failures if not failure.kernel}
        failures = {CellKey(stack, cell.id): reason for stack, reason in whole.items() for cell in plan.cells}
        failures |= {failure.key: failure.reason for failure in analysis.failures if failure.kernel}
        return cls(
            stacks=tuple(stack for stack in plan.stacks if stack in among),
            estimates={estimate.key: estimate for estimate in analysis.estimates},
            failures=failures,
            refusals={one.key: one.reason for one in (*plan.refusals, *analysis.refusals)},
        )

    def row(self, cell: Cell) -> tuple[Entry, ...]:
        """All stacks in one cell; simulated ones are marked only where nothing was measured."""
        entries = [self._entry(stack, cell) for stack in self.stacks]
        measured = any(entry.estimate and not entry.estimate.simulated for entry in entries)
        return tuple(
            evolve(entry, standing=_stand(entry.estimate))
            if entry.estimate and not (measured and entry.estimate.simulated)
            else entry
            for entry in entries
        )

    def _entry(self, stack: str, cell: Cell) -> Entry:
        key = CellKey(stack, cell.id)
        estimate = self.estimates.get(key)
        if estimate is not None and not estimate.failed and estimate.median_ns > 0:
            return Entry(stack, cell, "apart", estimate, flags=_flags(estimate))
        if key in self.refusals:
            return Entry(stack, cell, "refused", reason=self.refusals[key])
        reason = (estimate.failed if estimate else "") or self.failures.get(key, "")
        if estimate is not None and not reason:
            return Entry(stack, cell, "missing", reason=NOT_ABOVE_ZERO)
        return Entry(stack, cell, "failed" if reason else "missing", reason=reason)


def lead(row: Sequence[Entry]) -> Entry | None:
    """Of the stacks that may be the fastest of a row, the one with the shortest median; of one alone, that one."""
    there = [entry for entry in row if entry.estimate and entry.standing in {"best", "alone"}]
    return min(there, key=lambda entry: entry.estimate.median_ns if entry.estimate else math.inf, default=None)


def _stand(estimate: Estimate) -> Standing:
    if estimate.place is None:
        return "alone"
    return "best" if estimate.place.may_be_fastest else "behind"


def _flags(estimate: Estimate) -> tuple[Flag, ...]:
    known: tuple[tuple[Flag, bool], ...] = (
        ("emulated", estimate.emulated),
        ("simulated", estimate.simulated),
        ("oversubscribed", estimate.oversubscribed),
        ("non-stationary", not estimate.stationary),
        ("clock-interval", is_marked(estimate)),
    )
    return tuple(flag for flag, present in known if present)
