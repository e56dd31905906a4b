"""The clock of the host that a stack's launcher runs on, against that of this computer, where they are not one.

Start-up and teardown lie between a time of msgauge's and one of rank 0's. Source of the estimate: Cristian 1989,
"Probabilistic clock synchronization": half of the quickest round trip bounds its error.
"""

from __future__ import annotations

import os
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from attrs import frozen

_ROUND_TRIPS = 20
_START_S = 10.0


@frozen
class ClockAhead:
    """By how much a clock is ahead of this computer's, and by how much that may be wrong, in ns."""

    ahead_ns: int
    error_ns: int


def probe_clock(argv: Sequence[str], environment: Mapping[str, str]) -> ClockAhead | None:
    """Ask a program that answers each line with what its CLOCK_MONOTONIC says; None where it does not.

    ``argv``: a native worker with ``--clock``, on its host.
    """
    best: ClockAhead | None = None
    try:
        with subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=dict(environment)
        ) as program:
            try:
                for _ in range(_ROUND_TRIPS):
                    found = _exchange(program)
                    if found is None:
                        return None
                    best = found if best is None or found.error_ns < best.error_ns else best
            finally:
                program.kill()
    except OSError:
        return None
    return best


def _exchange(program: subprocess.Popen[bytes]) -> ClockAhead | None:
    assert program.stdin is not None and program.stdout is not None
    said = b""
    with suppress(OSError):
        before_ns = time.monotonic_ns()
        os.write(program.stdin.fileno(), b"\n")
        while not said.endswith(b"\n"):
            if not select.select([program.stdout], [], [], _START_S)[0]:
                return None
            part = os.read(program.stdout.fileno(), 64)
            if not part:
                return None
            said += part
        after_ns = time.monotonic_ns()
        if said.strip().isdigit():
            return ClockAhead(int(said) - (before_ns + after_ns) // 2, (after_ns - before_ns + 1) // 2)
    return None
