"""Labs as msgauge sees them: start one, list those that stand, use one, end it."""

from __future__ import annotations

import json
import os
import pwd
import re
import secrets
import select
import shutil
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from msgauge.errors import LaunchError, ToolError, UsageError
from msgauge.execution.own_program import compile_program
from msgauge.lab import ssh_server
from msgauge.lab.faults import Faults, describe_network, from_plain, keeper_links, to_plain
from msgauge.lab.link import Link
from msgauge.lab.namespaces import lies_in_own_place
from msgauge.lab.rootless import refuse_without_root
from msgauge.lab.service import FIRST_PROCESSES
from msgauge.lab.wire_choice import Wire, choose_wire
from msgauge.lab.wiring import address_of

KEEPER = Path(__file__).with_name("host_keeper.py")
AGENT = Path(__file__).with_name("agent.py")
MOST_HOSTS = 500
_START_S = 30.0
_ANSWER_S = 150.0
"""Hosts that are made anew wait for each other."""
_TAKE_DOWN = "take it down (msgauge lab down) and make another"
_START_PER_HOST_S = 0.5
_END_S = 20.0
_NAME = re.compile(r"[a-z][a-z0-9-]{0,30}", re.ASCII)
_PLACE = Path("/tmp")
"""Not TMPDIR: whoever ends or lists labs must find them, and hosts show this folder's part of it."""


@frozen
class LabPlan:
    """A lab that is wanted: how many hosts, what joins them, and how far each host's clock is ahead."""

    hosts: int
    link: Link = field(factory=Link)
    name: str = ""
    clock_offsets_ns: tuple[int, ...] = ()
    ssh: bool = False
    """Every host has an sshd."""
    faults: Faults = field(factory=Faults)


@frozen
class Lab:
    """A lab that stands."""

    name: str
    folder: Path
    pid: int
    """Its keeper."""
    hosts: tuple[str, ...]
    first_processes: tuple[int, ...]
    """Process 1 of each host, as it is numbered outside."""
    link: Link
    wire: Wire
    faults: Faults = field(factory=Faults)

    @property
    def agent(self) -> Path:
        """An executable that is called as rsh: ``agent HOST COMMAND``."""
        return self.folder / "rsh"

    @property
    def ssh_config(self) -> Path | None:
        """The file for ``ssh -F`` on the hosts; None where they have no sshd."""
        file = self.folder / ssh_server.CLIENT_CONFIG
        return file if file.exists() else None

    def addresses(self) -> tuple[str, ...]:
        """The address of each host."""
        return tuple(address_of(number) for number in range(1, len(self.hosts) + 1))

    def argv_on(self, host: str, argv: Sequence[str]) -> tuple[str, ...]:
        """The command that runs ``argv`` on a host, in the environment and the folder that it is called in."""
        agent = (_python(), "-I", "-S", str(self.folder / "agent.py"), str(self.folder / "agent"))
        return (*agent, "--here", host, "--", *argv)

    def one_clock(self) -> bool:
        """Whether no clock of a host is ahead of this computer's."""
        own = Path("/proc/self/ns/time").readlink()
        times = (Path(f"/proc/{pid}/ns/time") for pid in self.first_processes)
        return all(time.readlink() == own for time in times if time.is_symlink())  # not those of hosts that have died

    def share(self, folders: Sequence[Path]) -> None:
        """Show folders below /tmp, /dev/shm and /run in all hosts; what lies elsewhere is seen there anyway.

        Raises:
            LaunchError: a host cannot show one.
        """
        below = [str(folder.resolve()) for folder in folders if lies_in_own_place(folder.resolve())]
        if below:
            answer = ask_keeper(self.folder, {"do": "share", "folders": below})
            if "error" in answer:
                raise LaunchError(answer["error"], where=f"lab {self.name}", remedy=_TAKE_DOWN)


