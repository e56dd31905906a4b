"""A warning where launches of a stack broke off that verdicts know only by the ones that ended. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgauge.model import Notice
from msgauge.results.dataset import Dataset
from msgauge.units import format_count, format_percent


def warn_lost(dataset: Dataset) -> Iterator[Notice]:
    """One notice with the share of lost launches of each stack of which something is judged.

    Simulated stacks lose none by time. Launches whose hosts went away say nothing about the stack, and neither do those
    that were not the ones asked for.
    """
    own = [one for one in dataset.launches if not (one.record.lost or one.record.astray)]
    every = Counter(one.record.launch.stack for one in own)
    lost = Counter(one.record.launch.stack for one in own if one.record.status.broke_off)
    judged = {key.stack for key in dataset.cells}
    found = {
        stack: (count, every[stack])
        for stack, count in lost.items()
        if (count < every[stack] or stack in judged) and stack not in dataset.simulated
    }
    if not found:
        return
    told = [
        f"{stack} lost {count} of {format_count(of, 'launch')} ({format_percent(round(count / of, 2))})"
        for stack, (count, of) in found.items()
    ]
    yield Notice(
        "launches-lost",
        f"{'; '.join(told)}: what they measured before they broke off counts, and nothing after it, so where slow "
        "launches are those that break off a stack looks faster than it is",
        "read under failures what ended them, mend it, and measure again",
        tuple((stack, f"{count} of {of}") for stack, (count, of) in found.items()),
    )
