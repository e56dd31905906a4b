"""A warning where rounds of one stack began behind a barrier, and those of another at an agreed time. Pure."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from msgauge.analysis.verdicts.round_starts import BARRIER, find_unlike, read_starts
from msgauge.model import CellKey, Notice
from msgauge.model.measured_way import note_marks
from msgauge.results.dataset import Dataset
from msgauge.units import format_count, format_size


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
                size = format_size(cell.size_bytes)
                name = ", ".join([cell.kernel, size, format_count(cell.ranks, "rank"), *note_marks(cell)])
                tests[name] = f"behind a barrier: {', '.join(words)}"
    if tests:
        yield Notice(
            "starts-differ",
            f"in {format_count(len(tests), 'test')}, rounds of {', '.join(behind)} began behind a barrier and those of "
            "other stacks at an agreed time: these are times of different things, and no verdict is given on them",
            "use fewer processes than cores, or rerun on an idle machine, so that all can keep an agreed start",
            tuple(tests.items()),
        )
