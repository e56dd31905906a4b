"""The tree of processes below this one: list it, end it, collect it. Standard library alone: it runs in the keeper."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path

Process = tuple[int, int]
"""Process number and start time in clock ticks: together they name one process for good."""
Status = tuple[int, resource.struct_rusage]
Note = Callable[[Collection[Process]], None]
PR_SET_CHILD_SUBREAPER = 36


def become_subreaper() -> None:
    """From now on orphans among the descendants become children of this process, not of init."""
    import ctypes

    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def inhabitants(roots: Collection[int]) -> set[Process]:
    """Every living process of the hosts whose first processes are named, as far as it is in our cpu cgroup.

    Where this process has no cpu cgroup of its own, that is every process of these hosts, others' too.
    """
    homes = {home for root in roots if (home := _home(root))}
    numbers = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()] if homes else []
    own = _cgroups("self")
    found = set()
    for pid in numbers:
        if _home(pid) in homes and pid not in roots and _cgroups(str(pid)) == own:
            stat = _stat(pid)
            if stat is not None and stat[2]:
                found.add((pid, stat[1]))
    return found


def _home(pid: int) -> str:
    """The processes that a process counts itself among; '' where that cannot be read."""
    try:
        return str(Path(f"/proc/{pid}/ns/pid").readlink())
    except OSError:
        return ""


def _cgroups(process: str) -> list[str]:
    try:
        lines = Path(f"/proc/{process}/cgroup").read_text().splitlines()
    except OSError:
        return []
    return [line for line in lines if "cpu" in line.split(":")[1].split(",") or line.startswith("0::")]


def descendants() -> set[Process]:
    """Every living process below this one; zombies are not living."""
    numbers = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    seen = {pid: stat for pid in numbers if (stat := _stat(pid)) is not None}
    children: dict[int, list[int]] = {}
    for pid, (parent, _, _) in seen.items():
        children.setdefault(parent, []).append(pid)
    found: set[Process] = set()
    queue = [os.getpid()]
    while queue:
        below = children.get(queue.pop(), [])
        found |= {(pid, seen[pid][1]) for pid in below if seen[pid][2]}
        queue += below
    return found


def _stat(pid: int) -> tuple[int, int, bool] | None:
    """Parent, start time, and whether it lives (a zombie doesn't, yet may still stand above others)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return None
    return (int(fields[1]), int(fields[19]), fields[0] not in (b"Z", b"X")) if len(fields) > 19 else None


class Reaper:
    """Collects dead children, orphans that came to us too, and keeps the status of those that are awaited."""

    def __init__(self) -> None:
        self.awaited: set[int] = set()
        self.hosts: tuple[int, ...] = ()
        """The first processes of emulated hosts, on which this tree has processes too."""
        self.statuses: dict[int, Status] = {}

    def collect(self) -> None:
        """Collect all that are dead now."""
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            if pid in self.awaited:
                self.statuses[pid] = (status, usage)

    def list_living(self) -> set[Process]:
        """Every living process below this one, and those of ours on emulated hosts."""
        return descendants() | inhabitants(self.hosts)

    def kill_tree(self, spare: Collection[Process] = (), note: Note = lambda _: None) -> int:
        """SIGKILL every descendant not spared, again and again until none is left; how many there were.

        A child forked meanwhile is found by the next scan, so scans go on until one finds nothing. ``note`` is told of
        those that each scan finds before they are killed.
        """
        killed: set[Process] = set()
        limit = time.monotonic() + 10.0
        while time.monotonic() < limit:
            left = self.list_living().difference(spare)
            if not left:
                break
            note(left - killed)
            killed |= left
            for pid, _ in left:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.002)
            self.collect()
        self.collect()
        return len(killed)
