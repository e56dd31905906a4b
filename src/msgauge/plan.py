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
from msgauge.model import Cell, CellKey, Kernel, Launch, Plan, Refusal, Stack
from msgauge.model.kernel_arithmetic import expect_memory
from msgauge.rounds.forecast import forecast_rounds
from msgauge.study import Measure, Study
from msgauge.units import format_amount, format_size

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


@frozen
class WorkerCapabilities:
    """What the worker of a stack can do; ``kernels`` None: every native one; ``capabilities``: its own operations."""

    kernels: frozenset[str] | None = None
    capabilities: frozenset[str] = frozenset({"send", "recv"})
    confined: str = ""
    """Why its ranks cannot stand on the hosts of the run; '' when they can."""


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
            remedy="ask for fewer ranks or for the stacks that the study names, or leave oversubscribe = false out",
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
        and (reason := _why_not(kernels[cell.kernel], cell, offers.get(spec, WorkerCapabilities()), host.memory_bytes))
    )
    if len(refusals) + len(left_out) == len(specs) * len(cells):
        reasons = "; ".join(dict.fromkeys(refusal.reason for refusal in refusals))
        raise UsageError(
            f"no stack can run any of this: {reasons}", remedy="choose other kernels, sizes, ranks or stacks"
        )
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
        systems=study.systems,
        purpose=study.purpose,
        left_out=tuple(sorted(left_out)),
        serially_balanced=True,
        title=study.title,
    )
    return evolve(plan, expected_s=forecast_rounds(plan, simulated, host.cores).seconds)


def _cells_of_measure(study: Study, measure: Measure, kernels: Mapping[str, Kernel]) -> Iterator[Cell]:
    for ranks, size, options in product(measure.ranks or study.ranks, measure.sizes, _choices(measure, kernels)):
        yield Cell(0, measure.kernel, size, ranks, options, measure.mode, measure.cache)


def _collect_cells(
    study: Study, specs: Sequence[str], kernels: Mapping[str, Kernel], cores: Mapping[str, int]
) -> dict[Cell, set[str]]:
    """Every cell of a study once, in its order and all numbered 0, with the specs that some measure asks it of.

    A measure that names no stacks asks all. ``cores`` by spec of the stacks whose ranks need one each where a measure
    must not be oversubscribed.
    """
    asked: dict[Cell, set[str]] = {}
    for measure in study.measures:
        for cell in _cells_of_measure(study, measure, kernels):
            fitting = (spec for spec in specs if measure.oversubscribe or cell.ranks <= cores.get(spec, cell.ranks))
            asked.setdefault(cell, set()).update(set(measure.stacks or specs).intersection(fitting))
    return asked


def launches_of_round(
    plan: Plan, round: int, first_number: int, held: Collection[CellKey] | None = None
) -> tuple[Launch, ...]:
    """One randomised complete block on each number of ranks: every stack once, in random order, cells shuffled.

    The stacks of one number of ranks follow each other, so that those compared stand close in time; the numbers of
    ranks come in random order. Of a serially balanced plan a block begins with the stack that the one before it ended
    with: on average each stack is then launched after each, itself too, equally often; what one leaves favours none.
    ``held``: what takes part, all where None; a stack without a cell is not launched.
    Order and numbers depend on seed and round alone: a cell that takes no part changes nothing for the others.
    """
    dice = random.Random(f"msgauge {plan.seed} {round}")
    refused = {refusal.key for refusal in plan.refusals} | set(plan.left_out)
    ends = _draw_ends(plan, round, refused)
    starts = []
    for ranks in dice.sample(plan.rank_counts, len(plan.rank_counts)):
        stacks = dice.sample(plan.stacks, len(plan.stacks))
        if plan.serially_balanced:
            first, last = next(ends)
            stacks.sort(key=lambda stack: (stack == last) - (stack == first))
        for stack in stacks:
            order = [cell.id for cell in plan.cells if cell.ranks == ranks and CellKey(stack, cell.id) not in refused]
            dice.shuffle(order)
            seed = dice.getrandbits(31)
            if order:
                starts.append((stack, ranks, tuple(order), seed))
    return tuple(
        Launch(first_number + place, round, stack, ranks, taking_part, seed)
        for place, (stack, ranks, order, seed) in enumerate(starts)
        if (taking_part := tuple(cell for cell in order if held is None or CellKey(stack, cell) in held))
    )


def _draw_ends(plan: Plan, round: int, refused: Collection[CellKey]) -> Iterator[tuple[str, str]]:
    """The stacks that begin and end each block of a round: of those that run anything, every other may be the last."""
    stacks = [stack for stack in plan.stacks if any(CellKey(stack, cell.id) not in refused for cell in plan.cells)]
    dice = random.Random(f"msgauge {plan.seed} ends")
    count, each = len(stacks), len(plan.rank_counts)
    last = dice.randrange(count)
    for block in range((round + 1) * each):
        first, last = last, (last + dice.randrange(1, max(count, 2))) % count
        if block >= round * each:
            yield stacks[first], stacks[last]


def _choices(measure: Measure, kernels: Mapping[str, Kernel]) -> list[tuple[tuple[str, str], ...]]:
    """Every combination of the options asked for; those not asked for stand at their defaults and are not named."""
    known = {option.name for option in kernels[measure.kernel].options}
    axes = [[(name, choice) for choice in choices] for name, choices in measure.options if name in known]
    return [tuple(choice) for choice in product(*axes)]


def _why_not(kernel: Kernel, cell: Cell, offer: WorkerCapabilities, memory_bytes: int) -> str:
    """Why a stack cannot run a cell, or ''. ``memory_bytes``: what there is for all ranks; 0 where nobody knows."""
    if offer.confined:
        return offer.confined
    if cell.ranks < kernel.minimum_ranks:
        return f"{kernel.name} needs at least {kernel.minimum_ranks} processes, not {cell.ranks}"
    if 0 < kernel.maximum_ranks < cell.ranks:
        return f"{kernel.name} runs on at most {kernel.maximum_ranks} processes, not {cell.ranks}"
    if offer.kernels is not None and kernel.name not in offer.kernels:
        return f"its worker has no kernel {kernel.name}"
    if memory_bytes and (needed := expect_memory(kernel, cell.size_bytes, cell.ranks)) > memory_bytes:
        size, free = format_size(cell.size_bytes), format_amount(memory_bytes)
        return f"{cell.ranks} ranks with {size} take about {format_amount(needed)} of memory, and {free} are free here"
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
