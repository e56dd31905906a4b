"""kill -9 of msgauge in the middle of a launch leaves no process, no shared memory and no file, whatever the stack."""

from __future__ import annotations

import pickle
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from stack_bench import NATIVE, behaving
from watched import Watched, until, watched

SAME_LAUNCHER = {"unix", "zeromq", "taskfarm", "fake"}
"""Their ranks are started as those of tcp, and they have no memory with a name, or file, that tcp has not."""
STACKS = [stack for stack in NATIVE if stack.family not in SAME_LAUNCHER]
START_S = 120.0


def hanging(bench: Watched, folder: Path, number: int) -> subprocess.Popen[bytes]:
    """A session of a stack in a process of its own, whose two ranks hang."""
    stack = STACKS[number]
    own = folder / str(number)
    own.mkdir()
    (own / "stack").write_bytes(pickle.dumps(stack))
    program = behaving(stack, "hang").program[0]
    script = str(Path(__file__).with_name("hanging_session.py"))
    return bench.start([sys.executable, script, str(own / "stack"), program, str(own)], own / "log")


@pytest.mark.timeout(600)
def test_nothing_is_left_when_msgauge_is_killed(tmp_path: Path) -> None:
    """All stacks at once: each msgauge is killed when its ranks hang, and then looked at alone."""
    with ExitStack() as opened:
        for stack in STACKS:
            behaving(stack)
        benches = [opened.enter_context(watched()) for _ in STACKS]
        running = [hanging(bench, tmp_path, number) for number, bench in enumerate(benches)]
        for stack, bench, msgauge in zip(STACKS, benches, running, strict=True):
            hangs = lambda: any(" hang " in words for words in bench.living().values())  # noqa: B023, E731
            until(lambda: hangs() or msgauge.poll() is not None, f"no rank of {stack.spec} has started", START_S)  # noqa: B023
            assert msgauge.poll() is None, f"{stack.spec}: msgauge ended by itself"
        for msgauge in running:
            msgauge.kill()
            msgauge.wait()
        left = {stack.spec: bench.left_at_last() for stack, bench in zip(STACKS, benches, strict=True)}
    assert {spec: found for spec, found in left.items() if found} == {}
