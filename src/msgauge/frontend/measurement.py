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


def measure_study(study: str, options: StudyOptions, runs: Path, resume: Path | None) -> Result:
    """Run a study or resume a run.

    Raises:
        UsageError: options of a study together with ``--resume``.
    """
    kernels = load_kernels()
    if resume is not None and (evolve(options, rounds=None, budget="") != StudyOptions() or study != "quick"):
        raise UsageError(
            "--resume takes its study from the run folder",
            remedy="leave out all other options except --rounds and --budget",
        )
    with ProgressView(kernels=tuple(kernels.values())) as watch:
        if resume is not None:
            limits = None if options == StudyOptions() else partial(make_limits, asked=options)
            return pipeline.resume(resume, watch, limits)
        return pipeline.run(make_study(study, options, kernels), runs, watch)
