"""What the keeper of a lab does for those who come to its socket: run something on a host, show hosts a folder, end.

The kernel says who comes. A program runs as that user with the descriptors that came along, and in the cpu cgroup of
the one that asked, so that the ranks of a launch are scheduled as one group wherever they run. Standard library alone.

A request is 8 bytes of length and JSON, with descriptors beside it where it is ``run``:
    {"do": "run", "host", "argv": [...]} with "env" and "cwd", or with "shell": "..." in place of argv, as rsh runs it
        -> {"exit": number} or {"signal": number} or {"error": "..."}
    {"do": "share", "folders": [...]} -> {}       folders below /tmp that all hosts are to see
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
from collections.abc import Mapping, Sequence
from typing import Any

from msgauge.execution.cgroup import join_cgroup_of
from msgauge.lab import namespaces

_GRACE_MS = 2000
_LONGEST = 64 << 20
_SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Office:
    """Admits those who come, each in a process of its own."""

    def __init__(self, hosts: Mapping[str, int], users: Sequence[int]) -> None:
        self.hosts = dict(hosts)
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
        except (OSError, KeyError, ValueError, TypeError) as error:
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
        join_cgroup_of(peer[0])
        namespaces.enter(self.hosts[request["host"]])
        child = os.fork()
        if child == 0:
            _become(request, descriptors, peer)
        for descriptor in descriptors:
            os.close(descriptor)
        return _await(child, connection)

    def _share(self, folders: Sequence[str]) -> dict[str, Any]:
        wrong = []
        for name, pid in self.hosts.items():
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
        os.umask(0o022)
        _change_folder(request.get("cwd") or entry.pw_dir)
        if "shell" in request:
            os.execve("/bin/sh", ["sh", "-c", request["shell"]], _login_environment(entry))
        environment = {**request["env"], "HOSTNAME": socket.gethostname()}
        os.execvpe(request["argv"][0], request["argv"], environment)
    except (OSError, LookupError, TypeError) as error:
        with contextlib.suppress(OSError):
            os.write(2, f"cannot be started on {socket.gethostname()}: {error}\n".encode())
    os._exit(127)


def _login_environment(entry: pwd.struct_passwd) -> dict[str, str]:
    """What a program finds that rsh or ssh has started: nothing of the one that asked."""
    own = {"HOME": entry.pw_dir, "USER": entry.pw_name, "LOGNAME": entry.pw_name, "SHELL": "/bin/sh"}
    return {**own, "PATH": _SEARCH_PATH, "LC_ALL": "C"}


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
