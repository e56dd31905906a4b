"""filempi as a stack of msgauge: its commands, its hello, and the frames of its Octave worker."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from attrs import evolve
from filempi_bench import OCTAVE, Bench

from msgauge.config import Config
from msgauge.discovery.proof import read_hellos
from msgauge.errors import StackError
from msgauge.hosts import Host, this_host
from msgauge.kernels import load_kernels
from msgauge.model import Origin, Samples, Stack
from msgauge.results.wire import read_frames
from msgauge.stacks.base.family import LaunchOptions
from msgauge.stacks.filempi import FAMILY, WORKER

STACK = Stack("filempi", "7.3.0", Origin("system", "octave-cli"), launcher="octave-cli", language="octave")
CELLS = """
pingpong bytes=8
pingpong bytes=100001 mode=single
pingpong bytes=0 mode=single
pingpong bytes=64 opt.send=sendrecv
pingpong bytes=64 opt.send=nonblocking
pingpong bytes=64 opt.receive=early
pingpong bytes=8 opt.receive=early mode=single
pingpong bytes=64 opt.receive=probed
pingpong bytes=64 opt.receive=any-source
pingpong bytes=100001 opt.buffer=received
pingpong bytes=64 opt.receive=early opt.send=nonblocking
stream bytes=4096
fanout bytes=64 opt.form=bcast
bcast bytes=1024
scatter bytes=64 opt.root=last
gather bytes=7 opt.root=rotate
allgather bytes=64
alltoall bytes=64
barrier bytes=0
reduce bytes=64 opt.type=byte opt.op=bxor
allreduce bytes=64 opt.type=float64
pi bytes=0 opt.n=100000
mandelbrot bytes=0 opt.side=240
exchange bytes=8
allreduce bytes=64 opt.algorithm=ring
reduce bytes=7
"""
REFUSED = {
    "pingpong bytes=64 opt.receive=early opt.send=nonblocking",
    "exchange bytes=8",
    "allreduce bytes=64 opt.algorithm=ring",
    "reduce bytes=7",
}


def plan(ranks: int) -> tuple[str, dict[int, str]]:
    """The text of a plan of all CELLS, and what each cell id stands for."""
    cells = dict(enumerate(CELLS.split("\n")[1:-1]))
    lines = [
        "msgauge-plan 1",
        f"launch number=1 round=1 seed=5 ranks={ranks} cores=2" + " pin=0,1" * (ranks == 2),
        "clock name=monotonic",
        "limits cell_budget_ns=2000000 cell_precision=0.01 launch_limit_ns=60000000000 check=yes",
    ]
    for number, cell in cells.items():
        mode = "" if "mode=" in cell else "mode=batch "
        lines.append(f"cell id={number} kernel={cell} {mode}cache=hot ranks={ranks}")
    return "\n".join([*lines, "end"]) + "\n", cells


def launch(bench: Bench, words: tuple[str, ...], *arguments: str, ranks: int = 2) -> subprocess.CompletedProcess[str]:
    stack = FAMILY.with_variant(next(FAMILY.find(this_host(), Config())), words)
    program = (*FAMILY.program(stack, Path("none")), *arguments)
    command = FAMILY.launch_command(stack, program, LaunchOptions(ranks=ranks, cores=2, folder=bench.work))
    return subprocess.run(
        command.argv,
        cwd=bench.work,
        env=bench.environment(**dict(command.environment)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def status(sample: Samples) -> str:
    return dict(sample.attributes)["status"]


def test_a_variant_changes_the_protocol_and_nothing_else() -> None:
    stack = FAMILY.with_variant(STACK, ("protocol=classic",))
    assert stack.spec == "filempi@7.3.0[protocol=classic]"
    assert ("FILEMPI_TRANSPORT", "classic") in stack.environment
    assert evolve(stack, variant=(), environment=(), axes=()) == STACK


@pytest.mark.parametrize("words", [("protocol=carrier-pigeon",), ("protocol=file", "protocol=classic"), ("tcp",)])
def test_an_unknown_variant_is_refused_with_the_known_ones(words: tuple[str, ...]) -> None:
    with pytest.raises(StackError) as caught:
        FAMILY.with_variant(STACK, words)
    assert "protocol=classic" in caught.value.remedy


def test_the_launch_command_needs_no_octave_to_be_shown() -> None:
    stack = FAMILY.with_variant(STACK, ())
    program = FAMILY.program(stack, Path("none"))
    command = FAMILY.launch_command(stack, program, LaunchOptions(4, 2, Path("here"), (Host("a", 2),)))
    assert command.argv[:3] == ("octave-cli", "-qfW", "--no-gui")
    assert command.argv[-2:] == ("--ranks", "4")


@pytest.mark.skipif(OCTAVE is None, reason="no octave-cli on this machine")
@pytest.mark.parametrize("protocol", ["stream", "classic-binary"])
def test_a_hello_comes_from_both_ranks(bench: Bench, protocol: str) -> None:
    done = launch(bench, (f"protocol={protocol}",), "--hello")
    hellos = read_hellos(done.stdout)
    assert sorted(hello["rank"] for hello in hellos) == ["0", "1"], done.stderr
    stack = FAMILY.with_variant(STACK, (f"protocol={protocol}",))
    assert [FAMILY.verify(stack, hello) for hello in hellos] == ["", ""]
    assert FAMILY.verify(FAMILY.with_variant(STACK, ("protocol=classic-spin",)), hellos[0]) != ""


@pytest.mark.skipif(OCTAVE is None, reason="no octave-cli on this machine")
@pytest.mark.parametrize(("protocol", "ranks"), [("stream", 2), ("file", 3), ("classic-spin", 2)])
def test_the_worker_writes_whole_frames_for_every_cell(bench: Bench, protocol: str, ranks: int) -> None:
    text, cells = plan(ranks)
    (bench.work / "plan").write_text(text)
    words = ("--plan", str(bench.work / "plan"), "--samples", str(bench.work / "samples"))
    done = launch(bench, (f"protocol={protocol}",), *words, ranks=ranks)
    assert done.returncode == 0, done.stderr + done.stdout
    samples, ended = read_frames(bench.work / "samples")
    assert ended
    if ranks == 2 and shutil.which("taskset") and os.sched_getaffinity(0) == {0, 1}:
        places = [dict(sample.attributes) for sample in samples if sample.cell < 0 and sample.series == "rank"]
        assert [place["cpus"] for place in places] == ["0", "1"], "each rank takes the core that the plan names"
    measured = [sample for sample in samples if sample.cell >= 0]
    pairwise = {cell for cell in cells.values() if cell.startswith(("pingpong", "stream"))}
    classic = {cell for cell in pairwise if cell.startswith("stream") or "opt.receive=" in cell}
    refused = REFUSED | (pairwise if ranks != 2 else classic if protocol == "classic-spin" else set())
    assert {cells[sample.cell] for sample in measured} == set(cells.values())
    assert {cells[sample.cell] for sample in measured if status(sample) == "refused"} == refused
    for sample in measured:
        if cells[sample.cell] not in refused:
            assert status(sample) == "ok", cells[sample.cell]
            assert sample.values.size >= 1
            assert (sample.values >= 0).all()
            facts = {name: float(dict(sample.attributes)[name]) for name in ("events", "wall_ns", "cpu_ns")}
            assert facts["events"] >= sample.values.size, cells[sample.cell]
            assert 0 < facts["cpu_ns"] <= 1.2 * ranks * facts["wall_ns"]
    native = load_kernels()
    for number, cell in cells.items():
        if cell not in refused:
            frames = {sample.series: sample for sample in measured if sample.cell == number}
            dropped = int(dict(frames[native[cell.split()[0]].series[0]].attributes)["dropped"])
            assert (frames.pop("warmup").values.size if dropped else 0) == dropped, cell
            assert set(frames) == set(native[cell.split()[0]].series), cell


def test_every_kernel_is_tried_above_and_has_options_and_defaults_of_its_native_twin() -> None:
    native = load_kernels()
    offered = FAMILY.kernels(FAMILY.with_variant(STACK, ())) or frozenset()
    assert offered == {cell.split()[0] for cell in CELLS.split("\n")[1:-1]} - {"exchange"}
    for name in offered:
        defaults = {option.name: option.choices[0] for option in native[name].options}
        text = (WORKER.parent / f"kernel_{name}.m").read_text()
        for option, default in re.findall(r"'(\w+)', \{'(\w+)'", text):
            assert defaults[option] == default, name


@pytest.mark.skipif(OCTAVE is None, reason="no octave-cli on this machine")
def test_a_clock_that_was_set_is_noticed_and_a_rank_that_waited_for_its_core_is_not_taken_for_one(bench: Bench) -> None:
    """first and last: tic in us before and after the uptime in s was read."""
    moments = "m = @(before, uptime, after) struct('before', before, 'uptime_s', uptime, 'after', after); "
    looks = {
        "m(0, 5, 10), m(2e6, 7, 2e6 + 10)": "0",
        "m(0, 5, 3e5), m(2e6, 7.29, 2.3e6)": "0",
        "m(0, 5, 10), m(5e6, 7, 5e6 + 10)": "1",
        "m(9e6, 5, 9e6 + 10), m(2e6, 7, 2e6 + 10)": "1",
        "worker_uptime(), worker_uptime()": "0",
    }
    said = "; ".join(f"disp(worker_clock_set({moments_of}))" for moments_of in looks)
    result = bench.octave(f"addpath('{WORKER.parent}'); {moments} {said}")
    assert result.output.split() == list(looks.values()), result.errors


@pytest.mark.skipif(OCTAVE is None, reason="no octave-cli on this machine")
def test_a_plan_that_was_cut_off_is_refused(bench: Bench) -> None:
    (bench.work / "plan").write_text(plan(2)[0].removesuffix("end\n"))
    done = launch(bench, (), "--plan", str(bench.work / "plan"), "--samples", str(bench.work / "samples"))
    assert done.returncode != 0
    assert "cut off" in done.stderr


@pytest.mark.skipif(OCTAVE is None, reason="no octave-cli on this machine")
def test_msgauge_killed_in_the_middle_of_a_launch_leaves_no_file_and_no_process(bench: Bench) -> None:
    words = ["run", "--stacks", "filempi", "--kernels", "pingpong", "--sizes", "8", "--rounds", "1000"]
    process = subprocess.Popen(
        [str(Path(sys.executable).parent / "msgauge"), *words, "--runs", str(bench.work / "runs")],
        cwd=bench.work,
        env=bench.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        until = time.monotonic() + 200
        while not (list(bench.work.glob("runs/*/launches/*")) and bench.ranks()):
            assert process.poll() is None, "msgauge ended before it could be killed"
            assert time.monotonic() < until, "no launch has begun"
            time.sleep(0.02)
        assert list(bench.jobs.glob("filempi-*")), "the job lies elsewhere, so nothing would be seen of it"
    finally:
        process.kill()
        process.wait()
    assert bench.left() == []
