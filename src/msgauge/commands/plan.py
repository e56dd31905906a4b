"""``msgauge plan``: what would be run, and how long it would take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from attrs import asdict

from msgauge import answers, pipeline, units
from msgauge.commands.asked import Asked, asked_study
from msgauge.hosts import this_host
from msgauge.kernels import load_kernels
from msgauge.model import Plan
from msgauge.paths import cache_folder
from msgauge.preview import Preview, previews
from msgauge.store import safe_name


def plan(
    study: str = "quick",
    /,
    *,
    asked: Asked = Asked(),  # noqa: B008 -- a frozen value
    output: Path | None = None,
    json: bool = False,
) -> int:
    """Show what a study would run: the commands, the minutes, and what is refused. Runs nothing.

    Parameters
    ----------
    study
        quick (when left out), standard, or the path of a study file.
    output
        The folder for the plan files that the commands read; one in the cache when left out.
    json
        Print the plan as JSON.
    """
    kernels = load_kernels()
    ready = pipeline.prepare(asked_study(study, asked, kernels))
    folder = output or cache_folder() / "plans" / safe_name(ready.plan.study)
    shown = previews(ready.plan, ready.stacks, this_host(), folder)
    if json:
        print(answers.text(answers.of_plan(ready.plan, [asdict(one) for one in shown])))
    else:
        print("\n".join(_lines(ready.plan, shown)))
    return 0


def _lines(plan: Plan, shown: tuple[Preview, ...]) -> Iterator[str]:
    stopping = plan.stopping
    yield f"study {plan.study}, seed {plan.seed}: {len(plan.stacks)} stacks, {len(plan.cells)} cells"
    rounds = (
        f"{stopping.minimum_rounds}"
        if stopping.minimum_rounds == stopping.maximum_rounds
        else f"{stopping.minimum_rounds} to {stopping.maximum_rounds}"
    )
    yield f"expected: {units.format_duration(plan.expected_s)} of measuring, {rounds} rounds, and the builds before"
    for one in shown:
        yield f"\n{one.stack}, {units.counted(one.ranks, 'process')}"
        yield from (f"  {line}" for line in (one.compile, one.launch) if line)
    counted = Counter((refusal.stack, refusal.reason) for refusal in plan.refusals)
    if counted:
        yield "\nrefused"
    for (stack, reason), count in counted.items():
        yield f"  {stack}: {reason} ({units.counted(count, 'cell')})"
