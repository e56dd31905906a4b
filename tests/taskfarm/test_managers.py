"""Proxies of multiprocessing.Manager in the calls of a farm's local workers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from farms import BUILD

PROGRAM = """
import multiprocessing
import managed, taskfarm

if __name__ == "__main__":
    with multiprocessing.get_context("{method}").Manager() as manager:
        shared, lock, queue, numbers = manager.dict(), manager.Lock(), manager.Queue(), manager.list()
        with taskfarm.Farm(workers=2, pickle=True, initializer=managed.keep, initargs=(numbers,)) as farm:
            futures = [farm.submit(managed.add, shared, lock, queue, n) for n in range(20)]
            back = [future.result(60) for future in futures]
            assert back[0]["sum"] == shared["sum"] == 190
            assert sorted(numbers) == sorted(queue.get() for _ in range(20)) == list(range(20))
            farm.submit(managed.add_in_a_child, queue).result(60)
            assert queue.get() == "child"
            assert farm.submit(managed.where_the_key_is).result(60) == (False, "")
    print("all of it")
"""


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_proxies_of_a_manager_work_in_the_calls_of_local_workers(tmp_path: Path, method: str) -> None:
    script = tmp_path / "program.py"
    script.write_text(PROGRAM.format(method=method))
    environment = {**os.environ, "PYTHONPATH": f"{BUILD / 'package'}:{Path(__file__).parent}"}
    done = subprocess.run(
        [sys.executable, str(script)], env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.stdout, done.stderr) == ("all of it\n", "")
