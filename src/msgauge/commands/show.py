"""``msgauge show``: the report of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from attrs import evolve
from cyclopts import Parameter

from msgauge import evaluation
from msgauge.errors import UsageError
from msgauge.frontend.last_run import choose_run
from msgauge.frontend.purposes import read_purpose
from msgauge.frontend.typed_lists import read_list
from msgauge.model import Analysis, Kernel, Purpose
from msgauge.model.factors import parse_axis
from msgauge.model.kernel_names import find_kernel, hint_kernel
from msgauge.report.run_output import OutputOptions, print_run
from msgauge.results.run_folder import RunFolder


def show(
    run: Path | None = None,
    /,
    *,
    kernels: str = "",
    purpose: Annotated[str, Parameter(name="--for")] = "",
    by: str = "",
    costs: bool = False,
    series: bool = False,
    json: bool = False,
) -> int:
    """Show the findings and tables of a run.

    Parameters
    ----------
    run
        The folder of the run; the last one below runs/ by default.
    kernels
        Only these kernels, e.g. pingpong,bcast.
    purpose
        Weigh for latency, bandwidth, rate, fan-out, or by a file of weights.
    by
        Also show pairs of stacks that differ in this factor alone: language, map, transport, version or wait.
    costs
        Also show CPU and memory use of the stacks.
    series
        Also show series that are not compared: the root's time of a collective, the calls of a program.
    json
        Print them as JSON.
    """
    shown = read_list("--kernels", kernels)
    run = choose_run(run)
    parse_axis(by)

    def choose(folder: RunFolder) -> Purpose:
        return read_purpose(purpose, {kernel.name: kernel for kernel in folder.facts.kernels})

    folder, analysis = evaluation.reanalyse(run, choose if purpose else None)
    if not purpose:
        evaluation.keep_if_possible(folder, analysis)
    if shown:
        analysis = keep_kernels(analysis, shown, folder)
    print_run(folder, analysis, OutputOptions(json, by, costs, series))
    return 0


def keep_kernels(analysis: Analysis, words: Sequence[str], folder: RunFolder) -> Analysis:
    """What the analysis says of some kernels of the run alone; sentences that name no kernel stay out.

    Raises:
        UsageError: a kernel that the run does not have.
    """
    of_run = {kernel.name: kernel for kernel in folder.facts.kernels}
    names = {_find_in_run(word, of_run) for word in words}
    cells = {cell.id for cell in folder.plan.cells if cell.kernel in names}
    return evolve(
        analysis,
        estimates=tuple(one for one in analysis.estimates if one.kernel in names),
        comparisons=tuple(one for one in analysis.comparisons if one.kernel in names),
        findings=tuple(one for one in analysis.findings if dict(one.evidence).get("kernel") in names),
        failures=tuple(one for one in analysis.failures if one.kernel in names),
        refusals=tuple(one for one in analysis.refusals if one.cell in cells),
        factor_effects=tuple(one for one in analysis.factor_effects if one.comparison.kernel in names),
        costs=tuple(one for one in analysis.costs if one.kernel in names),
        efficiencies=tuple(one for one in analysis.efficiencies if one.key.cell in cells),
        summary=None,
    )


def _find_in_run(word: str, of_run: Mapping[str, Kernel]) -> str:
    try:
        return find_kernel(word, of_run).name
    except UsageError as error:
        near = hint_kernel(word, of_run)
        meant = f"did you mean {near!r}? " if near else ""
        remedy = f"{meant}it has {', '.join(sorted(of_run))}; 'msgauge kernels' lists all"
        raise UsageError(f"this run has no kernel {word!r}", remedy=remedy) from error
