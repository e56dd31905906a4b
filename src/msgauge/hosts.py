"""The computers that ranks run on."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from pathlib import Path

from attrs import frozen


@frozen
class Host:
    """A computer that ranks may run on; ``cores`` counts the processors this process may use there."""

    name: str
    cores: int
    local: bool = True
    memory_bytes: int = 0
    """What processes may still take there; 0 where nobody knows."""


def this_host() -> Host:
    """The present computer, with the cores of this process's affinity mask."""
    return Host(name=socket.gethostname(), cores=len(os.sched_getaffinity(0)))


def list_cores(root: Path = Path("/sys/devices/system/cpu")) -> tuple[tuple[int, ...], ...]:
    """The processors of this process's affinity mask, by the core that they share, the lowest number first.

    Empty where a process cannot be confined to some of them, as some containers have it.
    """
    allowed = sorted(os.sched_getaffinity(0))
    cores: dict[str, list[int]] = {}
    for number in allowed:
        siblings = f"{number} alone"
        with suppress(OSError):
            siblings = (root / f"cpu{number}/topology/thread_siblings_list").read_text()
        cores.setdefault(siblings, []).append(number)
    try:
        os.sched_setaffinity(0, allowed)
    except OSError:
        return ()
    return tuple(tuple(core) for core in cores.values())
