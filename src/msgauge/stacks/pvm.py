"""PVM 3.4, the Parallel Virtual Machine. Source: the manual pages pvm_intro(1PVM), pvmd3(1PVM), pvm_setopt(3PVM).

A session boots a virtual machine of its own: name and sockets stand in the session's folder, so that none meets another
nor one of the user's. Ranks enrol in it; they are started like those of all other transports, not by ``pvm_spawn``.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from attrs import evolve

from msgauge.errors import LaunchError
from msgauge.hosts import Host
from msgauge.model import RSH_AGENT, Command, Pairs, Setting, Stack
from msgauge.stacks.base.family import LaunchOptions, Runner, Variant
from msgauge.stacks.base.system_library import SystemLibrary

ROOT = "/usr/lib/pvm3"
BOOT = 'setsid pvmd -nlocalhost </dev/null & while kill -0 $!; do [ -s "$0" ] && exit 0; sleep 0.01; done; exit 1'
"""Start a daemon in a session of its own; come back when the file $0 says where its socket is, or when it has ended."""
BOOT_ALL = """rm -f "$0"
setsid pvmd -n"$1" "$2" </dev/null &
while kill -0 $!; do
  [ -s "$0" ] && [ "$(printf 'conf\nquit\n' | pvm 2>/dev/null | grep -c ' LINUX')" -ge "$3" ] && exit 0
  sleep 0.05
done
exit 1"""
"""The same on many hosts: come back when the virtual machine has so many ($3).

