"""``msgauge diff``: two runs compared, for people and for scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgauge import evaluation
from msgauge.analysis.regression_gate import apply_gate, parse_gate
from msgauge.analysis.run_comparison import compare_runs, find_warnings
from msgauge.errors import UsageError
from msgauge.model import Comparison, Notice
from msgauge.report import json_output
from msgauge.units import format_ratio, format_size


def diff(old: Path, new: Path, /, *, fail_on: str = "", json: bool = False) -> int:
    """Compare two runs, and fail on a regression if asked to.

    Parameters
    ----------
    old
        The folder of the earlier run.
    new
        The folder of the later run; verdicts are about this run.
    fail_on
        Exit 1 when the new run is slower (faster, different) by more, e.g. 'slower>5%'; 3 when undecided.
    json
        Print the comparisons as JSON.
    """
    gate = parse_gate(fail_on) if fail_on else None
    (first, before), (second, after) = evaluation.reanalyse(old), evaluation.reanalyse(new)
    comparisons = compare_runs(before, after)
    if not comparisons:
        raise UsageError(
            "the two runs have no test of the same stack in common", remedy="name two runs of the same study"
        )
    warnings = find_warnings((before, first.machine), (after, second.machine))
    if json:
        print(json_output.text(json_output.of_diff(old, new, comparisons, warnings)))
    else:
        print("\n".join(_lines(comparisons, warnings)))
    judgement = apply_gate(gate, comparisons)[0] if gate else "passed"
    return {"passed": 0, "regression": 1, "undecided": 3}[judgement]


def _lines(comparisons: Sequence[Comparison], warnings: Sequence[Notice]) -> Iterator[str]:
    """One line for each comparison, then the warnings."""
    width = max(len(one.other) for one in comparisons)
    yield "ratio of times, new / old, with 95 % interval; launches of two runs are not paired in rounds"
    for one in comparisons:
        interval = f"{format_ratio(one.ratio)} [{format_ratio(one.ratio_low)}, {format_ratio(one.ratio_high)}]"
        place = f"{one.kernel} {format_size(one.size_bytes)} on {one.ranks} ranks"
        options = "".join(f" {name}={value}" for name, value in one.options)
        reason = f" ({one.reason})" if one.verdict == "undecided" else ""
        yield f"{one.other:<{width}}  {place + options:<28}  {interval:<24}  {one.verdict}{reason}"
    for warning in warnings:
        yield f"warning: {warning.message}\n  remedy: {warning.remedy}"
