"""From a study and the stacks that are here to all that will be run: cells, refusals, forecast, order of launches.

Pure: the same study, stacks and seed give the same plan, and the same plan gives the same rounds, always.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from msgauge.errors import UsageError
from msgauge.model import Cell, CellKey, Kernel, Launch, LaunchRecord, Plan, Refusal, Stack, Stopping
from msgauge.study import Measure, Study

if TYPE_CHECKING:
    from msgauge.hosts import Host  # a value: who reads a plan looks at no host

_MOVING = frozenset({"barrier", "bcast", "scatter", "scatterv", "gather", "gatherv", "allgather", "allgatherv"})
_ALL_TO_ALL = frozenset({"alltoall", "alltoallv"})
_COMBINING = frozenset({"reduce", "allreduce", "reduce_scatter", "scan", "exscan"})
COLLECTIVE = _MOVING | _ALL_TO_ALL | _COMBINING
EMULATED = frozenset(
    {"isend", "irecv", "wait", "test", "sendrecv", *COLLECTIVE, *(f"i{operation}" for operation in COLLECTIVE)}
)
"""Operations that a kernel can build from send and receive where a stack has none of its own; the result says so.

A cell that passes here may still be refused by the worker, which knows its transport: that is a refusal too.
"""
FAILURES_IN_A_ROW = 2
"""After so many failed launches one after the other a stack is no longer started on that number of ranks."""
START_S = 0.6
"""Starting and ending the processes of one launch, as forecast."""
START_OF_RANK_S = 0.06
"""The same for each process beyond the cores: from 0.02 s (plain TCP, LAM) to 0.15 s (Open MPI) on two cores."""
CROWD_S = 0.001
"""What a process beyond the cores adds to each cell: orders and checks go through all of them one after the other."""
SIMULATED_CELL_S = 0.002
_CELL_FACTOR = 1.6
_PASSES = 24
_BYTES_PER_S = 2e9


@frozen
class WorkerCapabilities:
    """What the worker of a stack can do; ``kernels`` None: every native one; ``capabilities``: its own operations."""

    kernels: frozenset[str] | None = None
    capabilities: frozenset[str] = frozenset({"send", "recv"})


def make_plan(
    study: Study,
    stacks: Sequence[Stack],
    kernels: Mapping[str, Kernel],
    host: Host,
    offers: Mapping[str, WorkerCapabilities],
) -> Plan:
    """The plan of a study on these stacks of this host; ``offers`` by spec.

    Raises:
        UsageError: two stacks of one name, a base that is not among them, or not one cell that any stack can run.
    """
    specs = tuple(stack.spec for stack in stacks)
    _refuse_wrong_names(study, specs)
    simulated = frozenset(stack.spec for stack in stacks if stack.simulated)
    cores = {spec: host.cores for spec in specs if spec not in simulated}
    asked = _collect_cells(study, specs, kernels, cores)
    wanted = {cell: by for cell, by in asked.items() if by}
    if asked and not wanted:
        raise UsageError(
            f"every measure is for at most as many processes as cores ({host.cores}) and has more, or of other stacks",
            remedy="ask for fewer ranks or for the stacks that the study names, or leave crowded = false out of it",
        )
    cells = tuple(evolve(cell, id=number) for number, cell in enumerate(wanted))
    left_out = frozenset(
        CellKey(spec, cell.id)
        for cell, by in zip(cells, wanted.values(), strict=True)
        for spec in specs
        if spec not in by
    )
    refusals = tuple(
        Refusal(spec, cell.id, reason)
        for spec in specs
        for cell in cells
        if CellKey(spec, cell.id) not in left_out
        and (reason := _why_not(kernels[cell.kernel], cell, offers.get(spec, WorkerCapabilities())))
    )
    if len(refusals) + len(left_out) == len(specs) * len(cells):
        reasons = "; ".join(dict.fromkeys(refusal.reason for refusal in refusals))
        raise UsageError(f"no stack can run any of this: {reasons}", remedy="choose other kernels, ranks or stacks")
    plan = Plan(
        study=study.name,
        seed=study.seed,
        stacks=specs,
        cells=cells,
        rank_counts=tuple(sorted({cell.ranks for cell in cells})),
        refusals=refusals,
        stopping=study.stopping,
        clock=study.clock,
        check=study.check,
        base=study.base,
        quiet_start=study.quiet_start,
        left_out=tuple(sorted(left_out)),
    )
    return evolve(plan, expected_s=forecast_s(plan, simulated, host.cores))


def _cells_of_measure(study: Study, measure: Measure, kernels: Mapping[str, Kernel]) -> Iterator[Cell]:
    for ranks, size, options in product(measure.ranks or study.ranks, measure.sizes, _choices(measure, kernels)):
        yield Cell(0, measure.kernel, size, ranks, options, measure.mode, measure.cache)


def _collect_cells(
    study: Study, specs: Sequence[str], kernels: Mapping[str, Kernel], cores: Mapping[str, int]
) -> dict[Cell, set[str]]:
    """Every cell of a study once, in its order and all numbered 0, with the specs that some measure asks it of.

    A measure that names no stacks asks all. ``cores`` by spec of the stacks whose ranks need one each where a measure
    is not to be crowded.
    """
    asked: dict[Cell, set[str]] = {}
    for measure in study.measures:
        for cell in _cells_of_measure(study, measure, kernels):
            fitting = (spec for spec in specs if measure.crowded or cell.ranks <= cores.get(spec, cell.ranks))
            asked.setdefault(cell, set()).update(set(measure.stacks or specs).intersection(fitting))
    return asked


def launches_of_round(
    plan: Plan, round: int, first_number: int, cells: Collection[int] | None = None
) -> tuple[Launch, ...]:
    """One randomised complete block on each number of ranks: every stack once, in random order, cells shuffled.

    The stacks of one number of ranks follow each other, so that those compared stand close in time; the numbers of
    ranks come in random order. ``cells``: those that take part, all where None; a stack without any is not launched.
    The order depends on seed and round alone: a cell that takes no part changes nothing for the others.
    """
    dice = random.Random(f"msgauge {plan.seed} {round}")
    refused = {refusal.key for refusal in plan.refusals} | set(plan.left_out)
    starts = []
    for ranks in dice.sample(plan.rank_counts, len(plan.rank_counts)):
        for stack in dice.sample(plan.stacks, len(plan.stacks)):
            order = [cell.id for cell in plan.cells if cell.ranks == ranks and CellKey(stack, cell.id) not in refused]
            dice.shuffle(order)
            seed = dice.getrandbits(31)
            taking_part = tuple(cell for cell in order if cells is None or cell in cells)
            if taking_part:
                starts.append((stack, ranks, taking_part, seed))
    return tuple(
        Launch(first_number + place, round, stack, ranks, taking_part, seed)
        for place, (stack, ranks, taking_part, seed) in enumerate(starts)
    )


def find_given_up(records: Iterable[LaunchRecord]) -> frozenset[tuple[str, int]]:
    """(stack, ranks) whose last launches failed one after the other: they are not started any more."""
    in_a_row: dict[tuple[str, int], int] = {}
    return frozenset(
        (record.launch.stack, record.launch.ranks)
        for record in sorted(records, key=lambda record: record.launch.number)
        if is_given_up(in_a_row, record)
    )


def is_given_up(in_a_row: dict[tuple[str, int], int], record: LaunchRecord) -> bool:
    """Whether a stack is given up with this launch; ``in_a_row`` counts its failures up to here, and is kept."""
    key = record.launch.stack, record.launch.ranks
    before = in_a_row.get(key, 0)
    failed = record.status.broke_off or before >= FAILURES_IN_A_ROW
    in_a_row[key] = before + 1 if failed else 0
    return in_a_row[key] >= FAILURES_IN_A_ROW


def forecast_s(plan: Plan, simulated: frozenset[str], cores: int) -> float:
    """Seconds that measuring is expected to take: as many rounds as the budget holds, at least one."""
    round_s = forecast_round_s(plan, simulated, cores)
    rounds = min(max(int(plan.stopping.budget_s / round_s), 1), plan.stopping.maximum_rounds)
    return rounds * round_s


def forecast_round_s(plan: Plan, simulated: frozenset[str], cores: int) -> float:
    """Seconds that one round is expected to take."""
    cells = {cell.id: cell for cell in plan.cells}
    return sum(
        min(
            _start_s(launch, launch.stack in simulated, cores)
            + sum(_cell_s(cells[number], plan.stopping, launch.stack in simulated, cores) for number in launch.cells),
            plan.stopping.launch_limit_s,
        )
        for launch in launches_of_round(plan, 0, 0)
    )


def _start_s(launch: Launch, simulated: bool, cores: int) -> float:
    return START_S + (0.0 if simulated else START_OF_RANK_S * max(0, launch.ranks - cores))


def _cell_s(cell: Cell, stopping: Stopping, simulated: bool, cores: int) -> float:
    """Warm-up, payload check and samples of one cell; few passes over a large message already exceed the budget."""
    if simulated:
        return SIMULATED_CELL_S
    passes_s = _PASSES * cell.size_bytes * cell.ranks / 2 / _BYTES_PER_S
    return max(_CELL_FACTOR * stopping.cell_budget_s, passes_s) + CROWD_S * max(0, cell.ranks - cores)


def _choices(measure: Measure, kernels: Mapping[str, Kernel]) -> list[tuple[tuple[str, str], ...]]:
    """Every combination of the options asked for; those not asked for stand at their defaults and are not named."""
    known = {option.name for option in kernels[measure.kernel].options}
    axes = [[(name, choice) for choice in choices] for name, choices in measure.options if name in known]
    return [tuple(choice) for choice in product(*axes)]


def _why_not(kernel: Kernel, cell: Cell, offer: WorkerCapabilities) -> str:
    """Why a stack cannot run a cell, or ''."""
    if cell.ranks < kernel.minimum_ranks:
        return f"{kernel.name} needs at least {kernel.minimum_ranks} processes, not {cell.ranks}"
    if 0 < kernel.maximum_ranks < cell.ranks:
        return f"{kernel.name} runs on at most {kernel.maximum_ranks} processes, not {cell.ranks}"
    if offer.kernels is not None and kernel.name not in offer.kernels:
        return f"its worker has no kernel {kernel.name}"
    lacking = [word for word in kernel.needs if word not in offer.capabilities and word not in EMULATED]
    return f"{kernel.name} needs {', '.join(lacking)}, which it does not offer" if lacking else ""


def _refuse_wrong_names(study: Study, specs: tuple[str, ...]) -> None:
    twice = _find_repeated(specs)
    if twice:
        raise UsageError(
            f"{', '.join(twice)} stands in the list twice", remedy="name it once; --again compares a stack with itself"
        )
    if study.base and study.base not in specs:
        raise UsageError(f"the base {study.base!r} is not measured", remedy=f"name one of {', '.join(specs)}")


def _find_repeated(names: Iterable[str]) -> list[str]:
    seen: set[str] = set()
    return [name for name in names if name in seen or seen.add(name)]  # type: ignore[func-returns-value]
