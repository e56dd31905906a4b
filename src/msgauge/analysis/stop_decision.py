"""Whether a run goes on after a round."""

from __future__ import annotations

from msgauge.model import Analysis, Comparison, Plan, StopReason
from msgauge.stats.ratio import Ratio
from msgauge.stats.stopping import checkpoints, half_width, is_settled


def decide(plan: Plan, analysis: Analysis, elapsed_s: float, round_s: float) -> StopReason | None:
    """Why measuring should end: precision, budget or rounds; None = go on.

    ``elapsed_s``: seconds of measuring so far; ``round_s``: seconds that one more round is expected to take.

    Precision is looked at only at checkpoints: every ratio must be known to ``ratio_precision``, or lie wholly inside
    or wholly outside the margin of equivalence. With nothing to compare, every location must be known to
    ``ratio_precision``. The budget holds before all else once a round is done.
    """
    stopping = plan.stopping
    if analysis.rounds == 0:
        return None
    if analysis.rounds >= stopping.maximum_rounds:
        return StopReason.ROUNDS
    if is_checkpoint(plan, analysis.rounds) and _is_precise(plan, analysis):
        return StopReason.PRECISION
    return StopReason.BUDGET if elapsed_s + round_s > stopping.budget_s else None


def is_checkpoint(plan: Plan, rounds: int) -> bool:
    """Whether precision is looked at after so many rounds: 5, 7, 10, 14, 20, 28 ... (from ``minimum_rounds`` on)."""
    stopping = plan.stopping
    return rounds in checkpoints(min(stopping.minimum_rounds, stopping.maximum_rounds), stopping.maximum_rounds)


def _is_precise(plan: Plan, analysis: Analysis) -> bool:
    """Whether all that further rounds could still improve is precise; a stack that was given up gets no more rounds."""
    precision = plan.stopping.ratio_precision
    latest = max((one.rounds[-1] for one in analysis.estimates if one.rounds), default=0)
    alive = {one.key: one for one in analysis.estimates if one.rounds and one.rounds[-1] >= latest - 2}
    open_ = [one for one in analysis.comparisons if {one.base_key, one.other_key} <= alive.keys()]
    if open_:
        return all(is_settled(_ratio_of(comparison), precision) for comparison in open_)
    return bool(alive) and all(half_width(one.low_ns, one.high_ns) <= precision for one in alive.values())


def _ratio_of(comparison: Comparison) -> Ratio:
    return Ratio(comparison.ratio, comparison.ratio_low, comparison.ratio_high, comparison.p_value, comparison.rounds)
