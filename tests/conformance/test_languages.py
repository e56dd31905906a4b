"""Workers in Python and Fortran keep the wire protocol, on every MPI that has the language; custom stacks run too."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from stack_bench import FOUND

from msgauge.build import build
from msgauge.config import Config, Prefix
from msgauge.discovery import registry
from msgauge.errors import StackError
from msgauge.execution.session import Session
from msgauge.hosts import this_host
from msgauge.model import Cell, Launch, LaunchRecord, Plan, Stack, Stopping
from msgauge.results import wire
from msgauge.stacks.base.family import LaunchOptions

USABLE = [stack for stack in FOUND if stack.usable]
MPI4PY = [stack for stack in USABLE if stack.family == "mpi4py"]


def in_fortran() -> list[Stack]:
    """Every stack here whose build has Fortran, under that variant."""
    found = []
    for stack in USABLE:
        try:
            found.append(registry.families()[stack.family].with_variant(stack, ("fortran",)))
        except StackError:
            continue
    return found


def in_python() -> list[Stack]:
    """Buffers over every MPI; objects, which differ in Python code alone, over one of them."""
    return [*MPI4PY, *(registry.families()["mpi4py"].with_variant(stack, ("objects",)) for stack in MPI4PY[:1])]


CELLS = [
    ("pingpong", 0, ()),
    ("pingpong", 1_000_003, ()),
    ("stream", 100, ()),
    ("exchange", 70_001, (("how", "sendrecv"),)),
    ("bcast", 4097, ()),
    ("reduce", 4096, (("type", "float64"), ("op", "max"))),
    ("allreduce", 64, ()),
    ("pi", 0, (("n", "100000"),)),
    ("mandelbrot", 0, (("side", "240"),)),
    ("matvec", 0, (("n", "120"),)),
    ("pingpong", 8, (("send", "synchronous"),)),
]


def measured(stack: Stack, folder: Path, ranks: int) -> tuple[LaunchRecord, dict[int, dict[str, str]]]:
    """A launch of all the cells; what the worker says of each."""
    (folder / "build").mkdir()
    (folder / "launch").mkdir()
    built = build(stack, keep=folder / "build", kernels={"pingpong"})
    assert not built.reason, built.reason
    cells = tuple(Cell(at, kernel, size, ranks, options) for at, (kernel, size, options) in enumerate(CELLS))
    stopping = Stopping(cell_budget_s=0.005, launch_limit_s=90.0)
    plan = Plan("languages", 1, (stack.spec,), cells, (ranks,), stopping=stopping)
    launch = Launch(1, 0, stack.spec, ranks, tuple(cell.id for cell in cells), 1)
    options = LaunchOptions(ranks, this_host().cores, folder, (this_host(),))
    with Session(stack, built, options) as session:
        record = session.run(plan, launch, folder / "launch")
    frames, _ = wire.read_frames(folder / "launch" / "samples.bin")
    first = {frame.cell: frame for frame in reversed(frames) if frame.cell >= 0}
    return record, {cell: dict(frame.attributes) for cell, frame in first.items()}


def judged(stack: Stack, folder: Path, ranks: int) -> None:
    """All cells of the worker's kernels are measured with right answers, all others refused by name."""
    record, told = measured(stack, folder, ranks)
    assert record.status == "ok", f"{record.reason}\n{record.log}"
    assert len(record.placement) == ranks
    assert all(one.usage.peak_memory_bytes > 0 for one in record.placement)
    kernels = registry.families()[stack.family].kernels(stack)
    assert kernels is not None
    last = len(CELLS) - 1
    expected = {at: "ok" if kernel in kernels and at != last else "refused" for at, (kernel, *_) in enumerate(CELLS)}
    assert {cell: facts["status"] for cell, facts in told.items()} == expected, told
    assert all(facts["reason"] for facts in told.values() if facts["status"] == "refused")


@pytest.mark.parametrize("stack", in_python(), ids=lambda stack: stack.spec)
def test_python_measures_what_it_has_and_refuses_the_rest(stack: Stack, tmp_path: Path) -> None:
    judged(stack, tmp_path, 2)


