"""The decision of a run, made once from its verdicts: a table of its stacks, and what to use when. Pure.

The table says nothing that the family of all pairs does not say: a standing is read off the verdicts of its test, a
mean is the geometric mean of ratios paired in rounds. The means of all stacks are judged as one further family.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from attrs import evolve, frozen

from msgauge.analysis.findings.ranking import REPEATED
from msgauge.analysis.guidance.use_by_size import advise_by_size
from msgauge.analysis.verdicts.verdict_family import VerdictFamily
from msgauge.errors import UsageError
from msgauge.model import (
    Cell,
    CellKey,
    Comparison,
    Estimate,
    Finding,
    Kernel,
    KeyResult,
    KeyTest,
    Plan,
    Purpose,
    StackSummary,
    Summary,
)
from msgauge.model.kernel_names import find_kernel
from msgauge.model.plan import Headline
from msgauge.model.summary import Rank

SMALL_BYTES = 8
"""Latency and message rate are shown at this size, or at the one nearest to it."""


@frozen
class Quality:
    """What people ask of a stack, and which of the measured tests stands for it.

    ``words``: the kernel that answers to the first of them that the run has.
    """

    title: str
    words: tuple[str, ...]
    shown: Headline
    largest: bool = False


QUALITIES = (
    Quality("latency", ("latency",), "time"),
    Quality("bandwidth", ("bandwidth", "bidirectional"), "bandwidth", largest=True),
    Quality("message rate", ("message-rate", "bandwidth"), "messages"),
    Quality("broadcast", ("broadcast",), "time"),
)


def summarize(
    plan: Plan,
    kernels: Sequence[Kernel],
    estimates: Sequence[Estimate],
    comparisons: Sequence[Comparison],
    family: VerdictFamily,
) -> Summary | None:
    """The decision by the purpose of the plan; None where nothing was measured."""
    measured = {one.key: one for one in estimates if not one.failed and one.median_ns > 0}
    if not measured:
        return None
    weights = {cell.id: plan.purpose.weigh(cell) for cell in plan.cells}
    possible = list_possible(plan)
    tests = choose_key_tests(possible, kernels)
    here = [stack for stack in plan.stacks if any(key.stack == stack for key in measured)]
    simulated = {key.stack for key, one in measured.items() if one.simulated}
    local = {key.stack for key, one in measured.items() if one.local}
    counted = [cell for cell in possible if weights[cell.id] > 0]
    of_bases: list[int] = []
    rows: list[StackSummary] = []
    apart = [one for one in here if one not in simulated | local]
    for group in (apart, [one for one in here if one in local], [one for one in here if one in simulated]):
        base = next((one.base for one in comparisons if one.base in group), "")
        means = family.mean_ratios(base, weights) if base else {}
        if means:
            of_bases.append(sum(CellKey(base, cell.id) in measured for cell in counted))
        made = [
            StackSummary(
                stack,
                stack in simulated,
                base,
                tuple(_result(stack, test, group, measured) for test in tests),
                means.get(stack),
            )
            for stack in group
        ]
        rows += sorted(made, key=lambda row: row.mean.ratio if row.mean else 1.0 if row.stack == row.base else inf)
    found = [one for one in measured.values() if weights[one.cell] > 0]
    guidance = advise_by_size(counted, found, plan.cells, family.are_alike)
    held = max(of_bases, default=len(counted))
    return Summary(plan.purpose.name, held, tests, tuple(rows), guidance, len(counted) - held)


def list_possible(plan: Plan) -> tuple[Cell, ...]:
    """The tests that some stack can run: one on a single rank, say, is refused by all that send messages."""
    never = {one.key for one in plan.refusals} | set(plan.left_out)
    return tuple(cell for cell in plan.cells if any(CellKey(stack, cell.id) not in never for stack in plan.stacks))


def choose_key_tests(cells: Sequence[Cell], kernels: Sequence[Kernel]) -> tuple[KeyTest, ...]:
    """The tests among these that stand for latency, bandwidth, message rate and broadcast.

    A run that has none of them shows the first test of each of its first four kernels.
    """
    known = {kernel.name: kernel for kernel in kernels if any(cell.kernel == kernel.name for cell in cells)}
    found = [test for quality in QUALITIES if (test := _find_test(quality, cells, known)) is not None]
    if found:
        return tuple(found)
    first: dict[str, Cell] = {}
    for cell in cells:
        first.setdefault(cell.kernel, cell)
    return tuple(
        _make_test(known[name].title.lower() if name in known else name, cell, "time")
        for name, cell in list(first.items())[: len(QUALITIES)]
    )


def check_purpose(plan: Plan, purpose: Purpose) -> None:
    """
    Raises:
        UsageError: the run has no test that counts for this purpose.
    """
    if not purpose.weights or not any(purpose.weigh(cell) > 0 for cell in plan.cells):
        raise UsageError(
            f"this run has no test that counts for {purpose.name!r}",
            remedy=f"measure some: msgauge compare --for {purpose.name}",
        )


def weigh_findings(findings: Sequence[Finding], plan: Plan) -> tuple[Finding, ...]:
    """With less weight for what is about tests alone that do not count for the purpose of the plan."""
    if not plan.purpose.weights:
        return tuple(findings)
    counted = {cell.id for cell in plan.cells if plan.purpose.weigh(cell) > 0}
    kernels = {cell.kernel for cell in plan.cells if cell.id in counted}
    return tuple(
        one if _counts(one, counted, kernels) else evolve(one, weight=one.weight * REPEATED) for one in findings
    )


def _counts(one: Finding, cells: set[int], kernels: set[str]) -> bool:
    evidence = dict(one.evidence)
    if evidence.get("cells"):
        return any(int(number) in cells for number in evidence["cells"].split())
    return evidence.get("kernel", "") in kernels | {""}


def _find_test(quality: Quality, among: Sequence[Cell], known: Mapping[str, Kernel]) -> KeyTest | None:
    """On the fewest processes, with the first choice of every option."""
    for word in quality.words:
        kernel = _kernel_called(word, known)
        cells = [cell for cell in among if kernel is not None and cell.kernel == kernel.name]
        if quality.shown == "messages":
            cells = [cell for cell in cells if 0 < cell.size_bytes <= 8 * SMALL_BYTES]
        if cells:
            nearest = min(cells, key=lambda cell: _distance(cell, quality))
            return _make_test(quality.title, nearest, quality.shown)
    return None


def _kernel_called(word: str, known: Mapping[str, Kernel]) -> Kernel | None:
    try:
        return find_kernel(word, known)
    except UsageError:
        return None


def _distance(cell: Cell, quality: Quality) -> tuple[float, int]:
    size = -cell.size_bytes if quality.largest else abs(cell.size_bytes - SMALL_BYTES)
    return size, cell.ranks


def _make_test(title: str, cell: Cell, shown: Headline) -> KeyTest:
    test = cell.id, cell.kernel, cell.size_bytes, cell.ranks, cell.options
    return KeyTest(title, *test, shown, cell.mode, cell.cache)


def _result(stack: str, test: KeyTest, group: Sequence[str], measured: Mapping[CellKey, Estimate]) -> KeyResult | None:
    one = measured.get(CellKey(stack, test.cell))
    if one is None:
        return None
    rivals = [two for name in group if (two := measured.get(CellKey(name, test.cell))) is not None]
    flags = (
        ("emulated", one.emulated),
        ("oversubscribed", one.oversubscribed),
        ("non-stationary", not one.stationary),
    )
    shown = tuple(flag for flag, holds in flags if holds)
    return KeyResult(*_amounts(one, test.shown), _rank_among(one, rivals), shown)


def _rank_among(one: Estimate, rivals: Sequence[Estimate]) -> Rank:
    if one.place is None or len(rivals) < 2:
        return ""
    if not one.place.may_be_fastest:
        return "slower"
    others = sum(two.place is not None and two.place.may_be_fastest for two in rivals)
    return "fastest" if others == 1 else "may be fastest"


def _amounts(one: Estimate, shown: Headline) -> tuple[float, float, float]:
    """Median, low and high of what is shown; a rate is high where its time is low."""
    if shown == "time":
        return one.median_ns, one.low_ns, one.high_ns
    events = one.bandwidth_bytes_per_s * one.median_ns if shown == "bandwidth" else 1e9
    return events / one.median_ns, *one.rate_limits(events)
