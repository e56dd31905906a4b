"""Measure what a command line asks for, with progress on standard error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from attrs import evolve

from msgauge import pipeline
from msgauge.discovery.old_version import tell_taken
from msgauge.errors import UsageError
from msgauge.frontend.study_options import StudyOptions, make_limits, make_study, read_most_s
from msgauge.hosts import this_host
from msgauge.kernels import load_kernels
from msgauge.model.stack_expression import split_list
from msgauge.pipeline import Prepared, Result
from msgauge.report.phrasing import describe_allocation
from msgauge.report.terminal.console import print_note, print_warning
from msgauge.report.terminal.progress import ProgressView
from msgauge.rounds.excess import Surroundings, describe_excess
from msgauge.study import Study


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
    if resume is not None:
        with ProgressView(kernels=tuple(kernels.values())) as watch:
            limits = None if options == StudyOptions() else lambda usual, done: make_limits(usual, options, done)
            return pipeline.resume(resume, watch, limits)
    if taken := tell_taken(against):
        print_note(taken)
    ready = pipeline.prepare(make_study(study, options, kernels), against, split_list(options.stacks))
    _tell_allocation(ready)
    if excess := describe_excess(ready.plan, surroundings(ready), options.sizes):
        print_warning(excess)
    with ProgressView(kernels=tuple(kernels.values())) as watch:
        return pipeline.run_prepared(ready, runs, watch, against=bool(against))


def measure_prepared_study(study: Study, runs: Path, check: Callable[[Prepared], None]) -> Result:
    """Run a study that a command has made itself, with progress on standard error; ``check`` may refuse it."""
    ready = pipeline.prepare(study)
    check(ready)
    _tell_allocation(ready)
    with ProgressView(kernels=tuple(load_kernels().values())) as watch:
        return pipeline.run_prepared(ready, runs, watch)


def _tell_allocation(ready: Prepared) -> None:
    if ready.plan.hosts.allocation:
        print_note(describe_allocation(ready.plan.hosts))


def surroundings(ready: Prepared) -> Surroundings:
    """What a forecast of a prepared run knows of this computer."""
    simulated = frozenset(one.spec for one in ready.stacks if one.simulated)
    return Surroundings(simulated, this_host().cores, read_most_s())
