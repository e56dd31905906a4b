"""filempi as a stack of msgauge: its commands, its hello, and the frames of its Octave worker."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from attrs import evolve
from conftest import OCTAVE, Bench

from msgauge.config import Config
from msgauge.errors import StackError
from msgauge.hosts import Host, this_host
from msgauge.model import Origin, Samples, Stack
from msgauge.stacks.family import LaunchOptions
from msgauge.stacks.filempi import FAMILY
from msgauge.stacks.proof import read_hellos
from msgauge.wire import read_frames

STACK = Stack("filempi", "7.3.0", Origin("system", "octave-cli"), launcher="octave-cli", language="octave")
PLAN = """msgauge-plan 1
launch number=1 round=1 seed=5 ranks=2 cores=2
clock name=monotonic
limits cell_budget_ns=3000000 cell_precision=0.01 launch_limit_ns=60000000000 check=yes
cell id=1 kernel=pingpong bytes=8 mode=batch cache=hot ranks=2
cell id=2 kernel=pingpong bytes=100001 mode=batch cache=hot ranks=2
cell id=3 kernel=bcast bytes=1024 mode=batch cache=hot ranks=2
cell id=4 kernel=exchange bytes=8 mode=batch cache=hot ranks=2
cell id=5 kernel=stream bytes=4096 mode=batch cache=hot ranks=2
cell id=6 kernel=pingpong bytes=0 mode=single cache=hot ranks=2
end
"""


def launch(bench: Bench, words: tuple[str, ...], *arguments: str) -> subprocess.CompletedProcess[str]:
    stack = FAMILY.with_variant(next(FAMILY.find(this_host(), Config())), words)
    program = (*FAMILY.program(stack, Path("none")), *arguments)
    command = FAMILY.launch_command(stack, program, LaunchOptions(ranks=2, cores=2, folder=bench.work))
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
@pytest.mark.parametrize("protocol", ["stream", "file", "classic"])
def test_a_hello_comes_from_both_ranks(bench: Bench, protocol: str) -> None:
    done = launch(bench, (f"protocol={protocol}",), "--hello")
    hellos = read_hellos(done.stdout)
    assert sorted(hello["rank"] for hello in hellos) == ["0", "1"], done.stderr
    stack = FAMILY.with_variant(STACK, (f"protocol={protocol}",))
    assert [FAMILY.verify(stack, hello) for hello in hellos] == ["", ""]
    assert FAMILY.verify(FAMILY.with_variant(STACK, ("protocol=classic-spin",)), hellos[0]) != ""


@pytest.mark.skipif(OCTAVE is None, reason="no octave-cli on this machine")
@pytest.mark.parametrize("protocol", ["stream", "classic-spin"])
def test_the_worker_writes_whole_frames_for_every_cell(bench: Bench, protocol: str) -> None:
    (bench.work / "plan").write_text(PLAN)
    done = launch(
        bench, (f"protocol={protocol}",), "--plan", str(bench.work / "plan"), "--samples", str(bench.work / "samples")
    )
    assert done.returncode == 0, done.stderr + done.stdout
    samples, ended = read_frames(bench.work / "samples")
    assert ended
    cells = {sample.cell: sample for sample in samples if sample.cell >= 0}
    refused = {4} | ({5} if protocol != "stream" else set())
    assert set(cells) == {1, 2, 3, 4, 5, 6}
    assert {number for number, sample in cells.items() if status(sample) == "refused"} == refused
    for number in set(cells) - refused:
        assert status(cells[number]) == "ok"
        assert cells[number].values.size >= 2
        assert (cells[number].values > 0).all()


@pytest.mark.skipif(OCTAVE is None, reason="no octave-cli on this machine")
def test_a_plan_that_was_cut_off_is_refused(bench: Bench) -> None:
    (bench.work / "plan").write_text(PLAN.removesuffix("end\n"))
    done = launch(bench, (), "--plan", str(bench.work / "plan"), "--samples", str(bench.work / "samples"))
    assert done.returncode != 0
    assert "cut off" in done.stderr
