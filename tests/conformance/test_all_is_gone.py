"""After kill -9, of a run in the middle of its launches, of a proof and of this very suite, nothing is left."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from stack_bench import NATIVE
from watched import Watched, until, watched

MSGAUGE = str(Path(sys.executable).parent / "msgauge")
HERE = {stack.family: stack.spec for stack in reversed(NATIVE)}
needs_lam = pytest.mark.skipif("lam" not in HERE, reason="LAM, whose daemon is the hardest to be rid of, is not here")
READY_S = 240.0


@pytest.fixture
def bench() -> Iterator[Watched]:
    with watched() as bench:
        yield bench


def killed_when(process: subprocess.Popen[bytes], ready: Callable[[], bool]) -> None:
    """Kill -9 as soon as it is ready; it must not have ended before."""
    try:
        until(lambda: ready() or process.poll() is not None, "it was not ready in time", READY_S)
        assert process.poll() is None, "it ended before it could be killed"
    finally:
        process.kill()
        process.wait()


@pytest.mark.timeout(600)
def test_a_killed_run_leaves_nothing(bench: Watched, tmp_path: Path) -> None:
    """Of one stack of each kind of launcher and daemon; each in turn has killed ranks in test_killed.py."""
    specs = [HERE[family] for family in ("lam", "pvm", "openmpi", "mpich", "shm") if family in HERE]
    words = ["--stacks", ",".join(specs), "--kernels", "pingpong", "--sizes", "8", "--rounds", "1000"]
    run = bench.start([MSGAUGE, "run", *words, "--runs", str(tmp_path / "runs")], tmp_path / "log")
    records = lambda: list((tmp_path / "runs").glob("*/launches/*/record.json"))  # noqa: E731
    killed_when(run, lambda: len(records()) > len(specs) and len(bench.living()) > 4)
    assert bench.left_at_last() == {}


@pytest.mark.timeout(300)
@needs_lam
def test_this_suite_killed_in_its_middle_leaves_nothing(bench: Watched) -> None:
    suite = str(Path(__file__).with_name("test_every_stack.py"))
    words = ["-q", "-p", "no:cacheprovider", "--basetemp", str(bench.folder / "base"), "-k", "hangs and lam", suite]
    run = bench.start([sys.executable, "-m", "pytest", *words])
    killed_when(run, lambda: any("lamd" in words for words in bench.living().values()))
    assert bench.left_at_last() == {}


@pytest.mark.timeout(300)
@needs_lam
def test_a_proof_killed_in_its_middle_leaves_nothing(bench: Watched) -> None:
    run = bench.start([MSGAUGE, "stacks", "prove", "lam"])
    killed_when(run, lambda: any("lamd" in words for words in bench.living().values()))
    assert bench.left_at_last() == {}


def test_what_is_left_is_seen(bench: Watched) -> None:
    """The checks above can fail: a process, a file, a segment and a semaphore are found, each by its kind."""
    if bench.holder is None:
        pytest.skip("only in namespaces of its own may a test leave shared memory")
    lines = [
        "import ctypes, pathlib, time",
        "pathlib.Path('/dev/shm/left-over').touch()",
        f"pathlib.Path('{bench.folder}/left-over').touch()",
        "pathlib.Path('/tmp/left-over-too').touch()",
        "ctypes.CDLL(None).shmget(0, 4096, 0o1600)",
        "ctypes.CDLL(None).semget(0, 1, 0o1600)",
        "time.sleep(300)",
    ]
    process = bench.start([sys.executable, "-c", "; ".join(lines)])
    until(lambda: len(bench.left().get("shared memory", ())) == 3, "what it made is not seen")
    assert bench.left().keys() == {"processes", "temporary files", "shared memory"}
    process.kill()
    process.wait()
    assert bench.left().keys() == {"temporary files", "shared memory"}
    assert sorted(bench.left()["temporary files"]) == ["left-over", "left-over-too"]
