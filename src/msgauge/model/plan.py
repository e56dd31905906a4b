"""What is to be run: kernels with their options, cells, launches, refusals, and when enough is enough."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from attrs import field, frozen

from msgauge.model.host_set import HostSet
from msgauge.model.stack import Pairs, StackFacts

Mode = Literal["batch", "single"]
CacheMode = Literal["hot", "rotate", "cold"]
ClockName = Literal["monotonic", "tsc", "simulated"]
Headline = Literal["time", "bandwidth", "messages"]
"""What a kernel is asked for first: ns per event, bytes per second or messages per second."""


class KernelKind(StrEnum):
    """What a kernel is: one operation; a complete program, with the series ``compute communication cpu serial``; an
    operation whose samples are the points of a curve; one whose samples are those of every pair of ranks; a test of the
    stack's own timer (series ``step`` and ``tick``); the start of the launch itself, to which the launcher's side adds
    the series ``teardown``.
    """

    OPERATION = "operation"
    PROGRAM = "program"
    CURVE = "curve"
    MATRIX = "matrix"
    TIMER = "timer"
    LAUNCH = "launch"


class Pattern(StrEnum):
    """The communication pattern by which models predict a kernel."""

    NONE = ""
    ROUND_TRIP = "round-trip"
    TRAIN = "train"
    STREAM = "stream"
    FAN_OUT = "fan-out"
    REDUCE = "reduce"
    SCATTER_REDUCE = "scatter-reduce"
    GATHER_BLOCKS = "gather-blocks"


@frozen
class Option:
    """One option of a kernel: its allowed values, the first of them the default."""

    name: str
    choices: tuple[str, ...]
    what: str = ""
    """What it does, as the header or, for shared names of shipped kernels, ``kernel_options`` says; "" if unknown."""


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
    kind: KernelKind = field(default=KernelKind.OPERATION, converter=KernelKind)
    pattern: Pattern = field(default=Pattern.NONE, converter=Pattern)
    headline: Headline = "time"
    aliases: tuple[str, ...] = ()
    """Other names that people type for it: those of other benchmarks, that of the quantity."""


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


@frozen(order=True)
class CellKey:
    """One cell of one stack: what an estimate, a cost, a failure or a group of samples is of."""

    stack: str
    cell: int


@frozen(order=True)
class Block:
    """Launches of different stacks on so many ranks in one round, side by side in time: those that are paired."""

    round: int
    ranks: int


@frozen
class Launch:
    """One start of one stack's processes, measuring ``cells`` in this order. The unit of inference."""

    number: int
    round: int
    stack: str
    ranks: int
    cells: tuple[int, ...]
    seed: int

    @property
    def in_block(self) -> Block:
        """The block of launches that it is part of."""
        return Block(self.round, self.ranks)


@frozen
class Refusal:
    """A cell that a stack cannot run, and why: shown wherever the cell would have been."""

    stack: str
    cell: int
    reason: str

    @property
    def key(self) -> CellKey:
        """The cell of the stack."""
        return CellKey(self.stack, self.cell)


MOST_ROUNDS = 10_000
MOST_RANKS = 100_000
"""So many may be asked for."""


def more_rounds(rounds: int) -> int:
    """How many rounds in all a run with so many is advised to go on to."""
    return min(2 * rounds, MOST_ROUNDS)


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
    looked: tuple[int, ...] = ()
    """After how many rounds results were drawn up already, before a run went on to other limits."""
    spent: tuple[float, ...] = ()
    """The level that each of these looks had."""
    shown: tuple[float, ...] = ()
    """The level that single intervals had at each of these looks."""
    ends: int = 0
    """How often the run had ended, and gone on to other limits."""
    every_cell: bool = False
    """Every round holds every cell, settled or not: for models that are fitted to all cells of a launch."""
    shared_core_budget_s: float = 0.0
    """Where ranks share cores, a cell may last so long for each rank of a core, if that is more than its budget."""

    def cell_budget_on(self, ranks: int, cores: int) -> float:
        """Seconds that a cell may last on so many ranks.

        With a hundred ranks on a core each runs once in a hundred turns of the system's scheduler: a shorter time shows
        a part of one rotation, and launches then differ by which.
        """
        return max(self.cell_budget_s, self.shared_core_budget_s * ranks / max(1, cores) if ranks > cores else 0.0)


@frozen
class CellWeight:
    """How much the tests of a kernel count from one size to another; a test that no weight names does not count."""

    kernel: str
    least_bytes: int = 0
    most_bytes: int = 2**40
    """By default more than any message."""
    weight: float = 1.0


@frozen
class Purpose:
    """What a comparison is for: a name, and the weights of the tests; without weights all count alike."""

    name: str = ""
    weights: tuple[CellWeight, ...] = ()

    def weigh(self, cell: Cell) -> float:
        """The weight of a test, 0 where it does not matter for the purpose."""
        if not self.weights:
            return 1.0
        return sum(
            one.weight
            for one in self.weights
            if one.kernel == cell.kernel and one.least_bytes <= cell.size_bytes <= one.most_bytes
        )


@frozen
class ClaimCells:
    """What of a plan decides a claim of a paper, so that time can go where it decides."""

    needs: tuple[tuple[CellKey, ...], ...] = ()
    """Each case by the cells of stacks that it needs, all of them, and those of one cell in the same rounds."""
    enough: int = 0
    """So many cases can decide the claim."""
    text: str = ""
    """The claim's own words, by which the paper knows it."""
    question: bool = False
    """What the document left open: claims come before it where there is time for few."""


@frozen
class Plan:
    """All that will be run: rounds complete for each cell, drawn by ``plan.launches_of_round`` from the seed."""

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
    """The stack that the others are compared with; empty: the first one, of those measured in the most tests."""
    expected_s: float = 0.0
    left_out: tuple[CellKey, ...] = ()
    """Cells of stacks that the study does not ask for: a measure may be of some stacks only."""
    quiet_start: bool = False
    """Blocks of launches before which the machine's speed was unusual do not count."""
    absent: tuple[tuple[str, str, str], ...] = ()
    """(name, reason, remedy) of stacks that the study wanted if they are here, and that are not."""
    doubt_of_old: str = ""
    """Why the old version may be another installation than the one whose run was named; '' where there is no doubt."""
    systems: tuple[str, ...] = ()
    """The roles of a paper that were asked for; the others were left out on purpose. None: no paper."""
    purpose: Purpose = field(factory=Purpose)
    """What the tests are weighed for in the summary; no verdict depends on it."""
    claims: tuple[ClaimCells, ...] = ()
    """Of a paper: what its rounds are measured for. None: every cell is worth the same."""
    hosts: HostSet = field(factory=HostSet)
    """Where the ranks stand; no name where that is the present computer alone."""
    serially_balanced: bool = False
    """A block begins with the stack that the one before it ended with; in older runs each has an order of its own."""
    title: str = ""
    """The study's line for people."""


@frozen
class PluginFacts:
    """What the kernels and the stacks of a run state of themselves, as it stood when the run was planned."""

    kernels: tuple[Kernel, ...] = ()
    """Those of the plan's cells, by name."""
    stacks: tuple[StackFacts, ...] = ()

    def of_stack(self, spec: str) -> StackFacts:
        """The facts of a stack; bare ones under its own name where nobody stated any."""
        return next((one for one in self.stacks if one.stack == spec), StackFacts(spec))
