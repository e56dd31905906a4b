"""What a person would say of the comparisons: one sentence for a run of neighbouring sizes, not one for each cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import exp, inf, log
from statistics import median

from attrs import frozen

from msgauge.analysis.nearness import nearness
from msgauge.model import Comparison, Estimate, Finding, Pairs, Word
from msgauge.stats.verdict import MARGIN
from msgauge.units import counted, format_percent, format_ratio, format_size

ALIKE = 1.3
"""Neighbouring cells go into one sentence with one factor while their ratios differ by less than this."""
LEAP = 2.0
"""Neighbours whose ratios differ by more than this stand in different sentences."""

MOST_NAMED = 8
"""A sentence that would name more kernels than this counts them."""


@frozen
class Stretch:
    """Neighbouring sizes of one kernel with the same verdict and no leap between them, ascending."""

    cells: tuple[Comparison, ...]
    alone: bool
    """It covers all sizes of its kernel."""

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
    estimates: Sequence[Estimate], comparisons: Sequence[Comparison], between_others: Sequence[Comparison] = ()
) -> tuple[Finding, ...]:
    """Sentences, the weightiest first: who is fastest, how each other one stands, crossovers, differences, the rest.

    ``comparisons`` are with the base; of ``between_others`` (rivals.py), where neither is the base, only crossovers
    are told.

    Weights: a summary stands above all (100); then the standing of each other stack, the closest rival first (60 to
    80); then crossovers (40 and what the smaller of its sides weighs), and from where on a far one is near (38). A
    difference weighs 10 x |ln ratio|, 30 at most, and a little for every size it holds for: one stack that is a
    thousand times slower must not push aside what is worth choosing between. Equivalence weighs about 1, undecided
    about 0.5.
    """
    crowded = frozenset((one.stack, one.cell) for one in estimates if one.oversubscribed)
    found = [*_summaries(estimates, comparisons), *_standings(comparisons)]
    for cells in _rows(comparisons):
        stretches = _stretches(cells)
        found.extend(_finding(stretch, crowded) for stretch in stretches)
        found.extend(_crossovers(stretches))
        found.extend(nearness(cells))
    for cells in _rows(between_others):
        found.extend(_crossovers(_stretches(cells)))
    return tuple(sorted(found, key=lambda finding: -finding.weight))


def _rows(comparisons: Sequence[Comparison]) -> list[tuple[Comparison, ...]]:
    """Comparisons that differ in size alone, by size."""
    rows: dict[tuple[object, ...], list[Comparison]] = {}
    for one in comparisons:
        rows.setdefault((one.base, one.other, one.kernel, one.ranks, one.options), []).append(one)
    return [tuple(sorted(row, key=lambda one: one.size_bytes)) for row in rows.values()]


def _stretches(cells: tuple[Comparison, ...]) -> list[Stretch]:
    """Split where the verdict changes, and where a difference leaps."""
    runs: list[list[Comparison]] = []
    for one in cells:
        before = runs[-1][-1] if runs else None
        if before is None or before.verdict != one.verdict or _leaps(before, one):
            runs.append([])
        runs[-1].append(one)
    return [Stretch(tuple(run), alone=len(runs) == 1) for run in runs]


def _leaps(before: Comparison, after: Comparison) -> bool:
    return after.verdict in {"faster", "slower"} and abs(log(after.ratio / before.ratio)) > log(LEAP)


# --- one stretch, one sentence -------------------------------------------------------------------------------


def _finding(stretch: Stretch, crowded: frozenset[tuple[str, int]]) -> Finding:
    tell = {"equivalent": _equivalent, "undecided": _undecided}.get(stretch.word, _different)
    sentence = tell(stretch)
    if (stretch.first.other, stretch.first.cell) in crowded or (stretch.first.base, stretch.first.cell) in crowded:
        many = stretch.first.ranks != 1
        sentence += f" Its {counted(stretch.first.ranks, 'process')} {'were' if many else 'was'} more than the cores."
    return Finding(sentence, _weight(stretch), _kind(stretch.word), _evidence(stretch))


def _kind(word: Word) -> str:
    return word if word in {"equivalent", "undecided"} else "comparison"


def _different(stretch: Stretch) -> str:
    return (
        f"{stretch.first.other} is {_factor(stretch)} {stretch.word} than {stretch.first.base} "
        f"{_sizes(stretch)} ({_numbers(stretch)})."
    )


def _equivalent(stretch: Stretch) -> str:
    return (
        f"{stretch.first.other} and {stretch.first.base} are equivalent within ±{format_percent(MARGIN)} "
        f"{_sizes(stretch)} ({_numbers(stretch)})."
    )


def _undecided(stretch: Stretch) -> str:
    worst = max(stretch.cells, key=_width)
    where = f"at {format_size(worst.size_bytes)} " if len(stretch.cells) > 1 else ""
    return (
        f"Whether {stretch.first.other} is faster or slower than {stretch.first.base} is undecided "
        f"{_sizes(stretch)} ({_numbers(stretch)}): {where}{worst.reason}."
    )


def _width(one: Comparison) -> float:
    return log(one.ratio_high / one.ratio_low) if one.ratio_low > 0 else inf


def _factor(stretch: Stretch) -> str:
    """``1.8 x``, ``5 %``, ``1.4 to 3.1 x``: how many times longer the slower one takes."""
    factors = sorted(max(one.ratio, 1 / one.ratio) for one in stretch.cells)
    if factors[-1] / factors[0] > ALIKE:
        return f"between {_times_or_percent(factors[0])} and {_times_or_percent(factors[-1])}"
    return _times_or_percent(exp(sum(map(log, factors)) / len(factors)))


def _times_or_percent(factor: float) -> str:
    if factor < 1.2:
        return format_percent(round(factor - 1, 3))
    return f"{factor:.2g} x" if factor < 10 else f"{factor:.0f} x"


def _sizes(stretch: Stretch) -> str:
    one = stretch.first
    options = "".join(f", {name} {value}" for name, value in one.options)
    what = f"in {one.kernel}{options}"
    if len(stretch.cells) == 1:
        return f"{what} at {format_size(one.size_bytes)}" if one.size_bytes or not stretch.alone else what
    return f"{what} from {format_size(one.size_bytes)} to {format_size(stretch.last.size_bytes)}"


def _numbers(stretch: Stretch) -> str:
    """``ratio 1.80, 95 % interval 1.71 to 1.93, 10 rounds, 2 processes``; over several cells the widest limits."""
    ratios = sorted(one.ratio for one in stretch.cells)
    low, high = min(one.ratio_low for one in stretch.cells), max(one.ratio_high for one in stretch.cells)
    rounds = sorted({one.rounds for one in stretch.cells})
    ratio = format_ratio(ratios[0])
    if format_ratio(ratios[-1]) != ratio:
        ratio += f" to {format_ratio(ratios[-1])}"
    interval = "95 % interval" if len(stretch.cells) == 1 else "95 % intervals within"
    limits = f"{interval} {format_ratio(low)} to {format_ratio(high)}"
    count = f"{rounds[0]}" if len(rounds) == 1 else f"{rounds[0]} to {rounds[-1]}"
    return (
        f"ratio {ratio}, {limits}, {count} {'round' if rounds[-1] == 1 else 'rounds'}, "
        f"{counted(stretch.first.ranks, 'process')}"
    )


def _weight(stretch: Stretch) -> float:
    share = 1 - 0.5 ** len(stretch.cells)
    if stretch.word == "equivalent":
        return 1.0 + share / 2
    if stretch.word == "undecided":
        return 0.5 + share / 4
    return min(30.0, 10 * max(abs(log(one.ratio)) for one in stretch.cells)) + share


def _evidence(stretch: Stretch) -> Pairs:
    return (
        ("base", stretch.first.base),
        ("other", stretch.first.other),
        ("verdict", stretch.word),
        ("kernel", stretch.first.kernel),
        ("cells", " ".join(str(one.cell) for one in stretch.cells)),
        ("ranks", str(stretch.first.ranks)),
    )


# --- crossovers, standings and the summary -------------------------------------------------------------------


def _crossovers(stretches: Sequence[Stretch]) -> Iterable[Finding]:
    """Where the faster of two stacks changes with size; undecided and equivalent sizes may lie between."""
    decided = [stretch for stretch in stretches if stretch.word in {"faster", "slower"}]
    for before, after in pairwise(decided):
        if before.word == after.word:
            continue
        winner, loser = after.first.other, after.first.base
        if after.word == "slower":
            winner, loser = loser, winner
        one = after.first
        sentence = (
            f"In {one.kernel} on {counted(one.ranks, 'process')}, "
            f"{loser} is faster up to {format_size(before.last.size_bytes)}; "
            f"from {format_size(one.size_bytes)} on {winner} is faster: {_times(_factor(after))}."
        )
        weight = 40 + min(_weight(before), _weight(after)) / 2
        evidence = (("at", str(one.size_bytes)), ("winner", winner), ("loser", loser), ("kernel", one.kernel))
        yield Finding(sentence, weight, "crossover", evidence)


def _times(factor: str) -> str:
    return factor if factor.endswith("x") else f"by {factor}"


def _standings(comparisons: Sequence[Comparison]) -> Iterable[Finding]:
    """How one stack stands to the base over several kernels: in how many cells it is what, and what is typical."""
    pairs: dict[tuple[str, str, int], list[Comparison]] = {}
    for one in comparisons:
        pairs.setdefault((one.base, one.other, one.ranks), []).append(one)
    for (base, other, ranks), cells in pairs.items():
        if len({one.kernel for one in cells}) == 1:
            continue
        count = Counter(one.verdict for one in cells)
        parts = [f"{word} in {count[word]}" for word in ("faster", "slower", "equivalent", "undecided") if count[word]]
        parts[0] += f" of {len(cells)} cells"
        ratios = sorted(one.ratio for one in cells if one.ratio > 0)
        if not ratios:
            continue
        typical = _middle(ratios)
        span = f"from {format_ratio(ratios[0])} to {format_ratio(ratios[-1])}"
        sentence = (
            f"{other} beside {base} on {counted(ranks, 'process')}: {', '.join(parts)}; "
            f"typically {format_ratio(typical)} times as long, {span}."
        )
        evidence = (("base", base), ("other", other), ("ranks", str(ranks)), ("cells", str(len(cells))))
        yield Finding(sentence, 60 + 20 / (1 + abs(log(typical))), "standing", evidence)


def _middle(ratios: Iterable[float]) -> float:
    """The middle ratio; of two middle ones their geometric mean, so that its inverse is that of the inverse ratios."""
    return exp(median(map(log, ratios)))


def _summaries(estimates: Sequence[Estimate], comparisons: Sequence[Comparison]) -> Iterable[Finding]:
    """For each number of processes with a real choice of stacks: who has the lowest median in most cells."""
    compared = {one.base for one in comparisons} | {one.other for one in comparisons}
    groups: dict[tuple[int, bool], dict[int, list[Estimate]]] = {}
    for one in estimates:
        if not one.failed and one.stack in compared:
            groups.setdefault((one.ranks, one.simulated), {}).setdefault(one.cell, []).append(one)
    for (ranks, simulated), cells in groups.items():
        contested = [sorted(cell, key=_median) for cell in cells.values() if len(cell) > 1]
        if len(contested) > 1:
            yield _summary(contested, f"{counted(ranks, 'process')}{', in simulated time' if simulated else ''}")


def _summary(contested: Sequence[Sequence[Estimate]], where: str) -> Finding:
    """``contested``: the estimates of each cell, the fastest first."""
    (stack, wins), *_ = Counter(cell[0].stack for cell in contested).most_common(1)
    of = Counter(cell[0].kernel for cell in contested)
    won = Counter(cell[0].kernel for cell in contested if cell[0].stack == stack)
    parts = ", ".join(f"{kernel} {won[kernel]} of {count}" for kernel, count in of.items())
    if len(of) > MOST_NAMED:
        parts = f"{counted(len(of), 'kernel')}, in {sum(won[kernel] == of[kernel] for kernel in of)} of them everywhere"
    sentence = (
        f"{stack} has the shortest median time in {wins} of {len(contested)} cells on {where} "
        f"({parts}){_lead(stack, contested)}."
    )
    evidence = (("stack", stack), ("ranks", str(contested[0][0].ranks)), ("wins", str(wins)))
    return Finding(sentence, 100 + len(contested) / 1000, "summary", evidence)


def _median(one: Estimate) -> float:
    return one.median_ns


def _lead(stack: str, contested: Sequence[Sequence[Estimate]]) -> str:
    """How far ahead of the next one, when it leads: a description of medians, not a verdict."""
    leads = [cell[1].median_ns / cell[0].median_ns for cell in contested if cell[0].stack == stack]
    typical = _middle(leads) if leads else 1.0
    if not typical > 1 + MARGIN:
        return ""
    return f"; there the next one takes {format_ratio(typical)} times as long, typically"
