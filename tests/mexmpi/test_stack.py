"""mexmpi as a stack of msgauge: over each MPI, its hello, its launch command, and the frames of its Octave worker."""

from __future__ import annotations

import socket
import subprocess
from pathlib import Path

import pytest
from mexmpi_jobs import BUILDS, TOOLBOX, Mpi, environment, sanitizers

from msgauge.config import Config
from msgauge.discovery.proof import read_hellos
from msgauge.errors import StackError
from msgauge.hosts import this_host
from msgauge.kernels import load_kernels
from msgauge.model import Samples, Stack
from msgauge.results.wire import read_frames
from msgauge.stacks import mexmpi
from msgauge.stacks.base.family import LaunchOptions

CELLS = [
    "pingpong bytes=8",
    "pingpong bytes=100001 mode=single",
    "pingpong bytes=0 mode=single",
    "pingpong bytes=64 opt.send=sendrecv",
    "pingpong bytes=64 opt.send=nonblocking",
    "pingpong bytes=64 opt.receive=early",
    "pingpong bytes=8 opt.receive=early mode=single",
    "pingpong bytes=64 opt.receive=probed",
    "pingpong bytes=64 opt.receive=any-source",
    "pingpong bytes=100001 opt.buffer=received",
    "pingpong bytes=64 opt.receive=early opt.send=nonblocking",
    "stream bytes=4096",
    "fanout bytes=64 opt.form=bcast",
    "fanout bytes=64 opt.form=sends",
    "bcast bytes=1024",
    "scatter bytes=64 opt.root=last",
    "gather bytes=7 opt.root=rotate",
    "allgather bytes=64",
    "alltoall bytes=64",
    "barrier bytes=0",
    "reduce bytes=64 opt.type=byte opt.op=bxor",
    "allreduce bytes=64 opt.type=float64",
    "pi bytes=0 opt.n=100000",
    "mandelbrot bytes=0 opt.side=240",
    "exchange bytes=8",
    "allreduce bytes=64 opt.algorithm=ring",
]
REFUSED = {
    "pingpong bytes=64 opt.receive=early opt.send=nonblocking",
    "exchange bytes=8",
    "allreduce bytes=64 opt.algorithm=ring",
}


@pytest.fixture
def stack(mpi: Mpi, monkeypatch: pytest.MonkeyPatch) -> Stack:
    """The stack over the MPI of a test's build."""
    monkeypatch.setattr(mexmpi, "builds_folder", lambda: BUILDS)
    (BUILDS / mpi.name / "fingerprint").write_text(mexmpi.fingerprint(TOOLBOX))
    found = [one for one in mexmpi.FAMILY.find(this_host(), Config()) if one.version.endswith(mpi.name)]
    assert [one.reason for one in found if not one.usable] == []
    return found[0]


