"""How a Farm begins and ends: initializer, shutdown, the end of the program, a coordinator that fails."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError, wait
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import task_functions
from farms import ENVIRONMENT, run_python
from task_functions import nap, square

import taskfarm


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """A file that tasks wait for."""
    return tmp_path / "gate"


def run(program: str, *arguments: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=timeout)


# Shutdown


def test_shutdown_waits_for_what_is_outstanding() -> None:
    own = taskfarm.Farm(workers=2, pickle=True)
    futures = [own.submit(nap, 0.02) for _ in range(30)]
    own.shutdown()
    assert all(future.done() for future in futures)
    with pytest.raises(RuntimeError, match="cannot schedule new futures"):
        own.submit(square, 1)
    with pytest.raises(RuntimeError):
        own.map(square, [1])
    own.shutdown()


def test_shutdown_without_waiting_returns_at_once_and_the_futures_finish(gate: Path) -> None:
    own = taskfarm.Farm(workers=1, pickle=True)
    future = own.submit(task_functions.wait_for, str(gate))
    results = own.map(square, range(5))
    begun = time.monotonic()
    own.shutdown(wait=False)
    assert time.monotonic() - begun < 10
    with pytest.raises(RuntimeError):
        own.submit(square, 1)
    assert not future.done()
    gate.touch()
    assert future.result(60) == str(gate)
    assert list(results) == [0, 1, 4, 9, 16]
    own.shutdown(wait=True)  # now to the end
    assert own.pump.closed


@pytest.mark.parametrize("waits", [True, False])
def test_cancel_futures_ends_what_has_not_begun_and_says_so(gate: Path, waits: bool) -> None:
    own = taskfarm.Farm(workers=1, pickle=True, window=1)
    futures = [own.submit(task_functions.wait_for, str(gate)) for _ in range(20)]
    while not futures[0].running():
        time.sleep(0.005)
    own.shutdown(wait=False, cancel_futures=True)
    done, _ = wait(futures[1:], timeout=60)
    assert done == set(futures[1:])
    assert all(future.cancelled() for future in futures[1:])
    with pytest.raises(CancelledError):
        futures[1].result(1)
    gate.touch()
    own.shutdown(wait=waits)
    assert futures[0].result(60) == str(gate)


def killed_with_a_task(farm: taskfarm.Farm, process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    end = time.monotonic() + 20
    while (stats := farm.stats())["queued"] == 0 or stats["workers"] > 0:
        assert time.monotonic() < end, stats
        time.sleep(0.01)


@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_cancel_futures_ends_what_a_worker_died_with_though_no_other_comes(tmp_path: Path, when: str) -> None:
    own = taskfarm.Farm(f"unix://{tmp_path}/s", pickle=True)
    future = own.submit(task_functions.wait_for, str(tmp_path / "never"))
    process = subprocess.Popen([sys.executable, "-m", "taskfarm.worker", "--pickle", own.url], env=ENVIRONMENT)
    try:
        while not future.running():
            time.sleep(0.005)
        if when == "before":
            killed_with_a_task(own, process)
        own.shutdown(wait=False, cancel_futures=True)
        if when == "meanwhile":
            assert not future.done()
            process.kill()
        done, _ = wait([future], timeout=10)
        assert done and future.cancelled()
    finally:
        process.kill()
        process.wait()
        own.pump.close()


class SlowCore:
    """A coordinator that keeps who submits waiting, after it has taken the task.

    Args:
        core: the real one.
    """

    def __init__(self, core: Any) -> None:
        self._core = core
        self.taken = threading.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._core, name)

    def submit(self, *arguments: Any, **named: Any) -> int:
        task = int(self._core.submit(*arguments, **named))
        self.taken.set()
        time.sleep(0.5)
        return task


def test_cancel_futures_ends_what_another_thread_is_submitting(tmp_path: Path) -> None:
    own = taskfarm.Farm(f"unix://{tmp_path}/s", pickle=True)  # nobody would do the call
    slow = SlowCore(own.pump.core)
    own.pump.core = slow  # type: ignore[assignment]
    futures: list[Any] = []
    thread = threading.Thread(target=lambda: futures.append(own.submit(int)))
    thread.start()
    assert slow.taken.wait(60)
    own.shutdown(wait=False, cancel_futures=True)
    thread.join(60)
    done, _ = wait(futures, timeout=10)
    own.pump.close()  # where it is left undone, the program would wait for it
    assert len(done) == 1 and futures[0].cancelled()


def test_cancelling_just_before_the_shutdown_does_not_hang() -> None:
    own = taskfarm.Farm(workers=1, pickle=True)
    own.submit(int).result(60)
    own.submit(int).cancel()
    own.shutdown()


def test_a_forgotten_farm_finishes_its_futures_and_ends() -> None:
    own = taskfarm.Farm(workers=1, pickle=True)
    future, pump = own.submit(nap, 0.2), own.pump
    del own
    gc.collect()
    assert future.result(60) == 0.2
    assert pump._thread is not None
    pump._thread.join(60)
    assert pump.closed and all(place.process.poll() is not None for place in pump.local.places if place.process)


LAST_LINES = """
import sys, taskfarm, task_functions
if __name__ == "__main__":
    farm = taskfarm.Farm(workers=1, pickle=True)
    farm.submit(task_functions.write_after, 0.5, sys.argv[1])
    {more}
