"""Whether processes have ended: what waits only to be taken away by its parent has."""

from __future__ import annotations

import time
from pathlib import Path


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def gone(*pids: int, within_s: float = 10.0) -> bool:
    """Whether all of them end within so many seconds."""
    limit = time.monotonic() + within_s
    while time.monotonic() < limit and any(map(alive, pids)):
        time.sleep(0.01)
    return not any(map(alive, pids))
