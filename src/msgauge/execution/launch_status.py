"""How a launch went, in a word and a sentence: pure judgement over what the keeper and the frames say."""

from __future__ import annotations

import re
import signal
from collections.abc import Sequence

from attrs import frozen

from msgauge.execution.output_limit import MOST_BYTES
from msgauge.execution.supervisor import Outcome
from msgauge.model import Launch, LaunchStatus, Samples
from msgauge.results.wire import LaunchFacts
from msgauge.stacks.base.log_noise import NO_NOISE, LogNoise, find_reasons

WRONG_SIZE = 67
"""By this exit code a worker says that its job has another number of ranks than the plan."""
_FLOOD = f"wrote more than {MOST_BYTES >> 20} MiB to its output"
_DIFFERENT_STACKS = "the launcher and the library it was compiled with are of different stacks"


@frozen
class LaunchEnd:
    """All that is known of a launch once nothing of it runs any more."""

    outcome: Outcome
    facts: LaunchFacts
    frames: Sequence[Samples]
    log: str = ""
    noise: LogNoise = NO_NOISE
    """What of the log is no reason."""
    garbage: str = ""
    limit_s: float = 60.0
    """That the study asks for."""
    starting_s: float = 0.0
    """What is allowed for the start beside it."""


@frozen
class LaunchVerdict:
    """What became of a launch, and why; ``astray`` as ``LaunchRecord.astray``."""

    status: LaunchStatus
    reason: str
    astray: bool = False


def judge(ended: LaunchEnd, launch: Launch, mismatch: str = "") -> LaunchVerdict:
    """Status and reason. ``mismatch``: why it was not the launch that was asked for though it ran: another library than
    claimed, ranks on other hosts, messages past the wire, a variant that did not take effect."""
    broken = _describe_break(ended, launch)
    if broken:
        return LaunchVerdict(LaunchStatus.FAILED, broken)
    astray = _describe_astray(ended.facts, launch, mismatch)
    if astray:
        return LaunchVerdict(LaunchStatus.FAILED, astray, astray=True)
    if ended.facts.ended:
        return LaunchVerdict(LaunchStatus.OK, _remark(ended.outcome))
    return LaunchVerdict(*_judge_unfinished(ended, launch))


def _describe_break(ended: LaunchEnd, launch: Launch) -> str:
    """Why nothing is asked of it but that it failed; '' where there is no such reason."""
    outcome = ended.outcome
    if outcome.error:
        return f"could not be started: {outcome.error}"
    if outcome.lost and not ended.facts.ended:
        return f"{outcome.lost}; ended {_progress(ended.frames, launch)}"
    return f"wrote something other than samples: {ended.garbage.splitlines()[0]}" if ended.garbage else ""


def _describe_astray(facts: LaunchFacts, launch: Launch, mismatch: str) -> str:
    """Why it was not the launch that was asked for; '' where it was."""
    if facts.hello and facts.size != launch.ranks:
        return _wrong_size(facts.size, launch.ranks)
    said = len(facts.placement)
    if not mismatch and facts.ended and said not in (0, launch.ranks):
        return f"only {said} of {launch.ranks} ranks told where they ran; the others' results cannot be trusted"
    return mismatch


def _wrong_size(size: int, ranks: int) -> str:
    return (
        f"started with the wrong number of ranks: each of {ranks} processes found itself among {size}; "
        f"{_DIFFERENT_STACKS}"
        if size == 1
        else f"started with {size} ranks instead of {ranks}"
    )


def _remark(outcome: Outcome) -> str:
    """All samples are safe; what went wrong afterwards is told, and changes nothing."""
    if outcome.ended == "flood":
        return f"all samples are safe, but it {_FLOOD}, and was ended"
    if outcome.ended:
        return "all samples are safe, but it hung when it should have ended, and was ended"
    if outcome.signal is not None:
        return f"all samples are safe, but it was ended by {_signal(outcome.signal)} afterwards"
    if outcome.exit_code:
        return f"all samples are safe, but it ended with exit code {outcome.exit_code} afterwards"
    return ""


def _judge_unfinished(ended: LaunchEnd, launch: Launch) -> tuple[LaunchStatus, str]:
    outcome, where = ended.outcome, _progress(ended.frames, launch)
    if outcome.ended == "stop":
        return LaunchStatus.INTERRUPTED, f"stopped {where}"
    if outcome.ended == "flood":
        return LaunchStatus.FAILED, f"{_FLOOD}, ended {where}{_last_line(ended.log, ended.noise)}"
    if outcome.ended:
        return (
            LaunchStatus.TIMEOUT,
            f"still running after {outcome.seconds:.3g} s (limit {ended.limit_s:g} s and {ended.starting_s:.3g} s to "
            f"start), ended {where}",
        )
    if outcome.signal is not None:
        return LaunchStatus.FAILED, f"crashed with {_signal(outcome.signal)} {where}"
    if outcome.exit_code == WRONG_SIZE:
        return LaunchStatus.FAILED, f"started with the wrong number of ranks, not {launch.ranks}; {_DIFFERENT_STACKS}"
    if outcome.exit_code:
        return LaunchStatus.FAILED, f"{_exit(outcome.exit_code)} {where}{_last_line(ended.log, ended.noise)}"
    return LaunchStatus.FAILED, f"ended without an error but also without finishing: its samples are cut off {where}"


def _exit(code: int) -> str:
    if 128 < code < 128 + 65:
        return f"crashed with {_signal(code - 128)} (exit code {code})"
    return f"ended with exit code {code}"


def _signal(number: int) -> str:
    try:
        return f"signal {number} ({signal.Signals(number).name})"
    except ValueError:
        return f"signal {number}"


def _progress(frames: Sequence[Samples], launch: Launch) -> str:
    done = {frame.cell for frame in frames if frame.cell >= 0}
    if not frames:
        return "before its first word"
    if not done:
        return f"before the first of {len(launch.cells)} cells"
    return f"after {len(done)} of {len(launch.cells)} cells"


def _last_line(log: str, noise: LogNoise) -> str:
    told = next((line for line in find_reasons(log, noise) if not _TRACE.fullmatch(line[:_LONGEST])), "")
    return f": {told[:_LONGEST]}" if told else ""


_LONGEST = 200
"""Letters of a line of a log that are repeated."""
_TRACE = re.compile(r"[^(]*\(\S*\+0x[0-9a-f]+\) ?\[0x[0-9a-f]+\]|=+ backtrace .*|.*End of error message.*")
"""What libraries write where a process ends: which instruction it was in; why, they say before. Source: UCX's
``ucs_debug_print_backtrace`` and Open MPI's ``show_stackframe``.
"""
