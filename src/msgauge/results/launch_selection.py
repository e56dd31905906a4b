"""Which launches of a run count: one rule for estimates, models, papers, tables, page, figures and export."""

from __future__ import annotations

from collections.abc import Iterable

from msgauge.model import Block, LaunchRecord
from msgauge.results.disturbances import is_disturbed_before


def find_left_out(records: Iterable[LaunchRecord], *, quiet_start: bool) -> frozenset[Block]:
    """The blocks whose launches do not count: none, unless the study asks for a quiet start.

    Every launch counts by itself, whatever became of the others of its round: a round in which a stack is missing (it
    failed, the run ended, it has no such cell) counts for those that are there, and a comparison takes the rounds that
    both stacks have. What was seen during or after a launch leaves nothing out, as that could depend on its outcome.

    With ``quiet_start`` a block is left out whole when the machine's speed was unusual before its first launch; that is
    known before anything of the block runs, and no later launch changes it.
    """
    if not quiet_start:
        return frozenset()
    ordered = sorted(records, key=lambda record: record.launch.number)
    firsts: dict[Block, int] = {}
    for place, record in enumerate(ordered):
        firsts.setdefault(record.launch.in_block, place)
    return frozenset(block for block, place in firsts.items() if is_disturbed_before(ordered[:place], ordered[place]))