class RunningLab:
    """A lab that ends with this object, or with this process, in whatever way it ends; a context manager."""

    def __init__(self, plan: LabPlan, users: Sequence[str] = ()) -> None:
        """Start it. ``users``: who else may run programs on its hosts.

        Raises:
            UsageError: a plan that no lab can have.
            ToolError: this system cannot emulate hosts, with the reason.
        """
        self._process, self.lab = _start(plan, users)

    def __enter__(self) -> Lab:
        return self.lab

    def __exit__(self, *_: object) -> None:
        self.close()

    def stay(self) -> Lab:
        """Let it stand until ``end`` is called."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(b"stay\n")
        self._process.stdin.close()
        self._process.stdout.close()
        return self.lab

    def close(self) -> None:
        """End it, and wait until nothing of it is left."""
        if self._process.stdin is not None and not self._process.stdin.closed:
            with suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        finally:
            if self._process.stdout is not None:
                self._process.stdout.close()
            _wait_for_end(self.lab)
            shutil.rmtree(self.lab.folder, ignore_errors=True)


def list_labs() -> tuple[Lab, ...]:
    """The labs of this user that stand, by name; what a killed one left on disk is removed."""
    found = []
    for folder in sorted(_PLACE.glob(f"mg-lab-{os.getuid()}-*")):
        lab = _read(folder)
        if lab is not None:
            found.append(lab)
        elif _is_abandoned(folder):
            shutil.rmtree(folder, ignore_errors=True)
    return tuple(found)


def find_lab(name: str) -> Lab:
    """The lab of that name.

    Raises:
        UsageError: there is none.
    """
    labs = {lab.name: lab for lab in list_labs()}
    if name in labs:
        return labs[name]
    remedy = f"those that stand: {', '.join(labs)}" if labs else "make one with 'msgauge lab up'"
    raise UsageError(f"there is no lab {name!r}", remedy=remedy)


def refresh_lab(lab: Lab) -> Lab:
    """The lab with the first processes that its hosts have now: one that died may have been made anew."""
    try:
        told = json.loads((lab.folder / FIRST_PROCESSES).read_text())
    except (OSError, ValueError):
        return lab
    return evolve(lab, first_processes=tuple(told["first_processes"]))


def end_lab(lab: Lab) -> None:
    """Take a lab down that stands; waits until nothing of it is left."""
    with suppress(LaunchError):
        ask_keeper(lab.folder, {"do": "end"})
    _wait_for_end(lab)
    shutil.rmtree(lab.folder, ignore_errors=True)


def check_name(name: str) -> str:
    """The name of a lab.

    Raises:
        UsageError: not a name that a file and a host can have.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} is not a name for a lab", remedy="take up to 31 small letters, digits and '-', a letter first"
        )
    return name


def _start(plan: LabPlan, users: Sequence[str]) -> tuple[subprocess.Popen[bytes], Lab]:
    _refuse_impossible(plan)
    wire = choose_wire(plan.link, plan.faults)
    switch = compile_program("lab_switch") if wire == "switch" else None
    if wire == "switch" and switch is None:
        raise ToolError("the switch of a lab cannot be compiled", remedy="install a C++ compiler (Debian: g++)")
    name = check_name(plan.name) if plan.name else f"run-{os.getpid()}-{secrets.token_hex(2)}"
    folder = _make_folder(name)
    hosts = tuple(f"n{number}" for number in range(1, plan.hosts + 1))
    config = {
        "folder": str(folder),
        "hosts": hosts,
        "rate_bits": plan.link.rate_bits,
        "latency_ns": plan.link.latency_ns,
        **keeper_links(plan.faults, plan.hosts, plan.link),
        "wire": wire,
        "switch": str(switch or ""),
        "clock_offsets_ns": plan.clock_offsets_ns,
        "users": [pwd.getpwnam(user).pw_uid for user in users],
        "ssh": plan.ssh,
        "label": {"lab": name, "network": describe_network(plan.link, plan.faults, plan.hosts)},
    }
    if plan.ssh:
        _prepare_ssh(folder, hosts, users)
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", str(KEEPER), json.dumps(config)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
        env={"PATH": f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin", "LC_ALL": "C"},
    )
    try:
        answer = _first_answer(process, _START_S + _START_PER_HOST_S * plan.hosts)
        lab = Lab(name, folder, int(answer["pid"]), hosts, tuple(answer["hosts"]), plan.link, wire, faults=plan.faults)
        _write(lab)
    except BaseException:
        process.kill()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return process, lab


def _prepare_ssh(folder: Path, hosts: Sequence[str], users: Sequence[str]) -> None:
    try:
        addresses = [address_of(number) for number in range(1, len(hosts) + 1)]
        ssh_server.write_files(folder, [*hosts, *addresses], [pwd.getpwuid(os.getuid()).pw_name, *users])
    except (OSError, subprocess.SubprocessError) as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise ToolError(f"the lab has no keys: {error}", remedy="install openssh-server and openssh-client") from error


def _refuse_impossible(plan: LabPlan) -> None:
    if not 1 <= plan.hosts <= MOST_HOSTS:
        raise UsageError(f"a lab has 1 to {MOST_HOSTS} hosts, not {plan.hosts}", remedy="write for example --hosts 4")
    if plan.clock_offsets_ns and len(plan.clock_offsets_ns) != plan.hosts:
        raise UsageError("a lab with clock offsets needs one for each host", remedy="name as many as hosts")
    if os.geteuid() != 0:
        refuse_without_root(plan.ssh)
    wanted = ("ip", "tc", *(("sshd", "ssh-keygen") if plan.ssh else ()))
    missing = [tool for tool in wanted if shutil.which(tool, path=f"{os.environ.get('PATH', '')}:/usr/sbin") is None]
    if missing:
        package = "iproute2" if "ip" in missing or "tc" in missing else "openssh-server and openssh-client"
        raise ToolError(f"there is no {' and no '.join(missing)}", remedy=f"install {package}")


