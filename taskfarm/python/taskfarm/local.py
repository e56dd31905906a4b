"""Workers of this computer that live as long as their farm; those that die are replaced."""

from __future__ import annotations

import json
import math
import os
import select
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO

from taskfarm.apart import run_apart
from taskfarm.credentials import CREDENTIALS

LONGEST_KEY = 65536  # what a pipe holds
PATIENCE_S = 5.0  # of end()
LOOK_EACH_S = 0.05
SHORT_LIFE_S = 5.0  # who lives longer is replaced at once, as the first who does not
LONGEST_PAUSE_S = 1.0
PATH_BEFORE = "TASKFARM_PYTHONPATH"  # of the farm's own program
JUDGED_AFTER_S = 1.0  # a machine that is out of processes for a moment is no reason to give up


class LocalWorkers:
    """So many processes of one command, `python -m taskfarm.worker ...`.

    Each gets the program's key of multiprocessing by its standard input: a command line, an environment or a file could
    be read by others. Each says by a pipe that it is ready, or why it cannot be. One that ends is replaced: at once at
    first, at the end once a second for each place. The caller calls `tend`, which starts the first ones too, while it
    waits, and `end` once.
    """

    def __init__(self, command: list[str], count: int) -> None:
        self._command = command
        self._lock = threading.RLock()  # again by a signal's handler
        self._starting = threading.Lock()  # never taken where a signal's handler may come
        self._ended = count == 0
        self._next_look = 0.0
        self._failures = 0  # ends without ever having been ready, in succession
        self._first_failure = 0.0
        self._reason = ""
        self.places = [_Place(number) for number in range(count)]
        self._environment = _environment()
        if count > 0:
            reports, self._report_to = os.pipe()
            os.set_blocking(reports, False)
            self._reports = FileIO(reports)

    def tend(self) -> None:
        """Replaces those that have ended, where it is their time."""
        now = time.monotonic()
        if self._ended or now < self._next_look:
            return
        begun = time.thread_time()  # not the wait for another thread that holds the interpreter
        # By `with`: Ctrl-C between acquire() and `try` would leave it taken for ever, and `end` waiting for it.
        with self._lock:
            if self._ended or now < self._next_look:
                return
            next_look = now + LOOK_EACH_S
            self._next_look = math.inf  # for who comes meanwhile
            try:
                ended = [place for place in self.places if place.process and place.process.poll() is not None]
                cost = time.thread_time() - begun
                next_look = now + max(LOOK_EACH_S, min(50 * cost, LONGEST_PAUSE_S))  # thousands more rarely
                self._read_reports()  # afterwards: what those who ended said before is there now
                for place in ended:
                    self._judge(place, now)
                if any(place.process is None and now >= place.start_at for place in self.places):
                    run_apart(self._start_lacking)  # Ctrl-C between a process and its place would leave it to nobody
            finally:
                self._next_look = next_look

    def broken(self) -> str | None:
        """Why none of them can live; None while one lives, or may."""
        if self._failures < len(self.places) + 2 or time.monotonic() - self._first_failure < JUDGED_AFTER_S:
            return None
        if any(place.ready for place in self.places):
            return None
        return (
            f"the farm's local workers end before they are ready: {self._reason}; "
            f"to see more, run one by hand: {shlex.join(self._command)}"
        )

    def end(self) -> None:
        """They were told to go; those that do not, and those that have not begun, are ended. Not in the main thread."""
        if self._ended:
            return
        self._ended = True  # who is about to start more of them leaves it
        with self._starting:
            self._read_reports()
            processes = [(place.process, place.ready) for place in self.places if place.process is not None]
        until = time.monotonic() + PATIENCE_S
        for process, ready in processes:
            if not ready:
                process.kill()
        for process, _ in processes:
            try:
                process.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._reports.close()
        os.close(self._report_to)

    def _start_lacking(self) -> None:
        with self._starting:
            for place in self.places:
                now = time.monotonic()
                if not self._ended and place.process is None and now >= place.start_at:
                    self._start(place, now)

    def _start(self, place: _Place, now: float) -> None:
        place.begin(now)
        report = f"{self._report_to}:{place.generation}:{place.number}"
        try:
            with _key() as key, without_ctrl_c():
                place.process = subprocess.Popen(
                    [*self._command, "--report", report, "--key-by-input"],
                    env=self._environment,
                    stdin=key,
                    pass_fds=[self._report_to],
                )
        except Exception as error:  # no processes or memory left, or Python is ending
            self._failed(place, f"no process can be started: {error}", now)

    def _judge(self, place: _Place, now: float) -> None:
        process = place.process
        assert process is not None
        place.process = None
        if place.ready:
            place.ready = False
            place.rest(now)  # a task may have done that, and ends as a dead letter: no reason to give up
        else:
            self._failed(place, place.told or _ending(process.returncode), now)

    def _failed(self, place: _Place, reason: str, now: float) -> None:
        self._reason = reason
        if self._failures == 0:
            self._first_failure = now
        self._failures += 1
        place.rest(now)

    def _read_reports(self) -> None:
        with suppress(ValueError):  # closed meanwhile
            while text := self._reports.read(65536):
                for line in text.splitlines():
                    generation, number, reason = json.loads(line)
                    place = self.places[number]
                    if place.generation != generation:
                        continue
                    place.told = reason
                    place.ready = not reason
                    if place.ready:
                        self._failures = 0


