"""Start N processes that find each other: the launcher of every transport that is not an MPI.

    python3 -I local_launcher.py -n N [--cores CORES] [--hosts HOST,... --agent RSH [--export NAME,...]] -- PROGRAM ...

Each process gets MSGAUGE_RANK, MSGAUGE_SIZE, MSGAUGE_CORES, MSGAUGE_RENDEZVOUS (host:port of this launcher) and
MSGAUGE_TOKEN. A rank connects there, writes "TOKEN RANK PLACE" in one line, where PLACE is any text that tells others
how to reach it, and once all have come gets the PLACE lines of all ranks. With ``--cores`` each rank is bound to a core
while there are enough, as the launchers of MPIs do.
When a rank fails, the others are ended and its exit code is this program's (128 + signal where a signal ended it).
Signals are passed on; if this process dies, the kernel ends the ranks. Only the standard library is used.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import secrets
import selectors
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

PR_SET_PDEATHSIG = 1
GRACE_S = 2.0
LONGEST_PLACE = 1 << 16
SIBLINGS = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"


def main(arguments: Sequence[str] | None = None) -> int:
    """Start the ranks, bring them together, wait for them; the exit code of the first that failed, or 0."""
    description = "Start N processes that find each other."
    parser = argparse.ArgumentParser(prog="local_launcher.py", description=description)
    parser.add_argument("-n", type=int, required=True, metavar="N", help="number of ranks")
    parser.add_argument("--cores", type=int, default=0, metavar="CORES", help="bind ranks while they are no more")
    parser.add_argument("--hosts", default="", metavar="HOSTS", help="the host of each rank; by default this computer")
    parser.add_argument("--agent", default="", metavar="RSH", help="what starts a command on a host, called as rsh is")
    parser.add_argument("--export", default="", metavar="NAMES", help="variables that ranks on hosts are to have too")
    parser.add_argument("program", nargs="+", help="program and its arguments, after --")
    options = parser.parse_args(arguments)
    if not 1 <= options.n <= 4096:
        parser.error("-n takes a number from 1 to 4096")
    hosts = [name for name in options.hosts.split(",") if name]
    if hosts and (len(hosts) != options.n or not options.agent):
        parser.error("--hosts names the host of each rank, and goes with --agent")
    exported = [name for name in options.export.split(",") if name]
    remote = Remote(options.agent, hosts, exported) if hosts else None
    with Job(options.n, options.program, options.cores, remote) as job:
        return job.run()


class Remote:
    """The way to ranks on other hosts: who starts them, where each one stands, what it is to find there."""

    def __init__(self, agent: str, hosts: Sequence[str], exported: Sequence[str]) -> None:
        self._agent = agent
        self._hosts = list(hosts)
        self._exported = {name: os.environ[name] for name in exported if name in os.environ}

    def address(self) -> str:
        """The address of this computer on the way to the others.

        Its own name often means 127.0.1.1 here (Debian's /etc/hosts), where no other host finds it.
        """
        for host in dict.fromkeys(reversed(self._hosts)):
            with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
                way.connect((host, 9))  # sends nothing
                address: str = way.getsockname()[0]
                if not address.startswith("127."):
                    return address
        return socket.gethostbyname(socket.gethostname())

    def start(self, rank: int, program: Sequence[str], place: dict[str, str]) -> subprocess.Popen[bytes]:
        """Start a rank. Its token goes by standard input, as every user of a host can read command lines there."""
        told = {**self._exported, **{name: value for name, value in place.items() if name != "MSGAUGE_TOKEN"}}
        words = " ".join(shlex.quote(word) for word in program)
        variables = " ".join(f"{name}={shlex.quote(value)}" for name, value in told.items())
        folder = shlex.quote(str(Path.cwd()))
        script = (
            f"read -r MSGAUGE_TOKEN && export MSGAUGE_TOKEN && cd {folder} && exec env {variables} {words} </dev/null"
        )
        argv = [self._agent, self._hosts[rank], script]
        started = subprocess.Popen(argv, stdin=subprocess.PIPE, preexec_fn=die_with(os.getpid()))  # noqa: PLW1509
        assert started.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            started.stdin.write(f"{place['MSGAUGE_TOKEN']}\n".encode())
            started.stdin.close()
        return started


class Job:
    """The ranks of one launch and their meeting place."""

    def __init__(self, size: int, program: Sequence[str], cores: int = 0, remote: Remote | None = None) -> None:
        self._remote = remote
        allowed = cores_apart()
        self._size = size
        self._cores = min(cores, len(allowed)) if cores else len(allowed)
        self._places_to_run = allowed if 0 < size <= cores and size <= len(allowed) else []
        self._program = list(program)
        self._token = secrets.token_hex(16)
        self._ranks: list[subprocess.Popen[bytes]] = []
        self._places: dict[int, tuple[socket.socket, str]] = {}
        self._address = remote.address() if remote else "127.0.0.1"
        self._listener = socket.create_server((self._address, 0), backlog=max(128, size))
        self._listener.setblocking(False)
        self._wake, self._woken = socket.socketpair()
        self._selector = selectors.DefaultSelector()
        self._signal = 0

    def __enter__(self) -> Job:
        self._wake.setblocking(False)
        self._woken.setblocking(False)
        signal.set_wakeup_fd(self._wake.fileno(), warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        self._selector.register(self._woken, selectors.EVENT_READ)
        self._selector.register(self._listener, selectors.EVENT_READ)
        return self

    def __exit__(self, *_: object) -> None:
        self._end_all()
        self._selector.close()
        self._listener.close()

    def run(self) -> int:
        """Start all, then wait until all have ended well, one has failed, or a signal came."""
        try:
            for rank in range(self._size):
                self._ranks.append(self._start(rank))
        except OSError as mistake:
            sys.stderr.write(f"local_launcher.py: cannot start {self._program[0]}: {mistake.strerror}\n")
            return 127
        while True:
            failed = self._first_failure()
            if failed:
                return failed
            if all(rank.returncode == 0 for rank in self._ranks):
                return 0
            if self._signal:
                return 128 + self._signal
            for key, _ in self._selector.select():
                self._serve(key.fileobj)

    def _start(self, rank: int) -> subprocess.Popen[bytes]:
        host, port = self._listener.getsockname()
        place = {
            "MSGAUGE_RANK": str(rank),
            "MSGAUGE_SIZE": str(self._size),
            "MSGAUGE_CORES": str(self._cores),
            "MSGAUGE_RENDEZVOUS": f"{host}:{port}",
            "MSGAUGE_TOKEN": self._token,
        }
        if self._remote is not None:
            return self._remote.start(rank, self._program, place)
        return subprocess.Popen(
            self._program,
            env={**os.environ, **place},
            stdin=subprocess.DEVNULL,
            preexec_fn=die_with(os.getpid(), self._places_to_run[rank : rank + 1]),  # noqa: PLW1509 (one thread here)
        )

    def _on_signal(self, number: int, _frame: object) -> None:
        self._signal = number

    def _first_failure(self) -> int:
        """Exit code of a rank that failed, 0 while none has."""
        for rank in self._ranks:
            if rank.returncode is None:
                rank.poll()
        codes = [rank.returncode for rank in self._ranks if rank.returncode]
        if not codes:
            return 0
        return codes[0] if codes[0] > 0 else 128 - codes[0]

    def _serve(self, source: object) -> None:
        if source is self._woken:
            with contextlib.suppress(BlockingIOError):
                self._woken.recv(4096)
        elif source is self._listener:
            with contextlib.suppress(BlockingIOError):
                arrival, _ = self._listener.accept()
                arrival.settimeout(5.0)
                self._selector.register(arrival, selectors.EVENT_READ)
        elif isinstance(source, socket.socket):
            self._selector.unregister(source)
            self._welcome(source)

    def _welcome(self, arrival: socket.socket) -> None:
        """Note where a rank listens; strangers are turned away. The last one to come sets everyone free."""
        line = b""
        with contextlib.suppress(OSError):
            while not line.endswith(b"\n") and len(line) < LONGEST_PLACE:
                part = arrival.recv(4096)
                if not part:
                    break
                line += part
        words = line.decode("ascii", "replace").split(maxsplit=2)
        ours = (
            len(words) == 3 and secrets.compare_digest(words[0].encode(), self._token.encode()) and words[1].isdigit()
        )
        if not ours or int(words[1]) >= self._size or int(words[1]) in self._places:
            arrival.close()
            return
        self._places[int(words[1])] = (arrival, f"{words[2].strip()}\n")
        if len(self._places) == self._size:
            table = "".join(self._places[rank][1] for rank in range(self._size)).encode()
            for connection, _ in self._places.values():
                with contextlib.suppress(OSError):
                    connection.settimeout(5.0)
                    connection.sendall(table)
                connection.close()

    def _end_all(self) -> None:
        """End what still runs: the signal that came to us, or TERM; then KILL for those that stay."""
        for number in (self._signal or signal.SIGTERM, signal.SIGKILL):
            for rank in self._ranks:
                if rank.poll() is None:
                    with contextlib.suppress(ProcessLookupError):
                        rank.send_signal(number)
            deadline = time.monotonic() + GRACE_S
            for rank in self._ranks:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    rank.wait(max(0.0, deadline - time.monotonic()))


def cores_apart() -> list[int]:
    """The processors this program may use, one of each core first, so that few ranks do not share a core."""
    allowed = sorted(os.sched_getaffinity(0))
    first: list[int] = []
    second: list[int] = []
    seen: set[str] = set()
    for number in allowed:
        siblings = str(number)
        with contextlib.suppress(OSError):
            siblings = Path(SIBLINGS.format(number)).read_text(encoding="ascii")
        (second if siblings in seen else first).append(number)
        seen.add(siblings)
    return first + second


def die_with(parent: int, processors: Sequence[int] = ()) -> Callable[[], None]:
    """What a child does between fork and exec: it never outlives its launcher, and runs on these processors."""
    libc = ctypes.CDLL(None, use_errno=True)

    def prepare() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if processors:
            os.sched_setaffinity(0, processors)
        if os.getppid() != parent:
            os._exit(1)

    return prepare


if __name__ == "__main__":
    sys.exit(main())