@pytest.mark.parametrize("stack", in_fortran(), ids=lambda stack: stack.spec)
def test_fortran_measures_what_it_has_and_refuses_the_rest(stack: Stack, tmp_path: Path) -> None:
    judged(stack, tmp_path, 3 if stack.family == "openmpi" else 2)


def test_more_ranks_than_cores_in_python(tmp_path: Path) -> None:
    stack = next(one for one in MPI4PY if "openmpi" in one.version)
    judged(stack, tmp_path, this_host().cores + 1)


@pytest.mark.skipif(os.environ.get("CI") != "true", reason="only CI promises that every stack is installed")
def test_the_builds_that_should_have_fortran_have_it() -> None:
    here = {stack.family for stack in in_fortran()}
    assert {"openmpi", "mpich", "lam"} <= here


def test_a_build_without_fortran_is_refused_by_name() -> None:
    stack = Stack("openmpi", "9.9", FOUND[0].origin, compiler="/nowhere/bin/mpicxx", launcher="/nowhere/bin/mpiexec")
    with pytest.raises(StackError, match=r"openmpi@9.9 has no Fortran: none of mpif90.*is beside /nowhere"):
        registry.families()["openmpi"].with_variant(stack, ("fortran",))


def test_an_unknown_mpi_needs_a_few_lines_of_configuration_only(tmp_path: Path) -> None:
    """An installed MPI passed off as an old build that nobody knows: only a wrapper for C, called in its own manner."""
    known = next(stack for stack in USABLE if stack.family == "mpich")
    wrapper = known.compiler.replace("mpicxx", "mpicc").replace("mpic++", "mpicc")
    (tmp_path / "old" / "bin").mkdir(parents=True)
    (tmp_path / "old" / "bin" / "mpicc").write_text(f'#!/bin/sh\n[ "$1" = -v ] && exit 1\nexec {wrapper} "$@"\n')
    (tmp_path / "old" / "bin" / "go").write_text(
        f'#!/bin/sh\n[ "$1" = with ] || exit 9\nshift\nexec {known.launcher} -n "$@"\n'
    )
    for tool in ("mpicc", "go"):
        (tmp_path / "old" / "bin" / tool).chmod(0o755)
    prefix = Prefix(
        tmp_path / "old",
        launcher="bin/go",
        environment=known.environment,
        name="antique",
        version="0.9",
        launch=("{launcher}", "with", "{ranks}", "{program}"),
        library="MPICH",
    )
    config = Config(search=("prefix",), prefixes=(prefix,))
    (stack,) = registry.discover(this_host(), config, ["custom"])
    assert (stack.spec, stack.usable) == ("custom@antique-0.9", True), stack.reason
    assert "MPICH" in stack.library
    (chosen,) = registry.select([stack], ["custom@antique"])
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "build").mkdir()
    built = build(chosen, keep=tmp_path / "run" / "build", kernels={"pingpong"})
    assert not built.reason, built.reason
    (tmp_path / "run" / "launch").mkdir()
    plan = Plan("custom", 1, (stack.spec,), (Cell(0, "pingpong", 8, 2),), (2,), stopping=Stopping(cell_budget_s=0.005))
    options = LaunchOptions(2, this_host().cores, tmp_path / "run", (this_host(),))
    with Session(chosen, built, options) as session:
        record = session.run(plan, Launch(1, 0, stack.spec, 2, (0,), 1), tmp_path / "run" / "launch")
    assert record.status == "ok", record.reason


def test_a_custom_stack_with_another_library_is_not_usable(tmp_path: Path) -> None:
    known = next(stack for stack in USABLE if stack.family == "mpich")
    launcher, environment = known.launcher, known.environment
    prefix = Prefix(Path("/"), "", known.compiler, launcher, environment, name="liar", version="1", library="MVAPICH")
    config = Config(search=("prefix",), prefixes=(prefix,))
    (stack,) = registry.discover(this_host(), config, ["custom"])
    assert not stack.usable
    assert "has no 'MVAPICH' in it" in stack.reason
