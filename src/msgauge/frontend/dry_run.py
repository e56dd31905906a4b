"""What a plan would run, as commands to copy: how each stack compiles its worker and starts its first launch.

Nothing is run. The plan text of the launch and the list of kernels are written beside, so that the commands work.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from msgauge.build import list_kernels, worker_sources
from msgauge.hosts import Host
from msgauge.model import Command, Launch, Plan, Reach, Stack
from msgauge.model.shell import shell_line
from msgauge.paths import native_folder
from msgauge.plan import launches_of_round
from msgauge.results import wire
from msgauge.results.publishing import make_output_folder, publish_output
from msgauge.results.safe_names import safe_name
from msgauge.stacks.base.families import families
from msgauge.stacks.base.family import LaunchOptions, Recipe


@frozen
class DryRun:
    """The commands of one stack, as lines for a shell; ``compile`` is empty where nothing is compiled."""

    stack: str
    ranks: int
    compile: str
    launch: str


def make_dry_runs(plan: Plan, stacks: Sequence[Stack], host: Host, folder: Path) -> tuple[DryRun, ...]:
    """For each stack and number of ranks, in the order of the plan, what its first launch would be.

    Raises:
        StoreError: ``folder`` cannot be written.
    """
    known = {stack.spec: stack for stack in stacks}
    first = sorted(launches_of_round(plan, 0, 0), key=lambda one: (plan.stacks.index(one.stack), one.ranks))
    return tuple(_preview(plan, launch, known[launch.stack], host, folder.absolute()) for launch in first)


def _preview(plan: Plan, launch: Launch, stack: Stack, host: Host, folder: Path) -> DryRun:
    family = families()[stack.family]
    own = folder / safe_name(stack.spec)
    make_output_folder(own)
    text, samples, worker = own / f"plan-{launch.ranks}.txt", own / f"samples-{launch.ranks}.bin", own / "worker"
    publish_output(text, wire.write_plan(plan, launch, host.cores).encode())
    start = ("srun", "--mpi={pmi}", "-n", "{ranks}", "-w", "{layout}") if plan.hosts.pmis else ()
    away = Reach(plan.hosts.of(stack.spec), agent="AGENT", temporary="/tmp", start=start) if plan.hosts.names else None
    options = LaunchOptions(launch.ranks, host.cores, own, (host,), away)
    program = (*family.program(stack, worker), "--plan", str(text), "--samples", str(samples))
    defines = (f"MSGAUGE_TRANSPORT={family.transport}",) if family.native else ()
    include = (native_folder(), list_kernels(own / "include", {cell.kernel for cell in plan.cells}))
    recipe = Recipe(worker_sources(), include, worker, defines)
    compiling = family.compile_command(stack, recipe)
    return DryRun(stack.spec, launch.ranks, _line(compiling), _line(family.launch_command(stack, program, options)))


def _line(command: Command | None) -> str:
    return shell_line(command) if command is not None else ""
