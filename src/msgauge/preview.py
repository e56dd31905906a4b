"""What a plan would run, as commands to copy: how each stack compiles its worker and starts its first launch.

Nothing is run. The plan text of the launch and the list of kernels are written beside, so that the commands work.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from msgauge import wire
from msgauge.build import list_kernels, shell_line
from msgauge.hosts import Host
from msgauge.model import Command, Launch, Plan, Stack
from msgauge.paths import native_folder
from msgauge.plan import launches_of_round
from msgauge.stacks.family import LaunchOptions, Recipe
from msgauge.stacks.registry import families
from msgauge.store import publish, safe_name


@frozen
class Preview:
    """The commands of one stack, as lines for a shell; ``compile`` is empty where nothing is compiled."""

    stack: str
    ranks: int
    compile: str
    launch: str


def previews(plan: Plan, stacks: Sequence[Stack], host: Host, folder: Path) -> tuple[Preview, ...]:
    """For each stack and number of ranks, in the order of the plan, what its first launch would be.

    Raises:
        StoreError: ``folder`` cannot be written.
    """
    known = {stack.spec: stack for stack in stacks}
    first = sorted(launches_of_round(plan, 0, 0), key=lambda one: (plan.stacks.index(one.stack), one.ranks))
    return tuple(_preview(plan, launch, known[launch.stack], host, folder.absolute()) for launch in first)


def _preview(plan: Plan, launch: Launch, stack: Stack, host: Host, folder: Path) -> Preview:
    family = families()[stack.family]
    own = folder / safe_name(stack.spec)
    own.mkdir(parents=True, exist_ok=True)
    text, samples, worker = own / f"plan-{launch.ranks}.txt", own / f"samples-{launch.ranks}.bin", own / "worker"
    publish(text, wire.write_plan(plan, launch, host.cores).encode())
    options = LaunchOptions(launch.ranks, host.cores, own, (host,))
    program = (*family.program(stack, worker), "--plan", str(text), "--samples", str(samples))
    defines = (f"MSGAUGE_TRANSPORT={family.transport}",) if family.native else ()
    include = (native_folder(), list_kernels(own / "include", {cell.kernel for cell in plan.cells}))
    recipe = Recipe(native_folder() / "worker.cpp", include, worker, defines)
    compiling = family.compile_command(stack, recipe)
    return Preview(stack.spec, launch.ranks, _line(compiling), _line(family.launch_command(stack, program, options)))


def _line(command: Command | None) -> str:
    return shell_line(command) if command is not None else ""
