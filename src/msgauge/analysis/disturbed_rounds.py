"""Rounds in which the machine changed its speed: they count, and the report says what would change without them."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from attrs import evolve

from msgauge.analysis.run import analyse
from msgauge.model import Analysis, Kernel, Notice
from msgauge.results.dataset import Dataset
from msgauge.results.disturbances import find_disturbances
from msgauge.units import format_count, format_percent

Key = tuple[str, str, int]
"""Base, other and cell of a comparison."""


def add_disturbances(dataset: Dataset, analysis: Analysis, kernels: Sequence[Kernel]) -> Analysis:
    """The analysis with a notice of the disturbed rounds; the run is analysed again without them to say what changes.

    Nothing is left out by it: a round that is left out for what was seen during it may be picked by its outcome.
    """
    left_out = [
        Notice(
            "quiet-start",
            f"{format_count(len(dataset.left_out), 'block')} of launches began on a machine whose speed was unusual; "
            "left out, as the study asks (quiet_start).",
            "rerun on an idle machine",
            (("rounds", _join_rounds({block.round for block in dataset.left_out})),),
        )
    ]
    kept = left_out if dataset.left_out else []
    return evolve(analysis, warnings=(*analysis.warnings, *kept, *_find_disturbed(dataset, analysis, kernels)))


def _find_disturbed(dataset: Dataset, analysis: Analysis, kernels: Sequence[Kernel]) -> list[Notice]:
    found = find_disturbances(record for record in dataset.records if record.launch.in_block not in dataset.left_out)
    rounds = {record.launch.round for record in dataset.records if record.launch.number in found.launches}
    if not rounds:
        return []
    calm = dataset.select(lambda record: record.launch.round not in rounds)
    calm.plan = evolve(calm.plan, base=next((one.base for one in analysis.comparisons), ""))
    without = analyse(calm, run=analysis.run, stopped=analysis.stopped, kernels=kernels)
    changed = _count_changed(analysis, without)
    rate = format_percent(found.threshold.false_alarm_rate)
    return [
        Notice(
            "disturbed",
            f"machine speed changed during {len(found.launches)} of {format_count(len(dataset.records), 'launch')}, "
            f"in {len(rounds)} of {format_count(dataset.rounds, 'round')}; all count. {_describe(changed, analysis)}.",
            "end other programs, run 'msgauge doctor', or measure more rounds",
            (
                ("rounds", _join_rounds(rounds)),
                ("launches", ", ".join(map(str, sorted(found.launches)))),
                ("verdicts that change without them", str(changed)),
                ("false alarms", f"{rate} of launches, by {found.threshold.pairs} pairs with nothing run between"),
            ),
        )
    ]


def _describe(changed: int, analysis: Analysis) -> str:
    verdicts = format_count(len(analysis.comparisons), "verdict")
    if not changed:
        return f"Without these rounds no verdict of {len(analysis.comparisons)} would change"
    return f"Without these rounds {changed} of {verdicts} would change"


def _count_changed(analysis: Analysis, without: Analysis) -> int:
    """Comparisons whose verdict is another one, or is not there any more, without the rounds."""
    return sum(_verdicts(without).get(key) != verdict for key, verdict in _verdicts(analysis).items())


def _verdicts(analysis: Analysis) -> dict[Key, str]:
    """Verdicts by the pair of stacks in alphabetical order and the cell."""
    turned = {"faster": "slower", "slower": "faster"}
    found = {}
    for one in analysis.comparisons:
        verdict = "undecided" if isnan(one.ratio) else str(one.verdict)
        if one.base < one.other:
            found[one.base, one.other, one.cell] = verdict
        else:
            found[one.other, one.base, one.cell] = turned.get(verdict, verdict)
    return found


def _join_rounds(rounds: set[int]) -> str:
    return ", ".join(str(number + 1) for number in sorted(rounds))
