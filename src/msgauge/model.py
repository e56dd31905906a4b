"""The frozen values that flow through msgauge, in the order the data flows.

discover -> Stack, Obtainable · plan -> Kernel, Cell, Launch, Refusal, Plan · build -> Build · launch -> LaunchRecord ·
store -> Samples · analyse -> Estimate, Comparison, Finding, Warning, Analysis.

Nothing here does I/O. Times are nanoseconds, sizes are bytes, ratios are plain numbers (1.05 = 5 % slower).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from attrs import field, frozen

OriginKind = Literal["managed", "system", "module", "spack", "prefix", "builtin"]
Mode = Literal["batch", "single"]
CacheMode = Literal["hot", "rotate", "cold"]
ClockName = Literal["monotonic", "tsc", "simulated"]
Word = Literal["faster", "slower", "equivalent", "undecided"]
Pairs = tuple[tuple[str, str], ...]


# --- discover -------------------------------------------------------------------------------------------------


@frozen
class Origin:
    """Where a stack comes from: the kind, and the prefix, module or package that names it to a person."""

    kind: OriginKind
    where: str = ""


@frozen
class Stack:
    """One message-passing stack as it stands on this machine, ready to compile for and to launch.

    ``spec`` names it everywhere: ``openmpi@5.0.11``, ``openmpi@5.0.11[tcp]``, ``pvm@3.4.6[encoding=raw,route=direct]``;
    two origins of the same version are told apart as ``mpich@4.0.2/system``.
    """

    family: str
    version: str
    origin: Origin
    variant: tuple[str, ...] = ()
    compiler: str = ""
    launcher: str = ""
    environment: Pairs = ()
    library: str = ""
    """The library's own version string, as the two-rank hello printed it; empty until proved."""
    language: str = "c++"
    axes: Pairs = ()
    """What this stack varies on, for ``--by``: library, version, language, transport, wait."""
    simulated: bool = False
    usable: bool = True
    reason: str = ""
    """Why it is not usable, in a sentence that ends in a remedy; empty when usable."""
    user: str = ""
    """Its ranks must run as this user (LAM refuses root); empty means the present one."""
    ambiguous: bool = False
    """Another origin on this machine has the same family, version and variant."""

    @property
    def spec(self) -> str:
        origin = f"/{self.origin.kind}" if self.ambiguous else ""
        variant = f"[{','.join(self.variant)}]" if self.variant else ""
        return f"{self.family}@{self.version}{origin}{variant}"


@frozen
class Obtainable:
    """A stack that is not here but could be had, and the exact way to get it."""

    family: str
    version: str
    origin: Origin
    command: str
    reason: str = ""


@frozen
class Setting:
    """A tunable of a stack: type, range and default as its documentation (``source``) states them."""

    name: str
    kind: Literal["bytes", "integer", "boolean", "choice"]
    default: str
    what: str
    source: str
    choices: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None


@frozen
class Command:
    """An argv with the environment it adds, as shown to the user; making one runs nothing."""

    argv: tuple[str, ...]
    environment: Pairs = ()
    user: str = ""
    """Run as this user (LAM refuses root); empty means the present one."""
    folder: str = ""


# --- plan -----------------------------------------------------------------------------------------------------


@frozen
class Option:
    """One option of a kernel: its allowed values, the first of them the default."""

    name: str
    choices: tuple[str, ...]
    what: str = ""
    """What it does, from the tables of ``options.py``; empty for a kernel that is not shipped."""


@frozen
class Kernel:
    """The facts a kernel header states about itself (``native/kernels/NAME.hpp``, parsed by ``kernels.py``)."""

    name: str
    title: str
    meaning: str
    source: str
    minimum_ranks: int = 2
    maximum_ranks: int = 0
    """0: as many as there are."""
    bytes_moved: str = "bytes"
    """Bytes that count for the bandwidth of one event, as arithmetic in ``bytes`` and ``ranks``; "0" if none."""
    needs: tuple[str, ...] = ("send", "recv")
    options: tuple[Option, ...] = ()
    sized: bool = True
    collective: bool = False
    unit: str = "ns"
    series: tuple[str, ...] = ("time",)
    """What each sample holds; the first is the one that is compared (``completion`` for collectives)."""


@frozen
class Cell:
    """One thing to measure: a kernel at a size on a number of ranks with its options. Independent of any stack."""

    id: int
    kernel: str
    size_bytes: int
    ranks: int
    options: Pairs = ()
    mode: Mode = "batch"
    cache: CacheMode = "hot"

    @property
    def row(self) -> tuple[str, int, Pairs, Mode, CacheMode]:
        """What cells that differ in size alone have in common."""
        return self.kernel, self.ranks, self.options, self.mode, self.cache


