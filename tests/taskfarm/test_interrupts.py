"""What Ctrl-C must not lose: results that come at the same moment."""

from __future__ import annotations

import subprocess
import sys

from farms import ENVIRONMENT


def run(program: str, *arguments: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=timeout)


# Ctrl-C comes while results do; those of then were lost, and the end of the block waited for them.
INTERRUPTED = """
import os, signal, threading
import taskfarm
from task_functions import square

signal.signal(signal.SIGINT, signal.default_int_handler)
interrupts = 0
with taskfarm.Farm(workers=1, pickle=True) as farm:
    streams = []
    for _ in range(5):
        streams.append(farm.imap_unordered(square, range(10**9), ahead=64))
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            for _ in streams[-1]:
                pass
        except KeyboardInterrupt:
            interrupts += 1
        streams[-1]._exhausted, streams[-1]._left = True, []  # no more calls: what was submitted comes
    farm.pump.ending = True
print(interrupts, len(farm.pump._sinks))
"""


def test_ctrl_c_while_results_come_loses_none_and_the_farm_ends() -> None:
    done = run(INTERRUPTED, timeout=30)
    assert done.stdout.split() == ["5", "0"], done.stderr
