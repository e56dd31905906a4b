"""What may be claimed from a run: estimates, comparisons, costs, findings, failures and notices."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from attrs import field, frozen

from msgauge.model.plan import CacheMode, CellKey, KernelKind, Mode, Refusal
from msgauge.model.stack import Pairs
from msgauge.model.summary import Summary

Word = Literal["faster", "slower", "equivalent", "undecided"]


class StopReason(StrEnum):
    """Why measuring ended."""

    PRECISION = "precision"
    BUDGET = "budget"
    DEADLINE = "deadline"
    ROUNDS = "rounds"
    FAILURES = "failures"
    """No stack was left that could start."""
    INTERRUPTED = "interrupted"


class FailureKind(StrEnum):
    """What did not deliver: the worker, a launch, or one cell of a launch that went on."""

    BUILD = "build"
    LAUNCH = "launch"
    CELL = "cell"
    WRONG_BYTES = "wrong-bytes"
    NOT_REACHED = "not-reached"


@frozen
class Notice:
    """Something a reader must know: a stable code, a sentence, the remedy, and the evidence for it."""

    code: str
    message: str
    remedy: str = ""
    evidence: Pairs = ()


@frozen
class Place:
    """Where a stack may stand among all of its cell, read off the verdicts on all pairs; so it contradicts none."""

    may_be_fastest: bool
    """None is said to be faster."""
    best_rank: int
    worst_rank: int
    lead: float = float("nan")
    """Of a stack than which every other one is said to be slower: the time of its nearest rival over its own, with a
    95 % interval. One that shares few rounds with it may be said to be slower than a third alone; then it is nan."""
    lead_low: float = float("nan")
    lead_high: float = float("nan")


@frozen
class SlowLaunches:
    """Launches of one stack in one cell that were slow as a whole; ``share`` and ``factor`` with 95 % intervals.

    One slow launch does not tell how slow launches scatter: ``factor_low`` and ``factor_high`` are then nan.
    """

    slow: int
    launches: int
    share: float
    share_low: float
    share_high: float
    factor: float
    """Geometric mean of the slow over that of the others."""
    factor_low: float
    factor_high: float


@frozen
class Estimate:
    """One stack in one cell: location over launch medians, with a 95 % interval; tails over all samples.

    ``failed`` is empty when the cell was measured. Times in ns per event.
    """

    stack: str
    cell: int
    kernel: str
    size_bytes: int
    ranks: int
    options: Pairs = ()
    median_ns: float = float("nan")
    low_ns: float = float("nan")
    high_ns: float = float("nan")
    mean_ns: float = float("nan")
    minimum_ns: float = float("nan")
    p5_ns: float = float("nan")
    p95_ns: float = float("nan")
    p99_ns: float = float("nan")
    p999_ns: float = float("nan")
    bandwidth_bytes_per_s: float = float("nan")
    messages_per_s: float = float("nan")
    """Of a kernel whose headline is the rate of messages."""
    launches: int = 0
    samples: int = 0
    emulated: bool = False
    simulated: bool = False
    local: bool = False
    """Its ranks stayed on the present computer while those of other stacks stood on hosts."""
    stationary: bool = True
    oversubscribed: bool = False
    clock_error_ns: float = 0.0
    """By how much its times may be wrong because the ranks' hosts have clocks of their own; 0: they have one."""
    half_step_ns: float = 0.0
    """By how much its times may be wrong because their clock goes in steps."""
    launch_medians_ns: tuple[float, ...] = ()
    rounds: tuple[int, ...] = ()
    """The round of each launch median, same order."""
    starts: tuple[tuple[int, str], ...] = ()
    """How its rounds began (``model.starts``), of the launches that say it."""
    series: tuple[tuple[str, float], ...] = ()
    """Medians of the other series of the kernel (root, mean_rank, imbalance), ns."""
    failed: str = ""
    kernel_kind: KernelKind = KernelKind.OPERATION
    place: Place | None = None
    """Where the stack may stand among those of its cell; None where nothing was compared."""
    slow_launches: SlowLaunches | None = None
    settled: bool = False
    """More rounds would not make the location better known than was asked for."""
    mode: Mode = "batch"
    cache: CacheMode = "hot"

    @property
    def key(self) -> CellKey:
        """The cell of the stack."""
        return CellKey(self.stack, self.cell)

    def rate_limits(self, amount: float) -> tuple[float, float]:
        """The 95 % interval of ``amount`` over the time, per ns as the amount says; endless where the time may be 0."""
        return amount / self.high_ns, amount / self.low_ns if self.low_ns else float("inf")

    @property
    def medians_by_round(self) -> dict[int, float]:
        """The launch median of each round, ns."""
        return dict(zip(self.rounds, self.launch_medians_ns, strict=True))


@frozen
class TailComparison:
    """A tail of ``other`` against that of ``base`` in one cell: one quantile a launch, paired in rounds.

    ``quantile``: p95 or p99 of the operations of a launch; the other attributes are as those of ``Comparison``.
    ``stretch``: the word on the tail in multiples of the median of the launch's same operations, corrected over them
    all.
    """

    quantile: str
    ratio: float
    ratio_low: float
    ratio_high: float
    verdict: Word
    p_adjusted: float
    rounds: int
    stretch: Word = "undecided"