@frozen
class Launch:
    """One start of one stack's processes, measuring ``cells`` in this order. The unit of inference."""

    number: int
    round: int
    stack: str
    ranks: int
    cells: tuple[int, ...]
    seed: int
    block: int = 0
    """Launches that are paired with each other share (round, ranks); a repeated round counts up here."""


@frozen
class Refusal:
    """A cell that a stack cannot run, and why: shown wherever the cell would have been."""

    stack: str
    cell: int
    reason: str


@frozen
class Stopping:
    """When enough is enough: budgets in seconds, precisions as relative half-widths."""

    budget_s: float = 60.0
    minimum_rounds: int = 5
    maximum_rounds: int = 30
    ratio_precision: float = 0.02
    cell_precision: float = 0.01
    cell_budget_s: float = 0.05
    launch_limit_s: float = 60.0
    deadline_s: float = 0.0
    """No launch begins after so many seconds of measuring, even within a round; 0: rounds are always finished."""


@frozen
class Plan:
    """All that will be run: rounds are randomised complete blocks drawn by ``plan.launches_of_round`` from the seed."""

    study: str
    seed: int
    stacks: tuple[str, ...]
    cells: tuple[Cell, ...]
    rank_counts: tuple[int, ...]
    refusals: tuple[Refusal, ...] = ()
    stopping: Stopping = field(factory=Stopping)
    clock: str = "monotonic"
    check: bool = True
    base: str = ""
    """The stack that the others are compared with; empty: the one with the shortest median in most cells."""
    expected_s: float = 0.0
    left_out: tuple[tuple[str, int], ...] = ()
    """(stack, cell) that the study does not ask for: a measure may be of some stacks only."""
    absent: tuple[tuple[str, str, str], ...] = ()
    """(name, reason, remedy) of stacks that the study wanted if they are here, and that are not."""


# --- build and launch -----------------------------------------------------------------------------------------


@frozen
class Build:
    """A compiled worker (or why there is none)."""

    stack: str
    program: tuple[str, ...]
    command: Command | None
    log: str = ""
    reason: str = ""
    seconds: float = 0.0
    cached: bool = False


@frozen
class Usage:
    """What a launch cost besides time, summed over all its processes (``peak_memory_bytes``: of the largest)."""

    user_s: float = 0.0
    system_s: float = 0.0
    voluntary_switches: int = 0
    involuntary_switches: int = 0
    peak_memory_bytes: int = 0


@frozen
class RankPlacement:
    """Where a rank really ran, as it saw it from inside: its process, host and allowed processors."""

    rank: int
    host: str
    pid: int
    cpus: str
    cpu: int = -1
    usage: Usage = field(factory=Usage)
    condition: Pairs = ()
    """How it is scheduled and what it may open, as it saw it: session, cgroup, open_files, policy, nice;
    ``loop_ns``: how long a fixed loop takes there."""


@frozen
class Route:
    """What carried the messages of a launch and how its ranks waited, by the kernel's counters; '' where unknown."""

    small: str = ""
    """What carried small messages: tcp, tcp in part, shared memory, unix sockets, something unknown."""
    large: str = ""
    waits: str = ""
    """How a rank waits for a message that comes late: spins, yields, sleeps."""
    busy: float = 0.0
    """Processor seconds that a waiting rank burns per second of waiting; below 1 also where ranks share cores."""
    evidence: Pairs = ()


@frozen
class LaunchRecord:
    """How one launch went. ``status``: ok, failed (crash, wrong size, refused), timeout, interrupted."""

    launch: Launch
    status: Literal["ok", "failed", "timeout", "interrupted"]
    reason: str = ""
    exit_code: int | None = None
    started: str = ""
    seconds: float = 0.0
    command: Command | None = None
    usage: Usage = field(factory=Usage)
    placement: tuple[RankPlacement, ...] = ()
    timer_cost_ns: float = 0.0
    timer_resolution_ns: float = 0.0
    condition: Pairs = ()
    """The scheduling condition the ranks were started in: session, cgroup, limits."""
    route: Route = field(factory=Route)
    sentinel_before: Pairs = ()
    sentinel_after: Pairs = ()
    disturbed: bool = False
    log: str = ""
    """The tail of what it printed, when it did not go well."""


# --- store ----------------------------------------------------------------------------------------------------


