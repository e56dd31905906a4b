"""After kill -9, of a run in the middle of its launches and of this very suite, nothing of any stack is left.

Looked for are processes (by a mark in their environment), files in the temporary folder, segments in /dev/shm, System V
memory and semaphores, and cgroups. What living processes of others use is not counted.
"""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from test_every_stack import NATIVE

MARK = "MSGAUGE_TEST_MARK"
FOREIGN = {"fake"}
"""Stacks that start no process of their own."""
OF_THE_SUITE = ("base", "pytest-", "behaviours-")
"""Folders that the tests themselves keep or have compiled into: no stack and no msgauge made them."""
PATIENCE_S = 30.0
Left = dict[str, list[str]]


@pytest.fixture
def bench() -> Iterator[tuple[dict[str, str], Path]]:
    """An environment with a mark, and a temporary folder of its own with a short path that all may write to."""
    folder = Path("/tmp") / f"left-{secrets.token_hex(3)}"
    folder.mkdir(mode=0o1777)
    folder.chmod(0o1777)
    yield {**os.environ, MARK: folder.name, "TMPDIR": str(folder)}, folder
    subprocess.run(["rm", "-rf", str(folder)], check=True)


def marked(environment: dict[str, str]) -> list[int]:
    """Living processes that carry the mark."""
    mark = f"{MARK}={environment[MARK]}".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (process / "environ").read_bytes() and (process / "stat").read_text().split(") ")[1][0] != "Z":
                found.append(int(process.name))
        except OSError:
            continue
    return found


def names_of(pids: list[int]) -> list[str]:
    names = []
    for pid in pids:
        try:
            names.append(Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:120])
        except OSError:
            continue
    return names


def segments() -> set[str]:
    """Names in /dev/shm that no living process has mapped or open."""
    names = {path.name for path in Path("/dev/shm").iterdir()}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            text = (process / "maps").read_text(errors="replace")
            links = [str(link.readlink()) for link in (process / "fd").iterdir()]
        except OSError:
            continue
        names -= {name for name in names if f"/dev/shm/{name}" in text or f"/dev/shm/{name}" in links}
    return names


def system_v() -> set[str]:
    """Memory that nobody is attached to and whose maker is dead, and all sets of semaphores."""
    rows = [line.split() for line in Path("/proc/sysvipc/shm").read_text().splitlines()[1:]]
    memory = {f"shm {row[1]}" for row in rows if row[6] == "0" and not Path(f"/proc/{row[4]}").exists()}
    return memory | {f"sem {line.split()[1]}" for line in Path("/proc/sysvipc/sem").read_text().splitlines()[1:]}


def empty_cgroups() -> set[str]:
    """Cgroups of keepers that hold no process any more."""
    found = set()
    for folder in Path("/sys/fs/cgroup").glob("**/msgauge-*"):
        try:
            if not (folder / "cgroup.procs").read_text().split():
                found.add(str(folder))
        except OSError:
            continue
    return found


def left_after(environment: dict[str, str], folder: Path, before: tuple[set[str], set[str]]) -> Left:
    """What is still there once patience is over; looked at again and again until it is nothing."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        left = {
            "processes": names_of(marked(environment)),
            "temporary files": [path.name for path in folder.iterdir() if not path.name.startswith(OF_THE_SUITE)],
            "segments": sorted(segments() - before[0]),
            "System V": sorted(system_v() - before[1]),
            "cgroups": sorted(empty_cgroups()),
        }
        if not any(left.values()) or time.monotonic() > deadline:
            return {name: found for name, found in left.items() if found}
        time.sleep(0.25)


def killed_when(process: subprocess.Popen[bytes], ready: Callable[[], bool], limit_s: float) -> None:
    """Kill -9 as soon as it is ready; it must not have ended before."""
    deadline = time.monotonic() + limit_s
    while not ready() and time.monotonic() < deadline:
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.05)
    assert ready(), f"it was not ready within {limit_s:g} s"
    os.kill(process.pid, signal.SIGKILL)
    process.wait(10)


def specs() -> list[str]:
    return [stack.spec for stack in NATIVE if stack.family not in FOREIGN and not stack.simulated]


@pytest.mark.timeout(600)
def test_a_killed_run_of_all_stacks_leaves_nothing(bench: tuple[dict[str, str], Path], tmp_path: Path) -> None:
    environment, folder = bench
    before = segments(), system_v()
    words = ["run", "--stacks", ",".join(specs()), "--kernels", "pingpong", "--sizes", "8", "--rounds", "1000"]
    with (tmp_path / "log").open("wb") as log:
        run = subprocess.Popen(
            [str(Path(sys.executable).parent / "msgauge"), *words, "--runs", str(tmp_path / "runs")],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        done = lambda: len(list((tmp_path / "runs").glob("*/launches/*/record.json")))  # noqa: E731
        killed_when(run, lambda: done() >= len(specs()) + 2 and len(marked(environment)) > 4, 400.0)
    assert left_after(environment, folder, before) == {}


@pytest.mark.timeout(300)
def test_this_suite_killed_in_its_middle_leaves_nothing(bench: tuple[dict[str, str], Path]) -> None:
    environment, folder = bench
    before = segments(), system_v()
    suite = Path(__file__).with_name("test_every_stack.py")
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp", str(folder / "base"), "-k", "hangs and lam"]
    run = subprocess.Popen(
        [sys.executable, *words, str(suite)],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    killed_when(
        run, lambda: any("lamd" in name or "behaviours" in name for name in names_of(marked(environment))), 200.0
    )
    assert left_after(environment, folder, before) == {}


@pytest.mark.timeout(300)
def test_a_proof_killed_in_its_middle_leaves_nothing(bench: tuple[dict[str, str], Path]) -> None:
    environment, folder = bench
    before = segments(), system_v()
    if "lam" not in {stack.family for stack in NATIVE}:
        pytest.skip("LAM, whose daemon is the hardest to be rid of, is not here")
    run = subprocess.Popen(
        [str(Path(sys.executable).parent / "msgauge"), "stacks", "prove", "lam"],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    killed_when(run, lambda: any("lamd" in name for name in names_of(marked(environment))), 200.0)
    assert left_after(environment, folder, before) == {}
