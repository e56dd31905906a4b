"""Connections to hosts by ssh: one to each, opened in parallel, shared by all orders, and gone with this process.

The client of a connection runs under a keeper of its own, which ends it when msgauge ends in whatever way; on the other
side a janitor waits for that end and then leaves nothing of the run there. What has ended can be made again.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from attrs import evolve, field, frozen

from msgauge.errors import LaunchError, UsageError
from msgauge.execution.supervisor import Run, Supervisor
from msgauge.model import Command
from msgauge.ssh import ssh_scripts

CONNECT_S = 10
"""How long ssh waits for a connection where the user's configuration does not say."""
_LIMIT_BESIDE_S = 15.0
"""For what follows on the connection: a key, a shell, its first words."""
_START_LIMIT_S = 25.0
_END_LIMIT_S = 5.0
_LIMIT_OF_HOST_S = 0.5
_KINDS = "fcoexp"
"""Files of a connection: what it reads, its socket, its output and errors, its exit code, the client's number."""
_LOOK_S = 0.01
"""Between two looks at a few hosts; looking at thousands so often took the processor from their connections."""
_ORDER_LIMIT_S = 60.0
_COPY_LIMIT_S = 600.0
_AT_ONCE = 16
_LONGEST_FACTS = 1 << 16
_REMEDIES = (
    ("host identification has changed", "its key is not the known one: look why, then: ssh-keygen -R {name}"),
    ("host key verification", "log in once by hand to accept its key: {ssh}"),
    ("permission denied", "give it a key that asks for nothing: ssh-copy-id {to} (with a passphrase: ssh-agent)"),
    ("could not resolve", "check the name, or give it a HostName in ssh's configuration"),
    ("connection refused", "start sshd there, or name its Port in ssh's configuration"),
    (
        "timed out",
        "look whether it is up, whether a firewall stops ssh, whether this takes {seconds} s: {ssh} true",
    ),
    ("no route", "look whether it is up and on a network of this computer"),
    ("it has no program", "install it there"),
    ("below /tmp", "look whether /tmp is full or read-only there: {ssh} df /tmp"),
    ("bad configuration", "mend ssh's configuration"),
)


@frozen
class Target:
    """A host as ssh is to reach it."""

    name: str
    destination: str
    """``user@name`` or the name alone."""
    connect_s: int = CONNECT_S
    """How long ssh waits for a connection."""


@frozen
class HostReply:
    """What came back from an order: exit code and output."""

    code: int
    output: str


@frozen
class Survey:
    """What the hosts said of themselves, and why others did not: by name."""

    facts: dict[str, dict[str, str]] = field(factory=dict)
    reasons: dict[str, tuple[str, str]] = field(factory=dict)
    """What went wrong, and the remedy."""


