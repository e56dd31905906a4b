"""Changes that all stacks share: nothing then tells one of the stacks from one of the machine between the runs."""

from __future__ import annotations

from msgauge.analysis.between_runs.run_comparison import RunsCompared
from msgauge.model import Notice
from msgauge.units import format_count


def warn_of_shared_change(compared: RunsCompared) -> tuple[Notice, ...]:
    """A notice where no stack is known not to have changed, and all with a verdict moved in one direction.

    Two stacks at least, and half of all. How far runs of one build lie apart is taken from the runs of each version, so
    a pace that the machine keeps for days looks like a change of every stack.
    """
    decided = [one for one in compared.judged if one.verdict in {"faster", "slower"}]
    words, changed = {one.verdict for one in decided}, {one.other for one in decided}
    stacks = {one.other for one in compared.judged}
    steady = stacks - {one.other for one in compared.judged if one.verdict != "equivalent"}
    known = bool(compared.references or steady)
    if compared.basis != "repeated runs" or known or len(words) != 1 or len(changed) < max(2, len(stacks) / 2):
        return ()
    (word,) = words
    message = (
        f"{len(changed)} of {format_count(len(stacks), 'stack')} changed, all of them {word}, "
        "so it may be the machine and not the stacks"
    )
    remedy = "measure old and new side by side (compare --against OLD), or stacks that did not change in all runs"
    return (Notice("stacks-changed-alike", message, remedy),)
