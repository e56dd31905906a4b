"""A farm whose network is broken on purpose, in a network namespace of its own: network_faults.py CASE

Started as `unshare --user --map-root-user --net`. Prints one JSON object: what came back, and the farm's statistics.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, f"{os.environ.get('TASKFARM_BUILT', Path(__file__).parents[2] / 'taskfarm' / 'build')}/package")

from results import run, take, until

import taskfarm

TASKS = 4000
TIMEOUT_MS = 600
FAST = {"heartbeat_ms": 100, "heartbeat_timeout_ms": TIMEOUT_MS, "max_attempts": 100, "window": 4}
PATIENT = {"window": 16}
LONG_ANSWER = 48 << 20


def main() -> int:
    """One case; or a worker of it."""
    if sys.argv[1] == "worker":
        return work(sys.argv[2])
    system("ip link set lo up")
    farm = taskfarm.Coordinator("tcp://127.0.0.1:0?shm=off", PATIENT if sys.argv[1] == "losses" else FAST)
    workers = [start_worker(farm) for _ in range(2)]
    until(farm, lambda s: s["workers_idle"] == 2)
    seen = CASES[sys.argv[1]](farm, workers)
    print(json.dumps({**seen, "stats": farm.stats()}))
    for worker in workers:
        worker.kill()
        worker.wait()
    farm.close(0)
    return 0


def partition(farm: Any, workers: list[subprocess.Popen[bytes]]) -> dict[str, Any]:
    """Nothing passes for twice the heartbeat timeout, while tasks are under way; both sides live on."""

    def cut() -> None:
        system("ip link set lo down")
        end = time.monotonic() + 2 * TIMEOUT_MS / 1000
        while time.monotonic() < end:
            kept.extend(farm.next(1024, 50) or [])
        system("ip link set lo up")

    kept: list[tuple[Any, ...]] = []
    return whole(farm, {1000: cut}, kept)


def resets(farm: Any, workers: list[subprocess.Popen[bytes]]) -> dict[str, Any]:
    """Every connection is reset five times, by the kernel, in the middle of what it carries."""

    def reset() -> None:
        lost = farm.stats()["workers_lost"]
        system(f"ss -K -t state established sport = :{port(farm)}")
        while farm.stats()["workers_lost"] < lost + 2 or farm.stats()["workers_away"] > 0:
            kept.extend(farm.next(1024, 50) or [])

    kept: list[tuple[Any, ...]] = []
    return whole(farm, dict.fromkeys(range(500, 3000, 500), reset), kept)


def losses(farm: Any, workers: list[subprocess.Popen[bytes]]) -> dict[str, Any]:
    """A link whose queue holds a few packets and drops the others."""
    system("ip link set lo mtu 1500")
    system("tc qdisc add dev lo root tbf rate 100mbit burst 8k limit 12k")
    seen = whole(farm, {}, [], b"x" * 1000)
    told = subprocess.run(["tc", "-s", "-j", "qdisc", "show", "dev", "lo"], capture_output=True, check=True).stdout
    return {**seen, "dropped": sum(queue.get("drops", 0) for queue in json.loads(told))}


def half_open(farm: Any, workers: list[subprocess.Popen[bytes]]) -> dict[str, Any]:
    """Workers die where nobody hears of it; their tasks go to one that comes later."""
    ids = farm.submit_many([b"600 hold", b"600 hold"])
    until(farm, lambda s: s["in_flight"] == len(ids))
    system("ip link set lo down")
    for worker in workers:
        worker.kill()
        worker.wait()
    cut = time.monotonic()
    until(farm, lambda s: s["workers_away"] == 2)
    noticed_s = time.monotonic() - cut
    system("ip link set lo up")
    for task in ids:
        farm.cancel(task)
    take(farm, len(ids))
    workers.append(start_worker(farm))
    return {**whole(farm, {}, []), "noticed_s": noticed_s}


def stalled(farm: Any, workers: list[subprocess.Popen[bytes]]) -> dict[str, Any]:
    """A worker whose answer finds no room lives on, until nothing is heard of the coordinator's host."""
    workers.pop().kill()
    until(farm, lambda s: s["workers"] == 1)
    farm.submit(b"0.5 " + b"x" * LONG_ANSWER)
    until(farm, lambda s: s["in_flight"] == 1)
    run(farm, 400)
    time.sleep(3 * TIMEOUT_MS / 1000)  # the farm runs within calls
    lived = workers[0].poll() is None and established(farm) == 1
    system("ip link set lo down")
    end = time.monotonic() + 90
    while established(farm) > 0 and time.monotonic() < end:
        time.sleep(0.05)
    return {"lived": lived, "left": established(farm)}


def established(farm: Any) -> int:
    """How many connections workers have to the farm, as far as they know."""
    command = ["ss", "-H", "-t", "-n", "state", "established", "dport", "=", f":{port(farm)}"]
    return len(subprocess.run(command, capture_output=True, check=True).stdout.splitlines())


def whole(
    farm: Any, faults: dict[int, Callable[[], None]], kept: list[tuple[Any, ...]], more: bytes = b""
) -> dict[str, Any]:
    """Every task once, with a fault whenever so many have come; `kept` has what a fault itself took."""
    expected = {farm.submit(b"0 %d " % i + more): b"%d " % i + more for i in range(TASKS)}
    results: list[tuple[Any, ...]] = []
    for after, fault in sorted(faults.items()):
        while len(results) + len(kept) < after:
            results += take(farm, 1)
        fault()
    results += take(farm, TASKS - len(results) - len(kept))
    results += kept
    answers = {result[0]: bytes(result[2]) for result in results}
    return {"results": len(results), "distinct": len(answers), "right": answers == expected}


def work(url: str) -> int:
    """Answers `SECONDS TEXT` with the text, after so long."""
    worker = taskfarm.Worker(url, {"reconnect_timeout_ms": 20_000})

    def answer(data: bytes) -> bytes:
        seconds, text = bytes(data).split(b" ", 1)
        time.sleep(float(seconds))
        return text

    worker.run(answer, lambda error: str(error).encode())
    return 0


def start_worker(farm: Any) -> subprocess.Popen[bytes]:
    """This script as a worker."""
    return subprocess.Popen([sys.executable, __file__, "worker", f"{farm.url}?shm=off"], stdin=subprocess.DEVNULL)


def port(farm: Any) -> str:
    """The port that the farm listens on."""
    return str(farm.url).rsplit(":", 1)[1]


def system(command: str) -> None:
    """A command that must succeed."""
    subprocess.run(command.split(), check=True, stdout=subprocess.DEVNULL)


CASES = {"partition": partition, "resets": resets, "losses": losses, "half-open": half_open, "stalled": stalled}

if __name__ == "__main__":
    sys.exit(main())
