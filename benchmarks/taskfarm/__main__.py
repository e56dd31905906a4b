"""``python -m benchmarks.taskfarm``: what a task costs through taskfarm, interleaved with others, as ratios.

    python -m benchmarks.taskfarm peers    beside a raw epoll program, ZeroMQ and Open MPI, by every transport
    python -m benchmarks.taskfarm scale    with 10 to 2,000 workers, and with a thousand to a million tasks in the queue
    python -m benchmarks.taskfarm pools    in Python, beside multiprocessing, mpi4py.futures and Dask
    python -m benchmarks.taskfarm executor FOLDER    CPython's own tests of executors, with a Farm as the executor

Each takes `--help`. All need `make -C taskfarm build`; a comparator that is not here is left out by name.
"""

from __future__ import annotations

import signal
import sys
import time

from benchmarks.taskfarm import executor, peers, pools, scale
from benchmarks.taskfarm.programs import own_folders

PARTS = {"peers": peers.main, "scale": scale.main, "pools": pools.main, "executor": executor.main}


def main() -> int:
    """One part, and how long it took."""
    if len(sys.argv) < 2 or sys.argv[1] not in PARTS:
        print(__doc__)
        return 2
    signal.signal(signal.SIGTERM, _end)
    started = time.monotonic()
    with own_folders():
        code = PARTS[sys.argv[1]](sys.argv[2:])
    print(f"took {time.monotonic() - started:.0f} s")
    return code


def _end(number: int, _: object) -> None:
    """So that what was started is ended; a second signal, as `timeout` sends it too, does not break that off."""
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)


if __name__ == "__main__":
    sys.exit(main())
