"""Which launches of a run count: one rule for estimates, models, papers, tables, page, figures and export."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping

from msgauge.model import Block, LaunchRecord
from msgauge.results.disturbances import is_disturbed_before


def find_left_out(
    records: Iterable[LaunchRecord], *, quiet_start: bool, judged: MutableMapping[Block, bool] | None = None
) -> frozenset[Block]:
    """The blocks whose launches do not count: none, unless the study asks for a quiet start.

    Every launch counts by itself, whatever became of the others of its round: a round in which a stack is missing (it
    failed, the run ended, it has no such cell) counts for those that are there, and a comparison takes the rounds that
    both stacks have. What was seen during or after a launch leaves nothing out, as that could depend on its outcome.

    With ``quiet_start`` a block is left out whole when the machine's speed was unusual before its first launch; that is
    known before anything of the block runs, and no later launch changes it. ``judged``: whether blocks are left out, as
    found when fewer launches were there; it is added to, so that a growing run judges each block once.
    """
    if not quiet_start:
        return frozenset()
    judged = {} if judged is None else judged
    ordered = sorted(records, key=lambda record: record.launch.number)
    for place, record in enumerate(ordered):
        if record.launch.in_block not in judged:
            judged[record.launch.in_block] = is_disturbed_before(ordered[:place], record)
    return frozenset(block for block, disturbed in judged.items() if disturbed)
