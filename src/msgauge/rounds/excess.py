"""Whether a plan holds more tests than its budget can decide, and what would fit. Pure."""

from __future__ import annotations

from collections import Counter
from math import ceil, inf

from attrs import evolve, frozen

from msgauge.model import Plan
from msgauge.rounds.forecast import cells_of_stack, expect_prices, forecast_rounds
from msgauge.stats.look_schedule import least_rounds_at_end
from msgauge.units import format_count, format_duration, parse_sizes

_FACTORS = (4, 8, 16, 64, 256)
"""By which the sizes of a thinner range grow."""
_BUDGETS = (1.0, 1.1, 1.25, 1.5, 2.0, 3.0)
"""Of the time that the rounds of all tests take: budgets that are tried until all get theirs."""


@frozen
class Surroundings:
    """What a forecast knows of the run: the stacks in simulated time, and the cores."""

    simulated: frozenset[str]
    cores: int
    most_s: float = inf
    """What ``MSGAUGE_BUDGET_S`` allows, whatever ``--budget`` says."""


def describe_excess(plan: Plan, host: Surroundings, sizes: str) -> str:
    """A sentence with its remedy where tests will not get the rounds that a verdict needs; else ''.

    Nor where no budget helps, as the plan allows fewer rounds than show any difference, or no two stacks are compared.

    ``sizes``: what ``--sizes`` says; a range is thinned until it fits, else the budget that fits is named.
    """
    if least_rounds_at_end(plan.stopping) == 0 or not (short := _count_short(plan, host)):
        return ""
    least = _least(plan)
    wanted_s, budget_s = _rounds_s(plan, host, least), plan.stopping.budget_s
    size = f"{format_count(len(_list_compared(plan, host)), 'test')} × {format_count(len(plan.stacks), 'stack')}"
    remedy = _thin_out(plan, host, sizes) or _prolong(plan, host, wanted_s) or "measure fewer"
    rounds, within = format_count(least, "round"), format_duration(budget_s)
    if wanted_s > budget_s:
        wanted = f"{size} want {format_duration(wanted_s)} for {rounds}"
        return f"{wanted}; within {within}, {short} of them would stay undecided. {remedy}"
    return f"of {size}, {short} would get fewer than {rounds} within {within}, and stay undecided. {remedy}"


def _least(plan: Plan) -> int:
    """The rounds that a verdict needs: as many as are asked for, or the fewest that can show any difference."""
    return max(plan.stopping.minimum_rounds, least_rounds_at_end(plan.stopping))


def _prolong(plan: Plan, host: Surroundings, wanted_s: float) -> str:
    """A budget that all tests get their rounds in: what those take, and more where order costs time; '' if none is."""
    for factor in _BUDGETS:
        minutes = max(1, ceil(factor * wanted_s / 60))
        if not _count_short(evolve(plan, stopping=evolve(plan.stopping, budget_s=60.0 * minutes)), host):
            allowed = "" if 60.0 * minutes <= host.most_s else " once MSGAUGE_BUDGET_S allows it"
            return f"--budget {minutes}min fits{allowed}"
    return ""


def _list_compared(plan: Plan, host: Surroundings) -> set[int]:
    """The cells in which stacks are compared, not in simulated time: what is run alone is not what a budget lacks."""
    stacks = [stack for stack in plan.stacks if stack not in host.simulated]
    held = Counter(cell.id for stack in stacks for cell in cells_of_stack(plan, stack))
    return {cell for cell, count in held.items() if count > 1}


def _count_short(plan: Plan, host: Surroundings) -> int:
    """The cells that are compared and do not get the rounds that a verdict needs."""
    rounds, least = forecast_rounds(plan, host.simulated, host.cores).rounds, _least(plan)
    return sum(rounds.get(cell, 0) < least for cell in _list_compared(plan, host))


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
        if _list_compared(thin, host) and not _count_short(thin, host):
            return f"--sizes '{bounds} x{factor}' fits"
    return ""
