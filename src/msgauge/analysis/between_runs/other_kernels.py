"""Runs of other kernels: their workers are other builds, so that no stack shows by its build that it did not change."""

from __future__ import annotations

from collections.abc import Sequence

from msgauge.analysis.between_runs.run_comparison import RunsCompared
from msgauge.analysis.between_runs.run_levels import RunLevels
from msgauge.model import Notice


def warn_of_other_kernels(
    old: Sequence[RunLevels], new: Sequence[RunLevels], compared: RunsCompared
) -> tuple[Notice, ...]:
    """Why there are no references, where kernels that only one side measured are in its workers.

    ``old``, ``new``: by their medians.
    """
    sides = [{key.kernel for run in runs for key in run.medians_ns} for runs in (old, new)]
    several = len({one.comparison.other for one in compared.changes}) > 1
    builds = [{build for run in runs for build in run.identities.values()} for runs in (old, new)]
    if compared.references or not several or sides[0] == sides[1] or builds[0] & builds[1]:
        return ()
    alone = ", ".join(sorted(sides[0] ^ sides[1]))
    what = f"only one side measured {alone}, and its workers are other builds: no stack shows that it did not change"
    remedy = "name the stacks that did not change with --reference, or measure the same kernels"
    return (Notice("kernels-differ", what, remedy),)
