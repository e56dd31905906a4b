"""The benchmark ends what it starts."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from benchmarks.taskfarm import executor, peers
from benchmarks.taskfarm.programs import MEMORY, SEGMENT_FOLDERS, Cell, compiled, output_of, own_folders, started
from process_ends import gone

ROOT = Path(__file__).parents[2]
CHILD = ["sh", "-c", "sleep 300 & echo $!; wait"]


@pytest.mark.parametrize(
    ("child", "own_session"),
    [(CHILD, True), (["bash", "-c", "set -m; " + CHILD[2]], True), (CHILD, False)],
    ids=["group", "own-group", "group-of-this-session"],
)
def test_what_a_program_has_started_ends_when_the_benchmark_is_broken_off(child: list[str], own_session: bool) -> None:
    with pytest.raises(KeyboardInterrupt), started(child, own_session=own_session) as process:
        assert (os.getsid(process.pid) == os.getsid(0)) is not own_session
        assert process.stdout is not None
        started_by_it = int(process.stdout.readline())
        raise KeyboardInterrupt
    assert process.returncode is not None
    assert gone(started_by_it, within_s=5)


def test_a_terminated_benchmark_ends_its_programs() -> None:
    code = (
        "import signal, sys; from benchmarks.taskfarm import __main__ as bench, programs\n"
        "def part(_):\n"
        f"    with programs.started({CHILD!r}) as p: print(p.stdout.readline(), flush=True); p.wait()\n"
        "bench.PARTS['peers'] = part; sys.argv = ['', 'peers']; sys.exit(bench.main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True) as bench:
        assert bench.stdout is not None
        child = int(bench.stdout.readline())
        bench.send_signal(signal.SIGTERM)
        assert bench.wait(20) == 128 + signal.SIGTERM
    assert gone(child, within_s=5)


def test_a_program_that_fails_has_no_output_and_its_last_word_is_kept() -> None:
    assert output_of(["sh", "-c", "echo 1.5; echo why >&2"]) == ("1.5\n", "why")
    assert output_of(["sh", "-c", "echo 1.5; echo first >&2; echo last >&2; exit 3"]) == ("", "last")


def test_the_floor_of_shared_memory_tells_what_a_task_of_one_worker_takes(tmp_path: Path) -> None:
    command = compiled("floor-shm", tmp_path)
    assert command is not None
    of_one = [part.format(workers=1, bytes=2048, window=1, tasks=2000) for part in command]
    text, _ = output_of(of_one)
    assert 0 < float(text) < 1e6
    text, why = output_of([*of_one[:1], "2", *of_one[2:]])
    assert (text, "one worker" in why) == ("", True)


def test_an_open_mpi_that_is_killed_leaves_nothing_in_memory(tmp_path: Path) -> None:
    if shutil.which("mpicc.openmpi") is None:
        assert os.environ.get("CI") != "true", "the system's Open MPI is promised"
        pytest.skip("no Open MPI of the system here; the benchmark leaves it out by name")
    before = _names_in_memory()
    with own_folders():
        command = compiled("openmpi", tmp_path)
        assert command is not None
        filled = [part.format(ranks=3, bytes=8, window=1, tasks=10**9) for part in command]
        with started(filled) as process:
            made = _await_files(Path(os.environ[SEGMENT_FOLDERS[0]]))
            os.killpg(process.pid, signal.SIGKILL)
    assert made
    assert _names_in_memory() <= before


def test_an_unknown_comparator_is_refused_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        peers.main(["--against", "floor,openmp"])
    assert "openmp: not known; choose from floor,zeromq" in capsys.readouterr().err


def test_a_run_that_failed_is_told_and_its_pair_gives_no_ratio() -> None:
    samples = {"tcp": [None, 2.0, 2.0], "zeromq": [3.0, 6.0, None], "floor": [None, None, None]}
    line = peers.describe(Cell(10, 8, 1, 100), samples, "tcp")
    assert line.endswith(
        "tcp 2.00 µs (best 2.00) (failed in 1 of 3); "
        "zeromq 4.50 µs (best 3.00) (failed in 1 of 3) = 3.00 x tcp; floor (failed in 3 of 3)"
    )


def _names_in_memory() -> set[str]:
    """But for semaphores of Python's multiprocessing, which tests beside this one make, and no Open MPI."""
    return {one.name for one in MEMORY.iterdir() if not one.name.startswith("sem.mp-")}


def _await_files(folder: Path) -> list[Path]:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        if found := list(folder.iterdir()):
            return found
        time.sleep(0.05)
    return []


def test_where_the_tests_of_cpython_are_missing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert executor.main([str(tmp_path)]) == 2
    assert f"{tmp_path} has no test_concurrent_futures.py" in capsys.readouterr().out
