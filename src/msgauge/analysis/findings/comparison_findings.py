"""Comparisons as sentences: one sentence for a range of neighbouring sizes, not one for each cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import exp, inf, isfinite, log
from types import MappingProxyType
from typing import TypeAlias

from attrs import frozen

from msgauge.analysis.findings.caveats import BEYOND_MEDIANS, describe_caveats, find_caveats
from msgauge.analysis.findings.fastest import find_winner
from msgauge.analysis.findings.ranking import HIGHEST_EFFECT, REPEATED, outcome_of, rank, weigh, weigh_summary
from msgauge.model import CellKey, Comparison, Estimate, Finding, Pairs, Word
from msgauge.model.measured_way import note_marks
from msgauge.stats.pairwise import MARGIN
from msgauge.stats.ratio import Ratio
from msgauge.units import (
    format_count,
    format_estimate,
    format_estimates,
    format_level,
    format_percent,
    format_ratio,
    format_size,
)

ALIKE = 1.3
"""Neighbouring cells go into one sentence with one factor while their ratios differ by less than this."""
LEAP = 2.0
"""Neighbours whose ratios differ by more than this stand in different sentences."""

Pair = tuple[str, str, int]
"""Base, other and number of processes."""
Row: TypeAlias = tuple[str, int, Pairs, str, str]
"""Kernel, number of processes, options, mode and cache: what differs in size alone."""
Widen = Callable[[Sequence[Comparison], float], Sequence[Comparison]]
"""Gives comparisons intervals that miss in so small a share each (``VerdictFamily.widen``)."""
LEVEL = 0.05
"""Chance that a factor which is the same at all sizes of a sentence is said to differ between them."""
MOST_NAMED = 8
"""A sentence that would name more kernels than this counts them."""
MOST_SIZES = 4
"""So many sizes are named; more are counted."""
_MOST_OTHERS = 3
"""So many stacks are named beside the one that is the fastest in most tests."""


@frozen
class Intervals:
    """``level``: of the interval of each ratio; ``widen``: to others, for what is said of several sizes at once."""

    widen: Widen = lambda cells, _: cells
    level: float = 0.95


@frozen
class SizeRange:
    """Neighbouring sizes of one kernel with the same verdict and no leap between them, ascending."""

    cells: tuple[Comparison, ...]
    alone: bool
    """It covers all sizes of its kernel."""
    missing: tuple[int, ...]
    """Sizes of the run between its ends that were not compared."""
    intervals: Intervals

    @property
    def word(self) -> Word:
        return self.cells[0].verdict

    @property
    def first(self) -> Comparison:
        return self.cells[0]

    @property
    def last(self) -> Comparison:
        return self.cells[-1]


def findings(
    estimates: Sequence[Estimate],
    comparisons: Sequence[Comparison],
    between_others: Sequence[Comparison] = (),
    typical: Mapping[Pair, Ratio] = MappingProxyType({}),
    intervals: Intervals = Intervals(),
) -> tuple[Finding, ...]:
    """Sentences, those that matter most first (``ranking``): who is fastest, each pair, crossovers, differences.

    ``comparisons`` are with the base; of ``between_others`` (pairwise_contests.py) only crossovers become findings.
    ``typical``: the mean ratio of each pair over its tests; a pair without one is told by its verdicts alone.
    """
    tests = len({one.cell for one in (*comparisons, *between_others)})
    oversubscribed = frozenset(one.key for one in estimates if one.oversubscribed)
    slow = {one.key: one.slow_launches for one in estimates if one.slow_launches is not None}
    pairs = _compare_pairs(comparisons, tests, typical, intervals.level)
    found = [*_summaries(estimates), *pairs.values(), *find_caveats(estimates, comparisons, tests, intervals.level)]
    sizes = list_sizes(estimates)
    for cells in group_by_size(comparisons):
        ranges = _split_into_ranges(cells, intervals, sizes)
        usual = typical.get((cells[0].base, cells[0].other, cells[0].ranks))
        for one in ranges:
            caveats = describe_caveats(one.cells, slow, intervals.level)
            at_least = HIGHEST_EFFECT * len(one.cells) / tests if caveats else 0.0
            found.append(_make_finding(one, oversubscribed, caveats, max(at_least, _weight(one, tests, usual))))
        found.extend(_crossovers(ranges, tests))
    for cells in group_by_size(between_others):
        found.extend(_crossovers(_split_into_ranges(cells, intervals, sizes), tests))
    return rank(found)


def group_by_size(comparisons: Sequence[Comparison]) -> list[tuple[Comparison, ...]]:
    """Comparisons that differ in size alone, ascending."""
    rows: dict[tuple[object, ...], list[Comparison]] = {}
    for one in comparisons:
        rows.setdefault(one.row, []).append(one)
    return [tuple(sorted(row, key=lambda one: one.size_bytes)) for row in rows.values()]


def list_sizes(estimates: Iterable[Estimate]) -> dict[Row, set[int]]:
    """The sizes of each row of the run, whichever stack has them."""
    sizes: dict[Row, set[int]] = {}
    for one in estimates:
        sizes.setdefault(_row_of(one), set()).add(one.size_bytes)
    return sizes


def find_missing(cells: Sequence[Comparison], sizes: Mapping[Row, set[int]]) -> tuple[int, ...]:
    """The sizes of the run beside those of the row ``cells``, ascending: they were not compared."""
    return tuple(sorted(sizes.get(_row_of(cells[0]), set()) - {one.size_bytes for one in cells}))


def name_missing(missing: Sequence[int]) -> str:
    """`` without 1 KiB, not compared``; '' for none."""
    if not missing:
        return ""
    named = ", ".join(map(format_size, missing)) if len(missing) <= MOST_SIZES else f"{len(missing)} of the sizes"
    return f" without {named}, not compared"


def _row_of(one: Estimate | Comparison) -> Row:
    return one.kernel, one.ranks, one.options, one.mode, one.cache


def _split_into_ranges(
    cells: tuple[Comparison, ...], intervals: Intervals, sizes: Mapping[Row, set[int]]
) -> list[SizeRange]:
    """Split where the verdict changes, and where a difference leaps."""
    runs: list[list[Comparison]] = []
    for one in cells:
        before = runs[-1][-1] if runs else None
        if before is None or before.verdict != one.verdict or _is_leap(before, one):
            runs.append([])
        runs[-1].append(one)
    missing = find_missing(cells, sizes)
    return [
        SizeRange(
            tuple(run),
            alone=len(runs) == 1,
            missing=tuple(size for size in missing if run[0].size_bytes < size < run[-1].size_bytes),
            intervals=intervals,
        )
        for run in runs
    ]


def _is_leap(before: Comparison, after: Comparison) -> bool:
    return after.verdict in {"faster", "slower"} and abs(log(after.ratio / before.ratio)) > log(LEAP)


# --- one sizes, one sentence -------------------------------------------------------------------------------


def _make_finding(sizes: SizeRange, oversubscribed: frozenset[CellKey], caveats: str, weight: float) -> Finding:
    describe = {"equivalent": _describe_equivalent, "undecided": _describe_undecided}.get(
        sizes.word, _describe_difference
    )
    sentence = f"{describe(sizes).removesuffix('.')}{caveats}."
    first = sizes.first
    if first.other_key in oversubscribed or first.base_key in oversubscribed:
        sentence += f" Oversubscribed: {format_count(first.ranks, 'process')} on fewer cores."
    beyond: Pairs = ((BEYOND_MEDIANS, caveats.removeprefix(", but ")),) if caveats else ()
    return Finding(sentence, weight, _kind(sizes.word), (*_evidence(sizes), *beyond))


def _kind(word: Word) -> str:
    return word if word in {"equivalent", "undecided"} else "comparison"


def _describe_difference(sizes: SizeRange) -> str:
    return (
        f"{sizes.first.other} is {_factor(sizes)} {sizes.word} than {sizes.first.base} "
        f"{_describe_sizes(sizes)} ({_numbers(sizes)})."
    )


def _describe_equivalent(sizes: SizeRange) -> str:
    return (
        f"{sizes.first.other} and {sizes.first.base} are equivalent within ±{format_percent(MARGIN)} "
        f"{_describe_sizes(sizes)} ({_numbers(sizes)})."
    )


def _describe_undecided(sizes: SizeRange) -> str:
    worst = max(sizes.cells, key=_width)
    where = f"at {format_size(worst.size_bytes)} " if len(sizes.cells) > 1 else ""
    return (
        f"{sizes.first.other} vs {sizes.first.base} is undecided {_describe_sizes(sizes)} ({_numbers(sizes)}): "
        f"{where}{worst.reason}."
    )


def _width(one: Comparison) -> float:
    return log(one.ratio_high / one.ratio_low) if one.ratio_low > 0 else inf


def _factor(sizes: SizeRange) -> str:
    """``1.8 ×``, ``5 %``, ``between 1.4 × and 3.1 ×``: by which factor the slower one takes longer.

    "Between" where no single one lies in the intervals of all sizes, which hold together (Dunn 1961). Tried and wrong:
    by the estimates alone, "between" in 40 % where 16 sizes have one factor and launches scatter by 15 %.
    """
    known = sorted(map(_turn_up, sizes.cells))
    factors = [factor for factor, *_ in known]
    if factors[-1] / factors[0] > ALIKE and not _may_share_a_factor(sizes):
        return f"between {_times_or_percent(*known[0])} and {_times_or_percent(*known[-1])}"
    _, lows, highs = zip(*known, strict=True)
    return _times_or_percent(exp(sum(map(log, factors)) / len(factors)), min(lows), max(highs))


def _may_share_a_factor(sizes: SizeRange) -> bool:
    """False where intervals are nan, those of a single round of a simulated clock: its factors are what they are."""
    wide = sizes.intervals.widen(sizes.cells, LEVEL / len(sizes.cells))
    return max(one.ratio_low for one in wide) <= min(one.ratio_high for one in wide)


def _turn_up(one: Comparison) -> tuple[float, float, float]:
    if one.ratio >= 1:
        return one.ratio, one.ratio_low, one.ratio_high
    return 1 / one.ratio, 1 / one.ratio_high, 1 / one.ratio_low if one.ratio_low else inf


def _times_or_percent(factor: float, low: float, high: float) -> str:
    """In two digits, or in three where two lie outside the limits that stand beside it."""
    if factor < 1.2:
        return format_percent(round(factor - 1, 3))
    short = f"{factor:.2g}" if factor < 10 else f"{factor:.0f}"
    is_outside = float(short) < low or float(short) > high
    return f"{format_ratio(factor) if factor >= 1000 or is_outside else short} ×"


def _describe_sizes(sizes: SizeRange) -> str:
    one = sizes.first
    what = f"in {describe_row(one)}"
    if len(sizes.cells) == 1:
        return f"{what} at {format_size(one.size_bytes)}" if one.size_bytes or not sizes.alone else what
    ends = f"from {format_size(one.size_bytes)} to {format_size(sizes.last.size_bytes)}"
    return f"{what} {ends}{name_missing(sizes.missing)}"


def describe_row(one: Comparison) -> str:
    """``pingpong, send ready, every operation timed``: the kernel and how it was run."""
    return ", ".join([one.kernel, *note_marks(one)])


def _numbers(sizes: SizeRange) -> str:
    """``ratio 1.80, 95 % interval 1.71 to 1.93, 10 rounds, 2 processes``; over several cells the widest limits."""
    low, high = min(one.ratio_low for one in sizes.cells), max(one.ratio_high for one in sizes.cells)
    rounds = sorted({one.rounds for one in sizes.cells})
    ratio, limits = format_estimates([one.ratio for one in sizes.cells], low, high)
    interval = f"{format_level(sizes.intervals.level)} {'interval' if len(sizes.cells) == 1 else 'intervals within'}"
    interval = f"{interval} {limits}" if isfinite(low) else "no interval"
    count = f"{rounds[0]}" if len(rounds) == 1 else f"{rounds[0]} to {rounds[-1]}"
    return (
        f"ratio {ratio}, {interval}, {count} {'round' if rounds[-1] == 1 else 'rounds'}, "
        f"{format_count(sizes.first.ranks, 'process')}"
    )


def _weight(sizes: SizeRange, tests: int, usual: Ratio | None) -> float:
    weight = weigh(map(outcome_of, sizes.cells), tests)
    repeats = usual is not None and (usual.low > 1 if sizes.word == "slower" else usual.high < 1)
    repeats = repeats and sizes.word in {"faster", "slower"}
    return weight * REPEATED if repeats else weight


def _evidence(sizes: SizeRange) -> Pairs:
    return (
        ("base", sizes.first.base),
        ("other", sizes.first.other),
        ("verdict", sizes.word),
        ("kernel", sizes.first.kernel),
        ("cells", " ".join(str(one.cell) for one in sizes.cells)),
        ("ranks", str(sizes.first.ranks)),
    )


# --- crossovers, pairs and the summary -------------------------------------------------------------------------


def _crossovers(ranges: Sequence[SizeRange], tests: int) -> Iterable[Finding]:
    """Where the faster of two stacks changes with size: between two stretches of sizes in which it is resolved."""
    decided = [sizes for sizes in ranges if sizes.word in {"faster", "slower"}]
    for before, after in pairwise(decided):
        if before.word == after.word:
            continue
        winner, loser = after.first.other, after.first.base
        if after.word == "slower":
            winner, loser = loser, winner
        one = after.first
        sentence = (
            f"In {describe_row(one)} on {format_count(one.ranks, 'process')}, {loser} is faster {_stretch(before)}"
            f"{',' if before.missing else ''} and {winner} {_stretch(after)}."
        )
        weight = weigh(map(outcome_of, (*before.cells, *after.cells)), tests)
        ends = (("after", str(before.last.size_bytes)), ("at", str(one.size_bytes)))
        yield Finding(
            sentence, weight, "crossover", (*ends, ("winner", winner), ("loser", loser), ("kernel", one.kernel))
        )


def _stretch(sizes: SizeRange) -> str:
    first, last = format_size(sizes.first.size_bytes), format_size(sizes.last.size_bytes)
    return f"at {first}" if len(sizes.cells) == 1 else f"from {first} to {last}{name_missing(sizes.missing)}"


def _compare_pairs(
    comparisons: Sequence[Comparison], tests: int, typical: Mapping[Pair, Ratio], level: float
) -> dict[Pair, Finding]:
    """For each pair of stacks over several kernels: a sentence with counts of verdicts, and the mean ratio."""
    pairs: dict[Pair, list[Comparison]] = {}
    for one in comparisons:
        pairs.setdefault((one.base, one.other, one.ranks), []).append(one)
    return {
        pair: _describe_pair(cells, typical.get(pair), tests, level)
        for pair, cells in pairs.items()
        if len({one.kernel for one in cells}) > 1 and any(one.ratio > 0 for one in cells)
    }


def _describe_pair(cells: Sequence[Comparison], usual: Ratio | None, tests: int, level: float) -> Finding:
    base, other, ranks = cells[0].base, cells[0].other, cells[0].ranks
    count = Counter(one.verdict for one in cells)
    parts = [f"{word} in {count[word]}" for word in ("faster", "slower", "equivalent", "undecided") if count[word]]
    parts[0] += f" of {format_count(len(cells), 'test')}"
    mean = ""
    if usual is not None:
        ratio, limits = format_estimate(usual.ratio, usual.low, usual.high)
        mean = f"; geometric mean of the ratios {ratio}, {format_level(level)} interval {limits}"
    sentence = f"{other} vs {base} on {format_count(ranks, 'process')}: {', '.join(parts)}{mean}."
    evidence: Pairs = (("base", base), ("other", other), ("ranks", str(ranks)), ("tests", str(len(cells))))
    if usual is not None:
        limits_of = {"ratio": usual.ratio, "ratio_low": usual.low, "ratio_high": usual.high}
        evidence += tuple((name, f"{value:.10g}") for name, value in limits_of.items())
    return Finding(sentence, weigh(map(outcome_of, cells), tests), "pair", evidence)


def _summaries(estimates: Sequence[Estimate]) -> Iterable[Finding]:
    """For each number of processes with a real choice of stacks: who is the fastest in most cells."""
    groups: dict[tuple[int, str], dict[int, list[Estimate]]] = {}
    for one in estimates:
        if not one.failed and one.place is not None:
            kind = ", in simulated time" if one.simulated else ", within this computer" if one.local else ""
            groups.setdefault((one.ranks, kind), {}).setdefault(one.cell, []).append(one)
    tests = sum(len(cells) for cells in groups.values())
    for (ranks, kind), cells in groups.items():
        contested = [cell for cell in cells.values() if len(cell) > 1]
        if len(contested) > 1:
            where = f"{format_count(ranks, 'process')}{kind}"
            yield _summary(contested, where, weigh_summary(len(contested), tests))


def _summary(contested: Sequence[Sequence[Estimate]], where: str, weight: float) -> Finding:
    """``contested``: the estimates of each test. Only tests in which one stack alone may be the fastest are counted."""
    winners = [winner for cell in contested if (winner := find_winner(cell)) is not None]
    open_ = len(contested) - len(winners)
    total = f"{len(contested)} tests on {where}"
    if not winners:
        return Finding(f"No stack is resolved as the fastest in any of {total}.", weight, "summary")
    (stack, wins), *others = Counter(one.stack for one in winners).most_common()
    of = Counter(cell[0].kernel for cell in contested)
    won = Counter(one.kernel for one in winners if one.stack == stack)
    parts = ", ".join(f"{kernel} {won[kernel]} of {count}" for kernel, count in of.items())
    if len(of) > MOST_NAMED:
        everywhere = sum(won[kernel] == of[kernel] for kernel in of)
        parts = f"{format_count(len(of), 'kernel')}; at every size of {everywhere} of them"
    rest = f"; in {open_} no single one is resolved as the fastest" if open_ else ""
    sentence = f"{stack} is the fastest in {wins} of {total} ({parts}){_name_others(others)}{rest}."
    evidence = (("stack", stack), ("ranks", str(contested[0][0].ranks)), ("wins", str(wins)))
    return Finding(sentence, weight, "summary", evidence)


def _name_others(others: Sequence[tuple[str, int]]) -> str:
    """In how many tests further stacks are the fastest, so that none stands out by its place alone where they tie."""
    said = "".join(f", {stack} in {wins}" for stack, wins in others[:_MOST_OTHERS])
    rest = others[_MOST_OTHERS:]
    return said + (f", {format_count(len(rest), 'more stack')} in {sum(wins for _, wins in rest)}" if rest else "")
