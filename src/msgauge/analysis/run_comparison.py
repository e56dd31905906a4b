"""Two runs against each other: the same stack in the same cell, launch medians of the one against those of the other.

Launches of different runs share no round, so nothing cancels a change of the machine between the two: the ratio is
that of unpaired launches, and the answer says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import numpy as np

from msgauge.analysis.verdicts import judge_ratios
from msgauge.model import Analysis, Cell, Comparison, Estimate, Notice
from msgauge.stats.ratio import Ratio
from msgauge.stats.unpaired import compare_unpaired

Key = tuple[str, str, int, int, tuple[tuple[str, str], ...]]


def compare_runs(old: Analysis, new: Analysis) -> tuple[Comparison, ...]:
    """One comparison for each stack and cell that both runs measured; ``verdict`` speaks of the new run.

    ``base`` and ``other`` are the same spec. Holm's correction runs over all of them.
    """
    before = {_key(one): one for one in old.estimates if not one.failed}
    pairs = [(before[_key(one)], one) for one in new.estimates if not one.failed and _key(one) in before]
    return judge_ratios([(after.stack, after.stack, _cell(after), _ratio(first, after)) for first, after in pairs])


def find_warnings(
    old: tuple[Analysis, dict[str, object]], new: tuple[Analysis, dict[str, object]]
) -> tuple[Notice, ...]:
    """What a reader must know: unpaired launches, another machine, cells and stacks that only one run has."""
    (first, here), (second, there) = old, new
    warnings = [
        Notice(
            "unpaired-runs",
            "launches of two runs are not paired in rounds: a change of the machine in between looks like a difference",
            "compare the two versions side by side in one run where that is possible",
        )
    ]
    differing = sorted(key for key in here.keys() & there.keys() & _MACHINE if here[key] != there[key])
    if differing:
        warnings.append(
            Notice(
                "machines-differ",
                f"the two runs were made under different conditions: {', '.join(differing)}",
                "run both on the same machine in the same state",
                tuple((key, f"{here[key]} / {there[key]}"[:200]) for key in differing),
            )
        )
    lonely = sorted({_key(one)[0] for one in first.estimates} ^ {_key(one)[0] for one in second.estimates})
    if lonely:
        message = f"only one of the runs has {', '.join(lonely)}"
        warnings.append(Notice("stacks-differ", message, "measure the same stacks in both runs"))
    return tuple(warnings)


_MACHINE = {
    "host",
    "system",
    "cpu_model",
    "allowed_processors",
    "smt",
    "clocksource",
    "governors",
    "memory_bytes",
    "hypervisor",
}


def _key(one: Estimate) -> Key:
    return one.stack, one.kernel, one.size_bytes, one.ranks, one.options


def _cell(one: Estimate) -> Cell:
    return Cell(one.cell, one.kernel, one.size_bytes, one.ranks, one.options)


def _ratio(first: Estimate, second: Estimate) -> Ratio:
    base, other = np.array(_positive(first.launch_medians_ns)), np.array(_positive(second.launch_medians_ns))
    return compare_unpaired(base, other) if base.size and other.size else Ratio(nan, nan, nan, nan, 0)


def _positive(medians: Sequence[float]) -> list[float]:
    return [median for median in medians if median > 0]
