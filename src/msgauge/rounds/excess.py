"""Whether a plan holds more tests than its budget can decide, and what would fit. Pure."""

from __future__ import annotations

from attrs import evolve, frozen

from msgauge.model import Plan
from msgauge.rounds.forecast import expect_prices, forecast_rounds
from msgauge.units import format_count, format_duration, parse_sizes

_FACTORS = (4, 8, 16, 64, 256)
"""By which the sizes of a thinner range grow."""


@frozen
class Surroundings:
    """What a forecast knows of the run: the stacks in simulated time, and the cores."""

    simulated: frozenset[str]
    cores: int


def describe_excess(plan: Plan, host: Surroundings, sizes: str) -> str:
    """A sentence with its remedy where tests will not get the rounds that a verdict needs; else ''.

    ``sizes``: what ``--sizes`` says; a range is thinned until it fits, else the budget that fits is named.
    """
    least = plan.stopping.minimum_rounds
    rounds = forecast_rounds(plan, host.simulated, host.cores).rounds
    short = sum(rounds.get(cell.id, 0) < least for cell in plan.cells)
    if not short or len(plan.stacks) < 2:
        return ""
    wanted_s = _rounds_s(plan, host, least)
    size = f"{format_count(len(plan.cells), 'test')} × {format_count(len(plan.stacks), 'stack')}"
    remedy = _thin_out(plan, host, sizes) or f"--budget {max(1, round(wanted_s / 60 + 0.5))}min fits"
    return (
        f"{size} want {format_duration(wanted_s)} for {format_count(least, 'round')}; within "
        f"{format_duration(plan.stopping.budget_s)} {short} of them would stay undecided. {remedy}"
    )


def _rounds_s(plan: Plan, host: Surroundings, rounds: int) -> float:
    prices = expect_prices(plan, host.simulated, host.cores)
    return rounds * prices.round_s(prices.cell_s, {cell.id: cell.ranks for cell in plan.cells})


def _thin_out(plan: Plan, host: Surroundings, sizes: str) -> str:
    """The same range in larger steps, where that is enough; '' where it is not, or no range was named."""
    bounds, _, _ = sizes.partition(" ")
    if ".." not in bounds or "," in sizes:
        return ""
    for factor in _FACTORS:
        kept = frozenset(parse_sizes(f"{bounds} x{factor}")) | {0}
        thin = evolve(plan, cells=tuple(cell for cell in plan.cells if cell.size_bytes in kept))
        rounds = forecast_rounds(thin, host.simulated, host.cores).rounds
        if thin.cells and all(rounds.get(cell.id, 0) >= plan.stopping.minimum_rounds for cell in thin.cells):
            return f"--sizes '{bounds} x{factor}' fits"
    return ""
