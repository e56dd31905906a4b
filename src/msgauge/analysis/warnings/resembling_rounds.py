"""A warning where the rounds of a run resemble each other in how stacks compare: its verdicts allow for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgauge.model import Notice
from msgauge.stats.round_memory import RoundMemory
from msgauge.units import format_ratio

RESEMBLING = "resembling-rounds"
"""The code of the notice."""


def warn_resembling(memories: Iterable[tuple[RoundMemory, Sequence[str]]]) -> Iterator[Notice]:
    """One notice for each kind of stacks in whose rounds order matters; ``memories``: as ``VerdictFamily.memories``.

    What counts is the time of each stack over the median of those in the same test and round, so that the pace of the
    machine, which cancels in every comparison, has no say.
    """
    for memory, stacks in memories:
        if memory.largest > 1:
            yield _warn(memory, [stack for stack, factor in zip(stacks, memory.factors, strict=True) if factor > 1])


def _warn(memory: RoundMemory, stacks: Sequence[str]) -> Notice:
    whose = f" of {', '.join(stacks)}" if len(stacks) < memory.factors.size else ""
    return Notice(
        RESEMBLING,
        "how stacks compare in a round resembles the round before: neighbours correlate by about "
        f"{format_ratio(memory.coefficient)}, and so few rounds leave open by how much more. Intervals of "
        f"ratios{whose} are up to {format_ratio(memory.largest)} times as wide for all that it may be, and verdicts "
        "ask for as much more",
        "measure again at another time, and believe what both runs say; more rounds of one run help little",
        (
            ("coefficient", f"{memory.coefficient:.4g}"),
            ("p", f"{memory.p_value:.4g}"),
            ("factor", f"{memory.largest:.4g}"),
            ("stacks", ",".join(stacks)),
        ),
    )
