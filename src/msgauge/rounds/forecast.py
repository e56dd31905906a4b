"""What a plan is expected to take, cell by cell, before anything of it ran, and the rounds in its budget. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from msgauge.model import Cell, CellKey, Plan, Stopping
from msgauge.rounds import allocation
from msgauge.rounds.allocation import CellState, Forecast, Situation
from msgauge.rounds.round_units import Prices, Units, make_units
from msgauge.stats.look_schedule import least_rounds_at_end, looks_of_run

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

    A cell of which claims take some stacks more often has the rounds of those. ``simulated``: the stacks that run in
    simulated time; ``cores``: of the computer.
    """
    units, states, begin = expect_beginning(plan, simulated, cores)
    found = allocation.forecast(states, begin, every_cell=plan.stopping.every_cell)
    rounds = dict.fromkeys((cell.id for cell in plan.cells), 0)
    for number, held in units.keys.items():
        cell = next(iter(held)).cell
        rounds[cell] = max(rounds[cell], found.rounds[number])
    return Forecast(rounds, found.seconds)


def expect_beginning(
    plan: Plan, simulated: frozenset[str], cores: int
) -> tuple[Units, dict[int, CellState], Situation]:
    """The units of a plan, as they stand before the first round, and the situation then."""
    prices = expect_prices(plan, simulated, cores)
    units = make_units(plan, prices.cell_s)
    states, start_s = units.price(prices, {})
    stopping = plan.stopping
    return (
        units,
        states,
        Situation(0, stopping.budget_s, start_s, looks_of_run(stopping), units.claims, least_rounds_at_end(stopping)),
    )


def expect_prices(plan: Plan, simulated: frozenset[str], cores: int) -> Prices:
    """What the cells of each stack and its launches take, before any of them ran."""
    stopping = plan.stopping
    cell_s: dict[CellKey, float] = {}
    starts_s: dict[tuple[str, int], float] = {}
    for stack in plan.stacks:
        for ranks in plan.rank_counts:
            held = [cell for cell in cells_of_stack(plan, stack) if cell.ranks == ranks]
            expected = [expect_cell_s(cell, stopping, stack in simulated, cores) for cell in held]
            start_s = expect_start_s(ranks, stack in simulated, cores) if held else 0.0
            limited = min(1.0, stopping.launch_limit_s / max(start_s + sum(expected), 1e-9))
            starts_s[stack, ranks] = limited * start_s
            for cell, seconds in zip(held, expected, strict=True):
                cell_s[CellKey(stack, cell.id)] = limited * seconds
    return Prices(cell_s, starts_s)


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
    budget_s = stopping.cell_budget_on(cell.ranks, cores)
    return max(_CELL_FACTOR * budget_s, passes_s) + CROWD_S * max(0, cell.ranks - cores)
