"""A session whose ranks never end, for a test that kills it: ``hanging_session.py STACK PROGRAM FOLDER``.

``STACK`` is a file that holds the pickled stack, so that nothing has to be looked for again.
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

from msgauge.execution.session import Session
from msgauge.hosts import this_host
from msgauge.model import Build, Cell, Launch, Plan, Stack, Stopping
from msgauge.stacks.base.family import LaunchOptions


def main(stack_file: str, program: str, folder: str) -> None:
    """Launch two ranks that hang, and wait for them."""
    stack: Stack = pickle.loads(Path(stack_file).read_bytes())
    built = Build(stack.spec, (program, "hang"), None)
    plan = Plan("killed", 1, (stack.spec,), (Cell(0, "pingpong", 0, 2),), (2,), stopping=Stopping(launch_limit_s=300.0))
    with Session(stack, built, LaunchOptions(2, this_host().cores, Path(folder), (this_host(),))) as session:
        session.run(plan, Launch(1, 0, stack.spec, 2, (0,), 1), Path(folder))


main(*sys.argv[1:])
