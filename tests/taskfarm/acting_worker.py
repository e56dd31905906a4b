"""A worker that does what its tasks say: acting_worker.py URL [KEY_FILE | OPTION=VALUE ...]

Tasks are words: `echo X`, `sleep S`, `await FILE`, `busy S`, `log FILE TEXT`, `die`, `once FILE die`, `fail X`,
`context KEY`, `pid`, `usage`.
`log` appends a line, so a test can see that a task ran. A task may have several, joined by `;`: the last one answers.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, f"{os.environ.get('TASKFARM_BUILT', Path(__file__).parents[2] / 'taskfarm' / 'build')}/package")

import taskfarm
from taskfarm import calls


def usage() -> float:
    """Seconds of processor time that this worker has used."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


ABOUT_ITSELF: dict[str, Callable[[], float]] = {"pid": os.getpid, "usage": usage}


def act(worker: taskfarm.Worker, words: list[str]) -> bytes:
    """One action; its answer."""
    verb, rest = words[0], words[1:]
    if verb == "sleep":
        time.sleep(float(rest[0]))
    elif verb == "await":  # a file
        while not Path(rest[0]).exists():
            time.sleep(0.002)
    elif verb == "busy":
        end = time.monotonic() + float(rest[0])
        while time.monotonic() < end:
            pass
    elif verb == "log":
        append(rest[0], " ".join(rest[1:]))
    elif verb == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    elif verb == "once":
        if not Path(rest[0]).exists():
            Path(rest[0]).touch()
            act(worker, rest[1:])
    elif verb == "fail":
        raise ValueError(" ".join(rest))
    elif verb == "context":
        entry = worker.context(rest[0])
        return b"nothing" if entry is None else entry[1]
    elif verb in ABOUT_ITSELF:
        return str(ABOUT_ITSELF[verb]()).encode()
    return " ".join(rest).encode()


def append(path: str, text: str) -> None:
    """One line with the time of the monotonic clock, which all processes of the computer share."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(descriptor, f"{time.monotonic()} {text}\n".encode())
    os.close(descriptor)


def main() -> int:
    """Works until the coordinator ends."""
    options: dict[str, object] = {"reconnect_timeout_ms": 1000}
    for argument in sys.argv[2:]:
        name, _, value = argument.rpartition("=")
        options[name or "key_file"] = value
    worker = taskfarm.Worker(sys.argv[1], options)

    def answer(data: bytes) -> bytes:
        result = b""
        for action in data.decode().split(";"):
            result = act(worker, action.split())
        return result

    worker.run(answer, calls.text_error)
    worker.leave()
    return 0


if __name__ == "__main__":
    sys.exit(main())
