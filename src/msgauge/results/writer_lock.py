"""One writer for a run folder: a lock that outlives no process, on any file system, even after kill -9.

The lock names its holder by host, boot, process and the process's start time, so one left by a dead holder is seen
to be stale and taken over.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from attrs import frozen

from msgauge.errors import StoreError

NAME = "writer.json"


@frozen
class WriterLock:
    """The right to write one run folder; ``take`` it, then ``release`` it."""

    path: Path
    holder: str

    @classmethod
    def take(cls, folder: Path) -> WriterLock:
        """Become the one writer of ``folder``.

        Raises:
            StoreError: another living msgauge writes it, or the folder cannot be written.
        """
        path = folder / NAME
        with _one_at_a_time(folder):
            for _ in range(5):
                if _create_linked(path):
                    return cls(path, _me())
                holder = _read_holder(path)
                if holder and _alive(holder):
                    raise StoreError(
                        f"another msgauge ({_name(holder)}) writes this run",
                        where=str(folder),
                        remedy=f"wait for it to end; if it is surely gone, remove {path}",
                    )
                with _lock_errors(path):
                    path.unlink(missing_ok=True)
        raise StoreError("the writer's lock changes hands all the time", where=str(path), remedy="try again later")

    def release(self) -> None:
        """Give it back, if it is still ours; where its disk takes nothing more it stays, and is stale."""
        holder = _read_holder(self.path)
        if holder and json.dumps(holder) == self.holder:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)


def find_writer(folder: Path) -> str:
    """Another living msgauge that writes ``folder``, as ``process 7 on host n1``; '' where there is none."""
    holder = _read_holder(folder / NAME)
    if not holder or json.dumps(holder) == _me() or not _alive(holder):
        return ""
    return _name(holder)


@contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """Of two that find the same stale lock the second would remove the lock of the first.

    The kernel keeps them apart, and forgets who holds it with its process; NFS may know no such locks for folders.
    """
    with ExitStack() as opened:
        with suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            opened.callback(os.close, descriptor)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield


def _create_linked(path: Path) -> bool:
    """Made whole beside its place, then linked there: a link fails when the name is taken, also on NFS."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with _lock_errors(path):
        beside.write_text(_me())
        try:
            os.link(beside, path)
        except FileExistsError:
            return False
        finally:
            beside.unlink(missing_ok=True)
    return True


@contextmanager
def _lock_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except IsADirectoryError as error:
        remedy = f"move {path} away: a file of that name says who writes the run"
        raise StoreError("a folder stands where the writer's lock goes", where=str(path), remedy=remedy) from error
    except OSError as error:
        remedy = "make the folder writable and see that its disk is not full"
        raise StoreError(f"cannot write: {error.strerror}", where=str(path), remedy=remedy) from error


def _me() -> str:
    pid = os.getpid()
    return json.dumps(
        {
            "host": socket.gethostname(),
            "boot": _boot(),
            "processes": _process_namespace(),
            "pid": pid,
            "started": _start_ticks(pid),
        }
    )


def _read_holder(path: Path) -> dict[str, object] | None:
    try:
        holder = json.loads(path.read_text())
    except (OSError, ValueError, RecursionError):
        return None
    return holder if isinstance(holder, dict) else None


def _name(holder: dict[str, object]) -> str:
    return f"process {holder.get('pid')} on {holder.get('host')}"


def _alive(holder: dict[str, object]) -> bool:
    """A holder on another host, or in another container of this one, cannot be looked at, and counts as alive."""
    if holder.get("host") != socket.gethostname():
        return True
    if holder.get("boot") != _boot():
        return False
    if holder.get("processes", _process_namespace()) != _process_namespace():
        return True
    pid = holder.get("pid")
    return isinstance(pid, int) and holder.get("started") == _start_ticks(pid) != 0


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _process_namespace() -> str:
    """Which processes can be seen from here: a number means another one in another container."""
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""


def _start_ticks(pid: int) -> int:
    """Start time of a process in clock ticks since boot; 0 when there is none."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return 0