def launch(stack: Stack, folder: Path, *arguments: str, ranks: int = 2) -> subprocess.CompletedProcess[str]:
    program = (*sanitizers(), *mexmpi.FAMILY.program(stack, Path("none")), *arguments)
    command = mexmpi.FAMILY.launch_command(stack, program, LaunchOptions(ranks, 2, folder))
    return subprocess.run(
        command.argv,
        cwd=folder,
        env=environment(**dict(command.environment)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def plan(ranks: int) -> str:
    """The text of a plan of all CELLS."""
    lines = [
        "msgauge-plan 1",
        f"launch number=1 round=1 seed=5 ranks={ranks} cores=2",
        "clock name=monotonic",
        "limits cell_budget_ns=2000000 cell_precision=0.01 launch_limit_ns=60000000000 check=yes",
    ]
    for number, cell in enumerate(CELLS):
        mode = "" if "mode=" in cell else "mode=batch "
        lines.append(f"cell id={number} kernel={cell} {mode}cache=hot ranks={ranks}")
    return "\n".join([*lines, "end"]) + "\n"


def status(sample: Samples) -> str:
    return dict(sample.attributes)["status"]


def test_a_hello_comes_from_both_ranks_and_names_the_mpi(stack: Stack, tmp_path: Path) -> None:
    done = launch(stack, tmp_path, "--hello")
    hellos = read_hellos(done.stdout)
    assert sorted(hello["rank"] for hello in hellos) == ["0", "1"], done.stdout + done.stderr
    assert [mexmpi.FAMILY.verify(stack, hello) for hello in hellos] == ["", ""]
    assert mexmpi.FAMILY.verify(stack, {"library": "another 0.1"}) != ""


def test_a_hello_is_one_write_so_that_those_of_several_ranks_do_not_mix(stack: Stack, tmp_path: Path) -> None:
    """Each packet of this socket is one write. Started without a launcher, a rank is alone and writes to it itself.

    And nobody removes the folders that Open MPI makes for such a rank: they are made in the test's own.
    """
    read, write = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    program = [*sanitizers(), *mexmpi.FAMILY.program(stack, Path("none")), "--hello"]
    command = mexmpi.FAMILY.launch_command(stack, program, LaunchOptions(1, 1, tmp_path))
    own = command.argv[command.argv.index(program[0]) :]
    variables = environment(**dict(command.environment), TMPDIR=str(tmp_path))
    process = subprocess.Popen(own, stdin=subprocess.DEVNULL, stdout=write, cwd=tmp_path, env=variables)
    write.close()
    read.settimeout(60)
    packets = list(iter(lambda: read.recv(1 << 16).decode(), ""))
    read.close()
    assert process.wait(60) == 0
    (hello,) = (packet for packet in packets if "msgauge-hello" in packet)
    assert len(read_hellos(hello)) == 1 and hello.endswith("\n")


@pytest.mark.parametrize("ranks", [2, 3])
def test_the_worker_writes_whole_frames_for_every_cell(stack: Stack, ranks: int, tmp_path: Path) -> None:
    (tmp_path / "plan").write_text(plan(ranks))
    words = ("--plan", str(tmp_path / "plan"), "--samples", str(tmp_path / "samples"))
    done = launch(stack, tmp_path, *words, ranks=ranks)
    assert done.returncode == 0, done.stderr + done.stdout
    samples, ended = read_frames(tmp_path / "samples")
    assert ended
    measured = [sample for sample in samples if sample.cell >= 0]
    pairwise = {cell for cell in CELLS if cell.startswith(("pingpong", "stream"))}
    refused = REFUSED | (pairwise if ranks != 2 else set())
    assert {CELLS[sample.cell] for sample in measured} == set(CELLS)
    assert {CELLS[sample.cell] for sample in measured if status(sample) == "refused"} == refused
    native = load_kernels()
    for number, cell in enumerate(CELLS):
        frames = {sample.series: sample for sample in measured if sample.cell == number}
        if cell not in refused:
            assert {status(frame) for frame in frames.values()} == {"ok"}, cell
            assert set(frames) - {"warmup"} == set(native[cell.split()[0]].series), cell
            assert all(frame.values.size and (frame.values >= 0).all() for frame in frames.values()), cell


def test_receiving_into_a_variable_is_a_variant_that_only_ping_pong_has(stack: Stack, tmp_path: Path) -> None:
    into = mexmpi.FAMILY.with_variant(stack, ("into",))
    assert mexmpi.FAMILY.kernels(into) == {"pingpong"}
    assert dict(into.axes)["language"] == "octave-into"
    (tmp_path / "plan").write_text(plan(2))
    launch(into, tmp_path, "--plan", str(tmp_path / "plan"), "--samples", str(tmp_path / "samples"))
    samples, ended = read_frames(tmp_path / "samples")
    told = {CELLS[sample.cell]: status(sample) for sample in samples if sample.cell >= 0}
    assert ended
    assert told["pingpong bytes=8"] == "ok"
    assert told["pingpong bytes=64 opt.receive=early"] == "refused"


def test_an_mpi_that_is_not_there_is_no_stack_to_build() -> None:
    with pytest.raises(StackError, match="lam-7"):
        mexmpi.FAMILY.install("lam-7", "")


def test_a_build_of_another_source_is_not_usable(mpi: Mpi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mexmpi, "builds_folder", lambda: BUILDS)
    (BUILDS / mpi.name / "fingerprint").write_text("of long ago")
    found = [one for one in mexmpi.FAMILY.find(this_host(), Config()) if one.version.endswith(mpi.name)]
    assert [one.usable for one in found] == [False]
    assert f"msgauge stacks install mexmpi@{mpi.name}" in found[0].reason


def test_every_kernel_of_the_worker_is_tried_above(stack: Stack) -> None:
    assert mexmpi.FAMILY.kernels(stack) == {cell.split()[0] for cell in CELLS} - {"exchange"}
