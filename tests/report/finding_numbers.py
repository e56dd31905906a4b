"""Which numbers the sentence of a finding may say: those of the comparisons and estimates that its evidence names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import exp, log
from typing import Any

from run_numbers import RunNumbers, tokens_of
from scipy.stats import beta

from msgauge.units import format_count, format_estimate, format_percent, format_ratio, format_size

Finding = Mapping[str, Any]
HELD = {"comparison", "equivalent", "undecided", "slow-launches", "tail", "pair", "summary", "crossover"}
"""Anomalies are not among them: the JSON has their factors in their sentences alone."""
_DECIDED = ("faster", "slower")


def wrong_numbers(finding: Finding, numbers: RunNumbers) -> list[str]:
    """The numbers of a finding's sentence that its own comparisons and estimates do not have."""
    text = finding["sentence"]
    for phrase in sorted(set(_PHRASES[finding["kind"]](finding, numbers)), key=len, reverse=True):
        text = re.sub(rf"(?<![\w.]){re.escape(phrase)}(?!\w|\.\d)", " ", text)
    for spec in numbers.specs:
        text = text.replace(spec, " ")
    return list(tokens_of(text))


def _cells_of(finding: Finding) -> list[int]:
    return [int(number) for number in finding["evidence"]["cells"].split()]


def _of_comparisons(finding: Finding, numbers: RunNumbers) -> Iterator[str]:
    """A stretch of sizes: their ratios, limits and rounds, slow launches and tails, why they are not decided."""
    evidence, export = finding["evidence"], numbers.documents["export"]["comparisons"]
    cells = _cells_of(finding)
    mine = [
        one
        for one in export
        if one["cell"] in cells and (one["base"], one["other"]) == (evidence["base"], evidence["other"])
    ]
    rounds, sizes = sorted({one["rounds"] for one in mine}), sorted({one["size_bytes"] for one in mine})
    counted = str(rounds[0]) if len(rounds) == 1 else f"{rounds[0]} to {rounds[-1]}"
    yield f"{_limits(mine)}, {counted} rounds, {format_count(mine[0]['ranks'], 'process')}"
    yield f"Oversubscribed: {format_count(mine[0]['ranks'], 'process')}"
    yield f"from {format_size(sizes[0])} to {format_size(sizes[-1])}"
    yield from (
        f"at {format_size(one['size_bytes'])}" for one in mine if len(mine) == 1 or one["verdict"] == "undecided"
    )
    yield from (f"{name} {value}" for name, value in mine[0]["options"].items())
    yield from (one["reason"] for one in mine if one["reason"])
    yield from (f"{format_percent(0.03)} {word}" for word in ("in",))
    yield f"within ±{format_percent(0.03)}"
    if evidence["verdict"] in _DECIDED:
        yield from (f"{factor} {evidence['verdict']}" for factor in _factors([one["ratio"] for one in mine]))
    for stack in (evidence["base"], evidence["other"]):
        slow = [one for cell in cells if (one := numbers.estimates[cell, stack]["slow_launches"])]
        yield from _slow(slow, len(cells), len(cells))
    for quantile in ("p95", "p99"):
        for word in _DECIDED:
            yield from _tails(mine, quantile, word)


def _factors(ratios: Sequence[float]) -> Iterator[str]:
    """By which factor the slower stack takes longer: one for all sizes, or the least and the largest."""
    factors = sorted(max(one, 1 / one) for one in ratios)

    def write(factor: float) -> list[str]:
        """As short as it goes, then with as many digits as limits beside it may ask for."""
        if factor < 1.2:
            return [f"{round(100 * (factor - 1), digits):g} %" for digits in (1, 2, 3)]
        return [f"{factor:.2g} ×" if factor < 10 else f"{factor:.0f} ×", f"{format_ratio(factor)} ×"]

    yield from write(exp(sum(map(log, factors)) / len(factors)))
    yield from (f"between {least} and {most}" for least in write(factors[0]) for most in write(factors[-1]))


def _limits(mine: Sequence[Mapping[str, Any]]) -> str:
    """``ratio 1.09 to 1.31, 95 % intervals within 1.04 to 1.89``."""
    low, high = min(one["ratio_low"] for one in mine), max(one["ratio_high"] for one in mine)
    least, most = (format_estimate(end(one["ratio"] for one in mine), low, high) for end in (min, max))
    ratio = least[0] if least[0] == most[0] else f"{least[0]} to {most[0]}"
    within = "interval" if len(mine) == 1 else "intervals within"
    return f"ratio {ratio}, 95 % {within} {least[1]}"


