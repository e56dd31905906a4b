"""``msgauge plan``: what would be run, and the expected time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from attrs import asdict

from msgauge import pipeline, units
from msgauge.frontend.dry_run import DryRun, make_dry_runs
from msgauge.frontend.measurement import surroundings
from msgauge.frontend.study_options import StudyOptions, make_study
from msgauge.hosts import this_host
from msgauge.kernels import load_kernels
from msgauge.model import Plan
from msgauge.paths import cache_folder
from msgauge.report import json_output
from msgauge.results.dataset import group_by_kind
from msgauge.results.safe_names import safe_name
from msgauge.rounds.excess import describe_excess
from msgauge.rounds.forecast import forecast_rounds
from msgauge.rounds.resolution import Resolution, describe_resolutions, find_resolutions


def plan(
    study: str = "quick",
    /,
    *,
    asked: StudyOptions = StudyOptions(),  # noqa: B008 -- a frozen value
    output: Path | None = None,
    json: bool = False,
) -> int:
    """Show what a study would run: commands, expected time, refused tests. Runs nothing.

    Parameters
    ----------
    study
        quick (the default), standard or another study, a kernel, or the path of a study file.
    output
        Folder for the plan files that the commands read; in the cache by default.
    json
        Print the plan as JSON.
    """
    kernels = load_kernels()
    ready = pipeline.prepare(make_study(study, asked, kernels))
    folder = output or cache_folder() / "plans" / safe_name(ready.plan.study)
    shown = make_dry_runs(ready.plan, ready.stacks, this_host(), folder)
    around = surroundings(ready)
    rounds = forecast_rounds(ready.plan, around.simulated, around.cores).rounds
    found = find_resolutions(ready.plan, rounds, group_by_kind(ready.plan, ready.stacks))
    if json:
        commands, resolutions = [asdict(one) for one in shown], [asdict(one) for one in found]
        print(json_output.text(json_output.of_plan(ready.plan, commands, resolutions)))
    else:
        excess = describe_excess(ready.plan, around, asked.sizes)
        print("\n".join([*_lines(ready.plan, shown, found), *([f"\nwarning: {excess}"] if excess else [])]))
    return 0


def _lines(plan: Plan, shown: tuple[DryRun, ...], found: tuple[Resolution, ...]) -> Iterator[str]:
    stopping = plan.stopping
    size = f"{units.format_count(len(plan.stacks), 'stack')}, {units.format_count(len(plan.cells), 'test')}"
    yield f"study {plan.study}, seed {plan.seed}: {size}"
    rounds = (
        f"{stopping.minimum_rounds}"
        if stopping.minimum_rounds == stopping.maximum_rounds
        else f"{stopping.minimum_rounds} to {stopping.maximum_rounds}"
    )
    yield f"expected: {units.format_duration(plan.expected_s)} of measuring, {rounds} rounds, after the builds"
    if found:
        yield describe_resolutions(found)
    for one in shown:
        yield f"\n{one.stack}, {units.format_count(one.ranks, 'process')}"
        yield from (f"  {line}" for line in (one.compile, one.launch) if line)
    counted = Counter((refusal.stack, refusal.reason) for refusal in plan.refusals)
    if counted:
        yield "\nrefused"
    for (stack, reason), count in counted.items():
        yield f"  {stack}: {reason} ({units.format_count(count, 'test')})"