"""


@pytest.mark.parametrize("more", ["", "farm.shutdown(wait=False)", "del farm"])
def test_a_program_does_not_end_before_its_futures(tmp_path: Path, more: str) -> None:
    done = run(LAST_LINES.format(more=more), str(tmp_path / "written"))
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "written").read_text() == "done"


# The farm of its parent is at work at the fork, and a thread of the child submits when the child's target is over.
CHILD_WITH_A_FARM = """
import multiprocessing, sys, threading, time
import taskfarm, task_functions

def submit_late(farm, path):
    time.sleep(0.5)
    farm.submit(task_functions.write_after, 0.2, path + "-late")

def child(path):
    farm = taskfarm.Farm(workers=1, pickle=True)
    farm.submit(task_functions.write_after, 0.2, path)
    threading.Thread(target=submit_late, args=(farm, path)).start()

if __name__ == "__main__":
    with taskfarm.Farm(workers=1, pickle=True) as farm:
        stream = farm.imap(abs, range(-1000, 0))
        next(stream)
        process = multiprocessing.get_context(sys.argv[1]).Process(target=child, args=(sys.argv[2],))
        process.start()
        process.join()
        print(process.exitcode, sum(stream))
"""


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_a_child_of_multiprocessing_does_not_end_before_its_futures(tmp_path: Path, method: str) -> None:
    (tmp_path / "program.py").write_text(CHILD_WITH_A_FARM)
    output = run_python("program.py", method, str(tmp_path / "written"), folder=tmp_path)
    assert output == f"0 {sum(range(1000))}\n"
    assert [(tmp_path / f"written{which}").read_text() for which in ("", "-late")] == ["done", "done"]


@pytest.mark.parametrize("end", ["sys.exit(3)", "raise KeyboardInterrupt", "1 / 0"])
def test_a_program_does_not_wait_for_a_stream_that_nobody_reads_any_more(end: str) -> None:
    program = f"""
import sys, time, taskfarm
farm = taskfarm.Farm(workers=1, pickle=True)
stream = farm.imap(time.sleep, [0.02] * 4000)
next(stream)
{end}
"""
    begun = time.monotonic()
    assert run(program).returncode != 0
    assert time.monotonic() - begun < 30


def test_a_program_whose_futures_nobody_will_do_ends() -> None:
    program = "import taskfarm\nfarm = taskfarm.Farm(pickle=True)\nfuture = farm.submit(abs, 1)\n"
    assert run(program, timeout=60).returncode == 0


def test_nothing_is_taken_once_the_program_ends() -> None:
    program = """
import atexit
@atexit.register
def last():
    try: farm.submit(abs, 1)
    except RuntimeError as error: print(error)
import taskfarm
if __name__ == "__main__":
    farm = taskfarm.Farm(workers=1, pickle=True)
    farm.submit(abs, 1).result()