The file of a daemon that was ended by force would keep the next one from starting.
"""
BOOT_LIMIT_S = 20.0
BOOTS = 2
"""So often it is tried: on a machine under load a daemon did not always come up."""
TOO_LONG = -9
REMEDY = "start it by hand to see more: PVM_ROOT=/usr/lib/pvm3 pvmd; see docs/reference/stacks/pvm.md"
HALT_LIMIT_S = 5.0
LOOK_S = 0.01


class Pvm(SystemLibrary):
    """Tasks of one virtual machine; messages go through its daemons, or directly where that is asked for."""

    name = "pvm"
    title = "PVM"
    other_names = ("pvm3", "parallel-virtual-machine")
    transport = "pvm"
    daemon = True
    variables = ("PVM_",)
    header = "pvm3.h"
    version_macros = ("PVM_VER",)
    libraries = ("gpvm3", "pvm3")
    needs = frozenset({RSH_AGENT})
    debian_packages = ("pvm", "pvm-dev")
    library_pattern = re.compile(r"^PVM (\d[\w.]*)")

    def variants(self) -> Sequence[Variant]:
        return (
            Variant("route=default", "transport", "messages through the daemons, as PVM does by itself"),
            Variant("route=direct", "transport", "TCP between tasks"),
            Variant("encoding=default", "encoding", "XDR, as PVM does by itself"),
            Variant("encoding=raw", "encoding", "the bytes of this computer"),
            Variant("encoding=inplace", "encoding", "the bytes of this computer, not copied before they are sent"),
            Variant("psend", "call", "pvm_psend and pvm_precv in place of pack, send, receive, unpack"),
            Variant("mcast", "bcast", "a broadcast by pvm_mcast to a list of tasks in place of pvm_bcast to the group"),
        )

    def variant_environment(self, word: str) -> Pairs:
        """One variable holds all words; they are joined in ``with_variant``."""
        spelt = {"psend": "call=psend", "mcast": "bcast=mcast"}
        return (("MSGAUGE_PVM", spelt.get(word, word)),)

    def setting_environment(self, name: str, value: str) -> Pairs:
        """Its one setting has no variable in PVM: the worker sets it by ``pvm_setopt``."""
        return (("MSGAUGE_PVM", f"{name}={value}"),)

    def with_variant(self, stack: Stack, words: tuple[str, ...]) -> Stack:
        varied = super().with_variant(stack, words)
        chosen = ",".join(value for name, value in varied.environment if name == "MSGAUGE_PVM")
        others = tuple(pair for pair in varied.environment if pair[0] != "MSGAUGE_PVM")
        return evolve(varied, environment=(*others, ("MSGAUGE_PVM", chosen)) if chosen else others)

    def lacks(self, host: Host) -> str:  # noqa: ARG002
        lost = [tool for tool in ("pvmd", "pvm", "setsid") if shutil.which(tool) is None]
        return f"there is no {' and no '.join(lost)} on PATH; install pvm (Debian)" if lost else ""

    def launch_command(self, stack: Stack, program: Sequence[str], options: LaunchOptions) -> Command:
        environment = _environment(stack, options)
        return super().launch_command(evolve(stack, environment=environment), program, options)

    @contextmanager
    def session(self, stack: Stack, options: LaunchOptions, runner: Runner) -> Iterator[None]:
        folder = _folder(options)
        environment = _environment(stack, options)
        try:
            _boot(stack, options, runner)
            yield
        finally:
            if options.reach or _socket(options).exists():
                runner.run(Command(("/bin/sh", "-c", "echo halt | pvm"), environment), HALT_LIMIT_S)
            _end_daemons(folder)

    def settings_to_prove(self, stack: Stack) -> Mapping[str, str]:
        axes = dict(stack.axes)
        usual = {"transport": "default", "encoding": "default", "call": "pack"}
        return {name: axes.get(name, value) for name, value in usual.items()}

    def settings(self, stack: Stack) -> Sequence[Setting]:  # noqa: ARG002
        return (
            Setting(
                "PvmFragSize",
                "bytes",
                "4080",
                "largest piece of a message between task and daemon, or two tasks",
                "pvm_setopt(3PVM)",
                low=64,
                high=1 << 20,
            ),
        )


def _boot(stack: Stack, options: LaunchOptions, runner: Runner) -> None:
    """Bring the virtual machine up.

    Raises:
        LaunchError: its daemon did not start, however often it was tried.
    """
    command = _boot_command(stack, options)
    for boot in range(1, BOOTS + 1):
        code, said = runner.run(command, BOOT_LIMIT_S)
        if code == 0:
            return
        said = f"{said}{_log(_folder(options), options)}".strip() or "it said nothing"
        _end_daemons(_folder(options))  # also removes the files that would stop the next one
        if boot == BOOTS:
            how = f"took longer than {BOOT_LIMIT_S:g} s" if code == TOO_LONG else f"ended with {code}"
            raise LaunchError(f"pvmd {how}, {BOOTS} times: {said[-400:]}", where=stack.spec, remedy=REMEDY)


def _boot_command(stack: Stack, options: LaunchOptions) -> Command:
    """What brings the daemon up; on other hosts those of all of them, by the first one.

    The agent that PVM calls is told the variables that a daemon reads, for rsh passes none on.
    """
    if options.reach is None:
        return Command(("/bin/sh", "-c", BOOT, str(_socket(options))), _environment(stack, options))
    names = options.reach.hosts.names
    hostfile, agent = options.folder / "pvm-hosts", options.folder / "pvm-rsh"
    hostfile.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    told = "".join(f"export {name}={shlex.quote(value)}; " for name, value in _environment(stack, options))
    told += f"rm -f {shlex.quote(str(_socket(options)))};"
    agent.write_text(f'#!/bin/sh\nhost=$1; shift\nexec {options.reach.agent} "$host" {shlex.quote(told)} "$@"\n')
    agent.chmod(0o755)
    boot = ("/bin/sh", "-c", BOOT_ALL, str(_socket(options)), names[0], str(hostfile), str(len(names)))
    return Command(boot, (*_environment(stack, options), ("PVM_RSH", str(agent))))


def _socket(options: LaunchOptions) -> Path:
    """The file in which the daemon says where it listens."""
    return _folder(options) / f"pvmd.{os.getuid()}.{_machine(options)}"


def _machine(options: LaunchOptions) -> str:
    """The name of the virtual machine (PVM_VMID)."""
    return (options.session or options.folder.name).replace("/", "-")


def _folder(options: LaunchOptions) -> Path:
    """Where its sockets and logs stand: the folder of the session, the same for the daemon and all launches.

    Of several hosts each has its own of it, as all daemons of a user have files of the same names.
    """
    if options.reach:
        return Path(options.reach.temporary or tempfile.gettempdir())
    return Path(tempfile.gettempdir()) / options.session if options.session else options.folder


def _environment(stack: Stack, options: LaunchOptions) -> Pairs:
    root = os.environ.get("PVM_ROOT", ROOT)
    return (
        *stack.environment,
        ("PVM_ROOT", root),
        ("PVM_PATH", f"{root}/lib"),
        ("PVM_ALLOW_ROOT", "1"),
        ("PVM_TMP", str(_folder(options))),
        ("PVM_VMID", _machine(options)),
    )


def _log(folder: Path, options: LaunchOptions) -> str:
    try:
        return (folder / f"pvml.{os.getuid()}.{_machine(options)}").read_text(errors="replace")
    except OSError:
        return ""


def _end_daemons(folder: Path) -> None:
    """End what of this machine is still there, told from all others by its folder, and remove PVM's files."""
    deadline = time.monotonic() + 1.0
    while (left := _daemons(folder)) and time.monotonic() < deadline:
        time.sleep(LOOK_S)
    for pid in left:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    for file in [*folder.glob("pvm[dl].*"), *folder.glob("pvmtmp*")]:
        file.unlink(missing_ok=True)


def _daemons(folder: Path) -> list[int]:
    """Living pvmd and pvmgs (the group server) that were started with this folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            name = (process / "comm").read_text().strip()
            if name in {"pvmd", "pvmgs"} and f"PVM_TMP={folder}\0".encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
    return found


FAMILY = Pvm()
