"""The sentence on a launch that failed: the last line of its log that says something."""

from __future__ import annotations

from pathlib import Path

import pytest

from msgauge.execution.launch_status import LaunchEnd, LaunchVerdict, judge
from msgauge.execution.supervisor import Outcome
from msgauge.model import Launch, LaunchStatus, RankPlacement, Usage
from msgauge.results.wire import LaunchFacts
from msgauge.stacks.base.families import families

OCTAVE = "error: ignoring const execution_exception& while preparing to exit"

TRACE_OF_UCX = """==== backtrace (tid:  19236) ====
 0  /lib/libucs.so.0(ucs_handle_error+0x2dc) [0x7f05c36ece9c]
 1  /lib/libmpich.so.12(+0x2f818a) [0x7f05c3af818a]
=================================
"""
TRACE_OF_OPEN_MPI = """[n1:7] [ 0] /lib/libc.so.6(+0x3c050)[0x7f1e0c05b050]
[n1:7] [ 1] ./worker(_start+0x21)[0x55dca0b7a1c1]
[n1:7] *** End of error message ***
"""


def reason(log: str, family: str) -> str:
    outcome = Outcome(1, None, "", 0.5, Usage())
    ended = LaunchEnd(outcome, LaunchFacts(), (), log, families()[family].log_noise)
    judged = judge(ended, Launch(0, 0, "x", 2, (), 1))
    assert judged.status is LaunchStatus.FAILED
    assert not judged.astray
    return judged.reason


@pytest.mark.parametrize(
    ("log", "family", "said"),
    [
        ("error: no folder\n====\n\n", "tcp", ": error: no folder"),
        (f"sh: rank.sh: No such file\n{OCTAVE}\n", "filempi", ": sh: rank.sh: No such file"),
        (f"error: on purpose\n {OCTAVE} \n", "mexmpi", ": error: on purpose"),
        (f"{OCTAVE}\n", "filempi", ""),
        (f"{OCTAVE}\n", "tcp", f": {OCTAVE}"),
        (f"sys.c:9 Assertion failed\n{TRACE_OF_UCX}", "mpich", ": sys.c:9 Assertion failed"),
        (f"[n1:7] Signal code: (-6)\n{TRACE_OF_OPEN_MPI}", "openmpi", ": [n1:7] Signal code: (-6)"),
    ],
)
def test_what_says_nothing_is_no_reason(log: str, family: str, said: str) -> None:
    assert reason(log, family) == f"ended with exit code 1 before its first word{said}"


def test_a_flood_of_output_is_the_reason_and_costs_no_samples_that_are_safe() -> None:
    flooded = Outcome(None, 9, "flood", 3.0, Usage())
    launch = Launch(0, 0, "x", 2, (), 1)
    cut_off = judge(LaunchEnd(flooded, LaunchFacts(), (), "lost the link\nlost the link\n"), launch)
    assert cut_off == LaunchVerdict(
        LaunchStatus.FAILED,
        "wrote more than 256 MiB to its output, ended before its first word: lost the link",
    )
    safe = judge(LaunchEnd(flooded, LaunchFacts(ended=True), ()), launch)
    assert safe.status is LaunchStatus.OK and "256 MiB" in safe.reason


PLACED = (RankPlacement(0, "here", 1, "0-1"), RankPlacement(1, "here", 2, "0-1"))


@pytest.mark.parametrize(
    ("facts", "mismatch", "said"),
    [
        (LaunchFacts(hello=(("size", "1"),), ended=True), "", "each of 2 processes found itself among 1"),
        (LaunchFacts(hello=(("size", "2"),), ended=True), "runs another library", "runs another library"),
        (LaunchFacts(hello=(("size", "2"),)), "runs another library", "runs another library"),
        (
            LaunchFacts(hello=(("size", "2"),), placement=PLACED[:1], ended=True),
            "",
            "only 1 of 2 ranks told where they ran",
        ),
    ],
)
def test_a_launch_that_was_not_the_one_asked_for_is_astray(facts: LaunchFacts, mismatch: str, said: str) -> None:
    ended = LaunchEnd(Outcome(0, None, "", 0.5, Usage()), facts, ())
    judged = judge(ended, Launch(0, 0, "x", 2, (), 1), mismatch)
    assert judged.status is LaunchStatus.FAILED
    assert judged.astray
    assert said in judged.reason


def test_the_toolbox_removes_the_same_line_from_its_logs() -> None:
    assert OCTAVE in (Path(__file__).parents[3] / "matlab" / "filempi" / "private" / "keeper.sh").read_text()
