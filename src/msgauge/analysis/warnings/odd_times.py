"""A warning where times are not above zero: no ratio can be made of them, and no verdict counts them. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from msgauge.model import CellKey, Notice
from msgauge.results.dataset import CellSamples
from msgauge.units import format_count


def warn_not_positive(cells: Mapping[CellKey, CellSamples]) -> Iterator[Notice]:
    """One notice for all stacks some of whose launches have a median that is zero or negative."""
    found = Counter(key.stack for key, one in cells.items() if (one.medians_ns <= 0).any())
    if found:
        told = [f"{stack} in {format_count(count, 'test')}" for stack, count in found.items()]
        yield Notice(
            "not-positive",
            f"launches of {'; '.join(told)} have times that are not above zero, of which no ratio can be made: no "
            "comparison counts them",
            "compare larger messages where what is measured takes less than a reading of the clock; else the clocks "
            "or the samples in the run folder are wrong: measure again",
            tuple((stack, str(count)) for stack, count in found.items()),
        )