class _Place:
    """One process after another."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.process: subprocess.Popen[bytes] | None = None
        self.generation = 0
        self.ready = False
        self.told = ""  # why it could not be ready
        self.start_at = 0.0
        self._began = 0.0
        self._short_lives = 0

    def begin(self, now: float) -> None:
        """Another process."""
        self.generation += 1
        self.ready, self.told, self._began = False, "", now

    def rest(self, now: float) -> None:
        """After an end: the pause before the next begins."""
        self._short_lives = 0 if now - self._began > SHORT_LIFE_S else self._short_lives + 1
        pause = 0.0 if self._short_lives < 2 else min(LONGEST_PAUSE_S, LOOK_EACH_S * 2.0 ** (self._short_lives - 2))
        self.start_at = now + pause


class Report:
    """The worker's end of the pipe.

    Args:
        given: descriptor:generation:number, as `--report` has it; None where nobody wants to know.
    """

    def __init__(self, given: str | None) -> None:
        self._descriptor, self._generation, self._number = [int(part) for part in (given or "-1:0:0").split(":")]
        if given is not None:
            os.set_inheritable(self._descriptor, False)  # the programs that tasks start have no business with it

    @contextmanager
    def connecting(self) -> Iterator[None]:
        """The worker ends when its farm does meanwhile; else it would look for it as long as it may."""
        if self._descriptor < 0:
            yield
            return
        over = os.eventfd(0)
        watch = threading.Thread(target=_end_with_reader, args=(self._descriptor, over), daemon=True)
        watch.start()
        try:
            yield
        finally:
            os.eventfd_write(over, 1)
            watch.join()  # a task may fork, and then no other thread of Python is to be there
            os.close(over)

    def ready(self) -> None:
        """The worker has come to the farm."""
        self._tell("")

    def failed(self, reason: str) -> None:
        """It will not."""
        self._tell(reason[:300] or "no reason given")  # a line is one write: below PIPE_BUF, so lines do not mix

    def _tell(self, reason: str) -> None:
        if self._descriptor < 0:
            return
        line = json.dumps([self._generation, self._number, reason]) + "\n"
        with suppress(OSError):
            os.write(self._descriptor, line.encode())
            os.close(self._descriptor)
        self._descriptor = -1


def _end_with_reader(pipe: int, over: int) -> None:
    """Ends this process when nobody can read from the pipe any more; returns when the other descriptor says so."""
    ends = select.poll()
    ends.register(pipe, 0)  # an error, of which it always tells
    ends.register(over, select.POLLIN)
    if over not in dict(ends.poll()):
        os._exit(1)


@contextmanager
def without_ctrl_c() -> Iterator[None]:
    """A worker that is started here gets no Ctrl-C before it can tell what to do with it, which `hear_ctrl_c` says."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def hear_ctrl_c() -> None:
    """In a worker: from now on. One that came meanwhile comes now."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])


def _key() -> BinaryIO:
    """A pipe's end with what proves to multiprocessing's managers that a process is of this program."""
    from multiprocessing import process  # a farm without local workers does without its ten milliseconds

    secret = bytes(process.current_process().authkey)
    if len(secret) > LONGEST_KEY:  # it must fit in the pipe, which nobody can read yet
        raise ValueError(f"multiprocessing's authkey has {len(secret)} bytes; give it {LONGEST_KEY} at most")
    end, into = os.pipe()
    key = os.fdopen(end, "rb")
    with os.fdopen(into, "wb") as file:
        os.set_blocking(into, False)
        file.write(secret)
    return key


def take_key() -> None:
    """In a local worker: the program's key from standard input, which is empty from now on."""
    from multiprocessing import process

    with os.fdopen(os.dup(0), "rb") as file:
        process.current_process().authkey = file.read()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)


def _name_here() -> str:
    with suppress(OSError):  # it may be removed
        return str(Path.cwd())
    return ""


_BEGAN_IN = _name_here()
"""Where a program that was read from no file looked for modules at first; later it does wherever it has gone."""


def _environment() -> dict[str, str]:
    """With all that this program imports from; what stood there before is for the programs that tasks start."""
    places = [place for path in sys.path for place in ([path] if path else [_name_here(), _BEGAN_IN]) if place]
    path = os.pathsep.join(dict.fromkeys(places))
    return {**os.environ, "PYTHONPATH": path, PATH_BEFORE: os.environ.get("PYTHONPATH", "")}


def restore_environment() -> None:
    """In a local worker: another Python, started by a task, must not look for its library in that of this one."""
    before = os.environ.pop(PATH_BEFORE, None)
    if before:
        os.environ["PYTHONPATH"] = before
    elif before is not None:
        os.environ.pop("PYTHONPATH", None)


def _interpreter_options() -> list[str]:
    """As this program's own (`-O`, `-W error`, `-X dev`), but that the paths are those of `_environment` and no others:
    a `random.py` in the folder where a program happens to be started is no module of it."""
    given: list[str] = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
    return ["-P", *(option for option in given if option not in ("-I", "-E", "-P", "-s", "-S"))]


def worker_command(url: str, given: dict[str, Any], function: str | None) -> list[str]:
    """The command of one local worker.

    Args:
        given: the farm's options; credentials are handed on.
        function: MODULE:NAME; None for pickled calls.
    """
    command = [sys.executable, *_interpreter_options(), "-m", "taskfarm.worker", url]
    command += ["--reconnect-timeout", "1", "--lost-exit", "1"]
    command += ["--pickle"] if function is None else ["--function", function]
    for option in CREDENTIALS:
        if given.get(option):
            file = str(Path(os.fsdecode(given[option])).absolute())  # the program may go to another folder
            command += [f"--{option.replace('_', '-')}", file]
    return command


def _ending(status: int) -> str:
    if status < 0:
        with suppress(ValueError):
            return f"ended by {signal.Signals(-status).name} before it was ready"
    return f"ended with status {status} before it was ready"
