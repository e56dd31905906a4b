"""A coordinator with its journal on a disk of 256 KiB of its own: small_disk.py CASE FOLDER.

Started as `unshare --user --map-root-user --mount`. Prints one JSON object. Tasks that are cancelled are results, too,
and need no worker.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import taskfarm

DISK_BYTES = 256 << 10
KEPT = 10
"""Tasks that are alive while others come and go."""


def open_farm(folder: Path) -> Any:
    name = f"unix://@taskfarm-small-disk-{os.getpid()}-{os.urandom(4).hex()}"
    return taskfarm.Coordinator(name, {"journal": str(folder / "journal")})


def run_tasks(farm: Any, count: int, size: int) -> None:
    """One after another."""
    for _ in range(count):
        end_tasks(farm, [farm.submit(bytes(size))])


def end_tasks(farm: Any, tasks: list[int]) -> None:
    for task in tasks:
        farm.cancel(task)
    ended = 0
    while ended < len(tasks):
        ended += len(farm.next(1024, 0) or [])


def fill(folder: Path) -> None:
    """The rest of the disk is somebody else's."""
    with (folder / "fill").open("ab", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return


def room(folder: Path) -> int:
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize


def little_alive(folder: Path) -> dict[str, int]:
    """Many times what the disk holds goes through, also when somebody else has filled it."""
    farm = open_farm(folder)
    run_tasks(farm, 200, 10_000)
    fill(folder)
    left = room(folder)
    for version in range(200):
        run_tasks(farm, 10, 1000)
        farm.broadcast("key", bytes(1000 + version))
    stats = farm.stats()
    farm.close(0)
    again = open_farm(folder)
    recovered = again.stats()["recovered"]
    again.close(0)
    names = len(list(folder.iterdir()))
    return {"left": left, "delivered": stats["delivered"], "recovered": recovered, "files": names}


def much_alive(folder: Path) -> dict[str, Any]:
    """More than the disk can hold: some are refused, all others end, and then others are accepted again."""
    farm = open_farm(folder)
    refusals, accepted = [], []
    for _ in range(3):
        tasks = []
        try:
            while True:
                tasks.append(farm.submit(bytes(1000)))
        except taskfarm.Error as error:
            refusals.append([error.code, str(error)])
        end_tasks(farm, tasks)
        accepted.append(len(tasks))
    lost = sum(accepted) - farm.stats()["delivered"]
    farm.close(0)
    return {"accepted": accepted, "refusals": refusals, "lost": lost}


def all_that_fits(folder: Path) -> dict[str, int]:
    """By the count of docs/journal.md, to the byte, again and again: nothing is refused."""
    limit, counted_each = (DISK_BYTES - (24 << 10)) // 3, 96
    farm, chance = open_farm(folder), random.Random(1)
    alive: list[tuple[int, int]] = []  # id, bytes
    used = most = 0
    for _ in range(2000):
        count = chance.choice([1, 5, 50])
        size = (limit - used) // chance.choice([1, 2, 10]) // count - counted_each
        if size >= 0:
            first, _accepted = farm.submit_many([bytes(size)] * count)
            alive += [(first + number, size + counted_each) for number in range(count)]
        used = sum(size for _, size in alive)
        most = max(most, used)
        ended = [alive.pop(0)[0] for _ in range(chance.randrange(len(alive) + 1))]
        end_tasks(farm, ended)
        farm.next(1, 0)  # which says that they have been used
        used = sum(size for _, size in alive)
    stats = farm.stats()
    farm.close(0)
    return {"lost": stats["submitted"] - stats["delivered"] - len(alive), "unused": limit - most}


def killed(folder: Path) -> dict[str, Any]:
    """Again and again, with a file that is written anew all the time, on a disk that somebody else has filled."""
    missing, written_anew = [], 0
    for attempt in range(12):
        child = os.fork()
        if child == 0:
            be_killed(folder, begins=attempt == 0)
        while not (folder / "runs").exists():
            assert os.waitpid(child, os.WNOHANG) == (0, 0), "it has ended by itself"
            time.sleep(0.001)
        before = (folder / "journal").stat().st_ino
        time.sleep(0.003 * attempt)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        (folder / "runs").unlink()
        written_anew += before != (folder / "journal").stat().st_ino
        again = open_farm(folder)
        missing.append(max(KEPT - again.stats()["queued"], 0))
        again.close(0)
    last = open_farm(folder)
    end_tasks(last, list(range(1, KEPT + 1)))  # each is there, else it cannot be cancelled
    return {"missing": missing, "written anew": written_anew > 0}


def be_killed(folder: Path, *, begins: bool) -> None:
    try:
        farm = open_farm(folder)
        if begins:
            farm.submit_many([bytes(100)] * KEPT)
            run_tasks(farm, 100, 3000)
            fill(folder)
        (folder / "runs").touch()
        while True:
            run_tasks(farm, 100, 1000)
    finally:
        os._exit(1)


CASES = {"little-alive": little_alive, "much-alive": much_alive, "all-that-fits": all_that_fits, "killed": killed}

if __name__ == "__main__":
    place = Path(sys.argv[2])
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "none", str(place)], check=True)
    print(json.dumps(CASES[sys.argv[1]](place)))
