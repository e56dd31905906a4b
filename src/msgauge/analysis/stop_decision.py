"""Whether a run goes on after a round."""

from __future__ import annotations

from msgauge.analysis.look_schedule import is_look
from msgauge.model import Analysis, Plan, StopReason


def decide(plan: Plan, analysis: Analysis, elapsed_s: float, round_s: float) -> StopReason | None:
    """Why measuring should end: precision, budget or rounds; None = go on.

    ``elapsed_s``: seconds of measuring so far; ``round_s``: seconds that one more round is expected to take.

    Precision is looked at only at the planned looks (``look_schedule.py``): every ratio must be known to
    ``ratio_precision``, or lie wholly inside or wholly outside the margin of equivalence. With nothing to compare,
    every location must be known to ``ratio_precision``. The budget holds before all else once a round is done.
    """
    stopping = plan.stopping
    if analysis.rounds == 0:
        return None
    if analysis.rounds >= stopping.maximum_rounds:
        return StopReason.ROUNDS
    if is_look(stopping, analysis.rounds) and _is_settled(analysis):
        return StopReason.PRECISION
    return StopReason.BUDGET if elapsed_s + round_s > stopping.budget_s else None


def _is_settled(analysis: Analysis) -> bool:
    """Whether all that further rounds could still improve is settled; a stack that was given up gets no more rounds."""
    latest = max((one.rounds[-1] for one in analysis.estimates if one.rounds), default=0)
    alive = {one.key: one for one in analysis.estimates if one.rounds and one.rounds[-1] >= latest - 2}
    open_ = [one for one in analysis.comparisons if {one.base_key, one.other_key} <= alive.keys()]
    return all(one.settled for one in open_) if open_ else bool(alive) and all(one.settled for one in alive.values())
