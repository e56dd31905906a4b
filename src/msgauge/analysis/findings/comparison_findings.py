"""Comparisons as sentences: one sentence for a range of neighbouring sizes, not one for each cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import exp, inf, isfinite, log
from types import MappingProxyType

from msgauge.analysis.findings.caveats import BEYOND_MEDIANS, describe_caveats, find_caveats, map_slow_launches
from msgauge.analysis.findings.ranking import HIGHEST_EFFECT, REPEATED, outcome_of, rank, weigh
from msgauge.analysis.findings.size_ranges import (
    Intervals,
    SizeRange,
    group_by_size,
    list_sizes,
    name_missing,
    split_into_ranges,
)
from msgauge.analysis.findings.tallies import Pair, compare_pairs, summarize
from msgauge.model import CellKey, Comparison, Estimate, Finding, Pairs, Word
from msgauge.model.measured_way import note_marks
from msgauge.stats.pairwise import MARGIN
from msgauge.stats.ratio import Ratio, turn_ratio
from msgauge.units import (
    format_count,
    format_estimates,
    format_level,
    format_percent,
    format_ratio,
    format_size,
)

ALIKE = 1.3
"""Neighbouring cells go into one sentence with one factor while their ratios differ by less than this."""
LEVEL = 0.05
"""Chance that a factor which is the same at all sizes of a sentence is said to differ between them."""
_AS_THEY_ARE = Intervals()


def findings(
    estimates: Sequence[Estimate],
    comparisons: Sequence[Comparison],
    between_others: Sequence[Comparison] = (),
    typical: Mapping[Pair, Ratio] = MappingProxyType({}),
    intervals: Intervals = _AS_THEY_ARE,
) -> tuple[Finding, ...]:
    """Sentences, those that matter most first (``ranking``): who is fastest, each pair, crossovers, differences.

    ``comparisons`` are with the base; of ``between_others`` (pairwise_contests.py) only crossovers become findings.
    ``typical``: the mean ratio of each pair over its tests; a pair without one is told by its verdicts alone.
    """
    tests = len({one.cell for one in (*comparisons, *between_others)})
    oversubscribed = frozenset(one.key for one in estimates if one.oversubscribed)
    slow = map_slow_launches(estimates)
    pairs = compare_pairs(comparisons, tests, typical, intervals.level)
    found = [*summarize(estimates), *pairs.values(), *find_caveats(estimates, comparisons, tests, intervals.level)]
    sizes = list_sizes(estimates)
    for cells in group_by_size(comparisons):
        ranges = split_into_ranges(cells, intervals, sizes)
        usual = typical.get((cells[0].base, cells[0].other, cells[0].ranks))
        for one in ranges:
            caveats = describe_caveats(one.cells, slow, intervals.level)
            at_least = HIGHEST_EFFECT * len(one.cells) / tests if caveats else 0.0
            found.append(_make_finding(one, oversubscribed, caveats, max(at_least, _weight(one, tests, usual))))
        found.extend(_crossovers(ranges, tests))
    for cells in group_by_size(between_others):
        found.extend(_crossovers(split_into_ranges(cells, intervals, sizes), tests))
    return rank(found)


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
    return turn_ratio(one.ratio, one.ratio_low, one.ratio_high)


def _times_or_percent(factor: float, low: float, high: float) -> str:
    """In two digits, or in more where two lie outside the limits that stand beside it."""
    if factor < 1.2:
        rounded = [round(100 * (factor - 1), digits) for digits in (1, 2, 3)]
        return f"{next((one for one in rounded if low <= 1 + one / 100 <= high), rounded[0]):g} %"
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
