"""What a killed tree leaves in shared memory and in /tmp. Standard library alone: it runs in the keeper's process."""

from __future__ import annotations

import os
import pwd
import re
import shutil
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from msgauge.execution.systemv import remove_those_of


class SharedMemory:
    """Segments in /dev/shm that a crashed or killed tree leaves behind.

    Removed are only those that are new since the keeper began, belong to one of its users, are open or mapped by no
    living process, and are either seen mapped by a process of the tree or named as message-passing libraries do.
    A job may be a folder, wherever it lies: it is removed when a process of the tree that works in it is killed, for
    that process would have removed it.
    """

    FOLDER = Path("/dev/shm")

    def __init__(self, known: Sequence[str], job_folders: Sequence[str]) -> None:
        """``known``: how names begin; ``job_folders``: whole names; regular expressions both."""
        self.known = [re.compile(pattern, re.IGNORECASE) for pattern in known]
        self.job_names = [re.compile(pattern) for pattern in job_folders]
        self.before = self._names()
        self.users = {os.getuid()}
        self.mapped: set[str] = set()
        self.dead: set[int] = set()
        self.jobs: set[Path] = set()

    def note_user(self, user: str) -> None:
        """A command runs as this user."""
        if user:
            self.users.add(pwd.getpwnam(user).pw_uid)

    def note_doomed(self, processes: Iterable[tuple[int, int]]) -> None:
        """Remember these processes, about to be killed, and what they have mapped."""
        for pid, _ in processes:
            self.dead.add(pid)
            self.mapped |= _open_below(str(self.FOLDER), pid)
            with suppress(OSError):
                works_in = Path(f"/proc/{pid}/cwd").readlink()
                self.jobs |= {works_in} if any(one.fullmatch(works_in.name) for one in self.job_names) else set()

    def note_ended(self, pids: Iterable[int]) -> None:
        """These processes of the tree are dead, killed or not."""
        self.dead.update(pids)

    def remove_leftovers(self) -> None:
        """Remove what is surely ours and nobody's any more."""
        while self.jobs:
            shutil.rmtree(self.jobs.pop(), ignore_errors=True)
        if self.dead:
            remove_those_of(self.dead)
            self.dead = set()
        candidates = [name for name in self._names() - self.before if self._ours(name)]
        if not candidates:
            return
        living = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
        used = set().union(*(_open_below(str(self.FOLDER), pid) for pid in living))
        for name in set(candidates) - used:
            with suppress(OSError):
                (self.FOLDER / name).unlink()

    def _ours(self, name: str) -> bool:
        try:
            owner = (self.FOLDER / name).lstat().st_uid
        except OSError:
            return False
        return owner in self.users and (name in self.mapped or any(one.match(name) for one in self.known))

    def _names(self) -> set[str]:
        try:
            return {path.name for path in self.FOLDER.iterdir()}
        except OSError:
            return set()


class TemporaryFileCleanup:
    """What a process manager leaves in /tmp when it is killed, whatever TMPDIR says.

    Removed are those that are new since the keeper began and belong to one of its users, unless a process manager that
    may still need them lives.
    """

    FOLDER = Path("/tmp")

    def __init__(self, pattern: str, maker: str) -> None:
        self.pattern = pattern
        self.maker = maker
        self.before = set(self.FOLDER.glob(pattern))

    def remove_leftovers(self, users: Collection[int]) -> None:
        """Remove what is surely ours and nobody's any more."""
        new = set(self.FOLDER.glob(self.pattern)) - self.before
        if not new or self._maker_lives():
            return
        for path in new:
            with suppress(OSError):
                if path.lstat().st_uid in users:
                    path.unlink()

    def _maker_lives(self) -> bool:
        """Does one live that sees the same /tmp?"""
        here = Path("/proc/self/ns/mnt").readlink()
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                state = (process / "stat").read_text().rpartition(") ")[2][:1]
                same = (process / "comm").read_text().strip() == self.maker[:15] and state not in "ZX"
                if same and (process / "ns" / "mnt").readlink() == here:
                    return True
        return False


def _open_below(folder: str, pid: int) -> set[str]:
    """Names in a folder that a process has mapped or open."""
    names = set()
    with suppress(OSError):
        maps = Path(f"/proc/{pid}/maps").read_text(errors="surrogateescape")
        names |= {line.split(f" {folder}/", 1)[1] for line in maps.splitlines() if f" {folder}/" in line}
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            target = str(descriptor.readlink())
            if target.startswith(f"{folder}/"):
                names.add(target[len(folder) + 1 :])
    return {name.removesuffix(" (deleted)") for name in names}
