"""System V shared memory and semaphores that a killed tree leaves. Standard library alone: it runs in the keeper.

Old libraries still use them, and the kernel keeps them until somebody removes them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Collection
from pathlib import Path

IPC_RMID = 0
GETPID = 11


def remove_those_of(pids: Collection[int]) -> None:
    """Remove segments that one of these dead processes created and nobody is attached to, and semaphores that one of
    them used last."""
    library = ctypes.CDLL(None, use_errno=True)
    for row in _table("shm"):
        if int(row["cpid"]) in pids and row["nattch"] == "0":
            library.shmctl(int(row["shmid"]), IPC_RMID, None)
    for row in _table("sem"):
        number = int(row["semid"])
        users = {library.semctl(number, index, GETPID, 0) for index in range(int(row["nsems"]))}
        if users & set(pids):
            library.semctl(number, 0, IPC_RMID, 0)


def _table(kind: str) -> list[dict[str, str]]:
    """Rows of ``/proc/sysvipc/KIND`` by the names of its columns; none where the kernel has no such thing."""
    try:
        lines = Path(f"/proc/sysvipc/{kind}").read_text().splitlines()
    except OSError:
        return []
    names = lines[0].split() if lines else []
    rows = (line.split() for line in lines[1:])
    return [dict(zip(names, row, strict=True)) for row in rows if len(row) == len(names)]
