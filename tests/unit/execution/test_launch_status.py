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
SIGNAL = """[n1:7] *** Process received signal ***
[n1:7] Signal: Aborted (6)
[n1:7] Signal code:  (-6)
"""
ENDED = "----------------------------\n{}\n----------------------------\n"
PRIMARY = (
    "Primary job  terminated normally, but 1 process returned\na non-zero exit code. Per user-direction, it ended."
)
EXITED = """mpiexec detected that one or more processes exited with non-zero status, thus causing
the job to be terminated. The first process to do so was:

  Process name: [[21672,1],1]
  Exit code:    3"""
ABORTED = "prterun noticed that process rank 1 with PID 7 on node vm exited on\nsignal 6 (Aborted)."
IMPROPERLY = """mpiexec has exited due to process rank 1 with PID 0 on
node vm exiting improperly. There are three reasons this could occur:

You can avoid this message by specifying -quiet on the mpiexec command line."""
TRUNCATE = "[vm:7] *** MPI_ERR_TRUNCATE: message truncated"
TRUNCATED = f"""[vm:7] *** An error occurred in MPI_Recv
[vm:7] *** reported by process [1015545857,1]
[vm:7] *** on communicator MPI_COMM_WORLD
{TRUNCATE}
[vm:7] *** MPI_ERRORS_ARE_FATAL (processes in this communicator will now abort,
[vm:7] ***    and {{}})
"""
ABORT = """prterun has exited due to process rank 1 with PID 0 on node vm calling
"abort". This may have caused other processes in the application to be
terminated by signals sent by prterun (as reported here)."""
INVOKED = """MPI_ABORT was invoked on rank 1 in communicator MPI_COMM_WORLD
  Proc: [[18765,1],1]
  Errorcode: 7

NOTE: invoking MPI_ABORT causes Open MPI to kill all MPI processes.
You may or may not see output from other processes, depending on
exactly when Open MPI kills them."""
SLOTS = "There are not enough slots available.\n\nEither request fewer procs, or make more slots available."
MORE_HELP = """[vm:12217] 1 more process has sent help message help-orte-runtime.txt / no-room
[vm:12217] Set MCA parameter "orte_base_help_aggregate" to 0 to see all help / error messages
"""
ENDED_OF_HYDRA = """
==========================
=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES
=   {} RUNNING AT vm
=   {}
==========================
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
        (f"{SIGNAL}{TRACE_OF_OPEN_MPI}{ENDED.format(ABORTED)}", "openmpi", ": [n1:7] Signal: Aborted (6)"),
        (f"{ENDED.format(PRIMARY)}{ENDED.format(EXITED)}", "openmpi", ": Process name: [[21672,1],1]"),
        (f"table is empty\n{ENDED.format(EXITED)}", "openmpi", ": table is empty"),
        (ENDED.format(IMPROPERLY), "openmpi", ": process rank 1 with PID 0 on node vm exiting improperly"),
        (ENDED.format(SLOTS), "openmpi", ": Either request fewer procs, or make more slots available."),
        (f"PMIX ERROR: OUT-OF-RESOURCE\n{MORE_HELP}", "openmpi", ": PMIX ERROR: OUT-OF-RESOURCE"),
        (f"table is empty\n{ENDED.format(EXITED)}", "mpi4py", ": table is empty"),
        (f"table is empty{'-' * 74}\n{EXITED}\n{'-' * 74}\n", "openmpi", ": table is empty"),
        (TRUNCATED.format("potentially your MPI job"), "openmpi", f": {TRUNCATE}"),
        (
            TRUNCATED.format("MPI will try to terminate your MPI job as well") + ENDED.format(ABORT) + "\0",
            "openmpi",
            f": {TRUNCATE}",
        ),
        (ENDED.format(INVOKED) + ENDED.format(ABORT), "openmpi", ": MPI_ABORT was invoked on rank 1"),
        (ENDED_OF_HYDRA.format("PID 7", "EXIT CODE: 6"), "mpich", ": PID 7 RUNNING AT vm EXIT CODE: 6"),
        (f"table is empty\n{ENDED_OF_HYDRA.format('PID 7', 'EXIT CODE: 3')}", "mpich", ": table is empty"),
        (ENDED_OF_HYDRA.format("RANK 0 PID 7", "KILLED BY SIGNAL: 9 (Killed)"), "intelmpi", ""),
        (
            ENDED_OF_HYDRA.format("RANK 0 PID 7", "KILLED BY SIGNAL: 9 (Killed)")
            + ENDED_OF_HYDRA.format("RANK 1 PID 8", "KILLED BY SIGNAL: 6 (Aborted)"),
            "intelmpi",
            ": RANK 1 PID 8 RUNNING AT vm KILLED BY SIGNAL: 6 (Aborted)",
        ),
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