def _make_folder(name: str) -> Path:
    """The folder of a new lab, with its agent. Raises UsageError where one of that name stands."""
    folder = _PLACE / f"mg-lab-{os.getuid()}-{name}"
    list_labs()
    try:
        folder.mkdir(mode=0o755)
    except FileExistsError:
        remedy = f"take another name, or end it: msgauge lab down {name}"
        raise UsageError(f"there is a lab {name!r} already", remedy=remedy) from None
    folder.chmod(0o755)
    shutil.copyfile(AGENT, folder / "agent.py")  # other users may not be able to read this package
    quick = compile_program("lab_agent", AGENT.parent)
    agent = shutil.copy(quick, folder / "lab_agent") if quick else f"{_python()} -I -S {folder}/agent.py"
    script = f'#!/bin/sh\nexec {agent} {folder}/agent "$@"\n'
    (folder / "rsh").write_text(script)
    (folder / "rsh").chmod(0o755)
    (folder / "starter").write_text(f"{os.getpid()} {_start_time(os.getpid())}")
    return folder


def _python() -> str:
    """An interpreter that every user may start: ours is often in a folder of its owner's alone."""
    real = Path(sys.executable).resolve()
    ours = all(folder.stat().st_mode & 0o001 for folder in real.parents)
    return str(real) if ours else shutil.which("python3", path=os.defpath) or str(real)


def _first_answer(process: subprocess.Popen[bytes], limit_s: float) -> dict[str, Any]:
    assert process.stdout is not None
    ready = select.select([process.stdout], [], [], limit_s)[0]
    line = process.stdout.readline() if ready else b""
    answer: dict[str, Any] = json.loads(line) if line else {"error": "its keeper did not answer"}
    if "error" in answer:
        remedy = "namespaces need root and a kernel that has them; containers often forbid them"
        raise ToolError(f"this system cannot emulate hosts: {answer['error']}", remedy=remedy)
    return answer


def _write(lab: Lab) -> None:
    facts = {
        "pid": lab.pid,
        "started": _start_time(lab.pid),
        "hosts": lab.hosts,
        "first_processes": lab.first_processes,
        "link": [lab.link.rate_bits, lab.link.latency_ns, lab.link.name],
        "wire": lab.wire,
        "faults": to_plain(lab.faults),
    }
    draft = lab.folder / "lab.json.new"
    draft.write_text(json.dumps(facts))
    draft.replace(lab.folder / "lab.json")


def _read(folder: Path) -> Lab | None:
    """The lab of a folder of our own, if its keeper lives."""
    try:
        if folder.is_symlink() or folder.stat().st_uid != os.getuid():
            return None
        facts = json.loads((folder / "lab.json").read_text())
        if _start_time(facts["pid"]) != facts["started"]:
            return None
        name = folder.name.split("-", 3)[3]
        hosts, first = tuple(facts["hosts"]), tuple(facts["first_processes"])
        faults = from_plain(facts["faults"])
        lab = Lab(name, folder, facts["pid"], hosts, first, Link(*facts["link"]), facts["wire"], faults=faults)
        return refresh_lab(lab)
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _is_abandoned(folder: Path) -> bool:
    """Whether nobody is left who makes or keeps the lab of a folder."""
    try:
        status = folder.lstat()
    except FileNotFoundError:  # its lab was ended after it was listed
        return False
    if folder.is_symlink() or status.st_uid != os.getuid():
        return False
    try:
        if (folder / "lab.json").exists():  # another version of msgauge may have written it
            facts = json.loads((folder / "lab.json").read_text())
            return bool(_start_time(facts["pid"]) != facts["started"])
        pid, started = (folder / "starter").read_text().split()
    except (OSError, ValueError, LookupError, TypeError):
        return time.time() - status.st_mtime > _START_S  # it may be being made just now
    return _start_time(int(pid)) != int(started)


def _start_time(pid: int) -> int:
    """When a process was started, in the kernel's ticks; -1 where there is none (or a zombie)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return -1
    return -1 if fields[0] in (b"Z", b"X") else int(fields[19])


def _wait_for_end(lab: Lab) -> None:
    """Until the keeper and every host's process 1 are gone: by then all that ran there is."""
    limit, pids = time.monotonic() + _END_S, (lab.pid, *refresh_lab(lab).first_processes)
    while any(_start_time(pid) >= 0 for pid in pids) and time.monotonic() < limit:
        time.sleep(0.005)


def ask_keeper(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Ask the keeper of a lab for something that is no program. Raises LaunchError."""
    content = json.dumps(request).encode()
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(_ANSWER_S)
            connection.connect(str(folder / "agent"))
            connection.sendall(struct.pack("!Q", len(content)) + content)
            said = b""
            while part := connection.recv(1 << 16):
                said += part
    except OSError as error:
        raise LaunchError(f"the lab does not answer: {error}", where=str(folder), remedy=_TAKE_DOWN) from error
    answer: dict[str, Any] = json.loads(said) if said else {}
    return answer
