"""What the keeper of a lab does for those who come to its socket: run something on a host, show hosts a folder, end.

The kernel says who comes. A program runs as that user with the descriptors that came along, and in the cpu cgroup of
the one that asked, so that the ranks of a launch are scheduled as one group wherever they run. Standard library alone.

A request is 8 bytes of length and JSON, with descriptors beside it where it is ``run``:
    {"do": "run", "host", "argv": [...]} with "env" and "cwd", or with "shell": "..." in place of argv, as rsh runs it
        -> {"exit": number} or {"signal": number} or {"error": "..."}
    {"do": "share", "folders": [...]} -> {}       folders below /tmp that all hosts are to see
    {"do": "cut", "host"} -> {}                    pull the cable of a host
    {"do": "kill", "host"} -> {}                   end a host with all that runs on it, as a loss of power does
    {"do": "mend", "host"} -> {}                   put the cable back; make the host anew where it is dead
    {"do": "end"} -> {}                            take the lab down
"""

from __future__ import annotations

import contextlib
import json
import os
import pwd
import select
import signal
import socket
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgauge.execution.cgroup import join_cgroup_of
from msgauge.lab import namespaces
from msgauge.lab.network import LabNetwork

FIRST_PROCESSES = "first-processes.json"
"""A file in a lab's folder, once a host was made anew: process 1 of each host."""
SHARED = "shared"
_CHANGE_S = 20.0
_REVIVAL_S = 120.0
"""Hosts that are made anew wait for each other, and one may take a minute."""
_GRACE_MS = 2000
_LONGEST = 64 << 20


class Office:
    """Admits those who come, each in a process of its own."""

    def __init__(self, hosts: Mapping[str, int], users: Sequence[int], network: LabNetwork, orders: int) -> None:
        """``orders``: a pipe to the keeper, for the name of a host that it is to make anew."""
        self.hosts = dict(hosts)
        self._network = network
        self._orders = orders
        self.users = {0, os.getuid(), *users}

    def admit(self, listener: socket.socket) -> None:
        """Accept one and serve it in a child."""
        with contextlib.suppress(OSError):
            connection, _ = listener.accept()
            if os.fork() == 0:
                signal.set_wakeup_fd(-1)
                for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
                    signal.signal(number, signal.SIG_DFL)
                listener.close()
                try:
                    self._serve(connection)
                finally:
                    os._exit(0)
            connection.close()

    def _serve(self, connection: socket.socket) -> None:
        peer = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        request, descriptors = _receive(connection)
        try:
            answer = self._answer(request, descriptors, peer, connection)
        except (OSError, RuntimeError, KeyError, ValueError, TypeError) as error:
            answer = {"error": str(error) or type(error).__name__}
        with contextlib.suppress(OSError):
            connection.sendall(json.dumps(answer).encode())

    def _answer(
        self, request: dict[str, Any], descriptors: list[int], peer: Sequence[int], connection: socket.socket
    ) -> dict[str, Any]:
        if peer[1] not in self.users:
            return {"error": "this lab is another user's"}
        match request.get("do"):
            case "run":
                return self._run(request, descriptors, peer, connection)
            case "share":
                return self._share(request["folders"])
            case "cut" | "kill" | "mend" as what if peer[1] in (0, os.getuid()):
                return self._change(what, request["host"])
            case "end" if peer[1] in (0, os.getuid()):
                os.kill(os.getppid(), signal.SIGTERM)
                return {}
        return {"error": f"cannot do {request.get('do')!r}"}

    def _run(
        self, request: dict[str, Any], descriptors: list[int], peer: Sequence[int], connection: socket.socket
    ) -> dict[str, Any]:
        if request.get("host") not in self.hosts:
            return {"error": f"there is no host {request.get('host')!r} in this lab"}
        if len(descriptors) != 3:
            return {"error": "standard input, output and error are missing"}
        if not lives(self.hosts[request["host"]]):
            return {"error": f"{request['host']} is down"}
        join_cgroup_of(peer[0])
        namespaces.enter(self.hosts[request["host"]])
        child = os.fork()
        if child == 0:
            _become(request, descriptors, peer)
        for descriptor in descriptors:
            os.close(descriptor)
        return _await(child, connection)

    def _share(self, folders: Sequence[str]) -> dict[str, Any]:
        """Hosts that are down get to see them when they come back."""
        wrong = []
        with (self._network.folder / SHARED).open("a", encoding="utf-8") as known:
            known.writelines(f"{folder}\n" for folder in folders)
        for name, pid in self.hosts.items():
            if not lives(pid):
                continue
            child = os.fork()
            if child == 0:
                code = 1
                with contextlib.suppress(OSError):
                    namespaces.enter(pid)
                    for folder in folders:
                        namespaces.bring_in(folder)
                    code = 0
                os._exit(code)
            if os.waitpid(child, 0)[1] != 0:
                wrong.append(name)
        return {"error": f"folders cannot be shown to {', '.join(wrong)}"} if wrong else {}

    def _change(self, what: str, host: str) -> dict[str, Any]:
        """Cut a host off, end it, or bring it back. Raises OSError, RuntimeError, KeyError."""
        pid, number = self.hosts[host], [*self.hosts].index(host) + 1
        if what == "kill":
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            _wait_for(lambda: not lives(pid))
        elif what == "cut":
            self._network.cut(number)
        elif lives(pid):
            self._network.mend(number)
        else:
            folder, before = self._network.folder, _read_revival(self._network.folder, host)["times"]
            os.write(self._orders, f"{host}\n".encode())
            _wait_for(lambda: _read_revival(folder, host)["times"] > before, _REVIVAL_S)
            wrong = _read_revival(folder, host)["wrong"]
            return {"error": f"{host} does not come back: {wrong}"} if wrong else {}
        return {}


