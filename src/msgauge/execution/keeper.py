"""The keeper: a small process of its own that starts programs for msgauge and surely ends all that came of them.

Run as ``python -I -S keeper.py TRACES`` (``model.Traces`` as JSON) it speaks JSON lines: a request on standard input,
the answer on standard output. It imports the standard library alone, so it starts fast and stands also when msgauge is
killed. As the *subreaper* of its descendants it inherits every daemon that detaches itself (double fork, new session),
so none can leave its tree. When its standard input ends (msgauge is gone, even by kill -9), on SIGTERM, SIGINT or
SIGHUP it kills its whole tree, salvages samples, removes temporary paths and the shared memory that the tree left, and
exits.

Requests:
    {"do": "run", "argv", "env", "cwd", "user", "stdout", "stderr", "limit_s", "sweep", "settled"}
        -> {"exit", "signal", "ended", "began_s", "seconds", "usage": {...}} or {"error"}
    {"do": "stop"}     ends the running command; its answer follows        {"do": "sweep"} -> {"swept"}
    {"do": "own", "paths": [...], "salvages": [[from, to], ...]} -> {}     what to remove, and what to save before
    {"do": "watch", "hosts": [...]} -> {}          first processes of emulated hosts, whose processes of ours end too
    {"do": "salvage", "salvages": [...]} -> {}     save these now; {"failed": ...} those that could not be
"""

from __future__ import annotations

import json
import os
import pwd
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from msgauge.execution.cgroup import Cgroup
from msgauge.execution.leftover_files import SharedMemory, TemporaryFileCleanup
from msgauge.execution.open_files import raise_open_files
from msgauge.execution.output_limit import is_flood, shorten
from msgauge.execution.process_tree import Reaper, Status, become_subreaper

SETTLE_S = 10.0
"""How long a launch may take to end after its last frame is written, before it is ended."""
_LOOK_S = 1.0
_LAST_FRAME = re.compile(rb"cell=-1 (?:[!-~]+ )*series=end(?: [!-~]+)*\n\Z")


def main() -> None:
    """Serve requests until the end, then clean up, whatever happens."""
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    keeper = Keeper(json.loads(sys.argv[1]))
    try:
        keeper.serve()
    finally:
        keeper.clean_up()


class _Ended(Exception):
    """Standard input is closed, or somebody asked this process to go."""


class Keeper:
    """State of the one keeper process: its requests, its tree, what it owns on disk."""

    def __init__(self, traces: dict[str, Any]) -> None:
        become_subreaper()
        self.wake = _woken_by_signals()
        self.going = False
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._go)
        self.open_files = raise_open_files()
        self.cgroup = Cgroup()
        self.shared = SharedMemory(traces["shared_memory"], traces["job_folders"])
        self.files = [TemporaryFileCleanup(one["pattern"], one["maker"]) for one in traces["temporary_files"]]
        self.reaper = Reaper()
        self.paths: list[str] = []
        self.salvages: list[list[str]] = []
        self.unread = b""

    def _go(self, *_: object) -> None:
        self.going = True

    def serve(self) -> None:
        """Answer one request after another."""
        try:
            kind, _, detail = self.cgroup.word.partition(": ")
            condition = [["cgroup", kind], ["cgroup_detail", detail], ["open_files", str(self.open_files)]]
            _say({"pid": os.getpid(), "condition": condition, "cgroup": str(self.cgroup.path or "")})
            while True:
                request = self._next(None)
                self.reaper.collect()
                if request is not None:
                    self._answer(request)
        except (_Ended, BrokenPipeError):
            return

    def _answer(self, request: dict[str, Any]) -> None:
        """Carry out one request and answer it."""
        match request.get("do"):
            case "run":
                _say(self._run(request))
            case "sweep":
                swept = self.reaper.kill_tree(note=self.shared.note_doomed)
                self._remove_leftovers()
                _say({"swept": swept})
            case "own":
                self.paths += request.get("paths", [])
                self.salvages += request.get("salvages", [])
                _say({})
            case "watch":
                self.reaper.hosts = tuple(request.get("hosts", []))
                _say({})
            case "salvage":
                asked = request.get("salvages", [])
                failed = [pair for pair in asked if not salvage(*pair)]
                self.salvages = [pair for pair in self.salvages if pair not in asked or pair in failed]
                _say({"failed": failed})
            case "stop":
                pass  # the command had just ended by itself, and is answered
            case other:
                _say({"error": f"unknown request {other!r}"})

    def _next(self, limit_s: float | None) -> dict[str, Any] | None:
        """The next request, or None when the limit passed or a child changed state.

        Raises:
            _Ended: there will be no more.
        """
        if b"\n" not in self.unread:
            ready, _, _ = select.select([0, self.wake], [], [], limit_s)
            if self.wake in ready:
                os.read(self.wake, 4096)
            if self.going:
                raise _Ended
            if 0 not in ready:
                return None
            chunk = os.read(0, 1 << 16)
            if not chunk:
                raise _Ended
            self.unread += chunk
            if b"\n" not in self.unread:
                return None
        line, _, self.unread = self.unread.partition(b"\n")
        return _parse(line)

    def _run(self, request: dict[str, Any]) -> dict[str, Any]:
        """Start the command, wait for it, and end what it left; daemons that were there before are spared."""
        before = self.reaper.list_living()
        started = time.monotonic()
        try:
            child = _start(request)
        except (OSError, LookupError, ValueError, TypeError, subprocess.SubprocessError) as error:
            return {"error": str(error) or type(error).__name__}
        self.shared.note_user(request.get("user") or "")
        self.reaper.awaited = {child.pid}
        ended = self._wait(child.pid, request, started)
        seconds = time.monotonic() - started
        if ended or request.get("sweep", True):
            self.reaper.kill_tree(before, self.shared.note_doomed)
            self._remove_leftovers()
        for path in _outputs(request):
            shorten(path)
        child.returncode = 0  # it is collected already: keeps subprocess from waiting for it
        status = self.reaper.statuses.pop(child.pid, None)
        return {"ended": ended, "began_s": started, "seconds": seconds, **_outcome(status)}

    def _wait(self, pid: int, request: dict[str, Any], started: float) -> str:
        """Until the child ends by itself (''), or why it is to be ended: limit, flood, settled, stop."""
        limit = started + float(request.get("limit_s", 60.0))
        settled_at = None
        while True:
            self.reaper.collect()
            now = time.monotonic()
            if pid in self.reaper.statuses:
                return ""
            if now >= limit:
                return "limit"
            if is_flood(_outputs(request)):
                return "flood"
            if settled_at is None and request.get("settled") and _ends_with_last_frame(request["settled"]):
                settled_at = now
            if settled_at is not None and now >= settled_at + float(request.get("settle_s", SETTLE_S)):
                return "settled"
            asked = self._next(min(_LOOK_S, limit - now))
            if asked is not None and asked.get("do") == "stop":
                return "stop"

    def _remove_leftovers(self) -> None:
        """What libraries and launchers keep outside of any folder that they were given."""
        self.shared.note_ended(self.reaper.ended)
        self.shared.remove_leftovers()
        for files in self.files:
            files.remove_leftovers(self.shared.users)

    def clean_up(self) -> None:
        """Leave nothing: processes first, then samples to safety, then files, shared memory and the cgroup."""
        self.reaper.kill_tree(note=self.shared.note_doomed)
        for source, target in self.salvages:
            salvage(source, target)
        for path in self.paths:
            shutil.rmtree(path, ignore_errors=True)
        self._remove_leftovers()
        self.cgroup.remove()
        self.salvages, self.paths = [], []


