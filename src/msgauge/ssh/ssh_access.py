"""Hosts that ssh reaches, while a run measures on them: commands on the first, files on all, nothing left behind."""

from __future__ import annotations

import secrets
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import evolve

from msgauge.errors import LaunchError, UsageError
from msgauge.execution import local_launcher
from msgauge.execution.absences import Absence, await_hosts
from msgauge.execution.host_access import PlainAccess, SessionFiles
from msgauge.host_lists import NAME
from msgauge.model import Command, HostSet, Pairs, Reach
from msgauge.ssh import ssh_scripts
from msgauge.ssh.ssh_connections import Connections, read_connect_timeouts, survey_here

_OWN_LAUNCHER = Path(local_launcher.__file__)
_SAME = ("name", "kernel", "cores")
"""What a host must say of itself again to be the one that was lost."""


class SshAccess(PlainAccess):
    """Open connections; what hosts do not see of this computer's files is copied to them and removed at the end."""

    def __init__(self, connections: Connections, hosts: HostSet, facts: Mapping[str, Mapping[str, str]]) -> None:
        self._open = connections
        self._facts = facts
        self._first = hosts.names[0]
        self._away = [name for name in hosts.names if name in connections.targets]
        self._first_is_away = self._first in self._away
        interfaces = {facts[name].get("interface", "") for name in hosts.names}
        interface = interfaces.pop() if len(interfaces) == 1 else ""
        called = [(name, _own_name(facts[name], name)) for name in hosts.names]
        other = tuple(pair for pair in called if pair[0] != pair[1])
        self.reach = Reach(hosts, str(connections.place / "rsh"), interface, str(connections.place), other)
        self.first_processes: tuple[int, ...] = ()
        self.facts: Pairs = _describe(hosts, facts, interface)
        here = survey_here(connections.place, ())
        self.one_clock = all(_clock(facts[name]) == _clock(here) != ("", "") for name in hosts.names)
        self._spared: dict[tuple[str, str], list[int]] = {}
        self._copied: dict[Path, list[str]] = {}
        """Hosts that have a copy of a folder, as they do not see it."""
        self._equipped: set[tuple[str, str]] = set()
        self._wanted: list[SessionFiles] = []
        """What was brought to hosts: one that comes back gets it again."""
        self._absences = {name: Absence() for name in self._away}

    def find_lost(self) -> Mapping[str, str]:
        """Hosts whose connection has ended: dead, or cut off."""
        return self._open.find_lost()

    def bring_back(self, names: Sequence[str]) -> tuple[str, ...]:
        """Connect anew to lost hosts: for a minute again and again, later once where it is due."""
        returned = await_hosts(names, self._absences, self.find_lost, self._reopen)
        self.returns += len(returned)
        return tuple(returned)

    def _reopen(self, names: Sequence[str]) -> list[str]:
        """Those of these hosts that are there again, with all that they had."""
        survey = self._open.reopen(names)
        for name, facts in survey.facts.items():
            other = [key for key in _SAME if facts.get(key) != self._facts[name].get(key)]
            if other:
                self._open.let_go(name, f"its {other[0]} is {facts.get(other[0])!r} now, not as when the run began")
                continue
            try:
                self._equip_again(name)
            except (LaunchError, OSError, subprocess.TimeoutExpired) as error:
                self._open.let_go(name, str(error))
        lost = self.find_lost()
        return [name for name in names if name not in lost]

    def _equip_again(self, name: str) -> None:
        if name == self._first:
            self._bring_agent()
        for files in self._wanted:
            self._bring(files, [name])

    def install_agent(self) -> None:
        """Write the agent, bring it to the first host, and see that it reaches the others from there.

        Raises:
            UsageError: it does not, with each host that it does not reach.
        """
        place, options = self._open.place, list(self._open.options)
        if self._first_is_away and self._open.config:
            (place / "ssh_config").write_text(Path(self._open.config).read_text())
            options[1] = str(place / "ssh_config")
        names = dict(self.reach.own_names)
        others = [name for name in self.reach.hosts.names if name != self._first]
        to = {
            "|".join(dict.fromkeys((name, names.get(name, name)))): (self._open.targets[name].destination, seconds)
            for name, seconds in self._find_timeouts(others).items()
        }
        first = "|".join(dict.fromkeys((self._first, names.get(self._first, self._first))))
        (place / "rsh").write_text(ssh_scripts.agent(str(place), first, to, options))
        (place / "rsh").chmod(0o700)
        if self._first_is_away:
            target = self._open.targets[self._first]
            called = self._open.options_of(self._first)
            (place / "first").write_text(ssh_scripts.on_first_host(str(place), called, target.destination))
            (place / _OWN_LAUNCHER.name).write_bytes(_OWN_LAUNCHER.read_bytes())
            self._bring_agent()
            self._try_agent(others)

    def _bring_agent(self) -> None:
        place = self._open.place
        files = [place / "rsh", place / _OWN_LAUNCHER.name]
        self._open.copy(self._first, [*files, *place.glob("ssh_config")], [])

    def _find_timeouts(self, names: Sequence[str]) -> dict[str, int]:
        """How long ssh waits for a connection from the first host to each, by the configuration that it has there."""
        targets = self._open.targets
        found = {name: targets[name].connect_s for name in names}
        if self._first_is_away and names and not self._open.config:
            asked = ssh_scripts.find_connect_timeouts([targets[name].destination for name in names], ())
            told = read_connect_timeouts(self._open.ask(self._first, asked).output)
            found |= {names[number]: seconds for number, seconds in told.items()}
        return found

    def _try_agent(self, others: Sequence[str]) -> None:
        calls = "".join(
            f'("$place/rsh" {name} true </dev/null >/dev/null 2>&1 || echo lost {name}) &\n' for name in others
        )
        said = self._open.ask(self._first, f"{calls}wait").output.split("\n")
        lost = [name for name in others if f"lost {name}" in said]
        if lost:
            remedy = f"let {self._first} reach them by ssh without a password, or put this computer first"
            raise UsageError(f"ssh from {self._first} to {', '.join(lost)} fails", remedy=remedy)

    def command(self, command: Command) -> Command:
        """The command here, or on the first host by ssh, in the same environment and folder.

        Raises:
            LaunchError: the first host lacks the python3 that it needs.
        """
        if not self._first_is_away:
            return command
        own = {str(_OWN_LAUNCHER): str(self._open.place / _OWN_LAUNCHER.name)}
        if str(_OWN_LAUNCHER) in command.argv:
            python = self._facts[self._first].get("python", "")
            if not python.startswith("/"):
                remedy = "install python3 there, or put this computer first in the list of hosts"
                raise LaunchError(f"there is no python3 on {self._first}", where=self._first, remedy=remedy)
            own[sys.executable] = python
        words = shlex.join(own.get(word, word) for word in command.argv)
        assigned = "".join(f"export {name}={shlex.quote(value)}; " for name, value in command.environment)
        marks = f"export {ssh_scripts.ACCESS_MARK}={self._open.place.name}; "
        folder = shlex.quote(command.folder or str(self._open.place))
        line = f"{assigned}{marks}cd {folder} || exit 127; exec {words} </dev/null"
        return evolve(command, argv=("/bin/sh", str(self._open.place / "first"), line))

    def equip(self, files: SessionFiles) -> None:
        """Workers, and the stack's installation where there is none: what a host lacks is copied."""
        self._wanted.append(files)
        self._bring(files, self._present())

    def _bring(self, files: SessionFiles, names: Sequence[str]) -> None:
        place = files.installation
        installation = str(place) if place and len(place.parts) > 2 and place != Path(sys.prefix) else ""
        body = ssh_scripts.examine_files([str(one) for one in files.programs], installation)
        wanted = [*files.programs, *([Path(installation)] if installation else [])]
        sums = [_checksum(file) for file in files.programs]
        for name, answer in self._open.ask_all(dict.fromkeys(names, body)).items():
            lines = [line for line in answer.output.splitlines() if line.startswith(("sum ", "lacks", "there"))]
            if answer.code == 255 or len(lines) != len(wanted):
                raise self._silence(name)
            for file, line, own in zip(files.programs, lines, sums, strict=False):
                if line not in (f"sum {own}", "lacks"):
                    remedy = "remove it there, or let the hosts share this folder"
                    raise LaunchError(f"{name} has another file of this name: {file}", where=name, remedy=remedy)
            lacking = [path for path, line in zip(wanted, lines, strict=True) if line == "lacks"]
            if lacking:
                self._open.copy(name, lacking, [path.parent for path in lacking])
                self._equipped |= {(name, "stack" if path == place else "worker") for path in lacking}
        self.notes = tuple(
            (f"copied_{what}", ", ".join(sorted(name for name, kind in self._equipped if kind == what)))
            for what in sorted({kind for _, kind in self._equipped})
        )

    def share(self, folders: Sequence[Path]) -> None:
        """Files of daemons are for the first host alone; the others get what they need by the agent."""
        for folder in folders:
            if self._first_is_away and self._first in self._check_sight(folder, [self._first], "")[0]:
                self._open.copy(self._first, [folder], [folder])

    def begin(self, session: str, folder: Path) -> None:
        """Find out which hosts see the folder of a launch, and what of the session stands there already."""
        unseeing, spared = self._check_sight(folder, self._present(), session)
        self._copied = {folder: unseeing}
        self._spared.update({(session, name): pids for name, pids in spared.items()})
        self.copies = bool(unseeing)

    def deliver(self, folder: Path) -> None:
        """Copy the plan to hosts that do not see it."""
        for name in self._copied.get(folder, []):
            self._open.copy(name, [folder], [folder])

    def finish(self, session: str, folder: Path) -> None:
        """Fetch the samples where the first host has them; end what is left of the launch."""
        copied = self._copied.pop(folder, [])
        if self._first in copied:
            content = self._open.fetch(self._first, folder / "samples.bin")
            if len(content) > (folder / "samples.bin").stat().st_size:
                (folder / ".fetched").write_bytes(content)
                (folder / ".fetched").replace(folder / "samples.bin")
        self._open.ask_all(
            {
                name: ssh_scripts.finish(
                    session, self._spared.get((session, name), ()), str(folder) if name in copied else ""
                )
                for name in self._away
            }
        )

    def sweep(self, session: str) -> None:
        """End all of a session, daemons too."""
        self._open.ask_all(dict.fromkeys(self._away, ssh_scripts.finish(session, (), "")))

    def _present(self) -> list[str]:
        """The other hosts that are there; launches on one that is gone are not started."""
        lost = self._open.find_lost()
        return [name for name in self._away if name not in lost]

    def _check_sight(self, folder: Path, names: Sequence[str], session: str) -> tuple[list[str], dict[str, list[int]]]:
        """Hosts that do not see a folder of this computer, found out by a file of a name that nobody can guess."""
        witness = folder / f".seen-{secrets.token_hex(8)}"
        witness.touch()
        try:
            answers = self._open.ask_all(dict.fromkeys(names, ssh_scripts.begin(session, str(witness))))
        finally:
            witness.unlink(missing_ok=True)
        unseeing, spared = [], {}
        for name, answer in answers.items():
            lines = answer.output.splitlines()
            if answer.code == 255 or not any(line.startswith("spare") for line in lines):
                raise self._silence(name)
            spared[name] = [int(word) for line in lines if line.startswith("spare") for word in line.split()[1:]]
            if "seen" not in lines:
                unseeing.append(name)
        return unseeing, spared

    def _silence(self, name: str) -> LaunchError:
        return LaunchError(f"{name} does not answer any more", where=name, remedy=self._open.try_by_hand(name))


def _describe(hosts: HostSet, facts: Mapping[str, Mapping[str, str]], interface: str) -> Pairs:
    kernels = sorted({facts[name].get("kernel", "") for name in hosts.names})
    return (
        ("hosts", ",".join(hosts.names)),
        ("network", hosts.network),
        ("reached_by", "ssh"),
        ("interface", interface or "not the same on all hosts"),
        ("kernels", ", ".join(kernels)),
    )


def _own_name(facts: Mapping[str, str], name: str) -> str:
    """How a host calls itself, without its domain; the name that it was asked by where it says none."""
    own = facts.get("name", "").partition(".")[0]
    return own if NAME.fullmatch(own) else name


def _clock(facts: Mapping[str, str]) -> tuple[str, str]:
    """What tells one monotonic clock from another: the start of the kernel, and the offsets of its time namespace."""
    return facts.get("boot", ""), facts.get("clock", "")


def _checksum(file: Path) -> str:
    with file.open("rb") as content:
        done = subprocess.run(["cksum"], stdin=content, capture_output=True, text=True, timeout=60, check=False)
    return done.stdout.strip()
