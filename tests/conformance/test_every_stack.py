"""What every usable stack of this machine must do; a stack that should be here (CI=true) and is not, is a failure."""

from __future__ import annotations

import atexit
import os
import platform
import shutil
import subprocess
import tempfile
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest

from msgauge import wire
from msgauge.build import build
from msgauge.config import load_config
from msgauge.errors import StackError
from msgauge.hosts import this_host
from msgauge.launch import Session
from msgauge.model import Build, Cell, Launch, LaunchRecord, Plan, Stack, Stopping
from msgauge.paths import native_folder
from msgauge.stacks import registry
from msgauge.stacks.family import LaunchOptions, Recipe

EXPECTED = {"openmpi": 2, "mpich": 2, "mpi4py": 4} | dict.fromkeys(
    ["lam", "pvm", "smpi", "zeromq", "ucx", "tcp", "unix", "shm", "fake"], 1
)
RANKS = (1, 3, 8, 32)
"""Beside the two and the cores + 2 of other tests."""
SIZES = (0, 1, 7, 8, 4096, 65_535, 65_537, 1 << 20, 64 << 20)
FOUND = registry.discover(this_host(), load_config())
NATIVE = [stack for stack in FOUND if stack.usable and registry.families()[stack.family].native]


def offers(stack: Stack, word: str) -> bool:
    """Has this build of a stack the variant? A wheel without a Fortran wrapper has no ``fortran``."""
    try:
        registry.families()[stack.family].with_variant(stack, (word,))
    except StackError:
        return False
    return True


VARIED = [
    f"{stack.spec}[{variant.word}]"
    for stack in NATIVE
    for variant in registry.families()[stack.family].variants()
    if stack.family != "fake" and not variant.word.partition("=")[2].isupper() and offers(stack, variant.word)
]
each_stack = pytest.mark.parametrize("stack", NATIVE, ids=lambda stack: stack.spec)


@pytest.mark.skipif(os.environ.get("CI") != "true", reason="only CI promises that every stack is installed")
def test_every_expected_stack_is_here() -> None:
    expected = EXPECTED | ({"intelmpi": 1} if platform.machine() == "x86_64" else {})
    here = Counter(stack.family for stack in FOUND if stack.usable)
    reasons = {stack.spec: stack.reason for stack in FOUND if not stack.usable}
    assert {name: here[name] for name in expected if here[name] < expected[name]} == {}, reasons


@each_stack
def test_the_hello_names_the_library(stack: Stack) -> None:
    proof = registry.prove(stack)
    assert proof.usable, proof.reason
    assert proof.library


@each_stack
def test_every_size_arrives_unaltered(stack: Stack, tmp_path: Path) -> None:
    record = measured(stack, tmp_path)
    assert record.status == "ok", record.reason
    frames, whole = wire.read_frames(tmp_path / "launch" / "samples.bin")
    told = {frame.cell: dict(frame.attributes).get("status") for frame in frames if frame.cell >= 0}
    assert whole
    assert told == {cell.id: "ok" for cell in cells()}


@pytest.mark.parametrize("spec", VARIED)
def test_every_variant_measures(spec: str, tmp_path: Path) -> None:
    (stack,) = registry.select(FOUND, [spec])
    record = measured(stack, tmp_path, largest=1 << 20)
    assert record.status == "ok", record.reason


@each_stack
def test_messages_keep_their_order_and_find_their_tags(stack: Stack, tmp_path: Path) -> None:
    behave(stack, "order", tmp_path)
    said = (tmp_path / "launch" / "stdout").read_text() + (tmp_path / "launch" / "stderr").read_text()
    assert said.count("is content") == 2, said[-2000:]


@pytest.mark.parametrize("ranks", RANKS)
@each_stack
def test_so_many_ranks_hear_from_each_other(stack: Stack, ranks: int, tmp_path: Path) -> None:
    behave(stack, "ring", tmp_path, ranks)
    said = (tmp_path / "launch" / "stdout").read_text() + (tmp_path / "launch" / "stderr").read_text()
    assert said.count("is content") == ranks, said[-2000:]