@frozen(eq=False)
class Samples:
    """One frame: ``values`` is int64 of shape (count,), each the time of ``divisor`` events in ``unit``.

    ``attributes`` carries what the worker said of the cell: ``emulated=yes``, ``stationary=no``, ``dropped=12``,
    ``late=3``, ``status=wrong-bytes`` ... (see docs/reference/wire-protocol.md).
    """

    launch: int
    cell: int
    series: str
    values: np.ndarray
    divisor: int = 1
    unit: str = "ns"
    attributes: Pairs = ()

    @property
    def per_event(self) -> np.ndarray:
        """Float64 of shape (count,): time per event."""
        return self.values / float(self.divisor)

    @property
    def curves(self) -> np.ndarray:
        """Int64 of shape (count, points): samples that are curves, as the worker said; one point each otherwise."""
        said = dict(self.attributes).get("points", "1")
        points = int(said) if said.isdecimal() and 0 < int(said) <= self.values.size else 1
        return self.values[: self.values.size // points * points].reshape(-1, points)


# --- analyse --------------------------------------------------------------------------------------------------


@frozen
class Warning:
    """Something a reader must know: a stable code, a sentence, the remedy, and the evidence for it."""

    code: str
    message: str
    remedy: str = ""
    evidence: Pairs = ()


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
    launches: int = 0
    samples: int = 0
    emulated: bool = False
    simulated: bool = False
    stationary: bool = True
    oversubscribed: bool = False
    launch_medians_ns: tuple[float, ...] = ()
    rounds: tuple[int, ...] = ()
    """The round of each launch median, same order."""
    series: tuple[tuple[str, float], ...] = ()
    """Medians of the other series of the kernel (root, mean_rank, imbalance), ns."""
    failed: str = ""


@frozen
class Comparison:
    """``other`` against ``base`` in one cell: ratio = other's time / base's time, paired in rounds.

    ``verdict`` speaks of ``other``: faster, slower, equivalent, undecided (then ``reason``).
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
    naps_per_event: float = 0.0
    """Voluntary context switches: a rank slept."""
    preemptions_per_event: float = 0.0
    """Involuntary ones: a rank's processor was given to another."""


@frozen
class Upkeep:
    """What one stack costs whatever it sends, on so many ranks; what carried its messages and how its ranks wait."""

    stack: str
    ranks: int
    small: str = ""
    large: str = ""
    waits: str = ""
    busy: float = 0.0
    """Processor seconds that a waiting rank burns per second of waiting."""
    peak_memory_bytes: int = 0
    """Of the largest rank."""
    cpu_s: float = 0.0
    """Of all ranks of a launch, start-up included."""
    naps: int = 0
    preemptions: int = 0
    condition: Pairs = ()
    launches: int = 0


@frozen
class AlongAxis:
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


@frozen
class Analysis:
    """All that a report needs and ``findings.json`` holds; made from samples by ``analyse.py``."""

    run: str
    study: str
    stopped: str
    """Why measuring ended: "precision", "budget", "deadline", "rounds", "failures", "interrupted"."""
    rounds: int
    estimates: tuple[Estimate, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    findings: tuple[Finding, ...] = ()
    failures: tuple[Failure, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    warnings: tuple[Warning, ...] = ()
    along: tuple[AlongAxis, ...] = ()
    """Stacks that differ in one respect alone, for every such respect; see ``--by``."""
    costs: tuple[Cost, ...] = ()
    upkeep: tuple[Upkeep, ...] = ()


# --- events: what the pipeline tells whoever watches (live progress, logs) -----------------------------------


@frozen
class BuildStarted:
    """A worker is being compiled for this stack."""

    stack: str


@frozen
class BuildEnded:
    """A worker was compiled, taken from the cache, or failed (``build.reason``)."""

    build: Build


@frozen
class MeasuringStarted:
    """Builds are done; measuring begins. ``expected_s`` is the forecast for the rest."""

    plan: Plan
    expected_s: float


@frozen
class LaunchStarted:
    """One launch begins; ``position`` of ``of`` in its round."""

    launch: Launch
    position: int
    of: int


@frozen
class LaunchEnded:
    """One launch ended, well or not."""

    record: LaunchRecord


@frozen
class RoundEnded:
    """A round is complete: the table so far, and how many seconds are left at most."""

    round: int
    analysis: Analysis
    left_s: float


@frozen
class MeasuringEnded:
    """Measuring is over; ``why`` is precision, budget, rounds or interrupted."""

    why: str


Event = BuildStarted | BuildEnded | MeasuringStarted | LaunchStarted | LaunchEnded | RoundEnded | MeasuringEnded
