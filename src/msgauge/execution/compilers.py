"""The compilers that make the workers of a run, each under a keeper of its own, so that all end with msgauge."""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path

from msgauge.errors import LaunchError
from msgauge.execution.supervisor import Supervisor

_ASK_LIMIT_S = 15.0


class Compilers:
    """The compilers that run: one at a time for each worker, and all of them can be ended at once."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._running: set[Supervisor] = set()
        self._places: defaultdict[Path, threading.Lock] = defaultdict(threading.Lock)
        self._asking = threading.Lock()
        self._descriptions: dict[tuple[str, str], bytes] = {}
        self._latest_s = -inf
        """On CLOCK_MONOTONIC: when one ran last, those apart that run now."""
        self.ended = False

    def ran_since(self, moment_s: float) -> bool:
        """Whether any of them ran at or after a moment on CLOCK_MONOTONIC."""
        with self._guard:
            return bool(self._running) or self._latest_s >= moment_s

    def turn(self, place: Path) -> threading.Lock:
        """Held by who looks for a worker in the cache or compiles it: variants that compile alike share one."""
        with self._guard:
            return self._places[place]

    def describe(self, compiler: str, environment: dict[str, str]) -> bytes:
        """What a compiler says of itself in an environment, asked once: all that compile by it share one answer."""
        with self._asking:
            key = (compiler, repr(sorted(environment.items())))
            if key not in self._descriptions:
                self._descriptions[key] = _describe_compiler(compiler, environment)
            return self._descriptions[key]

    @contextmanager
    def keeper(self) -> Iterator[Supervisor]:
        """A keeper for one compiler.

        Raises:
            LaunchError: all were ended.
        """
        with self._guard:
            if self.ended:
                raise LaunchError("compiling was interrupted", remedy="go on with --resume")
            keeper = Supervisor()
            self._running.add(keeper)
        try:
            yield keeper
        finally:
            keeper.close()
            with self._guard:
                self._running.discard(keeper)
                self._latest_s = time.monotonic()

    def end(self) -> None:
        """End all that run, with everything they started; no further one is started."""
        with self._guard:
            self.ended = True
            running = list(self._running)
        for keeper in running:
            keeper.close()


def _describe_compiler(compiler: str, environment: dict[str, str]) -> bytes:
    """What the wrapper would do, and the version of the compiler below it: changes when either is replaced."""
    shown = _query([compiler, "-show"], environment)
    below = shown.split()[0].decode(errors="replace") if shown.split() else compiler
    where = shutil.which(compiler, path=environment.get("PATH")) or compiler
    stamp = f"{where} {Path(where).stat().st_mtime_ns}" if Path(where).exists() else where
    return stamp.encode() + shown + _query([below, "--version"], environment)


def _query(argv: Sequence[str], environment: dict[str, str]) -> bytes:
    """Standard output of a question that is allowed to fail."""
    try:
        done = subprocess.run(
            argv, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=_ASK_LIMIT_S, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return b""
    return done.stdout if done.returncode == 0 else b""
