"""Tails that are not compared, since some launches of a test had too few operations for them and others enough."""

from __future__ import annotations

from collections.abc import Iterator

from msgauge.analysis.verdicts.tails import QUANTILES
from msgauge.analysis.warnings.test_names import name_test
from msgauge.model import Notice
from msgauge.results.dataset import Dataset
from msgauge.stats.launch_quantiles import count_needed, has_tail
from msgauge.units import format_count


def warn_short_tails(dataset: Dataset) -> Iterator[Notice]:
    """A notice for each stack and tail: the slower of its launches are those without one."""
    single = {cell.id: cell for cell in dataset.plan.cells if cell.mode == "single"}
    for name, share in QUANTILES.items():
        found: dict[str, list[tuple[int, int, str]]] = {}
        for key, one in dataset.cells.items():
            short = sum(not has_tail(frame.compared.size, share) for frame in one.frames)
            if key.cell in single and 0 < short < len(one.frames):
                found.setdefault(key.stack, []).append((short, len(one.frames), name_test(single[key.cell])))
        for stack, tests in found.items():
            short, launches, where = max(tests)
            yield Notice(
                "short-tails",
                f"{name.upper()} of {stack} is not compared in {format_count(len(tests), 'test')}: the time of a test "
                f"ended before {count_needed(share)} operations in some launches, which are the slower ones "
                f"({short} of {launches} in {where})",
                "give each test more time: 'cell_budget' in a study file",
                (("quantile", name), ("stack", stack), ("tests", str(len(tests)))),
            )
