"""Every operation of every usable stack against a serial model: collectives and one-sided, native and emulated."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from test_every_stack import each_stack, performed

from msgauge.model import Build, Cell, Stack, Stopping
from msgauge.paths import native_folder
from msgauge.stacks import registry
from msgauge.stacks.family import Recipe

RANKS = 3
"""No power of two, so that every algorithm's special cases are met; tests/native runs them on 1 to 9 ranks."""
EMULATED_RESULTS = 25
"""At least so many results a trial and rank come from the algorithms alone."""
TRIALS = 6
KNOWN_FAULTS = {"smpi": "ibarrier,iexscan"}
"""What a library does wrong itself, and is not held to here; the kernel of that name says so by its own check.

SMPI 3.32 lets ranks out of MPI_Ibarrier before the last has come, and its MPI_Iexscan gives other prefixes.
"""


@each_stack
def test_every_operation_gives_what_the_serial_model_says(stack: Stack, tmp_path: Path) -> None:
    program = checking_program(stack, tmp_path)
    built = Build(stack.spec, (str(program), "2026", KNOWN_FAULTS.get(stack.family, "none")), None)
    what = ((Cell(0, "pingpong", 0, RANKS),), Stopping(launch_limit_s=60.0))
    record = performed(stack, built, tmp_path, what)
    said = (tmp_path / "launch" / "stdout").read_text() + (tmp_path / "launch" / "stderr").read_text()
    results = [int(count) for count in re.findall(r"rank \d+ is content, (\d+) results", said)]
    assert len(results) == RANKS, (record.reason, said[-2000:])
    assert min(results) >= EMULATED_RESULTS * TRIALS


def checking_program(stack: Stack, folder: Path) -> Path:
    """``operations.cpp`` over the stack's transport, compiled by the stack's own compiler."""
    family = registry.families()[stack.family]
    program = folder / "operations"
    source = Path(__file__).with_name("operations.cpp")
    recipe = Recipe(source, (native_folder(),), program, (f"MSGAUGE_TRANSPORT={family.transport}",))
    command = family.compile_command(stack, recipe)
    assert command is not None
    environment = {**os.environ, **dict(command.environment)}
    done = subprocess.run(command.argv, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    for place in (folder, *folder.parents[:2]):  # not the system's temporary folder, which all may write to
        place.chmod(0o755)
    return program