"""
    assert "cannot schedule new futures" in run(program).stdout


def test_ctrl_c_in_a_with_block_cancels_what_has_not_begun(gate: Path) -> None:
    with pytest.raises(KeyboardInterrupt), taskfarm.Farm(workers=1, pickle=True, window=1) as own:
        futures = [own.submit(task_functions.wait_for, str(gate)) for _ in range(10)]
        while not futures[0].running():
            time.sleep(0.005)
        threading.Timer(0.3, gate.touch).start()
        raise KeyboardInterrupt
    assert futures[0].result(1) == str(gate)
    assert all(future.cancelled() for future in futures[1:])


# Initializer


def test_the_initializer_runs_once_in_each_worker_before_its_first_call() -> None:
    with taskfarm.Farm(workers=2, pickle=True, initializer=task_functions.prepare, initargs=("word",)) as own:
        assert {tuple(own.submit(task_functions.prepared).result(60)) for _ in range(10)} == {("word",)}


@pytest.mark.parametrize("way", ["raise", "exit", "wordless"])
def test_a_failing_initializer_breaks_the_farm(way: str) -> None:
    own = taskfarm.Farm(workers=2, pickle=True, initializer=task_functions.cannot_prepare, initargs=(way,))
    first = [own.submit(square, i) for i in range(5)]
    words = {"raise": "no such table", "exit": "SystemExit", "wordless": "Wordless, whose text cannot be made"}[way]
    for future in first:
        with pytest.raises(taskfarm.BrokenFarm, match=words):
            future.result(60)
    with pytest.raises(taskfarm.BrokenFarm):
        own.submit(square, 1)
    own.shutdown()


def test_an_initializer_that_cannot_work_is_refused_at_once() -> None:
    lock = threading.Lock()  # of this process alone
    with pytest.raises(TypeError, match="make what it holds where it runs"):
        taskfarm.Farm(workers=1, pickle=True, initializer=lambda: lock)
    with pytest.raises(TypeError, match="initargs"):
        taskfarm.Farm(workers=1, pickle=True, initializer=task_functions.prepare, initargs=(lock,))
    with pytest.raises(TypeError, match="callable"):
        taskfarm.Farm(workers=1, pickle=True, initializer=3)  # type: ignore[arg-type]
    with pytest.raises(taskfarm.Error, match="pickle=True"):
        taskfarm.Farm(initializer=task_functions.prepare)


# Errors of the coordinator


class Failing:
    """A coordinator of which no results can be taken so many times."""

    def __init__(self, core: Any, times: float) -> None:
        self._core, self._times = core, times

    def take(self, *arguments: Any) -> Any:
        if self._times > 0:
            self._times -= 1
            raise taskfarm.Error(taskfarm.errors.NO_MEMORY, "no memory")
        return self._core.take(*arguments)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._core, name)


@pytest.mark.parametrize("times", [1, 1e9])
def test_an_error_of_the_coordinator_leaves_no_future_waiting(times: float) -> None:
    own = taskfarm.Farm(workers=1, pickle=True)
    own.pump.core = Failing(own.pump.core, times)  # type: ignore[assignment]
    future = own.submit(square, 3)
    if times == 1:
        assert future.result(60) == 9
    else:
        with pytest.raises(taskfarm.BrokenFarm, match="no memory"):
            future.result(60)
    own.shutdown()


def warmed() -> taskfarm.Farm:
    """Two workers that did so many short calls that each gets sixteen at a time."""
    own = taskfarm.Farm(workers=2, pickle=True)
    assert len(list(own.map(square, range(4000)))) == 4000
    return own


def test_calls_that_wait_at_a_busy_worker_are_cancelled_as_others_when_the_farm_ends(tmp_path: Path) -> None:
    own, log = warmed(), tmp_path / "log"
    futures = [own.submit(task_functions.write_after, 0.5, str(tmp_path / f"{number}")) for number in range(40)]
    futures.append(own.submit(task_functions.add_line, str(log)))
    while not any(future.running() for future in futures):
        time.sleep(0.01)
    begun = time.monotonic()
    own.shutdown(cancel_futures=True)
    assert time.monotonic() - begun < 8, "sixteen one after the other take so long"
    made = {number for number, future in enumerate(futures[:-1]) if not future.cancelled()}
    assert all(futures[number].result(0) is None for number in made)
    assert made == {int(path.name) for path in tmp_path.iterdir()}, "no call was made whose future is cancelled"
    assert len(made) <= 6
    assert futures[-1].cancelled()


@pytest.mark.parametrize("shared_memory", [0, 1])
@pytest.mark.parametrize("sizes", [[100_000], [1 << 20], [100_000, 10], [10, 100_000]])
def test_large_calls_that_wait_at_a_busy_worker_are_cancelled_too(
    sizes: list[int], shared_memory: int, tmp_path: Path
) -> None:
    """What says so comes behind them by the same way, which they fill."""
    own, log = taskfarm.Farm(workers=1, pickle=True, window=4, shared_memory=shared_memory), tmp_path / "log"
    assert own.submit(square, 3).result(60) == 9
    calls = [(0.5, str(log), b"x" * sizes[min(number, len(sizes) - 1)]) for number in range(6)]
    futures = [own.submit(task_functions.add_line_and_nap, *call) for call in calls]
    while not log.exists():
        time.sleep(0.01)
    begun = time.monotonic()
    own.shutdown(cancel_futures=True)
    assert [future.cancelled() for future in futures] == [False] + [True] * 5
    assert len(log.read_text().splitlines()) == 1, "none has begun whose future is cancelled"
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize("way", ["error", "timeout", "dropped", "imap", "imap_unordered"])
def test_a_call_that_has_begun_is_made_to_its_end_though_its_stream_is_over(tmp_path: Path, way: str) -> None:
    began, ended = tmp_path / "began", tmp_path / "ended"
    with taskfarm.Farm(workers=2, pickle=True) as own:
        fn = partial(task_functions.begin_and_end, str(began), str(ended))
        if way == "error":
            with pytest.raises(OSError, match="the first one"):
                list(own.map(fn, ["raise", "work"]))
        elif way == "timeout":
            with pytest.raises(TimeoutError):
                list(own.map(fn, ["work"], timeout=2))
        else:
            stream = own.map(fn, ["pass", "work"]) if way == "dropped" else getattr(own, way)(fn, ["pass", "work"])
            assert next(iter(stream)) == "pass"
            del stream
        assert began.exists() and not ended.exists()
    assert ended.exists()


def test_calls_of_a_stream_that_is_over_do_not_begin(tmp_path: Path) -> None:
    log = tmp_path / "log"
    own = warmed()
    stream = own.imap(task_functions.nap_and_add_line, [(0.2, str(log))] * 100)
    next(stream)
    stream.close()
    own.shutdown()
    assert len(log.read_text().splitlines()) <= 6


def test_map_is_made_of_submit_where_somebody_has_put_his_own_in_its_place() -> None:
    """As of every Executor: so tqdm.contrib.concurrent counts calls."""
    counted = []
    with taskfarm.Farm(workers=1, pickle=True) as own:
        real = own.submit

        def submit(*call: Any) -> Any:
            counted.append(call)
            return real(*call)

        own.submit = submit  # type: ignore[method-assign, assignment]
        assert list(own.map(square, range(5))) == [0, 1, 4, 9, 16]
    assert len(counted) == 5


def test_more_workers_than_may_connect_are_refused() -> None:
    with pytest.raises(taskfarm.errors.Error, match=r"workers=4 are more than max_workers=2 connections: give"):
        taskfarm.Farm(workers=4, max_workers=2, pickle=True)


def test_tasks_for_which_no_worker_comes_are_told_of(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("taskfarm.pump.LONELY_S", 0.2)
    own = taskfarm.Farm(max_workers=4, pickle=True)
    future = own.submit(square, 2)
    with pytest.raises(TimeoutError):
        future.result(1)
    (said,) = [record.message for record in caplog.records if "no worker has come" in record.message]
    assert said.startswith("1 tasks wait") and f"python -m taskfarm.worker {own.url}" in said
    assert future.cancel()
    own.shutdown()


def test_nobody_is_told_that_no_worker_comes_while_nobody_looked(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("taskfarm.pump.LONELY_S", 0.5)
    monkeypatch.setattr("taskfarm.pump.AWAY_S", 0.3)
    with taskfarm.Farm(max_workers=4, pickle=True) as own:
        command = [sys.executable, "-m", "taskfarm.worker", own.url, "--pickle"]
        worker = subprocess.Popen(command, env=ENVIRONMENT)
        time.sleep(1)  # the program does something else, and the worker knocks
        assert list(own.imap(len, ["abc", "abcd"])) == [3, 4]
        time.sleep(1)
        assert list(own.imap(len, ["abcde"])) == [5]
    assert worker.wait(10) == 0
    assert not caplog.records


@pytest.mark.parametrize("goes_before_the_import", [False, True])
def test_modules_of_the_folder_a_program_began_in_are_found_by_workers_wherever_it_goes(
    goes_before_the_import: bool, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    place = tmp_path / "elsewhere" if goes_before_the_import else tmp_path
    (place / "beside.py").write_text("def square(x):\n    return x * x\n")
    lines = ["import beside", "os.chdir('elsewhere')"]
    program = "import os, taskfarm\n" + "\n".join(reversed(lines) if goes_before_the_import else lines)
    program += """
with taskfarm.Farm(workers=1, pickle=True) as farm:
    print(farm.submit(beside.square, 3).result(60))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], env=ENVIRONMENT, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("9\n", "")
