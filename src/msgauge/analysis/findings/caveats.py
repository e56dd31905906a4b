"""What a median hides, in words: launches that are slow as a whole, and tails that say more. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from attrs import evolve

from msgauge.analysis.findings.ranking import HIGHEST_EFFECT
from msgauge.analysis.verdicts.regression_gate import Gate, find_tails_beyond
from msgauge.model import CellKey, Comparison, Estimate, Finding, SlowLaunches, TailComparison, Word
from msgauge.stats.ratio import turn_ratio
from msgauge.stats.slow_launches import share_interval
from msgauge.units import format_count, format_estimate, format_estimates, format_level, format_percent, format_ratio

BEYOND_MEDIANS = "beyond_medians"
"""Evidence of a finding whose sentence says what the medians hide: these words."""
Slow = Mapping[CellKey, SlowLaunches]
_Compared = TypeVar("_Compared", Comparison, TailComparison)
DECIDED = {"faster", "slower"}
_TURNED: Mapping[Word, Word] = {"faster": "slower", "slower": "faster"}


def map_slow_launches(estimates: Iterable[Estimate]) -> Slow:
    """Those that have slow launches, by stack and cell."""
    return {one.key: one.slow_launches for one in estimates if one.slow_launches is not None}


def turn(one: Comparison) -> Comparison:
    """The same comparison from the other side: ``base`` against ``other``."""
    tails = tuple(evolve(_turn(tail), stretch=_TURNED.get(tail.stretch, tail.stretch)) for tail in one.tails)
    return evolve(_turn(one), base=one.other, other=one.base, tails=tails)


def _turn(one: _Compared) -> _Compared:
    ratio, low, high = turn_ratio(one.ratio, one.ratio_low, one.ratio_high)
    word = _TURNED.get(one.verdict, one.verdict)
    return evolve(one, ratio=ratio, ratio_low=low, ratio_high=high, verdict=word)


def describe_caveats(cells: Sequence[Comparison], slow: Slow, level: float = 0.95) -> str:
    """What follows a verdict on these sizes: ``, but 10 % of its launches are 2.8 × slower (...)``; '' for nothing.

    First the stack that the sentence speaks of, then the other one, then the tails. ``level``: of their intervals.
    """
    first, parts = cells[0], []
    for stack in (first.other, first.base):
        found = [slow[key] for one in cells if (key := CellKey(stack, one.cell)) in slow]
        if found:
            whose = "its launches" if stack == first.other else f"the launches of {stack}"
            where = f" at {len(found)} of {len(cells)} sizes" if len(found) < len(cells) else ""
            parts.append(describe_slow_launches(found, len(cells), whose, where))
    for quantile in dict.fromkeys(tail.quantile for one in cells for tail in one.tails):
        apart = [(one, its) for one in cells for its in one.tails if its.quantile == quantile and _differs(one, its)]
        for word in ("faster", "slower"):
            those = [(one, its) for one, its in apart if its.verdict == word]
            if those:
                where = f" at {len(those)} of {len(cells)} sizes" if len(cells) > 1 else ""
                even = "even " if all(one.verdict == word for one, _ in those) else ""
                tails = describe_tails([its for _, its in those], level)
                parts.append(f"at {quantile.upper()} it is {even}{word}{where} ({tails})")
    return f", but {'; '.join(parts)}" if parts else ""


def find_caveats(
    estimates: Sequence[Estimate], comparisons: Sequence[Comparison], tests: int, level: float
) -> Iterable[Finding]:
    """A sentence for each stack with slow launches, and for each pair whose tails say more than its medians.

    ``level``: of the intervals of tails.

    Where the sentence of one comparison, or of one row of sizes, has said all of it, there is none.
    """
    rows = {(one.cell, stack): one.row for one in comparisons for stack in (one.base, one.other)}
    groups: dict[tuple[str, int], list[Estimate]] = {}
    for one in estimates:
        if one.slow_launches is not None:
            groups.setdefault((one.stack, one.ranks), []).append(one)
    for (stack, ranks), group in groups.items():
        if len({rows.get((one.cell, stack)) for one in group} - {None}) == 1:
            continue
        of = sum((one.stack, one.ranks) == (stack, ranks) and not one.failed for one in estimates)
        slow = [one.slow_launches for one in group if one.slow_launches is not None]
        where = f"on {format_count(ranks, 'process')} in {len(group)} of {format_count(of, 'test')}"
        sentence = f"{describe_slow_launches(slow, of, f'the launches of {stack}')} {where}."
        yield _finding(sentence[0].upper() + sentence[1:], "slow-launches", [one.cell for one in group], tests)
    yield from _tails_apart(comparisons, tests, level)


def _tails_apart(comparisons: Sequence[Comparison], tests: int, level: float) -> Iterable[Finding]:
    pairs: dict[tuple[str, str, int], list[Comparison]] = {}
    for one in comparisons:
        pairs.setdefault((one.base, one.other, one.ranks), []).append(one)
    for (base, other, ranks), cells in pairs.items():
        apart = {
            (tail.quantile, tail.verdict): [
                (two, its) for two in cells for its in two.tails
                if (its.quantile, its.verdict) == (tail.quantile, tail.verdict) and _differs(two, its)
            ]
            for one in cells for tail in one.tails if _differs(one, tail)
        }  # fmt: skip
        for (quantile, word), found in apart.items():
            if len({one.row for one, _ in found}) == 1:
                continue
            timed = sum(any(tail.quantile == quantile for tail in one.tails) for one in cells)
            where = f"in {len(found)} of {format_count(timed, 'test')}"
            limits = describe_tails([tail for _, tail in found], level)
            sentence = (
                f"{other} vs {base} on {format_count(ranks, 'process')}: {word} at {quantile.upper()} {where} "
                f"({limits}), {_set_against_medians(word, [one for one, _ in found])}."
            )
            yield _finding(sentence, "tail", [one.cell for one, _ in found], tests)


def _set_against_medians(word: Word, found: Sequence[Comparison]) -> str:
    if all(one.verdict == word for one in found):
        return "more than the medians show"
    return "which the medians do not show"


def describe_beyond_gate(
    gate: Gate, estimates: Sequence[Estimate], comparisons: Sequence[Comparison], level: float = 0.95
) -> tuple[str, ...]:
    """What the medians, by which a gate judges, hide of the stacks judged: tails and slow launches that it forbids."""
    slow = map_slow_launches(estimates)
    pairs: dict[tuple[str, str], list[Comparison]] = {}
    for one in comparisons:
        pairs.setdefault((one.base, one.other), []).append(one)
    said: dict[str, None] = {}
    for (base, other), cells in pairs.items():
        tails = [tail for one in cells for tail in find_tails_beyond(gate, one)]
        for quantile, word in dict.fromkeys((tail.quantile, tail.verdict) for tail in tails):
            those = [tail for tail in tails if (tail.quantile, tail.verdict) == (quantile, word)]
            where = f"in {len(those)} of {format_count(len(cells), 'test')}"
            said[f"at {quantile.upper()} {other} is {word} than {base} {where} ({describe_tails(those, level)})"] = None
        for stack in {"slower": (other,), "faster": (base,), "different": (other, base)}[gate.word]:
            found = [slow[key] for one in cells if (key := CellKey(stack, one.cell)) in slow]
            if found:
                where = f" in {len(found)} of {format_count(len(cells), 'test')}"
                said[describe_slow_launches(found, len(cells), f"the launches of {stack}", where)] = None
    return tuple(said)


def _finding(sentence: str, kind: str, cells: Sequence[int], tests: int) -> Finding:
    """Next to the summary: what may turn the choice round for the tests that it covers."""
    evidence = (("cells", " ".join(map(str, cells))),)
    return Finding(sentence, HIGHEST_EFFECT * min(1.0, len(cells) / max(tests, 1)), kind, evidence)


def _differs(one: Comparison, tail: TailComparison) -> bool:
    """Whether a tail says what the median does not: another word, or more of the same.

    More of the same is said where the tail differs in multiples of its own median as well, which is tested over all
    tails together, and the intervals lie apart. Tried and wrong: intervals that lie apart, alone. Of tails as long in
    multiples of their medians that scatter by 15 % between launches, a run of 24 to 80 tests told one in 8 to 72 %.
    """
    if tail.verdict not in DECIDED:
        return False
    beyond = tail.ratio_low > one.ratio_high if tail.verdict == "slower" else tail.ratio_high < one.ratio_low
    return tail.verdict != one.verdict or (beyond and tail.stretch == tail.verdict)


def describe_slow_launches(found: Sequence[SlowLaunches], tests: int, whose: str, where: str = "") -> str:
    """``10 % of its launches are 2.80 × slower (2 of 20, 95 % interval 1.2 % to 32 %; factor 2.60 to 3.10)``.

    Of ``tests`` that may have slow launches the largest share is told. Unless it is the same in all of them, its
    interval is one of 1 - 0.05 / ``tests`` (Dunn 1961), and that of the factor reaches as far as those of all found.
    Where each has one slow launch, there is no interval of the factor: ``5 % of its launches, one launch of 20, were
    2.80 × slower (95 % interval of the share 0.1 % to 24.9 %)``, and of several factors the least and the largest.
    """
    most = max(found, key=lambda one: one.share)
    alike = len({one.share for one in found}) == 1
    low, high = share_interval(most.slow, most.launches, 1 - 0.05 / (1 if alike and len(found) == tests else tests))
    share, low_text, high_text = (format_percent(round(value, 3)) for value in (most.share, low, high))
    begin = f"{'' if alike else 'up to '}{share} of {whose}"
    if most.slow == 1:
        factors = dict.fromkeys(format_ratio(one(each.factor for each in found)) for one in (min, max))
        return (
            f"{begin}, one launch of {most.launches}, were {' to '.join(factors)} × slower{where} "
            f"(95 % interval of the share {low_text} to {high_text})"
        )
    known = [one for one in found if one.slow > 1]
    least, greatest = min(one.factor_low for one in known), max(one.factor_high for one in known)
    factor, limits = format_estimate(most.factor, least, greatest)
    return (
        f"{begin} are {factor} × slower{where} "
        f"({most.slow} of {most.launches}, 95 % interval {low_text} to {high_text}; "
        f"factor {limits})"
    )


def describe_tails(tails: Sequence[TailComparison], level: float) -> str:
    """Their ratios, and limits that reach as far as those of all; ``level``: of the interval of each."""
    low, high = min(one.ratio_low for one in tails), max(one.ratio_high for one in tails)
    ratio, limits = format_estimates([one.ratio for one in tails], low, high)
    within = "intervals within" if len(tails) > 1 else "interval"
    return f"ratio {ratio}, {format_level(level)} {within} {limits}"
