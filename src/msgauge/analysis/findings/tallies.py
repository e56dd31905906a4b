"""Sentences that count tests: who is ahead of whom in how many of them, and who is the fastest in most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgauge.analysis.findings.fastest import find_winner
from msgauge.analysis.findings.ranking import outcome_of, weigh, weigh_summary
from msgauge.model import Comparison, Estimate, Finding, Pairs
from msgauge.stats.ratio import Ratio
from msgauge.units import format_count, format_estimate, format_level

Pair: TypeAlias = tuple[str, str, int]
"""Base, other and number of processes."""
MOST_NAMED = 8
"""A sentence that would name more kernels than this counts them."""
_MOST_OTHERS = 3
"""So many stacks are named beside the one that is the fastest in most tests."""


def compare_pairs(
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


def summarize(estimates: Sequence[Estimate]) -> Iterable[Finding]:
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
