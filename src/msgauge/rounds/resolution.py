"""What a number of rounds can tell: beforehand of a plan, afterwards of comparisons that stayed undecided. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import comb

import numpy as np
from attrs import evolve, frozen

from msgauge.analysis.verdicts.doubt import EXHAUSTED
from msgauge.analysis.verdicts.parted import tells_parts
from msgauge.analysis.verdicts.round_starts import read_starts
from msgauge.analysis.warnings.resembling_rounds import RESEMBLING
from msgauge.model import Analysis, Cell, CellKey, Comparison, Notice, Plan
from msgauge.model.starts import list_unlike
from msgauge.results.dataset import Dataset, Series
from msgauge.results.launch_costs import LaunchCosts
from msgauge.rounds.allocation import CellState
from msgauge.rounds.forecast import cells_of_stack
from msgauge.rounds.round_units import Units
from msgauge.stats.look_schedule import least_rounds, level_after, level_when_resumed, looks_of_run
from msgauge.stats.outlying_rounds import mark_usual
from msgauge.stats.pairwise import FEWEST_FOR_DIFFERENCE, FEWEST_ROUNDS
from msgauge.stats.prediction import findable, limit_scatter, rounds_to_find
from msgauge.stats.prospects import FEWEST_TESTS, find_uneven
from msgauge.units import format_count, format_duration, format_percent, format_size

ASSUMED_SCATTER = 0.03
"""Standard deviation between rounds of the logarithm of a ratio, before anything was measured."""
DIFFERENCES = (0.05, 0.1, 0.2)
_MEASURE_ANEW = "measure anew, in a run of its own with as many rounds at once as it may take"
_SHOWN = 5
_FEWEST_FOR_SCATTER = 3
_UNEVEN = "rounds are too uneven, or too few, to tell what would have been found"


@frozen
class Resolution:
    """In how many of the compared cells a relative difference of this size is found in 80 % of runs."""

    difference: float
    cells: int
    of: int


@frozen
class Outstanding:
    """A cell with undecided comparisons: what it would take to find a difference of 5 % in it."""

    cell: Cell
    rounds: int | None
    """Further rounds, 0 where those there would have found it; None beyond a thousand, or without a look left."""
    seconds: float
    is_even: bool = True
    """False where rounds show outliers or modes, or, where they would have found it, may: nothing is told then."""


def find_resolutions(plan: Plan, rounds: Mapping[int, int], kinds: Sequence[Sequence[str]]) -> tuple[Resolution, ...]:
    """What these rounds of each cell can resolve, all pairs of stacks of one kind in all cells taken as one family.

    At the level of the table in which the verdict on a cell is drawn up: nothing where so few rounds cannot reach it.
    """
    pairs = _count_pairs(plan, kinds)
    family = sum(pairs.values())
    if not family:
        return ()
    last = max(rounds.values(), default=0)
    levels = {count: _level_of_verdict(plan, count, last) for count in {rounds.get(cell, 0) for cell in pairs}}
    found = {count: findable(ASSUMED_SCATTER, count, level, family) for count, level in levels.items()}
    least = {cell: found[rounds.get(cell, 0)] for cell in pairs}
    return tuple(
        Resolution(difference, sum(one <= difference for one in least.values()), len(pairs))
        for difference in DIFFERENCES
    )


def describe_prospects(
    plan: Plan, units: Units, states: Mapping[int, CellState], kinds: Sequence[Sequence[str]]
) -> str:
    """What a run can tell, in a clause: of a paper in terms of its claims, else of differences between stacks.

    ``states``: every unit with the rounds that it will have; ``kinds``: of stacks, without those in simulated time.
    """
    if plan.claims:
        return f"can bring {_count_able(plan, units, states)} to {FEWEST_ROUNDS} rounds, the fewest that decide one"
    rounds: dict[int, int] = {}
    for number, held in units.keys.items():
        cell = next(iter(held)).cell
        rounds[cell] = max(rounds.get(cell, 0), states[number].rounds)
    return describe_resolutions(find_resolutions(plan, rounds, kinds))


def _count_able(plan: Plan, units: Units, states: Mapping[int, CellState]) -> str:
    """``7 of 16 claims and 2 of 9 questions``."""
    able = [one.question for one in units.claims if one.has_enough(states, FEWEST_ROUNDS)]
    asked = [one.question for one in plan.claims]
    kinds = [(is_question, asked.count(is_question)) for is_question in (False, True) if is_question in asked]
    counts = (
        f"{able.count(is_question)} of {format_count(every, 'question' if is_question else 'claim')}"
        for is_question, every in kinds
    )
    return " and ".join(counts)


def describe_resolutions(found: Sequence[Resolution]) -> str:
    """One sentence; '' where nothing is compared."""
    if not found:
        return ""
    steps = [one for one, before in zip(found, (0, *(one.cells for one in found)), strict=False) if one.cells > before]
    told = [f"of {format_percent(one.difference)} in {one.cells} of {format_count(one.of, 'test')}" for one in steps]
    assumed = f"if ratios vary by {format_percent(ASSUMED_SCATTER)} between rounds"
    if not told:
        return f"cannot resolve a difference of {format_percent(found[-1].difference)} in any test ({assumed})"
    return f"can resolve a difference {', '.join(told)} ({assumed})"


def warn_undecided(dataset: Dataset, analysis: Analysis) -> list[Notice]:
    """Which comparisons stayed undecided, and how long it would take to find a difference of 5 % in them.

    Nothing of the kind where rounds resemble those before them: more of them tell less than their number. Nor of what
    was started in different ways, or changed when the run went on, which no rounds decide, and of simulated times only
    that nothing is left to tell them by.
    """
    is_spent = not least_rounds(dataset.plan.stopping, dataset.rounds)
    undecided = [
        one
        for one in analysis.comparisons
        if one.verdict == "undecided" and (is_spent or one.base not in dataset.simulated)
        if not (_is_unlike(dataset, one) or tells_parts(one.reason))
    ]
    found = find_outstanding(dataset, undecided)
    if not found:
        return []
    if any(one.code == RESEMBLING for one in analysis.warnings):
        found = [evolve(one, rounds=0, seconds=0.0, is_even=False) for one in found]
    difference = format_percent(DIFFERENCES[0])
    more = max((one.rounds or 0 for one in found), default=0)
    rounds, total = ("the rounds named", str(dataset.rounds + more)) if more else ("more rounds", "N")
    told = [_tell_too_few(undecided), _sum_up(found, is_spent=is_spent), EXHAUSTED if is_spent else ""]
    what = f"{len(undecided)} of {format_count(len(analysis.comparisons), 'comparison')} undecided; "
    what += f"{'; '.join(part for part in told if part)}."
    evidence = tuple(
        (f"a difference of {difference} in {_name(one.cell)}", _describe(one, is_spent=is_spent))
        for one in found[:_SHOWN]
    )
    if is_spent:
        return [Notice("spent", what, _MEASURE_ANEW, evidence)]
    remedy = f"add {rounds} (--resume RUN --rounds {total}), or rerun on an idle machine"
    return [Notice("undecided", what, remedy, evidence)]


def _is_unlike(dataset: Dataset, one: Comparison) -> bool:
    there = all(key in dataset.cells for key in (one.base_key, one.other_key))
    return there and bool(list_unlike(*(read_starts(dataset.cells[key]) for key in (one.base_key, one.other_key))))


def _tell_too_few(undecided: Sequence[Comparison]) -> str:
    """That no difference, however large, can be told in so few rounds; '' where there were enough."""
    short = sum(one.rounds < FEWEST_FOR_DIFFERENCE for one in undecided)
    if not short:
        return ""
    most = FEWEST_FOR_DIFFERENCE - 1
    whom = "all have" if short == len(undecided) else "1 of them has" if short == 1 else f"{short} of them have"
    return (
        f"{whom} fewer than {FEWEST_FOR_DIFFERENCE} rounds, in which no difference is told, however large (of two "
        f"equal stacks one wins all {most} of {most} rounds in 1 of {2 ** (most - 1)} cases)"
    )


def warn_not_begun(dataset: Dataset) -> list[Notice]:
    """Which tests were in no launch: one round of them would have taken more of the time than they were worth."""
    begun, plan = dataset.rounds_of_cells, dataset.plan
    run = {cell.id for stack in plan.stacks for cell in cells_of_stack(plan, stack)}
    missing = [cell for cell in plan.cells if cell.id in run and not begun[cell.id]] if begun else []
    if not missing:
        return []
    return [
        Notice(
            "not-begun",
            f"{len(missing)} of {format_count(len(run), 'test')} were not begun: once alone would have "
            "taken much of the time, and no verdict would have come of it",
            "raise --budget (--resume RUN --budget ... begins them), or measure them by themselves",
            tuple((_name(cell), "not begun") for cell in missing[:_SHOWN]),
        )
    ]


def find_outstanding(dataset: Dataset, undecided: Sequence[Comparison]) -> list[Outstanding]:
    """The cells with undecided comparisons, those that take longest first."""
    column = {cell.id: at for at, cell in enumerate(dataset.plan.cells)}
    pairs = sorted({(one.base, one.other) for one in undecided})
    series = _list_log_ratios(dataset, pairs)
    usual = mark_usual(series.reshape(-1, series.shape[2])).reshape(series.shape)
    kept = np.where(usual, series, np.nan)
    widest: dict[int, tuple[float, int]] = {}
    for one in undecided:
        row = pairs.index((one.base, one.other))
        if (scatter := _limit_scatter(series[row, column[one.cell]], kept[row, column[one.cell]])) is not None:
            widest[one.cell] = max(widest.get(one.cell, (-1.0, row)), (scatter, row))
    most = {one.cell: one.rounds for one in undecided}
    costs = LaunchCosts.of(dataset.launches)
    family = max(1, sum(_count_pairs(dataset.plan, dataset.kinds).values()))
    resumed = level_when_resumed(dataset.plan.stopping, dataset.rounds)
    may_be_uneven, are_uneven = find_uneven(series), _find_seen_uneven(series)
    found = []
    for number, (scatter, row) in widest.items():
        cell = dataset.plan.cells[column[number]]
        level = _level_of_verdict(dataset.plan, most[number], dataset.rounds)
        more = _count_more(scatter, most[number], family, (level, resumed))
        if (may_be_uneven if more == 0 else are_uneven)[row, column[number]]:
            found.append(Outstanding(cell, 0, 0.0, is_even=False))
        else:
            found.append(Outstanding(cell, more, _seconds_of_round(dataset.plan, cell, costs) * (more or 0)))
    return sorted(found, key=lambda one: (one.rounds is not None, -one.seconds, one.cell.id))


def _list_log_ratios(dataset: Dataset, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """Log ratios of the launch medians of every two stacks named, shape (pairs, cells, rounds), nan behind the last."""
    cells = [cell.id for cell in dataset.plan.cells]
    series = np.full((len(pairs), len(cells), max(1, dataset.rounds)), np.nan)
    for row, stacks in enumerate(pairs):
        for column, number in enumerate(cells):
            base, other = (dataset.cells.get(CellKey(stack, number)) for stack in stacks)
            if base is not None and other is not None:
                ratios = _log_ratios(base.compared, other.compared)
                series[row, column, : ratios.size] = ratios
    return series


def _limit_scatter(rounds: np.ndarray, kept: np.ndarray) -> float | None:
    """What the scatter of these rounds is at most, without those that the test leaves out; None of two or fewer."""
    every, usual = (one[np.isfinite(one)] for one in (rounds, kept))
    if every.size < _FEWEST_FOR_SCATTER:
        return None
    known = usual if usual.size >= _FEWEST_FOR_SCATTER else every
    return limit_scatter(float(np.std(known, ddof=1)), known.size)


def _find_seen_uneven(series: np.ndarray) -> np.ndarray:
    """As ``find_uneven``, but of each series by itself what it shows: bool of shape (pairs, cells).

    Asked where a number of rounds is told. That rests on the scatter of the rounds that the test keeps, and comes true
    also where few tests tell little of outliers.
    """
    alone = np.repeat(series.reshape(-1, 1, series.shape[2]), FEWEST_TESTS, axis=1)
    return find_uneven(alone)[:, 0].reshape(series.shape[:2])


def _count_more(scatter: float, rounds: int, family: int, levels: tuple[float, float]) -> int | None:
    """Rounds beyond these that find a difference of 5 %; ``levels``: of this table, and of that of a resumed run."""
    level, resumed = levels
    if findable(scatter, rounds, level, family) <= DIFFERENCES[0]:
        return 0
    needed = rounds_to_find(DIFFERENCES[0], scatter, resumed, family, least=rounds + 1)
    return None if needed is None else needed - rounds


def _level_of_verdict(plan: Plan, rounds: int, last: int) -> float:
    """Level of the table that has the last word on a cell of so many rounds, in a run that ends after ``last``.

    A cell that has fewer keeps what the look after them said.
    """
    if rounds >= last:
        return level_after(plan.stopping, rounds, is_end=True)
    look = next((one for one in looks_of_run(plan.stopping) if rounds <= one < last), last)
    return level_after(plan.stopping, look, is_end=look == last)


def _count_pairs(plan: Plan, kinds: Sequence[Sequence[str]]) -> dict[int, int]:
    """Pairs of stacks of one kind by cell."""
    pairs: Counter[int] = Counter()
    for among in kinds:
        held = Counter(cell.id for stack in among for cell in cells_of_stack(plan, stack))
        pairs.update({cell: comb(count, 2) for cell, count in held.items() if count > 1})
    return dict(pairs)


def _log_ratios(base: Series, other: Series) -> np.ndarray:
    """Log ratios of the launch medians in the rounds that both have, shape (rounds,)."""
    first, second = (dict(zip(one.rounds, one.medians_ns, strict=True)) for one in (base, other))
    shared = [number for number in first if second.get(number, 0) > 0 and first[number] > 0]
    return np.log([second[number] / first[number] for number in shared])


def _seconds_of_round(plan: Plan, cell: Cell, costs: LaunchCosts) -> float:
    """What one more round of a cell alone takes."""
    stacks = [stack for stack in plan.stacks if any(one.id == cell.id for one in cells_of_stack(plan, stack))]
    return sum(costs.cell_s(CellKey(one, cell.id), 0.0) + costs.start_s(one, cell.ranks, 0.0) for one in stacks)


def _sum_up(found: Sequence[Outstanding], *, is_spent: bool) -> str:
    """What it would take; ``is_spent``: no look is left that could tell anything, so no number of rounds is named."""
    difference = format_percent(DIFFERENCES[0])
    more = [one for one in found if one.rounds]
    never, rest = sum(one.rounds is None for one in found), [one.is_even for one in found if one.rounds == 0]
    small, open_ = rest.count(True), rest.count(False)
    parts = []
    if more:
        rounds = max(one.rounds or 0 for one in more)
        parts.append(
            f"to find a difference of {difference} in {format_count(len(more), 'test')} takes up to "
            f"{format_count(rounds, 'more round')}, {format_duration(max(one.seconds for one in more))} for one test"
        )
    if never and not is_spent:
        tests = format_count(never, "test")
        parts.append(f"in {tests} a difference of {difference} would not be found within a thousand rounds")
    if small:
        tests = format_count(small, "test")
        parts.append(f"in {tests} a difference of {difference} would have been found in four of five runs")
    if open_:
        parts.append(f"in {format_count(open_, 'test')} {_UNEVEN}")
    return "; ".join(parts)


def _describe(one: Outstanding, *, is_spent: bool) -> str:
    if one.rounds is None:
        return "only in a new run" if is_spent else "not within a thousand rounds"
    if not one.rounds:
        return "would have been found in four of five runs" if one.is_even else _UNEVEN
    return f"{format_count(one.rounds, 'more round')}, {format_duration(one.seconds)}"


def _name(cell: Cell) -> str:
    return f"{cell.kernel}, {format_size(cell.size_bytes)}, {format_count(cell.ranks, 'rank')}"
