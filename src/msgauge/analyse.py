"""From samples to what may be claimed: estimates, comparisons, findings, failures and warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import nan

import numpy as np
from attrs import evolve

from msgauge.analysis.along import along_axes
from msgauge.analysis.cautions import absences, cautions, is_oversubscribed
from msgauge.analysis.comparing import Compared, judged
from msgauge.analysis.findings import findings
from msgauge.analysis.gather import Gathered, Group, gather
from msgauge.analysis.rivals import rivals
from msgauge.analysis.spending import costs, upkeep
from msgauge.analysis.timers import timer_findings
from msgauge.errors import ConfigError
from msgauge.kernels import bytes_moved, load_kernels
from msgauge.model import Analysis, Cell, Comparison, Estimate, Failure, Kernel, LaunchRecord, Plan, Samples, Stack
from msgauge.stats.location import locate
from msgauge.stats.percentiles import tails
from msgauge.stats.ratio import Ratio, compare
from msgauge.stats.stopping import checkpoints, half_width, settled

Groups = Mapping[tuple[str, int], Group]


def analyse(  # noqa: PLR0913 - the two keywords are labels that pass through
    plan: Plan,
    stacks: Sequence[Stack],
    records: Sequence[LaunchRecord],
    samples: Iterable[Samples],
    *,
    run: str,
    stopped: str,
) -> Analysis:
    """All that a report needs, from the records and frames of a run; pure, the same input gives the same result.

    ``samples``: frames in any order; their arrays stay as they are (int64) and are read one cell at a time.
    """
    gathered = gather(plan, records, samples)
    simulated = frozenset(stack.spec for stack in stacks if stack.simulated)
    estimates = _estimates(plan, gathered, records, simulated)
    comparisons = _comparisons(plan, gathered.groups, estimates, simulated)
    between_others = rivals(plan, gathered.groups, comparisons, paired)
    return Analysis(
        run=run,
        study=plan.study,
        stopped=stopped,
        rounds=_rounds_done(records),
        estimates=estimates,
        comparisons=comparisons,
        findings=(*findings(estimates, comparisons, between_others), *timer_findings(estimates)),
        failures=_named(gathered.failures, plan),
        refusals=gathered.refusals,
        warnings=(*absences(plan), *cautions(gathered, records, estimates, comparisons)),
        along=along_axes(plan, _of_plan(stacks, plan), gathered.groups, paired),
        costs=costs(plan, gathered.groups),
        upkeep=upkeep(records),
    )


def _of_plan(stacks: Sequence[Stack], plan: Plan) -> list[Stack]:
    """The stacks in the plan's order, without those that are there a second time to be compared with themselves."""
    known = {stack.spec: stack for stack in stacks}
    return [known[spec] for spec in plan.stacks if spec in known and "again" not in known[spec].variant]


def decide(plan: Plan, analysis: Analysis, elapsed_s: float, round_s: float) -> str:
    """Whether measuring should end: '' = go on, else 'precision', 'budget' or 'rounds'.

    ``elapsed_s``: seconds of measuring so far; ``round_s``: seconds that one more round is expected to take.

    Precision is looked at only after 5, 7, 10, 14, 20, 28 ... rounds (from ``minimum_rounds`` on): every ratio must be
    known to ``ratio_precision``, or lie wholly inside or wholly outside the margin of equivalence. With nothing to
    compare, every location must be known to ``ratio_precision``. The budget holds before all else once a round is done.
    """
    stopping = plan.stopping
    if analysis.rounds == 0:
        return ""
    if analysis.rounds >= stopping.maximum_rounds:
        return "rounds"
    first = min(stopping.minimum_rounds, stopping.maximum_rounds)
    if analysis.rounds in checkpoints(first, stopping.maximum_rounds) and _precise(plan, analysis):
        return "precision"
    return "budget" if elapsed_s + round_s > stopping.budget_s else ""


def _precise(plan: Plan, analysis: Analysis) -> bool:
    """Whether all that further rounds could still improve is precise; a stack that was given up gets no more rounds."""
    precision = plan.stopping.ratio_precision
    latest = max((round_ for one in analysis.estimates for round_ in one.rounds), default=0)
    alive = {(one.stack, one.cell): one for one in analysis.estimates if max(one.rounds, default=-9) >= latest - 2}
    open_ = [one for one in analysis.comparisons if {(one.base, one.cell), (one.other, one.cell)} <= alive.keys()]
    if open_:
        return all(settled(_ratio_of(comparison), precision) for comparison in open_)
    return bool(alive) and all(half_width(one.low_ns, one.high_ns) <= precision for one in alive.values())


def _ratio_of(comparison: Comparison) -> Ratio:
    return Ratio(comparison.ratio, comparison.ratio_low, comparison.ratio_high, comparison.p_value, comparison.rounds)


def _rounds_done(records: Sequence[LaunchRecord]) -> int:
    return len({record.launch.round for record in records if record.status != "interrupted"})


def _named(failures: Sequence[Failure], plan: Plan) -> tuple[Failure, ...]:
    """Failures of cells with the name of their kernel."""
    kernels = {cell.id: cell.kernel for cell in plan.cells}
    return tuple(
        Failure(one.stack, one.reason, one.kernel or kernels.get(one.cell, ""), one.cell, one.log) for one in failures
    )


# --- estimates -----------------------------------------------------------------------------------------------


