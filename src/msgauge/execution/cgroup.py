"""A cpu cgroup of our own for the ranks of a session. Standard library alone: it runs in the keeper's process."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path


class Cgroup:
    """A cpu cgroup of the keeper's own, which its tree inherits.

    With ``sched_autogroup_enabled`` ranks in different sessions are scheduled session against session, and yielding
    gives nothing to the others. Tasks outside the root cpu cgroup are exempt, so every stack's ranks are put there.
    """

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root
        """The folder that holds ``proc`` and ``sys``."""
        self.path: Path | None = None
        self.word = self._enter()
        """own, inherited or none (``model.CgroupKind``), then after a colon which one, or why there is none."""

    def _enter(self) -> str:
        memberships = _memberships(self.root)
        for controllers, inside in memberships:
            if "cpu" in controllers.split(","):
                return self._make(_mount(self.root, "cgroup", "cpu"), inside)
        for controllers, inside in memberships:
            if not controllers:
                return self._enter_unified(_mount(self.root, "cgroup2", ""), inside)
        return "none: this kernel has no cgroups"

    def _enter_unified(self, mount: Path | None, inside: str) -> str:
        if mount is None:
            return "none: cgroup2 is not mounted"
        here = mount / inside.lstrip("/")
        while here != mount:
            if "cpu" in _words(here.parent / "cgroup.subtree_control"):
                return f"inherited: /{here.relative_to(mount)}"
            here = here.parent
        if "cpu" not in _words(mount / "cgroup.subtree_control"):
            return "none: the cpu controller is not handed down (cgroup.subtree_control)"
        return self._make(mount, "/")

    def _make(self, mount: Path | None, inside: str) -> str:
        if mount is None:
            return "none: the cpu cgroup is not mounted"
        path = mount / inside.lstrip("/") / f"msgauge-{os.getpid()}"
        try:
            path.mkdir()
        except OSError as error:
            return f"inherited: {inside}" if inside != "/" else f"none: {error.strerror}"
        try:
            (path / "cgroup.procs").write_text(str(os.getpid()))
        except OSError as error:
            path.rmdir()
            return f"none: {error.strerror}"
        self.path = path
        return "own"

    def remove(self) -> None:
        """Step out of it and remove it; a short while is given to the kernel to let go of the dead."""
        path, self.path = self.path, None
        if path is None:
            return
        with suppress(OSError):
            (path.parent / "cgroup.procs").write_text(str(os.getpid()))
        for _ in range(100):
            try:
                path.rmdir()
                return
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.01)


def join_cgroup_of(pid: int, root: Path = Path("/")) -> bool:
    """Move this process into the cpu cgroup of another; whether it is there now."""
    for controllers, inside in _memberships(root, str(pid)):
        mount = _mount(root, "cgroup", "cpu") if "cpu" in controllers.split(",") else None
        if not controllers:
            mount = _mount(root, "cgroup2", "")
        if mount is not None:
            try:
                (mount / inside.lstrip("/") / "cgroup.procs").write_text(str(os.getpid()))
            except OSError:
                return False
            return True
    return False


def _memberships(root: Path, process: str = "self") -> list[tuple[str, str]]:
    try:
        lines = (root / "proc" / process / "cgroup").read_text().splitlines()
    except OSError:
        return []
    return [(parts[1], parts[2]) for line in lines if len(parts := line.split(":", 2)) == 3]


def _mount(root: Path, kind: str, controller: str) -> Path | None:
    try:
        lines = (root / "proc/self/mounts").read_text().splitlines()
    except OSError:
        return None
    for fields in (line.split() for line in lines):
        if fields[2] == kind and (not controller or controller in fields[3].split(",")):
            return root / fields[1].lstrip("/")
    return None


def _words(path: Path) -> list[str]:
    try:
        return path.read_text().split()
    except OSError:
        return []


def read_autogroup() -> str:
    """Whether the scheduler groups by session those who are in no cgroup: on, off; '' where it does not say."""
    try:
        on = Path("/proc/sys/kernel/sched_autogroup_enabled").read_text().strip()
    except OSError:
        return ""
    return "on" if on == "1" else "off"
