"""From the data set of a run to what may be claimed: estimates, comparisons, findings, failures and notices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import nan

from attrs import evolve

from msgauge.analysis.estimates.cell_estimates import (
    add_failed,
    add_slow_launches,
    estimate_cells,
    place,
)
from msgauge.analysis.estimates.failures import find_failures, find_refusals
from msgauge.analysis.estimates.resource_usage import costs, stack_costs
from msgauge.analysis.findings.comparison_findings import findings
from msgauge.analysis.findings.convergence import find_convergences
from msgauge.analysis.findings.factor_effects import find_factor_effects
from msgauge.analysis.findings.pairwise_contests import find_contests
from msgauge.analysis.findings.ranking import rank
from msgauge.analysis.findings.size_ranges import Intervals
from msgauge.analysis.findings.timer_resolution import timer_findings
from msgauge.analysis.guidance.decision import summarize
from msgauge.analysis.verdicts.comparisons import compare_stacks, typical_ratios
from msgauge.analysis.verdicts.pair_table import Levels
from msgauge.analysis.verdicts.verdict_family import judge_family
from msgauge.analysis.warnings.parted_sittings import warn_parted
from msgauge.analysis.warnings.run_warnings import (
    find_absent_stacks,
    find_doubt_of_old,
    find_emulated_hosts,
    find_warnings,
)
from msgauge.model import (
    Analysis,
    CellKey,
    Comparison,
    Estimate,
    Failure,
    FailureKind,
    Kernel,
    Plan,
    Purpose,
    Stack,
    StopReason,
    VariantMark,
)
from msgauge.model.rounding import round_floats
from msgauge.results.dataset import Dataset
from msgauge.stats.group_sequential import LEFT_ALONE_LEVEL, REPORTED_LEVEL
from msgauge.stats.look_schedule import (
    interval_level_after,
    is_look,
    least_rounds,
    level_after,
    level_when_resumed,
    looks_of_run,
)

_ENDED_BY_ITSELF = {StopReason.BUDGET, StopReason.DEADLINE, StopReason.ROUNDS}
"""Ends that do not depend on what was found."""
_UNCHOSEN_ENDS = {*_ENDED_BY_ITSELF, StopReason.PRECISION, StopReason.FAILURES}
"""Ends that nobody chose by what the display showed."""


def analyse(
    dataset: Dataset, *, run: str, stopped: str, kernels: Sequence[Kernel] = (), purpose: Purpose | None = None
) -> Analysis:
    """All that a report needs; pure, the same data set gives the same result.

    ``kernels``: their facts, which bandwidths need; ``purpose``: instead of the plan's own, for the summary.
    """
    plan, cells = dataset.plan, dataset.cells
    failures, refusals = find_failures(dataset), find_refusals(dataset)
    levels = choose_levels(dataset, StopReason(stopped))
    interval_level = round(1 - levels.interval, 10)
    measured = estimate_cells(dataset, {kernel.name: kernel for kernel in kernels}, level=1 - levels.interval)
    estimates = add_failed(dataset, measured, failures, refusals)
    family = judge_family(dataset, levels, with_tails=True)
    # Rounded as they are kept: a sentence and a table write the same number, also where it ends in a half.
    estimates = round_floats(add_slow_launches(place(estimates, family.places)))
    comparisons = round_floats(compare_stacks(dataset, estimates, family, forecast=True))
    between_others = round_floats(find_contests(plan, estimates, comparisons, family))
    typical = {pair: round_floats(ratio) for pair, ratio in typical_ratios(plan, comparisons, family).items()}
    return Analysis(
        run=run,
        study=plan.study,
        stopped=StopReason(stopped),
        rounds=dataset.rounds,
        estimates=estimates,
        comparisons=comparisons,
        findings=rank(
            (
                *findings(estimates, comparisons, between_others, typical, Intervals(family.widen, interval_level)),
                *find_convergences(comparisons, family, estimates),
                *timer_findings(estimates),
            )
        ),
        failures=failures,
        refusals=refusals,
        warnings=(
            *find_absent_stacks(plan),
            *find_doubt_of_old(plan),
            *find_emulated_hosts(plan, dataset.simulated | dataset.local),
            *find_warnings(dataset, estimates, comparisons, family.memories),
            *warn_parted(family.parted, {cell.id: cell for cell in plan.cells}),
        ),
        factor_effects=find_factor_effects(plan, _of_plan(dataset.stacks, plan), family),
        costs=costs(plan, cells),
        stack_costs=stack_costs(dataset.records),
        summary=summarize(evolve(plan, purpose=purpose or plan.purpose), kernels, estimates, comparisons, family),
        interval_level=interval_level,
    )


def analyse_round(dataset: Dataset, kernels: Sequence[Kernel], before: Analysis | None) -> Analysis:
    """What a run shows and decides on after a round, in a time that does not grow with the rounds done.

    Drawn up at the planned looks (``stats/look_schedule.py``) and when something else failed; until the next one
    ``before`` stands, what was shown last. Before the first one medians have no interval yet. Locations come from
    launch medians alone; tails, findings and notices wait for the end.
    """
    failures, refusals = find_failures(dataset), find_refusals(dataset)
    if before is not None and _where(failures) == _where(before.failures) and not _is_drawn_up(dataset):
        return evolve(before, rounds=dataset.rounds, failures=failures, refusals=refusals)
    facts = {kernel.name: kernel for kernel in kernels}
    level = choose_levels(dataset, StopReason.INTERRUPTED).interval
    measured = estimate_cells(dataset, facts, with_tails=False, level=1 - level)
    if dataset.rounds < looks_of_run(dataset.plan.stopping)[0]:
        measured = tuple(evolve(one, low_ns=nan, high_ns=nan) for one in measured)
    estimates = add_failed(dataset, measured, failures, refusals)
    estimates, comparisons = _look(dataset, estimates, before)
    return Analysis(
        run="",
        study=dataset.plan.study,
        stopped=StopReason.INTERRUPTED,
        rounds=dataset.rounds,
        estimates=estimates,
        comparisons=comparisons,
        failures=failures,
        refusals=refusals,
        interval_level=round(1 - level, 10),
    )


def _where(failures: Iterable[Failure]) -> list[tuple[CellKey, FailureKind]]:
    """What failed, whatever is said of how often: that alone is no reason to look at the times again."""
    return [(one.key, one.kind) for one in failures]


def _is_drawn_up(dataset: Dataset) -> bool:
    """Whether locations are told anew after this round: up to the first look always, then at looks and at the end."""
    stopping, rounds = dataset.plan.stopping, dataset.rounds
    return rounds <= looks_of_run(stopping)[0] or is_look(stopping, rounds) or rounds >= stopping.maximum_rounds


def _look(
    dataset: Dataset, estimates: tuple[Estimate, ...], before: Analysis | None
) -> tuple[tuple[Estimate, ...], tuple[Comparison, ...]]:
    """Marks and comparisons: new ones after a look, else those of the last one.

    The last round ends the run, and everything is drawn up anew. A run that goes on shows again what it had shown.
    """
    plan, rounds = dataset.plan, dataset.rounds
    shown = before is None and rounds > looks_of_run(plan.stopping)[0]
    if rounds < plan.stopping.maximum_rounds and (shown or is_look(plan.stopping, rounds)):
        family = judge_family(dataset, choose_levels(dataset, StopReason.INTERRUPTED))
        estimates = place(estimates, family.places)
        return estimates, compare_stacks(dataset, estimates, family)
    places = {one.key: one.place for one in before.estimates if one.place} if before else {}
    return place(estimates, places), before.comparisons if before else ()


def choose_levels(dataset: Dataset, stopped: StopReason) -> Levels:
    """Levels of all that a run says when it has ended so, or shows while it goes on.

    A run that precision ended chose its end by its data, and so did one that left settled cells alone meanwhile; their
    intervals are as much wider. What is shown before the end, or when somebody ended the run, has wider ones still, as
    all that is ever shown of a number has to hold.
    """
    stopping = dataset.plan.stopping
    interval = interval_level_after(stopping, dataset.rounds, is_end=stopped in _UNCHOSEN_ENDS)
    if stopped is StopReason.PRECISION:
        interval = min(interval, REPORTED_LEVEL)
    elif len(set(dataset.rounds_of_cells.values())) > 1:
        interval = min(interval, LEFT_ALONE_LEVEL)
    before = tuple((look, level_after(stopping, look)) for look in looks_of_run(stopping) if look < dataset.rounds)
    table = level_after(stopping, dataset.rounds, is_end=stopped in _ENDED_BY_ITSELF)
    resumed = level_when_resumed(stopping, dataset.rounds)
    return Levels(table, interval, least_rounds(stopping, dataset.rounds), resumed, before)


def _of_plan(stacks: Sequence[Stack], plan: Plan) -> list[Stack]:
    """The stacks in the plan's order, without those that are there a second time to be compared with themselves."""
    known = {stack.spec: stack for stack in stacks}
    return [known[spec] for spec in plan.stacks if spec in known and not known[spec].has_mark(VariantMark.AGAIN)]
