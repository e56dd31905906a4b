"""From the data set of a run to what may be claimed: estimates, comparisons, findings, failures and notices."""

from __future__ import annotations

from collections.abc import Sequence

from msgauge.analysis.comparisons import compare_stacks
from msgauge.analysis.estimates import add_failed, estimate_cells
from msgauge.analysis.factor_effects import find_factor_effects
from msgauge.analysis.failures import find_failures, find_refusals
from msgauge.analysis.findings import findings
from msgauge.analysis.pairwise_contests import find_contests
from msgauge.analysis.ranking import rank
from msgauge.analysis.resource_usage import costs, stack_costs
from msgauge.analysis.stop_decision import is_checkpoint
from msgauge.analysis.timer_resolution import timer_findings
from msgauge.analysis.warnings import find_absent_stacks, find_warnings
from msgauge.model import Analysis, Comparison, Estimate, Kernel, Plan, Stack, StopReason
from msgauge.results.dataset import Dataset


def analyse(dataset: Dataset, *, run: str, stopped: str, kernels: Sequence[Kernel] = ()) -> Analysis:
    """All that a report needs; pure, the same data set gives the same result.

    ``kernels``: their facts, which bandwidths need.
    """
    plan, cells = dataset.plan, dataset.cells
    failures, refusals = find_failures(dataset), find_refusals(dataset)
    measured = estimate_cells(dataset, {kernel.name: kernel for kernel in kernels})
    estimates = add_failed(dataset, measured, failures, refusals)
    comparisons = compare_stacks(dataset, estimates)
    between_others = find_contests(plan, cells, comparisons)
    return Analysis(
        run=run,
        study=plan.study,
        stopped=StopReason(stopped),
        rounds=dataset.rounds,
        estimates=estimates,
        comparisons=comparisons,
        findings=rank((*findings(estimates, comparisons, between_others), *timer_findings(estimates))),
        failures=failures,
        refusals=refusals,
        warnings=(*find_absent_stacks(plan), *find_warnings(dataset, estimates, comparisons)),
        factor_effects=find_factor_effects(plan, _of_plan(dataset.stacks, plan), cells),
        costs=costs(plan, cells),
        stack_costs=stack_costs(dataset.records),
    )


def analyse_round(dataset: Dataset, kernels: Sequence[Kernel], before: Analysis | None) -> Analysis:
    """What a run shows and decides on after a round, in a time that does not grow with the rounds done.

    Locations come from the launch medians alone; tails, findings and notices wait for the end. Ratios are looked at
    only where a decision may rest on them, at the checkpoints; until the next one those of ``before`` stand.
    """
    failures, refusals = find_failures(dataset), find_refusals(dataset)
    facts = {kernel.name: kernel for kernel in kernels}
    estimates = add_failed(dataset, estimate_cells(dataset, facts, with_tails=False), failures, refusals)
    return Analysis(
        run="",
        study=dataset.plan.study,
        stopped=StopReason.INTERRUPTED,
        rounds=dataset.rounds,
        estimates=estimates,
        comparisons=_comparisons_after_round(dataset, estimates, before),
        failures=failures,
        refusals=refusals,
    )


def _comparisons_after_round(
    dataset: Dataset, estimates: Sequence[Estimate], before: Analysis | None
) -> tuple[Comparison, ...]:
    last = dataset.rounds >= dataset.plan.stopping.maximum_rounds
    early = dataset.rounds < dataset.plan.stopping.minimum_rounds
    if before is not None and (last or not (early or is_checkpoint(dataset.plan, dataset.rounds))):
        return before.comparisons
    return compare_stacks(dataset, estimates)


def _of_plan(stacks: Sequence[Stack], plan: Plan) -> list[Stack]:
    """The stacks in the plan's order, without those that are there a second time to be compared with themselves."""
    known = {stack.spec: stack for stack in stacks}
    return [known[spec] for spec in plan.stacks if spec in known and "again" not in known[spec].variant]