def read_order(orders: int) -> str:
    """The name of the host that is to be made anew; orders that came meanwhile stay in the pipe until they are read."""
    name = b""
    while (letter := os.read(orders, 1)) not in (b"", b"\n"):
        name += letter
    return name.decode()


def read_shared(folder: Path) -> list[str]:
    """The folders that were shown to all hosts since the lab was made, those that are still there."""
    known = folder / SHARED
    shown = known.read_text(encoding="utf-8").splitlines() if known.exists() else []
    return [folder for folder in dict.fromkeys(shown) if Path(folder).is_dir()]


def tell_first_processes(folder: Path, pids: Sequence[int], host: str, wrong: str) -> None:
    """Write process 1 of each host to the lab's folder, and of the one that was to be made anew why it could not be."""
    draft, revivals = folder / f"{FIRST_PROCESSES}.new", _read_told(folder).get("revivals", {})
    revivals[host] = {"times": _read_revival(folder, host)["times"] + 1, "wrong": wrong}
    draft.write_text(json.dumps({"first_processes": list(pids), "revivals": revivals}))
    draft.replace(folder / FIRST_PROCESSES)


def _read_revival(folder: Path, host: str) -> dict[str, Any]:
    """How often this host was made anew, and what was wrong the last time."""
    last: dict[str, Any] = _read_told(folder).get("revivals", {}).get(host, {"times": 0, "wrong": ""})
    return last


def _read_told(folder: Path) -> dict[str, Any]:
    try:
        told: dict[str, Any] = json.loads((folder / FIRST_PROCESSES).read_text())
    except (OSError, ValueError):
        return {}
    return told


def lives(pid: int) -> bool:
    """Whether there is such a process, and no mere remainder of it."""
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except OSError:
        return False


def _wait_for(happened: Callable[[], bool], limit_s: float = _CHANGE_S) -> None:
    limit = time.monotonic() + limit_s
    while not happened():
        if time.monotonic() > limit:
            raise TimeoutError("it takes too long")
        time.sleep(0.005)


def _receive(connection: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """A whole request and the descriptors that came with it."""
    connection.settimeout(10.0)
    content, descriptors, _, _ = socket.recv_fds(connection, 1 << 16, 3)
    while len(content) < 8 or len(content) < 8 + struct.unpack("!Q", content[:8])[0]:
        part = connection.recv(1 << 20)
        content += part
        if not part or len(content) > _LONGEST:
            break
    connection.settimeout(None)
    return json.loads(content[8:]), list(descriptors)


def _become(request: dict[str, Any], descriptors: Sequence[int], peer: Sequence[int]) -> None:
    """Turn this child into the program that was asked for; never returns."""
    try:
        os.setsid()
        for target, descriptor in enumerate(descriptors):
            os.dup2(descriptor, target)
        os.closerange(3, 1 << 12)
        entry = pwd.getpwuid(peer[1])
        if peer[1] != os.getuid():
            os.initgroups(entry.pw_name, peer[2])
            os.setgid(peer[2])
            os.setuid(peer[1])
        namespaces.drop_capabilities()
        os.umask(0o022)
        _change_folder(request.get("cwd") or entry.pw_dir)
        if "shell" in request:
            os.execve("/bin/sh", ["sh", "-c", request["shell"]], _login_environment(entry))
        environment = {**request["env"], "HOSTNAME": socket.gethostname()}
        os.execvpe(request["argv"][0], request["argv"], environment)
    except (OSError, LookupError, TypeError) as error:
        program = "sh" if "shell" in request else request["argv"][0]
        with contextlib.suppress(OSError):
            os.write(2, tell_unstarted(program, socket.gethostname(), error).encode(errors="replace"))
    os._exit(127)


def tell_unstarted(program: str, host: str, error: Exception) -> str:
    """A line that says why a program did not start; where execvp searched last says nothing."""
    why = (error.strerror if isinstance(error, OSError) else "") or str(error) or type(error).__name__
    searched = isinstance(error, FileNotFoundError) and "/" not in program
    hint = "; name one in the caller's PATH, or its whole path" if searched else ""
    return f"{program} cannot be started on {host}: {why}{hint}\n"


def _login_environment(entry: pwd.struct_passwd) -> dict[str, str]:
    """What a program finds that rsh or ssh has started: nothing of the one that asked."""
    own = {"HOME": entry.pw_dir, "USER": entry.pw_name, "LOGNAME": entry.pw_name, "SHELL": "/bin/sh"}
    return {**own, "PATH": namespaces.SEARCH_PATH, "LC_ALL": "C"}


def _change_folder(folder: str) -> None:
    try:
        os.chdir(folder)
    except OSError:
        os.chdir("/")


def _await(child: int, connection: socket.socket) -> dict[str, Any]:
    """Until the child ends, or the one that asked is gone: then it is ended, with its process group."""
    watched = os.pidfd_open(child)
    poller = select.poll()
    poller.register(watched, select.POLLIN)
    poller.register(connection, select.POLLIN | select.POLLRDHUP)
    ready = dict(poller.poll())
    if watched not in ready:
        poller.unregister(connection)
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(OSError):
                os.killpg(child, number)
            if poller.poll(_GRACE_MS):
                break
    status = os.waitpid(child, 0)[1]
    return {"signal": os.WTERMSIG(status)} if os.WIFSIGNALED(status) else {"exit": os.WEXITSTATUS(status)}