@each_stack
def test_a_rank_that_crashes_becomes_data(stack: Stack, tmp_path: Path) -> None:
    record = behave(stack, "crash", tmp_path)
    assert record.status in {"failed", "timeout"}
    assert record.reason
    assert left_running(tmp_path) == []


@each_stack
def test_a_launch_that_hangs_is_ended_with_all_its_ranks(
    stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("msgauge.launch.GRACE_S", 1.0)
    record = behave(stack, "hang", tmp_path)
    assert record.status == "timeout", record.reason
    assert left_running(tmp_path) == []


@each_stack
def test_more_ranks_than_cores_are_started(stack: Stack, tmp_path: Path) -> None:
    ranks = this_host().cores + 2
    record = measured(stack, tmp_path, ranks=ranks, largest=8)
    assert record.status == "ok", record.reason
    assert len(record.placement) == ranks


def cells(largest: int = SIZES[-1], ranks: int = 2) -> tuple[Cell, ...]:
    """One ping-pong a size."""
    return tuple(Cell(number, "pingpong", size, ranks) for number, size in enumerate(SIZES) if size <= largest)


def measured(stack: Stack, folder: Path, *, ranks: int = 2, largest: int = SIZES[-1]) -> LaunchRecord:
    """A launch of the real worker over all sizes, each for a hundredth of a second or a few messages."""
    (folder / "build").mkdir()
    built = build(stack, keep=folder / "build", kernels={"pingpong"})
    assert not built.reason, built.reason + built.log[-2000:]
    stopping = Stopping(cell_budget_s=0.01, launch_limit_s=60.0)
    return performed(stack, built, folder, (cells(largest, ranks), stopping))


def behave(stack: Stack, how: str, folder: Path, ranks: int = 2) -> LaunchRecord:
    """A launch of ranks that behave as told, ended after a few seconds."""
    program = behaving_program(stack)
    stopping = Stopping(launch_limit_s=40.0 if how in {"order", "ring"} else 0.5)
    built = Build(stack.spec, (str(program), how), None)
    return performed(stack, built, folder, (cells(0, ranks), stopping))


def performed(stack: Stack, built: Build, folder: Path, what: tuple[tuple[Cell, ...], Stopping]) -> LaunchRecord:
    (folder / "launch").mkdir()
    chosen, stopping = what
    ranks = chosen[0].ranks
    plan = Plan("conformance", 1, (stack.spec,), chosen, (ranks,), stopping=stopping)
    launch = Launch(1, 0, stack.spec, ranks, tuple(cell.id for cell in chosen), 1)
    options = LaunchOptions(ranks, this_host().cores, folder, (this_host(),))
    with Session(stack, built, options) as session:
        return session.perform(plan, launch, folder / "launch")


@lru_cache(maxsize=32)
def behaving_program(stack: Stack) -> Path:
    family = registry.families()[stack.family]
    program = behaviours() / stack.spec.replace("/", "-")
    source = Path(__file__).with_name("behaviour.cpp")
    recipe = Recipe(source, (native_folder(),), program, (f"MSGAUGE_TRANSPORT={family.transport}",))
    command = family.compile_command(stack, recipe)
    assert command is not None
    environment = {**os.environ, **dict(command.environment)}
    done = subprocess.run(command.argv, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return program


@lru_cache(maxsize=1)
def behaviours() -> Path:
    """Where the programs are that behave as told; open to the user that LAM's ranks run as."""
    folder = Path(tempfile.mkdtemp(prefix="behaviours-"))
    folder.chmod(0o755)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def left_running(folder: Path) -> list[str]:
    """Command lines of living processes that still run the programs or use the files of a test."""
    marks = (str(folder).encode(), str(behaviours()).encode())
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if int(process.name) != os.getpid() and any(mark in words for mark in marks):
            found.append(words.replace(b"\0", b" ").decode(errors="replace"))
    return found