def _slow(found: Sequence[Mapping[str, Any]], cells: int, tests: int) -> Iterator[str]:
    """The largest share of slow launches among these, in full: picked from ``tests``, unless it is the same in all."""
    if not found:
        return
    most = max(found, key=lambda one: one["share"])
    alike = len(found) == tests and len({one["share"] for one in found}) == 1
    ends = _exact_limits(most["slow"], most["launches"], 0.05 / (1 if alike else tests))
    share, low, high = (format_percent(round(one, 3)) for one in (most["share"], *ends))
    yield f"{share} of"
    yield f"{len(found)} of {cells} sizes"
    if most["slow"] == 1:
        factors = [format_ratio(end(one["factor"] for one in found)) for end in (min, max)]
        yield f"one launch of {most['launches']}"
        yield f"{factors[0] if factors[0] == factors[1] else ' to '.join(factors)} × slower"
        yield f"(95 % interval of the share {low} to {high})"
        return
    least = min(one["factor_low"] for one in found if one["slow"] > 1)
    largest = max(one["factor_high"] for one in found if one["slow"] > 1)
    factor, limits = format_estimate(most["factor"], least, largest)
    yield f"{factor} × slower"
    yield f"({most['slow']} of {most['launches']}, 95 % interval {low} to {high}; factor {limits})"


def _exact_limits(slow: int, launches: int, error: float) -> tuple[float, float]:
    """Clopper and Pearson 1934: shares that a count of so many does not contradict."""
    low = float(beta.ppf(error / 2, slow, launches - slow + 1)) if slow else 0.0
    high = float(beta.ppf(1 - error / 2, slow + 1, launches - slow)) if slow < launches else 1.0
    return low, high


def _tails(mine: Sequence[Mapping[str, Any]], quantile: str, word: str) -> Iterator[str]:
    """Tails that say what the medians do not: another word, or more of the same beyond both intervals."""
    apart = [
        (one, tail)
        for one in mine
        for tail in one["tails"]
        if (tail["quantile"], tail["verdict"]) == (quantile, word)
        and (
            word != one["verdict"]
            or (tail["ratio_low"] > one["ratio_high"] if word == "slower" else tail["ratio_high"] < one["ratio_low"])
        )
    ]
    if apart:
        limits = _limits([tail for _, tail in apart])
        even = "even " if all(one["verdict"] == word for one, _ in apart) else ""
        yield f"{quantile.upper()} it is {even}{word} at {len(apart)} of {len(mine)} sizes ({limits})"
        yield f"{quantile.upper()} it is {even}{word} ({limits})"
        timed = sum(any(tail["quantile"] == quantile for tail in one["tails"]) for one in mine)
        tests = format_count(timed, "test")
        yield f"{quantile.upper()} in {len(apart)} of {tests} ({limits})"


def _of_slow_launches(finding: Finding, numbers: RunNumbers) -> Iterator[str]:
    cells, named = _cells_of(finding), [spec for spec in numbers.specs if spec in finding["sentence"]]
    if not named:
        return
    mine = [numbers.estimates[cell, named[0]] for cell in cells]
    of = sum((one["stack"], one["ranks"]) == (named[0], mine[0]["ranks"]) for one in numbers.estimates.values())
    yield from _slow([one["slow_launches"] for one in mine], len(mine), of)
    yield f"on {format_count(mine[0]['ranks'], 'process')} in {len(mine)} of {format_count(of, 'test')}"


def _of_tails(finding: Finding, numbers: RunNumbers) -> Iterator[str]:
    export, cells = numbers.documents["export"]["comparisons"], _cells_of(finding)
    ranks = numbers.cells[cells[0]]["ranks"]
    first = finding["sentence"].partition(" vs ")[0]
    mine = [one for one in export if one["other"] == first and one["ranks"] == ranks]
    yield f"on {format_count(ranks, 'process')}"
    for quantile in ("p95", "p99"):
        for word in _DECIDED:
            yield from _tails(mine, quantile, word)


