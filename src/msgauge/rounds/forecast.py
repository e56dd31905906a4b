"""What a plan is expected to take, cell by cell, before anything of it ran, and the rounds in its budget. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from msgauge.model import Cell, CellKey, Plan, Stopping
from msgauge.rounds import allocation
from msgauge.rounds.allocation import CellState, Forecast, Situation
from msgauge.stats.look_schedule import looks_of_run

START_S = 0.6
"""Starting and ending the processes of one launch, as forecast."""
START_OF_RANK_S = 0.06
"""The same for each process beyond the cores: from 0.02 s (plain TCP, LAM) to 0.15 s (Open MPI) on two cores."""
CROWD_S = 0.001
"""What a process beyond the cores adds to each cell: orders and checks go through all of them one after the other."""
SIMULATED_CELL_S = 0.002
_CELL_FACTOR = 1.6
_PASSES = 24
_BYTES_PER_S = 2e9


def forecast_rounds(plan: Plan, simulated: frozenset[str], cores: int) -> Forecast:
    """How many rounds each cell gets within the budget if nothing is settled early, and how long measuring takes.

    ``simulated``: the stacks that run in simulated time; ``cores``: of the computer.
    """
    stopping = plan.stopping
    cells, start_s = expect_costs(plan, simulated, cores)
    begin = Situation(0, stopping.budget_s, start_s, looks_of_run(stopping), plan.claims)
    return allocation.forecast(cells, begin, every_cell=stopping.every_cell)


def expect_costs(plan: Plan, simulated: frozenset[str], cores: int) -> tuple[dict[int, CellState], dict[int, float]]:
    """Every cell as it stands before the first round, and by number of ranks the seconds that the starts take."""
    cost_s = {cell.id: 0.0 for cell in plan.cells}
    begin_s = dict.fromkeys(plan.rank_counts, 0.0)
    for stack in plan.stacks:
        for ranks in plan.rank_counts:
            held = [cell for cell in cells_of_stack(plan, stack) if cell.ranks == ranks]
            expected = [expect_cell_s(cell, plan.stopping, stack in simulated, cores) for cell in held]
            start_s = expect_start_s(ranks, stack in simulated, cores) if held else 0.0
            limited = min(1.0, plan.stopping.launch_limit_s / max(start_s + sum(expected), 1e-9))
            begin_s[ranks] += limited * start_s
            for cell, seconds in zip(held, expected, strict=True):
                cost_s[cell.id] += limited * seconds
    return {cell.id: CellState(cell.ranks, 0, cost_s[cell.id]) for cell in plan.cells}, begin_s


def cells_of_stack(plan: Plan, stack: str) -> Iterator[Cell]:
    """The cells that a stack runs."""
    refused = {refusal.key for refusal in plan.refusals} | set(plan.left_out)
    return (cell for cell in plan.cells if CellKey(stack, cell.id) not in refused)


def expect_start_s(ranks: int, simulated: bool, cores: int) -> float:
    """Seconds to start and end one launch."""
    return START_S + (0.0 if simulated else START_OF_RANK_S * max(0, ranks - cores))


def expect_cell_s(cell: Cell, stopping: Stopping, simulated: bool, cores: int) -> float:
    """Warm-up, payload check and samples of one cell; few passes over a large message already exceed the budget."""
    if simulated:
        return SIMULATED_CELL_S
    passes_s = _PASSES * cell.size_bytes * cell.ranks / 2 / _BYTES_PER_S
    return max(_CELL_FACTOR * stopping.cell_budget_s, passes_s) + CROWD_S * max(0, cell.ranks - cores)
