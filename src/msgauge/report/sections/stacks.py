"""The stacks: what each is, and the exact commands that built and launched its worker."""

from __future__ import annotations

from attrs import frozen
from markupsafe import Markup

from msgauge import units
from msgauge.model import Build, LaunchRecord, LaunchStatus, Stack, StackCost
from msgauge.model.shell import shell_line
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 60
title = "The stacks"


@frozen
class Card:
    """One stack on the page."""

    name: str
    facts: tuple[tuple[str, str], ...]
    build: str
    launch: str
    problem: str
    log: str


def applies(view: RunView) -> bool:
    """Whether the run kept its stacks."""
    return bool(view.stacks)


def render(view: RunView) -> Markup:
    """One card a stack, in the order of the plan."""
    builds = {build.stack: build for build in view.builds}
    cards = []
    for stack in view.stacks:
        records = [record for record in view.records if record.launch.stack == stack.spec]
        waits = [one for one in view.analysis.stack_costs if one.stack == stack.spec and one.wait_mode]
        cards.append(_card(stack, builds.get(stack.spec), records, waits))
    return fill("stacks.html", cards=cards)


def _card(stack: Stack, build: Build | None, records: list[LaunchRecord], waits: list[StackCost]) -> Card:
    launched = next((record.command for record in records if record.command), None)
    origin = f"{stack.origin.kind} {stack.origin.where}".strip()
    axes = {"language": stack.language} | {name: level for name, level in stack.axes if name != "library"}
    facts = [("library", stack.library), ("origin", origin), *axes.items()]
    facts += [
        ("a rank that waits", ", ".join(f"{one.wait_mode} ({units.format_count(one.ranks, 'rank')})" for one in waits))
    ]
    facts += [("compiler", stack.compiler), ("launcher", stack.launcher), *_describe_usage(records)]
    problem = stack.reason or (build.reason if build else "")
    return Card(
        name=stack.spec,
        facts=tuple((name, text) for name, text in facts if text),
        build=shell_line(build.command) if build and build.command else "",
        launch=shell_line(launched) if launched else "",
        problem=problem,
        log=build.log if build and build.reason else "",
    )


def _describe_usage(records: list[LaunchRecord]) -> list[tuple[str, str]]:
    """What the launches of a stack cost."""
    if not records:
        return []
    bad = sum(record.status is not LaunchStatus.OK for record in records)
    launches = f"{len(records)}, {bad} of them failed" if bad else str(len(records))
    busy = sum(record.usage.user_s + record.usage.system_s for record in records)
    wall = sum(record.seconds for record in records)
    memory = max(record.usage.peak_memory_bytes for record in records)
    facts = [("launches", launches)]
    facts += [("processor time", f"{units.format_duration(busy)} in {units.format_duration(wall)}")] if busy else []
    return facts + ([("peak memory of a rank", units.format_amount(memory))] if memory else [])