def _woken_by_signals() -> int:
    """A file descriptor that becomes readable whenever a signal arrives, so that ``select`` returns."""
    wake, into = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(into, False)
    signal.set_wakeup_fd(into, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return wake


def _say(answer: dict[str, Any]) -> None:
    """One line to msgauge."""
    content = (json.dumps(answer) + "\n").encode()
    while content:
        content = content[os.write(1, content) :]


def _parse(line: bytes) -> dict[str, Any]:
    try:
        request = json.loads(line)
    except ValueError:
        request = None
    return request if isinstance(request, dict) else {"do": f"not a request: {line[:60]!r}"}


def _start(request: dict[str, Any]) -> subprocess.Popen[bytes]:
    """Start a command in a session of its own, as the user asked for, standard input from nowhere."""
    with (
        Path(request.get("stdout") or os.devnull).open("ab") as output,
        Path(request.get("stderr") or os.devnull).open("ab") as errors,
    ):
        return subprocess.Popen(
            request["argv"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            env=request["env"],
            cwd=request.get("cwd") or None,
            start_new_session=True,
            umask=0o022,
            **_identity(request.get("user") or ""),
        )


def _outputs(request: dict[str, Any]) -> tuple[str, ...]:
    """The files that standard output and standard error go to, each once."""
    return tuple({path for path in (request.get("stdout"), request.get("stderr")) if path})


def _identity(user: str) -> dict[str, Any]:
    """How ``subprocess`` becomes that user; nothing for the present one."""
    if not user or pwd.getpwnam(user).pw_uid == os.getuid():
        return {}
    entry = pwd.getpwnam(user)
    groups = os.getgrouplist(user, entry.pw_gid)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": groups}


def _ends_with_last_frame(path: str) -> bool:
    """Whether a samples file ends in the frame ``series=end``: all that was measured is safe."""
    try:
        with Path(path).open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - 256))
            tail = file.read()
    except OSError:
        return False
    return _LAST_FRAME.search(tail) is not None


def _outcome(status: Status | None) -> dict[str, Any]:
    """Exit code or signal, and what the command and all its awaited children used."""
    if status is None:
        return {"exit": None, "signal": None, "usage": {}}
    code, usage = status
    return {
        "exit": os.WEXITSTATUS(code) if os.WIFEXITED(code) else None,
        "signal": os.WTERMSIG(code) if os.WIFSIGNALED(code) else None,
        "usage": {
            "user_s": usage.ru_utime,
            "system_s": usage.ru_stime,
            "voluntary_switches": usage.ru_nvcsw,
            "involuntary_switches": usage.ru_nivcsw,
            "peak_memory_bytes": usage.ru_maxrss * 1024,
        },
    }


def salvage(source: str, target: str) -> bool:
    """Copy ``source`` to ``target``, whole or not at all, unless the target holds as much already."""
    beside = Path(f"{target}.salvaged")
    try:
        size = Path(source).stat().st_size
        if not Path(target).exists() or Path(target).stat().st_size < size:
            shutil.copyfile(source, beside)
            beside.replace(target)
    except FileNotFoundError:
        return not Path(source).exists()
    except OSError:
        beside.unlink(missing_ok=True)
        return False
    return True


if __name__ == "__main__":
    main()
