"""A place in which everything that a test leaves can be told from what others leave: mark, folder, shared memory.

Processes are known by a mark in their environment. Temporary files go to a folder of the bench's own. Where the system
lets us (root), /tmp, shared memory and semaphores are those of namespaces of its own: nobody else's are counted, and
nothing that a program puts into /tmp in spite of TMPDIR is overlooked. Elsewhere what was there before, and what
living processes use, is left out.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from attrs import define, field

MARK = "MSGAUGE_TEST_MARK"
PATIENCE_S = 60.0
"""Things go within a second on a machine at rest; a busy one has its time."""
OF_THE_SUITE = ("base", "pytest-", "behaviours-")
"""Folders that the tests themselves keep or have compiled into: no stack and no msgauge made them."""
SHARED = Path("/dev/shm")


@define
class Watched:
    """Where to start programs, and how to look at what is left of them."""

    folder: Path
    holder: subprocess.Popen[bytes] | None
    before: set[str]
    seen: set[int] = field(factory=set)
    """Every process that was ever looked at."""

    def start(self, argv: Sequence[str], log: Path = Path(os.devnull)) -> subprocess.Popen[bytes]:
        """Start a program that carries the mark."""
        enter = ["nsenter", "--target", str(self.holder.pid), "--mount", "--ipc", "--"] if self.holder else []
        environment = {**os.environ, MARK: self.folder.name, "TMPDIR": str(self.folder)}
        with log.open("wb") as file:
            return subprocess.Popen(
                [*enter, *argv], env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=file
            )

    def living(self) -> dict[int, str]:
        """Command lines of living processes that carry the mark."""
        mark = f"{MARK}={self.folder.name}".encode()
        found = {}
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if mark in (process / "environ").read_bytes():
                    words = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
                    if words:  # a zombie has none
                        found[int(process.name)] = words
        self.seen |= found.keys()
        return found

    def left(self) -> dict[str, list[str]]:
        """All that is there now, by kind; empty when there is nothing."""
        files = [path.name for path in self.folder.iterdir() if not path.name.startswith(OF_THE_SUITE)]
        files += [path.name for path in self._in_tmp() if path.name not in self.before]
        seen = {
            "processes": [words[:160] for words in self.living().values()],
            "temporary files": files,
            "shared memory": sorted(self._memory() - self.before),
            "cgroups": self._cgroups(),
        }
        return {kind: found for kind, found in seen.items() if found}

    def left_at_last(self) -> dict[str, list[str]]:
        """What is still there once patience is over."""
        deadline = time.monotonic() + PATIENCE_S
        while (left := self.left()) and time.monotonic() < deadline:
            time.sleep(0.1)
        return left

    def _in_tmp(self) -> Iterator[Path]:
        return Path("/proc", str(self.holder.pid), "root", "tmp").iterdir() if self.holder else iter(())

    def _memory(self) -> set[str]:
        """Names in /dev/shm, and System V segments and semaphores."""
        if self.holder is None:
            return memory_of_nobody()
        found = {path.name for path in Path(f"/proc/{self.holder.pid}/root{SHARED}").iterdir()}
        for kind in ("shm", "sem"):
            enter = ["nsenter", "--target", str(self.holder.pid), "--mount", "--ipc", "--"]
            argv = [*enter, "cat", f"/proc/sysvipc/{kind}"]
            text = subprocess.run(argv, capture_output=True, text=True, check=True, timeout=30).stdout
            found |= {f"System V {kind} {line.split()[1]}" for line in text.splitlines()[1:]}
        return found

    def _cgroups(self) -> list[str]:
        """Those of its keepers; each is named for one (msgauge/execution/cgroup.py)."""
        names = [name for _, names, _ in os.walk("/sys/fs/cgroup") for name in names if name.startswith("msgauge-")]
        return [name for name in names if int(name.rpartition("-")[2]) in self.seen]


@contextmanager
def watched() -> Iterator[Watched]:
    """A fresh bench; whatever is still there at the end is ended and removed."""
    folder = Path("/tmp") / f"left-{secrets.token_hex(3)}"  # short, as names of sockets below it must be
    folder.mkdir()
    folder.chmod(0o1777)
    holder = _holder()
    bench = Watched(folder, holder, memory_of_nobody() if holder is None else set())
    bench.before |= {path.name for path in bench._in_tmp()}
    try:
        yield bench
    finally:
        for pid in bench.living():
            with suppress(OSError):
                os.kill(pid, 9)
        if holder is not None:
            holder.kill()
            holder.wait()
        shutil.rmtree(folder, ignore_errors=True)


def until(holds: Callable[[], bool], otherwise: str, limit_s: float = PATIENCE_S) -> None:
    """Wait until something holds; fail after a while."""
    deadline = time.monotonic() + limit_s
    while not holds():
        assert time.monotonic() < deadline, otherwise
        time.sleep(0.05)


NAMESPACES = """
mount -t tmpfs -o mode=1777 tmpfs /dev/shm || exit
mount -t tmpfs -o mode=1777 tmpfs /mnt || exit
for folder in /tmp/*/; do mkdir -p "/mnt/${folder#/tmp/}" && mount --bind "$folder" "/mnt/${folder#/tmp/}"; done
mount --move /mnt /tmp || exit
echo up
exec cat >/dev/null
"""
"""What is in /tmp stays to be seen there; what comes anew is the bench's own. It stands until its input ends."""


def _holder() -> subprocess.Popen[bytes] | None:
    """A process that keeps namespaces for shared memory and /tmp alive; none where that is not allowed."""
    argv = ["unshare", "--mount", "--ipc", "--", "sh", "-c", NAMESPACES]
    if not all(map(shutil.which, ("unshare", "nsenter"))):
        return None
    holder = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert holder.stdout is not None
    if holder.stdout.readline() == b"up\n":
        return holder
    holder.wait(10)
    return None


def memory_of_nobody() -> set[str]:
    """Names in /dev/shm that no living process has mapped or open, segments of System V without users, semaphores."""
    names = {path.name for path in SHARED.iterdir()} if SHARED.is_dir() else set()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            text = (process / "maps").read_text(errors="replace")
            links = {str(link.readlink()) for link in (process / "fd").iterdir()}
            names -= {name for name in names if f"{SHARED}/{name}" in text or f"{SHARED}/{name}" in links}
    for kind, column in (("shm", 6), ("sem", None)):
        with suppress(OSError):
            rows = [line.split() for line in Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:]]
            names |= {f"System V {kind} {row[1]}" for row in rows if column is None or row[column] == "0"}
    return names
