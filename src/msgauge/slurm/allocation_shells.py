"""A shell on every host of an allocation, as one step of the job: it answers questions and ends what was left there.

Killing srun ends neither daemons that detached themselves nor, where all of srun is killed, its step. So all that a
session starts carries a mark in its environment, and the shell of a host ends whatever bears it: when asked, when
standard input ends (msgauge is gone, even by kill -9), and on SIGTERM (the job is cancelled). A step that was just
being started when its srun was killed still starts its task; so steps bear the mark as their name, and are waited for.
A folder that was there already is msgauge's own, which runs on this very host and removes it itself. Those made here go
before that wait, for Slurm ends this shell by SIGKILL where a cancelled job takes long, and again after it.
"""

from __future__ import annotations

import os
import re
import select
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from msgauge.errors import HostsLostError, LaunchError

MARK = "MSGAUGE_MARK"
"""The variable that says of which run and session a process is: ``RUN.SESSION``."""
_ANSWER_S = 30.0
_START_S = 60.0
_END_S = 30.0
_SESSION = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)

_SHELL = r"""
host=$SLURMD_NODENAME mark=$1 folder=$2
unset MSGAUGE_MARK
mkdir -m 700 "$folder" 2>/dev/null
printf %s "$3" >"$folder/rsh" && chmod 700 "$folder/rsh"
end_marked() {
  rounds=0
  while [ $rounds -lt 50 ]; do
    left=$(grep -lszxE "MSGAUGE_MARK=$mark\.$1" /proc/[0-9]*/environ | sed 's,/proc/\([0-9]*\)/.*,\1,')
    [ -n "$left" ] || return 0
    kill -9 $left 2>/dev/null
    rounds=$((rounds + 1)); sleep 0.02
  done
}
make_folder() { [ -d "$1" ] || { mkdir -m 700 "$1" && echo "$1" >>"$folder/made"; }; }
remove_folders() {
  printf '%s\n' "$made" | while read -r one; do [ -z "$one" ] || rm -rf -- "$one"; done
  rm -rf -- "$folder"
}
own_steps() { squeue -s -h -j "$SLURM_JOB_ID" -o '%i %j' 2>/dev/null | sed -n "s/ $mark\$//p"; }
leave() {
  trap '' TERM INT HUP
  made=$(cat "$folder/made" 2>/dev/null)
  end_marked '.*'
  remove_folders
  limit=$(($(date +%s) + 20))
  while steps=$(own_steps) && [ -n "$steps" ] && [ "$(date +%s)" -lt $limit ]; do
    scancel $steps 2>/dev/null
    sleep 0.2
    end_marked '.*'
  done
  remove_folders
  exit 0
}
trap leave TERM INT HUP
echo "$host ."
while read -r line; do
  { eval "$line"; } </dev/null 2>&1 | while IFS= read -r said; do echo "$host $said"; done
  echo "$host ."
done
leave
"""


class AllocationShells:
    """The shells of all hosts; closing them ends everything that bears the run's mark."""

    def __init__(self, srun: Sequence[str], hosts: Sequence[str], mark: str, agent: str) -> None:
        """``srun``: the command and its words for this job. ``agent``: the text of what is called as rsh there.

        Raises:
            LaunchError: the step did not start, with what srun said.
        """
        self.hosts = tuple(hosts)
        self.folder = f"/tmp/{mark}"
        """A folder that each host has of its own; ``rsh`` in it is the agent."""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the shells)
        count = str(len(hosts))
        step = ("-N", count, "-n", count, "--ntasks-per-node=1", "-w", ",".join(hosts), "--unbuffered", "--mpi=none")
        self._process = subprocess.Popen(
            [*srun, *step, "sh", "-c", _SHELL, "shell", mark, self.folder, agent],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
        )
        self._unread = b""
        self._silent = False
        try:
            self._collect(_START_S)
        except HostsLostError as error:
            said = self._complaint() or "it ended at once without a word"
            self.close()
            raise LaunchError(
                f"srun starts nothing on {', '.join(hosts)}: {said}", remedy="try it in the same job: srun hostname"
            ) from error
        except LaunchError:
            self.close()
            raise

    def ask(self, script: str) -> Mapping[str, list[str]]:
        """What one line of shell says on every host.

        Raises:
            LaunchError: a host does not answer.
            HostsLostError: the allocation has ended.
        """
        assert self._process.stdin is not None and "\n" not in script
        try:
            self._process.stdin.write(f"{script}\n".encode())
            self._process.stdin.flush()
        except OSError as error:
            raise self._loss() from error
        return self._collect(_ANSWER_S)

    def end_session(self, session: str) -> None:
        """End what a session left on the hosts. Raises LaunchError where one does not answer."""
        assert _SESSION.fullmatch(session)
        self.ask(f"end_marked {session}")

    def close(self) -> None:
        """End what bears the mark on every host, and the shells."""
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        try:
            self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_END_S)
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._errors.close()

    def _collect(self, limit_s: float) -> Mapping[str, list[str]]:
        """Lines of all hosts, until each has said its full stop."""
        assert self._process.stdout is not None
        said: dict[str, list[str]] = {}
        waiting = set(self.hosts)
        limit = time.monotonic() + limit_s
        while waiting:
            line = self._next_line(limit)
            if line is None and self._silent:
                raise self._loss()
            if line is None:
                what = f"{', '.join(sorted(waiting))} of the allocation do not answer: {self._complaint()}"
                raise LaunchError(what, remedy="see whether the job still runs and srun reaches them: srun hostname")
            host, _, words = line.partition(" ")
            if words == ".":
                waiting.discard(host)
            else:
                said.setdefault(host, []).append(words)
        return said

    def _next_line(self, limit: float) -> str | None:
        assert self._process.stdout is not None
        while b"\n" not in self._unread:
            left_s = limit - time.monotonic()
            if left_s <= 0 or not select.select([self._process.stdout], [], [], left_s)[0]:
                return None
            part = os.read(self._process.stdout.fileno(), 1 << 16)
            if not part:
                self._silent = True
                return None
            self._unread += part
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode(errors="replace")

    def _loss(self) -> HostsLostError:
        what = f"the allocation has ended: {self._complaint() or 'its shells are gone'}"
        return HostsLostError(what, remedy="go on with --resume in an allocation of the same hosts")

    def _complaint(self) -> str:
        """The last that srun said, without its remark that a cluster binds nothing."""
        with suppress(OSError, ValueError):
            self._errors.seek(0)
            lines = self._errors.read().decode(errors="replace").splitlines()
            return "; ".join(line for line in lines if "lacks support for cpu binding" not in line)[-300:]
        return ""
