"""What to try next: commands, the largest expected gain first, each with the evidence it rests on. Pure.

A gain is a ratio of this run with its interval where the run has one. Where it has none the command is that of the
study that would tell, and the gain says so; nothing is promised that was not measured. No command stands twice.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from math import nan

import numpy as np
from attrs import evolve, frozen

from msgauge.analysis.findings.caveats import describe_caveats, turn
from msgauge.analysis.findings.fastest import find_winner, group_by_test
from msgauge.analysis.findings.undetectable import Undetectable
from msgauge.analysis.guidance.gain_limits import GainLimits, log_ratios
from msgauge.model import Analysis, Comparison, Estimate, Plan, WaitMode
from msgauge.model.measured_way import note_marks
from msgauge.model.plan import more_rounds
from msgauge.models.guidelines import Judgement, NotJudged
from msgauge.results.run_folders import name_study
from msgauge.stats.pairwise import INTERVAL_LEVEL
from msgauge.units import format_count, format_estimate, format_ratio, format_size

MOST = 12
_MOST_STACKS = 4
"""So many are called slower by name; the table of the decision has all."""
_MOST_SIZES = 4
UNKNOWN = "not known until it is measured"


@frozen
class Advice:
    """One thing to do. ``factor``: expected gain as old over new time, 1 where it is not known."""

    what: str
    command: str
    gain: str
    evidence: str
    factor: float = 1.0
    cells: tuple[int, ...] = ()
    """The tests for which a stack is advised in place of another."""


def find_advice(
    run: str,
    plan: Plan,
    analysis: Analysis,
    judged: Sequence[Judgement],
    missing: tuple[Sequence[NotJudged], Sequence[Undetectable]],
) -> tuple[Advice, ...]:
    """At most twelve, those with a measured gain first, the largest of them on top.

    ``run``: how the run is named on a command line; ``missing``: what could not be tested for lack of a measurement.
    """
    found = [
        *_change_stack(run, analysis),
        *_avoid_violations(plan, judged),
        *_change_wait(run, analysis),
        *_calm_launches(analysis),
        *_resolve(run, analysis),
        *_measure_missing(plan, missing),
    ]
    found.sort(key=lambda one: -one.factor)
    first: dict[str, Advice] = {}
    for one in found:
        known = first.setdefault(one.command, one)
        if known is not one:
            first[one.command] = evolve(known, evidence=_join(known.evidence, one.evidence))
    return tuple(first.values())[:MOST]


def _measure_anew(plan: Plan, study: str, stacks: Sequence[str]) -> str:
    """The command of a shipped study, on the hosts of the run."""
    hosts = plan.hosts
    words = ["msgauge", "compare", study, "--stacks", ",".join(stacks)]
    words += ["--hosts", hosts.asked] if hosts.asked else []
    words += ["--map", hosts.map] if hosts.map != "node" else []
    return shlex.join([*words, "--ssh-config", hosts.config] if hosts.config else words)


def _join(evidence: str, more: str) -> str:
    return evidence if more in evidence or evidence.count(". ") > 1 else f"{evidence} {more}"


def _change_stack(run: str, analysis: Analysis) -> Iterator[Advice]:
    """Where another stack is said to be faster: for each pair and kernel, the largest resolved gain.

    It is advised for the tests in which it is resolved, for it may be the slower one at other sizes of the same kernel.
    """
    contests = group_by_test(analysis.estimates)
    limits = GainLimits.of(analysis.estimates)
    rows: dict[tuple[str, str, str, int], dict[int, Comparison]] = {}
    for one in (*analysis.comparisons, *_compare_with_winners(contests)):
        if one.verdict in ("faster", "slower") and one.ratio > 0:
            faster, slower = (one.other, one.base) if one.verdict == "faster" else (one.base, one.other)
            rows.setdefault((faster, slower, one.kernel, one.ranks), {}).setdefault(one.cell, one)
    pairs = sum(len(contest) * (len(contest) - 1) // 2 for contest in contests)
    resolved = {key: list(cells.values()) for key, cells in rows.items()}
    for key, cells in _strongest_of_slower(resolved).items():
        faster, slower, kernel, ranks = key
        best = max(cells, key=_gain)
        low, high = limits.limit(best, INTERVAL_LEVEL / max(pairs, 1))
        gain, interval = format_estimate(_gain(best), low, high)
        words = ["msgauge", "compare", name_study(run), "--stacks", f"{slower},{faster}", "--kernels", kernel]
        size = f" at {format_size(best.size_bytes)}" if best.size_bytes else ""
        where = kernel + size + (f" ({', '.join(marks)})" if (marks := note_marks(best)) else "")
        tests, of_run = _list_tests(contests, key), _count_tests(analysis, kernel, ranks)
        elsewhere = len({contest[0].ranks for contest in contests if contest[0].kernel == kernel}) > 1
        on = f" on {format_count(ranks, 'process')}" if elsewhere else ""
        yield Advice(
            f"use {faster} instead of {slower} {_describe_tests(cells, tests, of_run)}{on}",
            shlex.join(words),
            f"{gain} × less time in {where} on {format_count(ranks, 'process')}, "
            f"95 % interval {interval}{_describe_selection(pairs)}",
            _describe_evidence(
                analysis, key, (cells, len(tests)), len(resolved.get((slower, faster, kernel, ranks), ()))
            ),
            _gain(best),
            tuple(one.cell for one in cells),
        )


def _list_tests(contests: Sequence[Sequence[Estimate]], key: tuple[str, str, str, int]) -> list[Estimate]:
    """One of the two stacks in every test of the kernel in which they are compared."""
    faster, slower, *place = key
    return [
        next(one for one in contest if one.stack == faster)
        for contest in contests
        if [contest[0].kernel, contest[0].ranks] == place and {faster, slower} <= {one.stack for one in contest}
    ]


def _count_tests(analysis: Analysis, kernel: str, ranks: int) -> int:
    """How many the run has, whichever stack was measured in them."""
    return len({one.cell for one in analysis.estimates if (one.kernel, one.ranks) == (kernel, ranks)})


def _describe_tests(cells: Sequence[Comparison], tests: Sequence[Estimate], of_run: int) -> str:
    """``where pingpong matters``, where it holds for all of its tests; else ``in pingpong at 8 B and 1 KiB``.

    ``tests``: those in which the two stacks are compared; ``of_run``: how many the run has, compared or not.
    """
    first = cells[0]
    if len(cells) == of_run:
        return f"where {first.kernel} matters"
    sizes = [format_size(size) for size in sorted({one.size_bytes for one in cells})]
    if len(sizes) > _MOST_SIZES:
        return f"in {first.kernel} at {len(sizes)} sizes from {sizes[0]} to {sizes[-1]}"
    listed = f"{', '.join(sizes[:-1])} and {sizes[-1]}" if len(sizes) > 1 else sizes[0]
    some = len({one.size_bytes for one in tests}) < len(tests)
    return (
        f"in {format_count(len(cells), 'test')} of {first.kernel} at {listed}"
        if some
        else f"in {first.kernel} at {listed}"
    )


def _describe_evidence(
    analysis: Analysis, key: tuple[str, str, str, int], found: tuple[Sequence[Comparison], int], against: int
) -> str:
    """In how many tests it is resolved, in how many the other way, and what speaks against the stack in them.

    ``found``: the tests in which it is, and how many there are; ``against``: in which the other one is faster.
    """
    faster, slower, kernel, ranks = key
    cells, tests = found
    slow = {one.key: one.slow_launches for one in analysis.estimates if one.stack == faster and one.slow_launches}
    turned = [one if one.other == faster else turn(one) for one in cells]
    but = describe_caveats(turned, slow, analysis.interval_level)
    other = f"; in {against} of them {slower} is faster" if against else ""
    rounds = " to ".join(map(str, dict.fromkeys((min(one.rounds for one in cells), max(one.rounds for one in cells)))))
    both = " with both stacks" if tests < _count_tests(analysis, kernel, ranks) else ""
    said = f"Resolved in {len(cells)} of {format_count(tests, 'test')} of {kernel}{both}, {rounds} rounds{other}"
    return f"{said}.{f' {faster} is faster there{but}.' if but else ''}"


def _strongest_of_slower(
    rows: dict[tuple[str, str, str, int], list[Comparison]],
) -> dict[tuple[str, str, str, int], list[Comparison]]:
    """Of the slowest stacks one row each, that with the largest gain: other kernels would say the same once more."""
    best: dict[str, tuple[str, str, str, int]] = {}
    for key, cells in rows.items():
        slower = key[1]
        if slower not in best or max(map(_gain, cells)) > max(map(_gain, rows[best[slower]])):
            best[slower] = key
    kept = sorted(best.values(), key=lambda key: -max(map(_gain, rows[key])))[:_MOST_STACKS]
    return {key: rows[key] for key in kept}


def _compare_with_winners(contests: Sequence[Sequence[Estimate]]) -> Iterator[Comparison]:
    """Where a stack is said to be faster than every other one of a test; without limits.

    That it alone may be the fastest is not enough: one that shares few rounds with it may be slower than a third alone.
    """
    for contest in contests:
        winner = find_winner(contest)
        if winner is None or winner.place is None or winner.place.worst_rank > 1:
            continue
        for one in contest:
            apart = log_ratios(winner, one)
            if one is not winner and apart.size:
                ratio, rounds = float(np.exp(np.median(apart))), int(apart.size)
                what = one.cell, one.kernel, one.size_bytes, one.ranks, one.options
                found = Comparison(winner.stack, one.stack, *what, ratio, nan, nan, "slower", rounds=rounds)
                yield evolve(found, mode=one.mode, cache=one.cache)


def _describe_selection(pairs: int) -> str:
    return f", picked from {pairs} comparisons" if pairs > 1 else ""


def _gain(one: Comparison) -> float:
    return max(one.ratio, 1 / one.ratio)


def _avoid_violations(plan: Plan, judged: Sequence[Judgement]) -> Iterator[Advice]:
    """For each stack and guideline the worst violation: the right side may stand in for the left.

    None of operations that msgauge emulates: what it built so is no call that a program of the stack could make.
    Intervals of guidelines hold together, so that of the worst holds, whichever of them it is.
    """
    groups: dict[tuple[str, str], list[Judgement]] = {}
    for one in judged:
        if one.verdict == "violated" and not one.emulated:
            groups.setdefault((one.stack, one.guideline.name), []).append(one)
    for group in groups.values():
        one = max(group, key=lambda violation: violation.ratio.value)
        value, low, high = map(format_ratio, (one.ratio.value, one.ratio.low, one.ratio.high))
        here = shlex.join(["msgauge", "model", "--stacks", one.stack])  # it says more, and knows no hosts
        yield Advice(
            f"with {one.stack}, put {one.right} in place of {one.left}, or find the setting that moves its threshold",
            _measure_anew(plan, "model", [one.stack]) if plan.hosts.asked else here,
            f"{value} × less time at {one.ranks} ranks, 95 % interval {low} to {high}",
            one.finding().sentence,
            one.ratio.value,
        )


def _change_wait(run: str, analysis: Analysis) -> Iterator[Advice]:
    """More ranks than cores, and ranks that spin: what waits takes the processor from what works."""
    crowded = {one.stack: one.ranks for one in analysis.estimates if one.oversubscribed}
    spinning = [one.stack for one in analysis.stack_costs if one.wait_mode == WaitMode.SPINS and one.stack in crowded]
    if spinning:
        stacks, ranks = list(dict.fromkeys(spinning)), max(crowded[stack] for stack in spinning)
        words = [
            "msgauge",
            "compare",
            name_study(run),
            "--stacks",
            ",".join(stacks),
            "--by",
            "wait",
            "--ranks",
            str(ranks),
        ]
        yield Advice(
            "let ranks give up the processor while they wait, where the stack can",
            shlex.join(words),
            UNKNOWN,
            f"Ranks of {', '.join(stacks)} spin while they wait, with more ranks than cores.",
        )


def _calm_launches(analysis: Analysis) -> Iterator[Advice]:
    """Launches that vary more than their batches explain: first the machine, then the start."""
    kinds = ("between-launches", "bimodal-launches", "slow-launches", "not-stationary")
    found = [one for one in analysis.findings if one.kind in kinds]
    if found:
        yield Advice(
            "find what disturbs the machine; narrower intervals decide more",
            "msgauge doctor",
            "narrower intervals; no time of a stack changes",
            f"{format_count(len(found), 'finding')} of varying launches, the strongest: {found[0].sentence}",
        )


def _resolve(run: str, analysis: Analysis) -> Iterator[Advice]:
    """Comparisons that stayed open, with what the run itself says would decide them."""
    for one in analysis.warnings:
        if one.code == "undecided":
            yield Advice(
                "add rounds, which may decide more comparisons",
                shlex.join(["msgauge", "compare", "--resume", run, "--rounds", str(more_rounds(analysis.rounds))]),
                "perhaps verdicts where there are none; no time of a stack changes",
                one.message,
            )


def _measure_missing(plan: Plan, missing: tuple[Sequence[NotJudged], Sequence[Undetectable]]) -> Iterator[Advice]:
    guidelines, anomalies = missing
    wants = list(dict.fromkeys([*(one.missing for one in guidelines), *(one.missing for one in anomalies)]))
    if wants:
        yield Advice(
            "measure what guidelines and anomalies need",
            _measure_anew(plan, "collectives", plan.stacks),
            UNKNOWN,
            f"{format_count(len(wants), 'measurement')} missing, first: {wants[0]}.",
        )