@frozen
class Comparison:
    """``other`` against ``base`` in one cell: ratio = other's time / base's time, paired in rounds.

    ``verdict`` speaks of ``other``: faster, slower, equivalent, undecided (then ``reason``). ``p_adjusted`` is
    corrected over all pairs of stacks and cells; ``p_value`` is that of the comparison by itself, nan where only all
    were tested together.
    """

    base: str
    other: str
    cell: int
    kernel: str
    size_bytes: int
    ranks: int
    options: Pairs
    ratio: float
    ratio_low: float
    ratio_high: float
    verdict: Word
    reason: str = ""
    p_value: float = float("nan")
    p_adjusted: float = float("nan")
    rounds: int = 0
    settled: bool = False
    """More rounds would add nothing that matters."""
    tails: tuple[TailComparison, ...] = ()
    """Where every operation was timed."""
    mode: Mode = "batch"
    cache: CacheMode = "hot"

    @property
    def row(self) -> tuple[object, ...]:
        """What comparisons that differ in size alone share."""
        return (self.base, self.other, self.kernel, self.ranks, self.options, self.mode, self.cache)

    @property
    def base_key(self) -> CellKey:
        """The cell of the base."""
        return CellKey(self.base, self.cell)

    @property
    def other_key(self) -> CellKey:
        """The cell of the stack that the verdict speaks of."""
        return CellKey(self.other, self.cell)


@frozen
class Cost:
    """What one stack's cell costs besides time; medians over launches, summed over its ranks."""

    stack: str
    cell: int
    kernel: str
    size_bytes: int
    ranks: int
    options: Pairs = ()
    cpu_ns_per_event: float = 0.0
    processors: float = 0.0
    """Processors' worth of time in use while the cell was measured."""
    voluntary_switches_per_event: float = 0.0
    """Voluntary context switches: a rank slept."""
    involuntary_switches_per_event: float = 0.0
    """Involuntary ones: a rank's processor was given to another."""

    @property
    def key(self) -> CellKey:
        """The cell of the stack."""
        return CellKey(self.stack, self.cell)


@frozen
class StackCost:
    """What one stack costs whatever it sends, on so many ranks; what carried its messages and how its ranks wait."""

    stack: str
    ranks: int
    small_transport: str = ""
    large_transport: str = ""
    wait_mode: str = ""
    wait_cpu_fraction: float = 0.0
    """Processor seconds that a waiting rank uses per second of waiting."""
    peak_memory_bytes: int = 0
    """Of the largest rank."""
    cpu_s: float = 0.0
    """Of all ranks of a launch, start-up included."""
    voluntary_switches: int = 0
    involuntary_switches: int = 0
    condition: Pairs = ()
    launches: int = 0


@frozen
class ProgramEfficiency:
    """Serial time over processes x time of a program in its median launch, with the interval of this ratio."""

    key: CellKey
    value: float
    low: float
    high: float
    """Both are nan where fewer than two launches have both times."""


@frozen
class FactorEffect:
    """A comparison of two stacks that differ on one axis alone: what ``other`` costs in place of ``base`` there."""

    axis: str
    base: str
    other: str
    comparison: Comparison


@frozen
class Finding:
    """A sentence a person would say, with how much it matters (larger first) and what it rests on."""

    sentence: str
    weight: float = 0.0
    kind: str = "comparison"
    evidence: Pairs = ()


@frozen
class Failure:
    """A stack, or one of its cells, that did not deliver; ``kernel`` is empty for the whole stack."""

    stack: str
    reason: str
    kernel: str = ""
    cell: int = -1
    log: str = ""
    kind: FailureKind = FailureKind.LAUNCH

    @property
    def key(self) -> CellKey:
        """The cell of the stack."""
        return CellKey(self.stack, self.cell)


@frozen
class Analysis:
    """All that a report needs and ``findings.json`` holds; made from samples by ``analysis.run``."""

    run: str
    study: str
    stopped: StopReason = field(converter=StopReason)
    rounds: int
    estimates: tuple[Estimate, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    findings: tuple[Finding, ...] = ()
    failures: tuple[Failure, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    warnings: tuple[Notice, ...] = ()
    factor_effects: tuple[FactorEffect, ...] = ()
    """Stacks that differ in one respect alone, for every such respect; see ``--by``."""
    costs: tuple[Cost, ...] = ()
    stack_costs: tuple[StackCost, ...] = ()
    summary: Summary | None = None
    """The decision; None while measuring."""
    efficiencies: tuple[ProgramEfficiency, ...] = ()
    interval_level: float = 0.95
    """Of the interval of each time and ratio by itself; files of an older msgauge do not say it."""

    @property
    def has_times(self) -> bool:
        """Whether anything at all was measured."""
        return any(not estimate.failed for estimate in self.estimates)
