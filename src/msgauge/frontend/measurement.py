"""Measure what a command line asks for, with progress on standard error."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from attrs import evolve

from msgauge import pipeline
from msgauge.errors import UsageError
from msgauge.frontend.study_options import StudyOptions, make_limits, make_study
from msgauge.kernels import load_kernels
from msgauge.pipeline import Result
from msgauge.report.progress import ProgressView


def measure_study(study: str, options: StudyOptions, runs: Path, resume: Path | None, against: str = "") -> Result:
    """Run a study or resume a run; ``against``: the old version that its stack is interleaved with.

    Raises:
        UsageError: options of a study together with ``--resume``, or a base or twins together with ``--against``.
    """
    kernels = load_kernels()
    if against and (options.base or options.by or options.again):
        raise UsageError(
            "--against has its base, the old version, and compares that with the new one alone",
            remedy="leave out --base, --by and --again",
        )
    if resume is not None and (
        evolve(options, rounds=None, budget="") != StudyOptions() or study != "quick" or against
    ):
        raise UsageError(
            "--resume takes its study from the run folder",
            remedy="leave out all other options except --rounds and --budget",
        )
    with ProgressView(kernels=tuple(kernels.values())) as watch:
        if resume is not None:
            limits = None if options == StudyOptions() else partial(make_limits, asked=options)
            return pipeline.resume(resume, watch, limits)
        return pipeline.run(make_study(study, options, kernels), runs, watch, against)
