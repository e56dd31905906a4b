"""A coordinator on a host of a lab whose workers `taskfarm workers` starts: farm_of_hosts.py PACKAGE JSON

JSON: credentials (of the farm), launch (arguments of `taskfarm workers`), count (of workers), kill (the launcher,
instead of closing the farm). Prints what it saw as JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from typing import Any

sys.path.insert(0, sys.argv[1])

import taskfarm

LOOK = ["sh", "-c", "sleep 0.1; hostname"]
"""Long enough that every worker gets one."""


def main() -> int:
    """Starts the workers, has each do a task, and lets them go."""
    asked: dict[str, Any] = json.loads(sys.argv[2])
    with taskfarm.Farm("tcp://0.0.0.0:0", pickle=True, **asked["credentials"]) as farm:
        command = [
            sys.executable,
            "-m",
            "taskfarm",
            "workers",
            f"tcp://n1:{farm.url.rsplit(':', 1)[1]}",
            "--pickle",
        ]
        launcher = subprocess.Popen([*command, *asked["launch"]], env={**os.environ, "PYTHONPATH": sys.argv[1]})
        farm.wait_for_workers(asked["count"], 60)
        answers = [farm.submit(subprocess.check_output, LOOK) for _ in range(asked["count"])]
        seen: dict[str, Any] = {
            "tasks": Counter(answer.result(60).decode().strip() for answer in answers),
            "workers": Counter(worker["name"] for worker in farm.workers()),
            "transports": sorted({worker["transport"] for worker in farm.workers()}),
        }
        if asked.get("kill"):
            launcher.kill()
            seen["gone_after_s"] = until_gone(farm)
    seen["status"] = launcher.wait(30)
    print(json.dumps(seen))
    return 0


def until_gone(farm: taskfarm.Farm) -> float:
    """Seconds until no worker is left."""
    start = time.monotonic()
    while farm.stats()["workers"] > 0 and time.monotonic() < start + 30:
        time.sleep(0.01)
    return time.monotonic() - start


if __name__ == "__main__":
    sys.exit(main())
