"""A run on standard output: the report for people or JSON, with further tables on request."""

from __future__ import annotations

import sys

from attrs import frozen

from msgauge.analysis.estimates.host_clocks import summarise_clocks
from msgauge.model import Analysis
from msgauge.report import json_output
from msgauge.results.run_folder import RunFolder


@frozen
class OutputOptions:
    """What to print of a run; ``by``: the factor whose effects are printed too, '' for none."""

    json: bool = False
    by: str = ""
    costs: bool = False
    series: bool = False


def print_run(folder: RunFolder, analysis: Analysis, options: OutputOptions) -> None:
    """Print a run to standard output."""
    if options.json:
        sys.stdout.write(describe_run(folder, analysis) + "\n")
        return
    from msgauge.report import factor_effects, resource_usage, secondary_series, view
    from msgauge.report.terminal import paper_terminal, run_terminal

    loaded = view.load(folder, analysis)
    if loaded.paper is not None:
        paper_terminal.print_paper(loaded.paper, folder.path)
        sys.stdout.write("\n")
    run_terminal.print_report(loaded)
    if options.by:
        factor_effects.print_factor_effects(loaded, options.by)
    if options.costs:
        resource_usage.print_resource_usage(loaded)
    if options.series:
        secondary_series.print_other_series(loaded)


def describe_run(folder: RunFolder, analysis: Analysis) -> str:
    """A run as JSON, the same from every command."""
    clocks = summarise_clocks(folder.dataset.records)
    return json_output.text(json_output.of_run(folder.path, folder.plan, analysis, folder.hosts, clocks))