class Connections:
    """Open connections to hosts; a context manager."""

    def __init__(self, targets: Sequence[Target], config: str = "") -> None:
        """``config``: what ``ssh -F`` is told; empty: the user's own configuration.

        Raises:
            UsageError: there is no ssh here, or no such file.
        """
        if config and not Path(config).is_file():
            raise UsageError("there is no such file for ssh", where=config, remedy="name one: --ssh-config FILE")
        if targets and shutil.which("ssh") is None:
            raise UsageError("there is no ssh on this computer", remedy="install openssh-client")
        self.targets = {target.name: target for target in targets}
        self.options = (*(("-F", str(Path(config).absolute())) if config else ()), *ssh_scripts.OPTIONS)
        self.config = config
        self.place = Path(tempfile.mkdtemp(prefix="mg-ssh-", dir="/tmp"))
        """A private folder here, and under the same name on every host."""
        self._number = {target.name: number for number, target in enumerate(targets)}
        self._peers: Mapping[str, Sequence[str]] = {}
        self._made = dict.fromkeys(self._number, 0)
        """How often the connection to each was made again, or tried."""
        self._keeper = Supervisor()
        self._keeper.own([self.place])

    def __enter__(self) -> Connections:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self, peers: Mapping[str, Sequence[str]]) -> Survey:
        """Connect to all at once; ``peers``: the other hosts of each, by which its interface is found."""
        self._peers = peers
        self._set_timeouts()
        return self._connect(list(self.targets), [f"({ssh_scripts.beat(str(self.place))}) &"])

    def reopen(self, names: Sequence[str]) -> Survey:
        """Connect anew to some whose connections have ended, all at once; who does not answer in time is let go."""
        for name in names:
            self._made[name] += 1
            for kind in _KINDS:
                self._file(kind, name).unlink(missing_ok=True)
        try:
            survey = self._connect(names)
        except (LaunchError, UsageError) as error:
            survey = Survey(reasons=dict.fromkeys(names, (error.what, error.remedy)))
        for name, (why, _) in survey.reasons.items():
            self.let_go(name, why)
        return survey

    def let_go(self, name: str, why: str) -> None:
        """End a connection that is of no use; it counts as ended for this reason."""
        pid, ended = _read(self._file("p", name)).strip(), self._file("x", name)
        if pid.isdigit() and not ended.exists():
            with suppress(OSError):
                os.kill(int(pid), signal.SIGKILL)
            limit = time.monotonic() + _END_LIMIT_S
            while not ended.exists() and time.monotonic() < limit:
                time.sleep(_LOOK_S)
        self._file("e", name).write_text(why)
        ended.touch()

    def _set_timeouts(self) -> None:
        """Let each connection wait as long as the user's configuration says."""
        names, config = list(self.targets), ("-F", str(Path(self.config).absolute())) if self.config else ()
        if not names:
            return
        body = ssh_scripts.find_connect_timeouts([self.targets[name].destination for name in names], config)
        with suppress(OSError, subprocess.TimeoutExpired):
            for number, seconds in read_connect_timeouts(_ask_here(self.place, body)).items():
                self.targets[names[number]] = evolve(self.targets[names[number]], connect_s=seconds)

    def _connect(self, names: Sequence[str], beside: Sequence[str] = ()) -> Survey:
        """Connect to all of these at once; ``beside``: more lines of shell."""
        for name in names:
            script = ssh_scripts.janitor(str(self.place), self._peers.get(name, ()), connection=self._made[name])
            self._file("janitor", name).write_text(script)
        (self.place / "open").write_text("\n".join([*(self._start(self.targets[name]) for name in names), *beside]))
        command = Command(("/bin/sh", str(self.place / "open")))
        said = self.place / "said"
        outcome = self._keeper.run(Run(command, said, said, _START_LIMIT_S, dict(os.environ), sweep=False))
        if outcome.exit_code != 0:
            what = f"ssh cannot be started: {outcome.error or said.read_text()[:200]}"
            raise UsageError(what, remedy="install openssh-client, and see what 'ssh HOST true' says")
        limit_s = _LIMIT_BESIDE_S + max((self.targets[name].connect_s for name in names), default=0)
        limit = time.monotonic() + limit_s + _LIMIT_OF_HOST_S * len(names)
        survey, open_names = Survey(), set(names)
        while open_names and time.monotonic() < limit:
            time.sleep(_LOOK_S * (1 + len(names) / 10))
            for name in open_names:
                self._look(name, survey)
            open_names -= survey.facts.keys() | survey.reasons.keys()
        for name in open_names:
            survey.reasons[name] = (f"no answer within {limit_s:g} s", self.try_by_hand(name))
        return survey

    def try_by_hand(self, name: str) -> str:
        """What anybody may do to see why a host does not answer: the same call of ssh."""
        return f"try by hand: {self._call_of(name)} true"

    def _call_of(self, name: str) -> str:
        config = ("-F", self.config) if self.config else ()
        return shlex.join(["ssh", *config, self.targets[name].destination])

    def find_lost(self) -> dict[str, str]:
        """Hosts whose connection has ended, each with the reason."""
        ended = {name: self._file("e", name) for name in self.targets if self._file("x", name).exists()}
        why = {name: _last_line(_read(said).encode()) for name, said in ended.items()}
        return {name: f"the connection to {name} has ended{f' ({why[name]})' if why[name] else ''}" for name in ended}

    def ask(self, name: str, body: str) -> HostReply:
        """Run a script on a host; no answer is exit code 255, at once where its connection has ended."""
        if self._file("x", name).exists():
            return HostReply(255, "")
        script = ssh_scripts.whole(str(self.place), body)
        return self._call(name, "exec /bin/sh -s", script.encode())

    def ask_all(self, bodies: Mapping[str, str]) -> dict[str, HostReply]:
        """The same on many hosts at once."""
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            return dict(zip(bodies, pool.map(self.ask, bodies, bodies.values()), strict=True))

    def copy(self, name: str, paths: Sequence[Path], folders: Sequence[Path]) -> None:
        """Copy files and folders to a host under their own names; ``folders`` are made before.

        Raises:
            LaunchError: that cannot be done there.
        """
        body = ssh_scripts.whole(str(self.place), ssh_scripts.take_copies([str(one) for one in folders]))
        script = "exec /bin/sh -c " + shlex.quote(body)
        argv = ["tar", "-C", "/", "--exclude=.seen-*", "-cf", "-", "--", *(str(path).lstrip("/") for path in paths)]
        with subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as tar:
            assert tar.stdout is not None
            done = subprocess.run(
                self.argv(name, script), stdin=tar.stdout, capture_output=True, timeout=_COPY_LIMIT_S, check=False
            )
        if done.returncode != 0:
            remedy = "let the hosts share these folders, or name ones that may be made there (--runs, XDG_CACHE_HOME)"
            what = f"{paths[0]} cannot be copied to {name}: {_last_line(done.stderr) or 'no answer'}"
            raise LaunchError(what, where=name, remedy=remedy)

    def fetch(self, name: str, file: Path) -> bytes:
        """The content of a file on a host; nothing where there is none."""
        done = self._run(name, ssh_scripts.show(str(file)), b"")
        return ssh_scripts.cut_greeting(done.stdout) if done.returncode == 0 else b""

    def argv(self, name: str, command: str) -> list[str]:
        """An order by the open connection."""
        shared = ("-o", "ControlMaster=no", "-o", f"ControlPath={self._file('c', name)}")
        command = ssh_scripts.mark_call(str(self.place), self._made[name], command)
        return ["ssh", *self.options_of(name), *shared, "--", self.targets[name].destination, command]

    def options_of(self, name: str) -> tuple[str, ...]:
        """What ssh is told for a host."""
        return (*self.options, "-o", f"ConnectTimeout={self.targets[name].connect_s}")

    def close(self) -> None:
        """Leave nothing of the run on any host, and nothing here."""
        with suppress(LaunchError, OSError):
            self.ask_all({name: "clean" for name in self.targets if self._file("c", name).exists()})
        self._keeper.close()

    def _call(self, name: str, command: str, data: bytes) -> HostReply:
        done = self._run(name, command, data)
        return HostReply(done.returncode, ssh_scripts.cut_greeting(done.stdout).decode(errors="replace"))

    def _run(self, name: str, command: str, data: bytes) -> subprocess.CompletedProcess[bytes]:
        argv = self.argv(name, command)
        try:
            return subprocess.run(argv, input=data, capture_output=True, timeout=_ORDER_LIMIT_S, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return subprocess.CompletedProcess(argv, 255, b"", str(error).encode())

    def _start(self, target: Target) -> str:
        """A line of shell that connects and stays; its standard input never ends while it lives."""
        files = {kind: shlex.quote(str(self._file(kind, target.name))) for kind in (*_KINDS, "janitor")}
        shared = (
            "-o",
            "ControlMaster=yes",
            "-o",
            f"ControlPath={self._file('c', target.name)}",
            "-o",
            "ControlPersist=no",
        )
        shell = ssh_scripts.mark_call(str(self.place), self._made[target.name], "/bin/sh -s")
        ssh = shlex.join(["ssh", *self.options_of(target.name), *shared, "--", target.destination, shell])
        connect = f"exec 3<>{files['f']}; cat {files['janitor']} >&3; {ssh} <&3 >{files['o']} 2>{files['e']} &"
        wait = f"echo $! >{files['p']}; wait $!; echo $? >{files['x']}"
        return f"(mkfifo {files['f']}; {connect} {wait}) >/dev/null 2>&1 &"

    def _look(self, name: str, survey: Survey) -> None:
        """Note what a host has said, if it is there or has failed by now."""
        output = _read(self._file("o", name))
        if f"\n{ssh_scripts.READY}\n" in f"\n{output}":
            survey.facts[name] = _parse_facts(ssh_scripts.cut_greeting(output.encode()).decode())
        elif self._file("x", name).exists():
            errors = _read(self._file("e", name))
            told = _parse_facts(output).get("wrong") or _last_line(errors.encode()) or _last_line(output.encode())
            remedy = find_remedy(f"{told}\n{errors}", self.targets[name], self._call_of(name))
            survey.reasons[name] = (told or "ssh ended at once", remedy)

    def _file(self, kind: str, name: str) -> Path:
        return self.place / f"{kind}{self._number[name]}"


def find_remedy(said: str, target: Target, call: str) -> str:
    """What to do about all that ssh said when it refused; ``call``: how it is called by hand."""
    for pattern, remedy in _REMEDIES:
        if pattern in said.lower():
            return remedy.format(to=target.destination, name=target.name, ssh=call, seconds=target.connect_s)
    return f"try by hand: {call} true"


def read_connect_timeouts(said: str) -> dict[int, int]:
    """Seconds by the number of the host, of what ``find_connect_timeouts`` told."""
    return {int(number): int(seconds) for number, seconds in re.findall(r"(?m)^wait (\d+) ([1-9]\d{0,5})$", said)}


def survey_here(place: Path, peers: Sequence[str]) -> dict[str, str]:
    """The same facts of the present computer."""
    return _parse_facts(_ask_here(place, ssh_scripts.survey(peers)))


def _ask_here(place: Path, body: str) -> str:
    """What a script says on the present computer."""
    script, shell = ssh_scripts.whole(str(place), body).encode(), ["/bin/sh", "-s"]
    done = subprocess.run(shell, input=script, capture_output=True, timeout=_ORDER_LIMIT_S, check=False)
    return ssh_scripts.cut_greeting(done.stdout).decode(errors="replace")


def _parse_facts(output: str) -> dict[str, str]:
    """Lines of ``key=value``, of printable characters alone; whatever else a login shell says is passed over."""
    lines = (re.sub(r"[^ -~]", "", line) for line in output[:_LONGEST_FACTS].splitlines())
    pairs = (line.partition("=") for line in lines)
    return {key: value.strip() for key, equals, value in pairs if equals and re.fullmatch(r"[a-z_]{1,32}", key)}


def _read(file: Path) -> str:
    try:
        return file.read_bytes()[:_LONGEST_FACTS].decode(errors="replace")
    except OSError:
        return ""


def _last_line(said: bytes) -> str:
    lines = [re.sub(r"[^ -~]", "", line).strip() for line in said.decode(errors="replace").splitlines()]
    return next((line[:200] for line in reversed(lines) if line and "due to previous errors" not in line), "")
