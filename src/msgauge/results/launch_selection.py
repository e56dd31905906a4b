"""Which launches of a run count: one rule for estimates, models, papers, tables, page, figures and export."""

from __future__ import annotations

from collections.abc import Iterable

from msgauge.model import Block, LaunchRecord


def find_left_out(records: Iterable[LaunchRecord]) -> frozenset[Block]:
    """The blocks of one round whose launches do not count, from the records of that round alone.

    A disturbed block is left out when a later block of the same round and ranks repeats it with all of its stacks. An
    incomplete repeat (the budget ended, or a stack did not start again) replaces nothing: all launches of both blocks
    count. The whole block goes, quiet launches too, so that nothing is selected by its outcome.
    """
    known = list(records)
    disturbed = {record.launch.in_block for record in known if record.disturbed}
    if not disturbed:
        return frozenset()
    stacks: dict[Block, set[str]] = {}
    for launch in (record.launch for record in known):
        stacks.setdefault(launch.in_block, set()).add(launch.stack)
    return frozenset(block for block in disturbed if any(_repeats(stacks, later, block) for later in stacks))


def _repeats(stacks: dict[Block, set[str]], later: Block, block: Block) -> bool:
    same = (later.round, later.ranks) == (block.round, block.ranks)
    return same and later.block > block.block and stacks[later] >= stacks[block]
