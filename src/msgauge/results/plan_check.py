"""What makes no sense in a plan read from a file: damaged or edited, it is refused before anything rests on it.

``serialization`` has seen to the kinds of its values; here they are held against each other. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import isfinite
from typing import TypeVar

from attrs import asdict

from msgauge.errors import StoreError
from msgauge.model import Cell, CellKey, Plan, PluginFacts, Stack, Stopping, serialization
from msgauge.model.kernel_arithmetic import is_arithmetic

Value = TypeVar("Value")
_MOST_NAMED = 5
_MOST_RANKS = 1 << 24
_MOST_BYTES = 1 << 50
"""No computer has room for messages of more bytes, or for more ranks."""
_MOST_ROUNDS = 1_000_000


def check_plan(plan: Plan, where: str) -> Plan:
    """The same plan.

    Raises:
        StoreError: it makes no sense, as none that msgauge made.
    """
    return _refuse(plan, find_mistakes(plan), where)


def check_options(plan: Plan, facts: PluginFacts, where: str) -> PluginFacts:
    """The same facts, which are those of the plan.

    Raises:
        StoreError: the plan has kernels or options that they do not state, or a kernel's arithmetic is none.
    """
    return _refuse(facts, [*find_unknown_options(plan, facts), *_find_unreadable_arithmetic(facts)], where)


def check_stacks(plan: Plan, stacks: tuple[Stack, ...], where: str) -> tuple[Stack, ...]:
    """The same stacks, which are those of the plan.

    Raises:
        StoreError: one of the plan is not among them, or two are called alike.
    """
    names = [stack.spec for stack in stacks]
    missing = (f"there is no stack {name!r}, which the plan has" for name in plan.stacks if name not in names)
    return _refuse(stacks, [*_find_repeated("stack", names), *missing], where, "the stacks are not those of the plan")


def _refuse(value: Value, mistakes: Sequence[str], where: str, summary: str = "the plan makes no sense") -> Value:
    if mistakes:
        what = f"{summary}: {'; '.join(mistakes[:_MOST_NAMED])}"
        raise StoreError(what, where=where, remedy=serialization.REMEDY)
    return value


def find_mistakes(plan: Plan) -> list[str]:
    """What is wrong in a plan, a clause each; nothing in one that msgauge made."""
    cells = {cell.id: cell for cell in plan.cells}
    return [
        *_find_repeated("stack", plan.stacks),
        *_find_repeated("number of a test", (cell.id for cell in plan.cells)),
        *_find_repeated("test", ((cell.size_bytes, cell.row) for cell in plan.cells)),
        *_find_repeated("number of ranks", plan.rank_counts),
        *(mistake for cell in plan.cells for mistake in _check_cell(cell, plan)),
        *_check_stopping(plan.stopping),
        *(f"there is no stack {plan.base!r} to compare with" for _ in [0] if plan.base not in ("", *plan.stacks)),
        *(
            f"there is no test {key.cell} of a stack {key.stack!r}"
            for key in _keys(plan)
            if key.stack not in plan.stacks or key.cell not in cells
        ),
    ]


def find_unknown_options(plan: Plan, facts: PluginFacts) -> list[str]:
    """Kernels and options of tests that the facts of the run do not state; nothing where it has no facts at all."""
    stated = {one.name: {option.name: option.choices for option in one.options} for one in facts.kernels}
    if not stated:
        return []
    unknown = sorted({cell.kernel for cell in plan.cells} - stated.keys())
    return [f"there is no kernel {name!r} in facts.json" for name in unknown] + [
        f"{cell.kernel} has no option {name} = {choice!r}"
        for cell in plan.cells
        for name, choice in cell.options
        if cell.kernel in stated and choice not in stated[cell.kernel].get(name, ())
    ]


def _find_unreadable_arithmetic(facts: PluginFacts) -> Iterator[str]:
    """Kernels of whose events nobody could say how many bytes they move."""
    for kernel in facts.kernels:
        if not is_arithmetic(kernel.bytes_moved):
            yield f"bytes_moved of {kernel.name} is no arithmetic in facts.json: {kernel.bytes_moved[:80]!r}"


def _check_cell(cell: Cell, plan: Plan) -> Iterator[str]:
    what = f"test {cell.id}"
    if cell.id < 0:
        yield f"{what} has no number"
    if not 0 <= cell.size_bytes <= _MOST_BYTES:
        yield f"{what} has messages of {cell.size_bytes} bytes"
    if not 1 <= cell.ranks <= _MOST_RANKS:
        yield f"{what} has {cell.ranks} ranks"
    if cell.ranks not in plan.rank_counts:
        yield f"{what} has {cell.ranks} ranks, which no launch has"
    yield from _find_repeated(f"option of {what}", (name for name, _ in cell.options))


def _check_stopping(stopping: Stopping) -> Iterator[str]:
    """Limits are numbers, none of them negative; looks come after growing numbers of rounds."""
    for name, value in asdict(stopping).items():
        for number in value if isinstance(value, list | tuple) else [value]:
            if not isfinite(number) or number < 0:
                yield f"{name} is {number}"
    if not 1 <= stopping.minimum_rounds <= stopping.maximum_rounds <= _MOST_ROUNDS:
        yield f"there are {stopping.minimum_rounds} to {stopping.maximum_rounds} rounds"
    if any(one >= other for one, other in pairwise((0, *stopping.looked))):
        yield f"results were drawn up after {', '.join(map(str, stopping.looked))} rounds"
    if len(stopping.looked) != len(stopping.spent) or len(stopping.shown) > len(stopping.looked):
        yield "not every look at results has its level"
    if any(level >= 1 for level in (*stopping.spent, *stopping.shown)):
        yield "a look has a level of 1 or more"


def _keys(plan: Plan) -> Iterator[CellKey]:
    yield from (one.key for one in plan.refusals)
    yield from plan.left_out
    yield from (key for claim in plan.claims for case in claim.needs for key in case)


def _find_repeated(what: str, names: Iterable[Hashable]) -> Iterator[str]:
    counted = Counter(names)
    yield from (f"the {what} {name!r} is there {count} times" for name, count in counted.items() if count > 1)
