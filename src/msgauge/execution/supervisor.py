"""msgauge's end of the keeper: starts one for a session and asks it to run things."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from msgauge.errors import LaunchError
from msgauge.model import Command, Pairs, Traces, Usage

_OF_SCHEDULERS = (
    *("SLURM", "SRUN_", "SBATCH_", "SALLOC_", "PMI_", "PMIX_", "MSGAUGE_MARK"),
    *("PBS_", "PE_HOSTFILE", "SGE_", "LSB_", "LSF_"),
)
"""A launcher that finds these starts its ranks by the scheduler, past what it was told."""
KEEPER = Path(__file__).with_name("keeper.py")
_LOOK_S = 1.0


@frozen
class Run:
    """How to run one command: where its output goes, how long it may take, and in which environment it stands."""

    command: Command
    stdout: Path
    stderr: Path
    limit_s: float
    environment: Mapping[str, str]
    sweep: bool = True
    """End everything that it left, except what stood before it (daemons of the session)."""
    settled: Path | None = None
    """A samples file: once its last frame is there, the command has only a few seconds left."""


@frozen
class Outcome:
    """How a command ended. ``ended``: '' by itself, else limit, flood (of output), settled or stop."""

    exit_code: int | None
    signal: int | None
    ended: str
    seconds: float
    usage: Usage
    error: str = ""
    """Why it could not be started at all."""
    began_s: float = 0.0
    """On CLOCK_MONOTONIC: when it was started."""
    lost: str = ""
    """What it needed and was gone while it ran, so that it was ended."""

    @property
    def shell_code(self) -> int | None:
        """The exit code as a shell shows it: 128 + signal for a command ended by one."""
        return 128 + self.signal if self.signal is not None else self.exit_code

    @property
    def over_ns(self) -> int:
        """On CLOCK_MONOTONIC: when it was over."""
        return round((self.began_s + self.seconds) * 1e9)


class Supervisor:
    """A living keeper. Close it, and nothing of what it started is left; dying does the same."""

    def __init__(self, traces: Traces | None = None) -> None:
        """``traces``: what the processes that it will run leave behind when they are killed."""
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(KEEPER), json.dumps(asdict(traces or Traces()))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"},
        )
        self._busy = False
        greeting = self._answer()
        self.pid = int(greeting["pid"])
        self._cgroup = Path(greeting["cgroup"]) if greeting["cgroup"] else None
        self.condition: Pairs = tuple((name, value) for name, value in greeting["condition"])

    def run(self, run: Run, find_loss: Callable[[], str] = str) -> Outcome:
        """Run a command and wait for its end, whatever that is.

        ``find_loss`` is asked every second what the command needs and is gone; it is ended when that is something.

        Raises:
            LaunchError: the keeper itself died.
            KeyboardInterrupt: after the command was ended.
        """
        answer, lost = self._watch_over(
            find_loss,
            do="run",
            argv=list(run.command.argv),
            env=dict(run.environment),
            cwd=run.command.folder or None,
            user=run.command.user,
            stdout=str(run.stdout),
            stderr=str(run.stderr),
            limit_s=run.limit_s,
            sweep=run.sweep,
            settled=str(run.settled) if run.settled else "",
        )
        usage = Usage(**answer.get("usage", {}))
        if "error" in answer:
            return Outcome(None, None, "", 0.0, usage, error=str(answer["error"]))
        return Outcome(
            answer["exit"],
            answer["signal"],
            answer["ended"],
            answer["seconds"],
            usage,
            began_s=answer["began_s"],
            lost=lost,
        )

    def own(self, paths: Sequence[Path] = (), salvages: Sequence[tuple[Path, Path]] = ()) -> None:
        """Have the keeper remove ``paths`` at its end, after saving the first of each pair to the second."""
        self._ask(do="own", paths=[str(path) for path in paths], salvages=_texts(salvages))

    def watch(self, first_processes: Sequence[int]) -> None:
        """Have the keeper end our processes on emulated hosts too, whose first processes these are."""
        self._ask(do="watch", hosts=list(first_processes))

    def salvage(self, salvages: Sequence[tuple[Path, Path]]) -> None:
        """Save these now instead of at the end.

        Raises:
            LaunchError: one could not be saved (it stays where it is, and the end tries again).
        """
        failed = self._ask(do="salvage", salvages=_texts(salvages)).get("failed", [])
        if failed:
            remedy = "make room on the disk of the run folder, then go on with --resume"
            raise LaunchError("samples could not be brought to the run folder", where=str(failed[0][1]), remedy=remedy)

    def sweep(self) -> int:
        """End everything that runs under the keeper, daemons too; how many processes there were."""
        return int(self._ask(do="sweep")["swept"])

    def close(self) -> None:
        """End the keeper and all below it; waits until that is done."""
        if self._process.poll() is None and self._process.stdin is not None:
            try:
                self._process.stdin.close()
            except OSError:
                self._process.terminate()
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.terminate()
            self._process.wait(timeout=30)
        finally:
            if self._process.stdout is not None:
                self._process.stdout.close()
            if self._process.returncode:
                self._reap()

    def _reap(self) -> None:
        """The keeper itself was killed: end what its cgroup still names, and remove it."""
        limit = time.monotonic() + 5.0
        while self._cgroup is not None and self._cgroup.is_dir() and time.monotonic() < limit:
            with suppress(OSError):
                for word in (self._cgroup / "cgroup.procs").read_text().split():
                    os.kill(int(word), signal.SIGKILL)
                self._cgroup.rmdir()
            time.sleep(0.005)

    def _watch_over(self, find_loss: Callable[[], str], **request: Any) -> tuple[dict[str, Any], str]:
        """The answer to a request, and why it was ended before its time; '' where it was not."""
        assert self._process.stdout is not None
        lost = ""
        try:
            self._tell(request)
            while not lost and not select.select([self._process.stdout], [], [], _LOOK_S)[0]:
                if lost := find_loss():
                    self._tell({"do": "stop"})
            return self._answer(), lost
        except BaseException:
            self._stop_running()
            raise

    def _ask(self, **request: Any) -> dict[str, Any]:
        try:
            self._tell(request)
            return self._answer()
        except BaseException:
            self._stop_running()
            raise

    def _tell(self, request: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write((json.dumps(request) + "\n").encode())
            self._process.stdin.flush()
        except OSError as error:
            raise self._death_error() from error
        self._busy = True

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.endswith(b"\n"):
            raise self._death_error()
        self._busy = False
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _stop_running(self) -> None:
        """After Ctrl-C in the middle of a wait: end the command, and take its answer off the pipe."""
        if self._busy and self._process.poll() is None:
            try:
                self._tell({"do": "stop"})
                self._answer()
            except LaunchError:
                self._busy = False

    def _death_error(self) -> LaunchError:
        return LaunchError(
            f"the keeper process ended by itself (exit code {self._process.poll()})",
            where=str(KEEPER),
            remedy="see in the system log whether it was killed (memory?), then go on with --resume",
        )


def clean_environment(command: Command, base: Mapping[str, str], foreign: tuple[str, ...]) -> dict[str, str]:
    """The environment of a command: the user's without what launchers left there, in the C locale, plus its own.

    ``foreign``: how the names of variables begin that an outer launcher left, or that would make a stack differ from
    what its name says.
    """
    removed = (*_OF_SCHEDULERS, *foreign)
    kept = {name: value for name, value in base.items() if not name.startswith(removed)}
    return {**kept, "LC_ALL": "C", **dict(command.environment)}


def describe_environment(command: Command, environment: dict[str, str]) -> dict[str, object]:
    """What ``environment.json`` holds: what was added, and what the user's own had for message passing or libraries."""
    added = dict(command.environment)
    telling = ("PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "TMPDIR", "OMP_NUM_THREADS", "LC_ALL", "HOME", "USER")
    removed = sorted(name for name in os.environ if name not in environment)
    inherited = {name: environment[name] for name in telling if name in environment and name not in added}
    return {"added": added, "inherited": inherited, "removed": removed}


def _texts(pairs: Sequence[tuple[Path, Path]]) -> list[list[str]]:
    return [[str(source), str(target)] for source, target in pairs]
