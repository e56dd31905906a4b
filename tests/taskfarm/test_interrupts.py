"""What an exception in the middle of a call must not lose: results, when Ctrl-C or a want of memory comes between."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from farms import BUILD

ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{BUILD / 'package'}:{Path(__file__).parent}"}


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

# The coordinator has the answer, and Python no room for it; then it has.
SCARCE = """
import resource, subprocess, sys
import taskfarm

BIG = "import sys, taskfarm; taskfarm.Worker(sys.argv[1]).run(lambda data: bytes(int(data)), repr)"
farm = taskfarm.Coordinator(sys.argv[1], {"high_water_tasks": 1})
worker = subprocess.Popen([sys.executable, "-c", BIG, farm.url])
while farm.stats()["workers_idle"] < 1:
    farm.next(1, 20)
farm.submit(b"100000000")
assert farm.submit(b"at the mark", timeout_ms=20_000) == 0
used = int(open("/proc/self/statm").read().split()[0]) * 4096
resource.setrlimit(resource.RLIMIT_AS, (used + (20 << 20), resource.RLIM_INFINITY))
try:
    farm.next(1, 1000)
except MemoryError:
    print("no memory")
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(*[len(data) for _, _, data, *_ in farm.next(1, 1000)])
worker.kill()
"""


def test_ctrl_c_while_results_come_loses_none_and_the_farm_ends() -> None:
    done = run(INTERRUPTED, timeout=30)
    assert done.stdout.split() == ["5", "0"], done.stderr


def test_a_result_that_python_has_no_memory_for_comes_when_there_is_some(tmp_path: Path) -> None:
    done = run(SCARCE, f"unix://{tmp_path}/s")
    assert done.stdout.splitlines() == ["no memory", "100000000"], done.stderr
