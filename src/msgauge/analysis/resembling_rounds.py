"""A warning where the rounds of a run resemble each other in how stacks compare: verdicts take them as independent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from msgauge.model import Estimate, Notice
from msgauge.stats.round_memory import measure_memory
from msgauge.units import format_ratio

LEVEL = 0.01


def warn_resembling(measured: Sequence[Estimate]) -> Iterable[Notice]:
    """One notice where neighbouring rounds are more alike than one order of rounds in a hundred would make them.

    What counts is the time of each stack over the mean of those beside it in the same test and round, so that the pace
    of the machine, which cancels in every comparison, has no say.
    """
    series = list(_relative(measured))
    sizes = [one.size for one in series]
    most = max(set(sizes), key=lambda size: (sizes.count(size), size), default=0)
    found = measure_memory(np.array([one for one in series if one.size == most])) if most else None
    if found is not None and found.p_value <= LEVEL:
        yield Notice(
            "resembling-rounds",
            f"how stacks compare in a round resembles the round before by about {format_ratio(found.coefficient)}: "
            "verdicts and intervals take rounds as independent, and err more often here",
            "measure again at another time, and believe what both runs say; more rounds of one run do not help",
            (("coefficient", f"{found.coefficient:.4g}"), ("p", f"{found.p_value:.4g}"), ("rounds", str(most))),
        )


def _relative(measured: Sequence[Estimate]) -> Iterator[np.ndarray]:
    """Logarithms of time over the mean of the test's stacks, of the rounds that all of them have, in order of time."""
    tests: dict[int, list[dict[int, float]]] = {}
    for one in measured:
        if not one.simulated:
            tests.setdefault(one.cell, []).append(one.medians_by_round)
    for stacks in tests.values():
        rounds = sorted(set.intersection(*(set(one) for one in stacks)))
        if len(stacks) > 1 and rounds:
            times = np.array([[one[number] for number in rounds] for one in stacks])
            if (times > 0).all():
                logs = np.log(times)
                yield from logs - logs.mean(axis=0)
