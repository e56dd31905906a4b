"""Warnings where rounds began behind a barrier: where an agreed start was asked for, and where others kept it. Pure."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from msgauge.analysis.verdicts.round_starts import find_unlike, read_starts
from msgauge.analysis.warnings.test_names import name_test
from msgauge.model import CellKey, Notice
from msgauge.model.starts import BARRIER
from msgauge.results.dataset import Dataset
from msgauge.units import format_count


def warn_unlike_starts(dataset: Dataset) -> Iterator[Notice]:
    """One notice with the tests in which stacks of one kind were started in different ways, and the stacks of each."""
    cells = dataset.plan.cells
    tests: dict[str, str] = {}
    behind: dict[str, None] = {}
    for stacks in dataset.kinds:
        unlike = find_unlike(dataset.cells, stacks, [cell.id for cell in cells])
        for column, cell in enumerate(cells):
            mine = [stack for row, stack in enumerate(stacks) if np.any(unlike[row, :, column])]
            starts = {stack: read_starts(dataset.cells[CellKey(stack, cell.id)]) for stack in mine}
            if starts:
                told = {stack: sum(start == BARRIER for start in one.values()) for stack, one in starts.items()}
                behind.update(dict.fromkeys(stack for stack, count in told.items() if count))
                words = [
                    f"{stack} in {count} of {format_count(len(starts[stack]), 'launch')}"
                    for stack, count in told.items()
                ]
                tests[name_test(cell)] = f"behind a barrier: {', '.join(words)}"
    if tests:
        yield Notice(
            "starts-differ",
            f"in {format_count(len(tests), 'test')}, rounds of {', '.join(behind)} began behind a barrier and those of "
            "other stacks at an agreed time: these are times of different things, and no verdict is given on them",
            "use fewer processes than cores, or rerun on an idle machine, so that all can keep an agreed start",
            tuple(tests.items()),
        )


def warn_barriers(dataset: Dataset) -> Iterator[Notice]:
    """One notice with the tests whose rounds began behind a barrier though every rank had a core, and their stacks.

    Where ranks share cores barriers are used from the start, and the times hold far more than that.
    """
    tests: dict[str, str] = {}
    for cell in dataset.plan.cells:
        told = []
        for stack in dataset.plan.stacks:
            one = dataset.cells.get(CellKey(stack, cell.id))
            starts = read_starts(one) if one and not one.compared.oversubscribed else {}
            if behind := sum(start == BARRIER for start in starts.values()):
                told.append(f"{stack} in {behind} of {format_count(len(starts), 'launch')}")
        if told:
            tests[name_test(cell)] = ", ".join(told)
    if tests:
        yield Notice(
            "barrier-starts",
            f"in {format_count(len(tests), 'test')} there are launches that could keep no agreed start and began their "
            f"rounds behind a barrier (the first: {'; '.join(next(iter(tests.items())))}): it lets the ranks go one "
            "after the other, and median and tails hold that beside the operation",
            "a rank of theirs was held up at every start: look for what else runs on its core ('msgauge doctor')",
            tuple(tests.items()),
        )
