"""The keeper of a lab: it makes the emulated hosts, starts programs on them, and takes all of it away at its end.

Run as ``python -I -S host_keeper.py CONFIG`` (JSON, see ``emulation.py``) by a user that may make namespaces. It
answers with one line of JSON on standard output, then serves ``agent.py`` at the socket ``agent`` in the lab's folder.
Every host is a pair of small processes: the one that made its namespaces, and its process 1, which collects orphans.
The kernel ends both when the keeper ends, even by kill -9, and with process 1 all that runs on the host; network,
mounts and memory of the host go with it. The bridge stands in the keeper's own network, so that nothing of the lab is
ever seen in the computer's.

It ends when its standard input ends before the line ``stay`` has come, on SIGTERM, and when the owner asks for it.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from msgauge.execution.open_files import raise_open_files
from msgauge.lab import namespaces, service, ssh_server, wiring
from msgauge.lab.label import LABEL
from msgauge.lab.network import LabNetwork

_READY_S = 60.0


def main() -> int:
    """Build the lab, serve until it is to end."""
    config = json.loads(sys.argv[1])
    keeper = LabKeeper(config)
    try:
        keeper.build()
    except (OSError, RuntimeError, subprocess.SubprocessError) as error:
        keeper.remove()
        _say({"error": _describe(error)})
        return 1
    _say({"pid": os.getpid(), "hosts": keeper.pids})
    try:
        keeper.serve()
    finally:
        keeper.remove()
    return 0


def _say(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


class LabKeeper:
    """State of the one keeper process of a lab."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.folder = Path(config["folder"])
        self.config = config
        self.names: list[str] = config["hosts"]
        self.shown: list[str] = []
        """Further folders below /tmp that a host shows from its beginning."""
        self.pids: list[int] = []
        """Process 1 of each host, as it is numbered here."""
        self.network = LabNetwork(config)
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.going = False
        self.staying = False

    def build(self) -> None:
        """Make hosts and network. Raises OSError or RuntimeError where something is refused."""
        raise_open_files()
        if os.geteuid() != 0:
            namespaces.become_root_of_own()
        namespaces.unshare(namespaces.NEW_NETWORK)
        (self.folder / "hosts").write_text(wiring.hosts_file(self.names))
        for name in self.names:
            (self.folder / f"{name}.hostname").write_text(f"{name}\n")
        self.pids = self._make_hosts()
        self.network.build(self.pids)
        if self.config.get("ssh"):
            ssh_server.start(self.pids, self.folder)
        self.listener.bind(str(self.folder / "agent"))
        (self.folder / "agent").chmod(0o666)  # whoever comes is told by the kernel who it is
        self.listener.listen(1024)

    def _make_hosts(self) -> list[int]:
        """All hosts side by side; the number of each one's process 1."""
        waiting = [self._make_host(number, name) for number, name in enumerate(self.names)]
        return [_read_number(*begun, name) for begun, name in zip(waiting, self.names, strict=True)]

    def _make_host(self, number: int, name: str) -> tuple[int, int]:
        """Begin to make a host; the process that does, and where it says that it is ready."""
        reads, writes = os.pipe()
        maker = os.fork()
        if maker == 0:
            os.close(reads)
            self._be_host(number, name, writes)
        os.close(writes)
        return maker, reads

    def _be_host(self, number: int, name: str, writes: int) -> None:
        """The outer process of a host: new namespaces, then process 1 in them; never returns."""
        try:
            _quiet_down()
            namespaces.die_with_parent()
            offset_ns = (self.config.get("clock_offsets_ns") or [0] * len(self.names))[number]
            namespaces.unshare(namespaces.OF_A_HOST | (namespaces.NEW_TIME if offset_ns else 0))
            if offset_ns:
                namespaces.set_clock_offset(offset_ns)
            inside = os.fork()
            if inside == 0:
                self._be_first_process(name, writes)
            os.close(writes)
            os.waitpid(inside, 0)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.write(writes, f"{error}".encode())
        os._exit(0)

    def _be_first_process(self, name: str, writes: int) -> None:
        """Process 1 of a host: its mounts, then nothing but to collect orphans; never returns."""
        try:
            namespaces.die_with_parent()
            files = [
                (str(self.folder / "hosts"), "/etc/hosts"),
                (str(self.folder / f"{name}.hostname"), "/etc/hostname"),
                *(ssh_server.account_files(self.folder) if self.config.get("ssh") else ()),
            ]
            namespaces.furnish(name, [str(self.folder), *self.shown], files)
            Path(LABEL).write_text(json.dumps(self.config.get("label", {})))
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            os.write(writes, b"ready")
        except OSError as error:
            os.write(writes, f"{error}".encode())
            os._exit(1)
        os.close(writes)
        while True:
            signal.pause()

    def serve(self) -> None:
        """Start a process for every request; until it is time to go."""
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._go)
        wake, into = os.pipe()
        os.set_blocking(into, False)
        signal.set_wakeup_fd(into, warn_on_full_buffer=False)
        hosts = dict(zip(self.names, self.pids, strict=True))
        orders, ordered = os.pipe()
        office = service.Office(hosts, self.config.get("users", []), self.network, ordered)
        while not self.going:
            sources: list[Any] = [self.listener, wake, orders, *([] if self.staying else [0])]
            ready, _, _ = select.select(sources, [], [])
            if 0 in ready:
                self._hear()
            if wake in ready:
                os.read(wake, 4096)
            if orders in ready:
                office.hosts = self._revive(service.read_order(orders))
            if self.listener in ready:
                office.admit(self.listener)

    def _revive(self, name: str) -> dict[str, int]:
        """Make a host anew that has died, and tell in a file how it went; all hosts and their first processes."""
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # children are waited for
        number, wrong = self.names.index(name), ""
        try:
            if not service.lives(self.pids[number]):  # else it was ordered twice
                self.pids[number] = self._make_whole_host(number, name)
        except (OSError, RuntimeError, subprocess.SubprocessError) as error:
            wrong = _describe(error)
        finally:
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
        service.tell_first_processes(self.folder, self.pids, name, wrong)
        return dict(zip(self.names, self.pids, strict=True))

    def _make_whole_host(self, number: int, name: str) -> int:
        """A host with its network and its sshd, or none; its process 1."""
        self.shown = service.read_shared(self.folder)
        made = _read_number(*self._make_host(number, name), name)
        try:
            self.network.rewire(number + 1, made)
            if self.config.get("ssh"):
                ssh_server.start([made], self.folder)
        except (OSError, RuntimeError, subprocess.SubprocessError):
            with contextlib.suppress(ProcessLookupError):
                os.kill(made, signal.SIGKILL)
            raise
        return made

    def _hear(self) -> None:
        said = os.read(0, 4096)
        self.staying = b"stay" in said
        self.going = self.going or not said
        if self.staying:  # whoever started it may wait for the end of what it writes
            nothing = os.open(os.devnull, os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(nothing, descriptor)

    def _go(self, *_: object) -> None:
        self.going = True

    def remove(self) -> None:
        """The folder; all processes end with this one."""
        shutil.rmtree(self.folder, ignore_errors=True)


def _read_number(maker: int, reads: int, name: str) -> int:
    """Wait for process 1 of a host to be ready; its number, found as the one child of the one that made it."""
    said = b""
    while select.select([reads], [], [], _READY_S)[0]:
        part = os.read(reads, 4096)
        said += part
        if not part:
            break
    os.close(reads)
    if said != b"ready":
        raise RuntimeError(f"host {name} could not be made: {said.decode(errors='replace') or 'it did not come up'}")
    (inside,) = _children(maker)
    return inside


def _children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _quiet_down() -> None:
    """Let go of what belongs to the keeper alone."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.setsid()


def _describe(error: Exception) -> str:
    return str(error) or type(error).__name__


if __name__ == "__main__":
    sys.exit(main())