def _estimates(
    plan: Plan, gathered: Gathered, records: Sequence[LaunchRecord], simulated: frozenset[str]
) -> tuple[Estimate, ...]:
    """One estimate for every stack and cell that was planned and not refused, in the order of the plan."""
    kernels = _known_kernels()
    refused = {(refusal.stack, refusal.cell) for refusal in gathered.refusals}
    crowded = {record.launch.number for record in records if is_oversubscribed(record)}
    started = {(record.launch.stack, cell) for record in records for cell in record.launch.cells}
    estimates = []
    for cell in plan.cells:
        for stack in plan.stacks:
            key = (stack, cell.id)
            group = gathered.groups.get(key)
            if group is not None:
                estimates.append(_estimate(group, cell, crowded, stack in simulated, kernels))
            elif key not in refused and key in started:
                estimates.append(_missing(stack, cell, gathered.failures, stack in simulated))
    return tuple(estimates)


def _known_kernels() -> Mapping[str, Kernel]:
    """The kernels of this installation; none when they cannot be read, for times can be analysed without bandwidths."""
    try:
        return load_kernels()
    except ConfigError:
        return {}


def _estimate(group: Group, cell: Cell, crowded: set[int], simulated: bool, kernels: Mapping[str, Kernel]) -> Estimate:
    where = locate(group.medians_ns)
    shape = tails(_all_samples(group), single=cell.mode == "single")
    said = [dict(frame.attributes) for frame in group.frames]
    return evolve(
        _identity(group.stack, cell),
        median_ns=where.median,
        low_ns=where.low,
        high_ns=where.high,
        mean_ns=shape.mean,
        minimum_ns=shape.minimum,
        p5_ns=shape.p5,
        p95_ns=shape.p95,
        p99_ns=shape.p99,
        p999_ns=shape.p999,
        bandwidth_bytes_per_s=_bandwidth(kernels.get(cell.kernel), cell, where.median),
        launches=where.launches,
        samples=sum(frame.values.size for frame in group.frames),
        emulated=any(one.get("emulated") == "yes" for one in said),
        simulated=simulated,
        stationary=all(one.get("stationary") != "no" for one in said),
        oversubscribed=any(frame.launch in crowded for frame in group.frames),
        launch_medians_ns=tuple(group.medians_ns.tolist()),
        rounds=tuple(round_ for round_, _ in group.pairs),
        series=group.series,
    )


def _identity(stack: str, cell: Cell) -> Estimate:
    return Estimate(stack, cell.id, cell.kernel, cell.size_bytes, cell.ranks, cell.options)


def _all_samples(group: Group) -> np.ndarray:
    """Float64 of shape (samples of all launches,), ns per event; a copy that may be reordered."""
    last = [(frame.curves[:, -1], frame.divisor) for frame in group.frames]
    whole = np.empty(sum(values.size for values, _ in last))
    start = 0
    for values, divisor in last:
        np.divide(values, divisor, out=whole[start : start + values.size])
        start += values.size
    return whole


def _bandwidth(kernel: Kernel | None, cell: Cell, median_ns: float) -> float:
    """Bytes per second by the kernel's own arithmetic; nan when it moves none or is not known."""
    moved = bytes_moved(kernel, cell.size_bytes, cell.ranks) if kernel else 0.0
    return moved / median_ns * 1e9 if moved > 0 and median_ns > 0 else nan


def _missing(stack: str, cell: Cell, failures: Sequence[Failure], simulated: bool) -> Estimate:
    """The estimate of a cell that was started and delivered nothing: its reason, or that of the whole stack."""
    own = [failure for failure in failures if failure.stack == stack and failure.cell in {cell.id, -1}]
    own.sort(key=lambda failure: failure.cell, reverse=True)
    reason = own[0].reason if own else "it was started, but no samples of it arrived"
    return evolve(_identity(stack, cell), simulated=simulated, failed=reason)


# --- comparisons ---------------------------------------------------------------------------------------------


def choose_base(plan: Plan, estimates: Sequence[Estimate], among: Sequence[str]) -> str:
    """The stack the others are compared with: the plan's, or the one with the lowest median in most cells.

    '' when none of ``among`` was measured. Ties go to the one named first.
    """
    measured = [one for one in estimates if not one.failed and one.stack in among]
    if any(one.stack == plan.base for one in measured):
        return plan.base
    best: dict[int, Estimate] = {}
    for one in measured:
        if one.cell not in best or one.median_ns < best[one.cell].median_ns:
            best[one.cell] = one
    wins = Counter(one.stack for one in best.values())
    return max(among, key=lambda stack: wins[stack]) if wins else ""


def _comparisons(
    plan: Plan, groups: Groups, estimates: Sequence[Estimate], simulated: frozenset[str]
) -> tuple[Comparison, ...]:
    """Base against every other stack in every cell, measured ones and simulated ones each among themselves.

    The family for Holm's correction is all of them: they are shown in one table.
    """
    kinds = (
        [stack for stack in plan.stacks if stack not in simulated],
        [stack for stack in plan.stacks if stack in simulated],
    )
    found: list[Compared] = []
    for among in kinds:
        base = choose_base(plan, estimates, among)
        for cell in plan.cells:
            for other in among:
                pair = groups.get((base, cell.id)), groups.get((other, cell.id))
                if other != base and pair[0] is not None and pair[1] is not None:
                    found.append((base, other, cell, paired(pair[0], pair[1])))
    return judged(found)


def paired(base: Group, other: Group) -> Ratio:
    """The ratio of two groups over the rounds in which both were launched. This pairing is what cancels drift."""
    place = {pair: index for index, pair in enumerate(other.pairs)}
    shared = [(index, place[pair]) for index, pair in enumerate(base.pairs) if pair in place]
    if not shared:
        return Ratio(nan, nan, nan, nan, 0)
    here, there = map(list, zip(*shared, strict=True))
    first, second = base.medians_ns[here], other.medians_ns[there]
    counted = (first > 0) & (second > 0)
    return compare(first[counted], second[counted])
