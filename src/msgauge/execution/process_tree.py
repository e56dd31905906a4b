"""The tree of processes below this one: list it, end it, collect it. Standard library alone: it runs in the keeper."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

Process = tuple[int, int]
"""Process number and start time in clock ticks: together they name one process for good."""
Status = tuple[int, resource.struct_rusage]
Note = Callable[[Collection[Process]], None]
PR_SET_CHILD_SUBREAPER = 36
_DOUBTED_SCANS = 20
"""As many scans in a row that find nothing alive but a new death: on a busy machine unrelated processes end always."""


def become_subreaper() -> None:
    """From now on orphans among the descendants become children of this process, not of init."""
    import ctypes

    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


class Scan(NamedTuple):
    """What one look through the list of processes found.

    The list is read first and each process of it after that. One that ends in between may have left a child that the
    list does not hold, so a scan with a new death in it does not prove that nothing is left.
    """

    living: set[Process]
    zombies: set[int]
    """The dead below this process whom nobody has collected."""
    vanished: set[int]
    """Those of the list that were gone when their turn came, wherever they stood."""

    @property
    def dead(self) -> set[int]:
        """All of whose children the list may not tell."""
        return self.zombies | self.vanished


def scan(hosts: Collection[int] = ()) -> Scan:
    """Every process below this one, and those of ours on the emulated hosts whose first processes are named."""
    numbers = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    elsewhere = _inhabitants(hosts, numbers)
    seen = {pid: _stat(pid) for pid in numbers}
    below = elsewhere | _below(os.getpid(), {pid: stat[0] for pid, stat in seen.items() if stat})
    living = {(pid, stat[1]) for pid in below if (stat := seen[pid]) and stat[2]}
    vanished = {pid for pid, stat in seen.items() if stat is None}
    return Scan(living, {pid for pid in below if (stat := seen[pid]) and not stat[2]}, vanished)


def _below(root: int, parents: dict[int, int]) -> set[int]:
    children: dict[int, list[int]] = {}
    for pid, parent in parents.items():
        children.setdefault(parent, []).append(pid)
    found: set[int] = set()
    queue = [root]
    while queue:
        below = children.get(queue.pop(), [])
        found.update(below)
        queue += below
    return found


def _inhabitants(roots: Collection[int], numbers: Iterable[int]) -> set[int]:
    """Every process of the hosts whose first processes are named, as far as it is in our cpu cgroup.

    Where this process has no cpu cgroup of its own, that is every process of these hosts, others' too.
    """
    homes = {home for root in roots if (home := _home(root))}
    if not homes:
        return set()
    own = _cgroups("self")
    return {pid for pid in numbers if _home(pid) in homes and pid not in roots and _cgroups(str(pid)) == own}


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
        self.ended: set[int] = set()
        """The numbers of all that were found dead while the tree was last ended, killed or not."""

    def collect(self) -> bool:
        """Collect all that are dead now; whether this process has any child left.

        Without a child it has no descendants at all: orphans among them would have become its children.
        """
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if not pid:
                return True
            self.ended.add(pid)
            if pid in self.awaited:
                self.statuses[pid] = (status, usage)

    def list_living(self) -> set[Process]:
        """Every living process below this one, and those of ours on emulated hosts."""
        return scan(self.hosts).living

    def kill_tree(self, spare: Collection[Process] = (), note: Note = lambda _: None) -> int:
        """SIGKILL every descendant not spared, again and again until none is left; how many there were.

        None is left when there are no children, or when a scan finds none alive and none that died since the scan
        before. ``note`` is told of those that each scan finds before they are killed; ``ended`` holds also those whom
        no scan saw alive, such as a rank that came after one scan and died with its daemon before the next.
        """
        self.ended.clear()
        killed: set[Process] = set()
        dead: set[int] = set()
        doubted = 0
        limit = time.monotonic() + 10.0
        while (self.collect() or self.hosts) and time.monotonic() < limit:
            found = scan(self.hosts)
            left = found.living.difference(spare)
            doubted = 0 if left else doubted + 1
            if not left and (found.dead <= dead or doubted > _DOUBTED_SCANS):
                break
            dead |= found.dead
            self.ended |= found.zombies
            note(left - killed)
            killed |= left
            for pid, _ in left:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.002)
        return len(killed)
