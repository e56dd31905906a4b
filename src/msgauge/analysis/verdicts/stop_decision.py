"""Whether a run goes on after a round, and with which cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgauge.model import Analysis, CellKey, Estimate, Plan, StopReason
from msgauge.stats.look_schedule import looks_of_run

_MISSED = 3
"""A stack that missed so many of the latest rounds of a cell was given up there."""


def decide(plan: Plan, rounds: int, open_cells: frozenset[int], used_s: float, round_s: float) -> StopReason | None:
    """Why measuring should end after so many rounds: precision, budget or rounds; None = go on.

    ``open_cells``: see ``find_open_cells``; ``used_s``: seconds of measuring so far; ``round_s``: seconds that the next
    round is expected to take.
    """
    if rounds == 0:
        return None
    if rounds >= plan.stopping.maximum_rounds:
        return StopReason.ROUNDS
    if not open_cells:
        return StopReason.PRECISION
    return StopReason.BUDGET if used_s + round_s > plan.stopping.budget_s else None


def find_open_cells(plan: Plan, analysis: Analysis, rounds: Mapping[int, int]) -> frozenset[int]:
    """The cells in which further rounds could still improve what is said, as a planned look at the results shows them.

    ``rounds``: how many each cell has. A cell is open before its first look, and before it has as many rounds as are
    wanted at least, all where their number is set. After that a cell with comparisons is open
    until each ratio is known to ``ratio_precision``, or lies wholly inside or wholly outside the margin of equivalence.
    Without any comparison in the run, cells are open until each location is known to ``ratio_precision``. A stack that
    was given up keeps no cell open. What claims of a paper need beside that is said by ``papers.claim_progress``.
    """
    first = max(looks_of_run(plan.stopping)[0], plan.stopping.minimum_rounds)
    alive = _find_alive(analysis.estimates)
    compared = [one for one in analysis.comparisons if {one.base_key, one.other_key} <= alive.keys()]
    unsettled = {one.cell for one in compared or alive.values() if not one.settled}
    return frozenset(cell.id for cell in plan.cells if rounds.get(cell.id, 0) < first or cell.id in unsettled)


def _find_alive(estimates: Sequence[Estimate]) -> dict[CellKey, Estimate]:
    """Those whose stack took part in one of the latest rounds of the cell."""
    rounds: dict[int, set[int]] = {}
    for one in estimates:
        rounds.setdefault(one.cell, set()).update(one.rounds)
    latest = {cell: sorted(held)[-_MISSED:] for cell, held in rounds.items()}
    return {one.key: one for one in estimates if one.rounds and one.rounds[-1] >= latest[one.cell][0]}