def _of_pair(finding: Finding, numbers: RunNumbers) -> Iterator[str]:
    evidence, export = finding["evidence"], numbers.documents["export"]["comparisons"]
    key = (evidence["base"], evidence["other"], int(evidence["ranks"]))
    mine = [one for one in export if (one["base"], one["other"], one["ranks"]) == key]
    count = Counter(one["verdict"] for one in mine)
    parts = [f"{word} in {count[word]}" for word in ("faster", "slower", "equivalent", "undecided") if count[word]]
    parts[0] += f" of {format_count(len(mine), 'test')}"
    yield f"on {format_count(key[2], 'process')}: {', '.join(parts)}"
    if "ratio" in evidence:
        told = (float(evidence[one]) for one in ("ratio", "ratio_low", "ratio_high"))
        yield "ratios {}, 95 % interval {}".format(*format_estimate(*told))


def _of_summary(finding: Finding, numbers: RunNumbers) -> Iterator[str]:
    """Wins are counted again by the marks of the estimates: one star in a test."""
    found = re.search(r"of (\d+) tests on (\d+) process", finding["sentence"])
    ranks = int(found[2]) if found else 0
    tests: dict[int, list[Mapping[str, Any]]] = {}
    for one in numbers.documents["export"]["estimates"]:
        if one["ranks"] == ranks and one["may_be_fastest"] is not None:
            tests.setdefault(one["cell"], []).append(one)
    contested = [cell for cell in tests.values() if len(cell) > 1]
    stars = [[one for one in cell if one["may_be_fastest"]] for cell in contested]
    winners = [some[0] for some in stars if len(some) == 1]
    stack = finding["evidence"].get("stack", "")
    won = Counter(one["kernel"] for one in winners if one["stack"] == stack)
    of = Counter(cell[0]["kernel"] for cell in contested)
    total = f"{len(contested)} tests on {format_count(ranks, 'process')}"
    yield from (f"in {won.total()} of {total}", f"in {len(contested) - len(winners)} no single one")
    if not winners:
        yield f"any of {total}"
    yield from (f"{kernel} {won[kernel]} of {number}" for kernel, number in of.items())
    everywhere = sum(won[kernel] == of[kernel] for kernel in of)
    yield f"{format_count(len(of), 'kernel')}; at every size of {everywhere} of them"
    others = Counter(one["stack"] for one in winners if one["stack"] != stack)
    yield from (f"{other} in {wins}" for other, wins in others.items())
    rest = [wins for _, wins in others.most_common()[3:]]
    yield f"{format_count(len(rest), 'more stack')} in {sum(rest)}"


def _of_crossover(finding: Finding, numbers: RunNumbers) -> Iterator[str]:
    """Both stretches: all sizes of one verdict up to the one before, and from the one behind the crossover."""
    evidence, text = finding["evidence"], finding["sentence"]
    ranks = re.search(r" on (\d+) process", text)
    yield f"on {format_count(int(ranks[1]) if ranks else 0, 'process')}"
    for cell in numbers.cells.values():
        yield from (f"{name} {value}" for name, value in cell["options"] if cell["kernel"] == evidence["kernel"])
    after, at = int(evidence["after"]), int(evidence["at"])
    pair = {evidence["winner"], evidence["loser"]}
    mine = [
        one
        for one in numbers.documents["export"]["comparisons"]
        if {one["base"], one["other"]} == pair
        and one["kernel"] == evidence["kernel"]
        and ranks
        and one["ranks"] == int(ranks[1])
    ]
    before = [one["size_bytes"] for one in mine if one["size_bytes"] <= after and one["verdict"] in _DECIDED]
    behind = [one["size_bytes"] for one in mine if one["size_bytes"] >= at and one["verdict"] in _DECIDED]
    yield from (f"{evidence['loser']} is faster {stretch} and" for stretch in _stretches(before, after, first=False))
    yield from (f"{evidence['winner']} {stretch}" for stretch in _stretches(behind, at, first=True))


def _stretches(sizes: Sequence[int], end: int, *, first: bool) -> Iterator[str]:
    """``at 8 B`` or ``from 8 B to 1 KiB`` with ``end`` as the end next to the crossover."""
    yield f"at {format_size(end)}"
    for size in sizes:
        low, high = (end, size) if first else (size, end)
        yield f"from {format_size(low)} to {format_size(high)}"


_PHRASES = {
    "comparison": _of_comparisons,
    "equivalent": _of_comparisons,
    "undecided": _of_comparisons,
    "slow-launches": _of_slow_launches,
    "tail": _of_tails,
    "pair": _of_pair,
    "summary": _of_summary,
    "crossover": _of_crossover,
}
