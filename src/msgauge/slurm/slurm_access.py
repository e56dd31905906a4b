"""A Slurm job that this process runs in, and its hosts while a run measures.

A stack's own launcher runs on the first host and reaches the others by an agent, which is srun called as rsh. With
``slurm:srun`` the ranks of MPIs are started by srun itself, over a process-management interface (PMI) that both speak.
"""

from __future__ import annotations

import base64
import io
import os
import re
import secrets
import shlex
import shutil
import socket
import subprocess
import tarfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from attrs import evolve, frozen

from msgauge.errors import LaunchError, ToolError, UsageError
from msgauge.execution.host_access import PlainAccess
from msgauge.execution.host_survey import COUNT_CORES
from msgauge.lab.label import LABEL
from msgauge.model import Command, HostSet, Pairs, Reach
from msgauge.slurm.allocation_shells import AllocationShells

_HOST = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,252}", re.ASCII)
_TASKS = re.compile(r"(\d+)(?:\(x\d+\))?", re.ASCII)
_PMI = re.compile(r"^\s*(pmi\w*)\s*$", re.MULTILINE | re.ASCII)
_ASK_S = 20.0
_READ = "see what SLURM_JOB_ID and SLURM_JOB_NODELIST say; salloc and sbatch set them"
_OTHER_HOSTS = "take an allocation without it: salloc --exclude, or name hosts for ssh with --hosts"
_SMALL_BYTES = 1 << 16
_OVERLAP = ("--overlap", "--cpu-bind=none")
"""Steps share the allocation with each other, and with the one that msgauge itself may run in; nothing is bound."""

_PROBE = (
    f'echo "$(hostname -s) $({COUNT_CORES}) $(cat /proc/sys/kernel/random/boot_id)'
    " $(readlink /proc/self/ns/time || echo -) $(ls /sys/class/infiniband 2>/dev/null | wc -l)"
    f' $([ -f {LABEL} ] && echo emulated || echo real)"'
)

_FORGET = r"""
for name in $(env | sed -n "s/^\(SLURM[A-Z0-9_]*\|SRUN_[A-Z0-9_]*\)=.*/\1/p"); do unset "$name"; done
"""
"""What srun sets for a step: launchers that find it would go by Slurm, past the hosts that they are told."""

AGENT = (
    r"""#!/bin/sh
# srun, called as rsh is: [OPTIONS] [USER@]HOST [OPTIONS] COMMAND...
host=
while [ $# -gt 0 ]; do
  case $1 in
    --) shift; break ;;
    -[bcDEeFIiJLlmOopQRSWw]) shift 2 ;;
    -*) shift ;;
    *) [ -z "$host" ] || break; host=${1##*@}; shift ;;
  esac
done
[ $# -gt 0 ] || { echo "rsh: no host or no command is named" >&2; exit 255; }
case $host in ''|*[!A-Za-z0-9._-]*) echo "rsh: no host is named" >&2; exit 255 ;; esac
exec @SRUN@ --mpi=none --chdir=/ -N1 -n1 -w "$host" sh -c '"""
    + _FORGET
    + r"""cd "$HOME" 2>/dev/null || cd /
exec sh -c "$1"' rsh "$*"
"""
)
"""The agent, with ``@SRUN@`` for srun and its words. A command finds nothing of Slurm, as over ssh."""


@frozen
class Allocation:
    """A job of Slurm that this process runs in."""

    job: str
    hosts: tuple[str, ...]
    slots: int
    """Tasks that every host takes."""

    def srun(self, step: str) -> tuple[str, ...]:
        """srun for a step of this job with that name, in an environment that knows nothing of Slurm."""
        configuration = os.environ.get("SLURM_CONF", "")
        own = ("env", f"SLURM_CONF={configuration}") if configuration else ()
        return (*own, shutil.which("srun") or "srun", f"--jobid={self.job}", f"--job-name={step}", *_OVERLAP)


class SlurmAccess(PlainAccess):
    """The allocation while the run measures."""

    first_processes: tuple[int, ...] = ()

    def __init__(self, hosts: HostSet, allocation: Allocation, shells: AllocationShells, mark: str) -> None:
        probed = read_probes(hosts, shells.ask(_PROBE))
        interface = "eth0" if hosts.emulated else ""
        self._allocation = allocation
        self._shells = shells
        self._seen: set[Path] = set()
        self._scratch: list[Path] = []
        self._on_first = probed[hosts.names[0]].same_kernel and own_name() == hosts.names[0]
        self.one_clock = all(one.same_clock for one in probed.values())
        cores = 0 if hosts.emulated else sum(one.cores for one in probed.values())
        self.reach = Reach(
            evolve(hosts, cores=cores),
            agent=f"{shells.folder}/rsh",
            interface=interface,
            temporary=shells.folder,
            start=_start_words(allocation, mark) if hosts.pmis else (),
            mark=mark,
            uncounted=any(one.fabric for one in probed.values()),
        )
        self.facts = _facts(hosts, allocation, probed)

    def command(self, command: Command) -> Command:
        """The command itself where this is the first host; else as a step there."""
        if self._on_first or (self.reach.start and command.argv[: len(self.reach.start)] == self.reach.start):
            return command
        self._bring_scratch()
        where = ("--mpi=none", "--chdir", command.folder or "/", "-N1", "-n1", "-w", self.reach.hosts.names[0])
        plain = ("sh", "-c", f'{_FORGET}exec "$@"', "first")
        return evolve(command, argv=(*self._allocation.srun(self.reach.mark), *where, *plain, *command.argv))

    def _bring_scratch(self) -> None:
        """Bring the small files of sessions (lists of hosts) to the first host, whose temporary folder is its own."""
        content = io.BytesIO()
        with tarfile.open(fileobj=content, mode="w:gz") as archive:
            for folder in self._scratch:
                for file in sorted(folder.glob("*")):
                    if file.is_file() and file.stat().st_size <= _SMALL_BYTES:
                        archive.add(file)
        text, first = base64.b64encode(content.getvalue()).decode(), shlex.quote(self.reach.hosts.names[0])
        self._shells.ask(f"[ $host != {first} ] || echo {text} | base64 -d | tar -xzf - -C / 2>/dev/null")

    def share(self, folders: Sequence[Path]) -> None:
        """See that every host sees these folders; those of temporary files each host gets of its own.

        Raises:
            LaunchError: a host does not see one.
        """
        for folder in folders:
            if folder in self._seen:
                continue
            if re.fullmatch(r"mg-\w+", folder.name):
                self._shells.ask(f"make_folder {shlex.quote(str(folder))}")
                self._scratch.append(folder)
            else:
                self._check(folder)
            self._seen.add(folder)

    def _check(self, folder: Path) -> None:
        """A file that is made here is looked for there; where none can be made, a file that is there already."""
        made = folder / f".seen-{secrets.token_hex(4)}"
        try:
            made.touch()
            looked = made
        except OSError:
            looked = next(iter(sorted(folder.iterdir())), folder)
        try:
            answers = self._shells.ask(f"[ -e {shlex.quote(str(looked))} ] || echo no")
        finally:
            with suppress(OSError):
                made.unlink(missing_ok=True)
        if answers:
            raise LaunchError(
                f"{', '.join(sorted(answers))} of the allocation do not see {folder}",
                remedy="work in a folder of a file system that all hosts share, and set XDG_CACHE_HOME to one there",
            )

    def sweep(self, session: str) -> None:
        """End what a session left on the hosts."""
        self._shells.end_session(session)


def find_allocation(environment: Mapping[str, str] | None = None) -> Allocation:
    """The allocation that this process runs in, by the variables that Slurm sets.

    Raises:
        UsageError: outside of one, or with words in them that no Slurm writes.
        ToolError: there is no scontrol to read the list of hosts.
    """
    given = os.environ if environment is None else environment
    job, nodes = given.get("SLURM_JOB_ID", ""), given.get("SLURM_JOB_NODELIST", "")
    if not job or not nodes:
        remedy = "get one first: salloc -N4 msgauge compare ..., or a batch script with '#SBATCH -N4'"
        raise UsageError("this is no allocation of Slurm", remedy=remedy)
    if not re.fullmatch(r"\d{1,12}", job, re.ASCII) or not re.fullmatch(r"[\w.,\[\]-]+", nodes, re.ASCII):
        raise UsageError(f"cannot read the allocation: job {job!r} of {nodes!r}", remedy=_READ)
    names = tuple(_say(["scontrol", "show", "hostnames", nodes]).split())
    if not names or not all(_HOST.fullmatch(name) for name in names):
        raise UsageError(f"cannot read the hosts of Slurm job {job}: {nodes!r}", remedy=_READ)
    tasks = [int(number) for number in _TASKS.findall(given.get("SLURM_TASKS_PER_NODE", ""))]
    return Allocation(job, names, max(1, min(tasks, default=1)))


def list_pmis() -> tuple[str, ...]:
    """The process-management interfaces that this srun has. Raises ToolError."""
    return tuple(dict.fromkeys(_PMI.findall(_say(["srun", "--mpi=list"], remarks=True))))


def _say(argv: Sequence[str], *, remarks: bool = False) -> str:
    """What a tool of Slurm says; with ``remarks`` also what it writes to its standard error. Raises ToolError."""
    try:
        done = subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_ASK_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        what = f"{' '.join(argv)} does not answer within {_ASK_S:.0f} s"
        raise ToolError(what, remedy="see whether Slurm's controller is up: scontrol ping") from error
    except (OSError, subprocess.SubprocessError) as error:
        raise ToolError(f"{argv[0]} cannot be asked: {error}", remedy="load Slurm's commands into PATH") from error
    if done.returncode != 0:
        what = f"{' '.join(argv)} ended with {done.returncode}: {done.stderr.strip()[-300:]}"
        raise ToolError(what, remedy="see whether the job still runs: squeue -j $SLURM_JOB_ID")
    return f"{done.stdout}{done.stderr}" if remarks else done.stdout


def _start_words(allocation: Allocation, mark: str) -> tuple[str, ...]:
    """How srun starts ranks on the hosts of a layout; stacks fill in what stands in braces."""
    return (*allocation.srun(mark), "--mpi={pmi}", "-n", "{ranks}", "--distribution=arbitrary", "-w", "{layout}")


def own_name() -> str:
    """How Slurm calls the host that this runs on."""
    return os.environ.get("SLURMD_NODENAME") or socket.gethostname().partition(".")[0]


@frozen
class _Probed:
    """What a host said of itself."""

    cores: int
    same_kernel: bool
    same_clock: bool
    fabric: bool
    """It has network devices whose traffic no interface counts."""


def read_probes(hosts: HostSet, said: Mapping[str, Sequence[str]]) -> dict[str, _Probed]:
    """What each host said of itself. Raises LaunchError where one is not what the plan takes it for."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    time_space = str(Path("/proc/self/ns/time").readlink()) if Path("/proc/self/ns/time").exists() else "-"
    found = {}
    for name in hosts.names:
        words = " ".join(said.get(name, ())).split()
        if len(words) != 6:
            what = f"{name} of the allocation gives no sense: {' '.join(words)[:200]!r}"
            raise LaunchError(what, remedy=_OTHER_HOSTS)
        if words[0] != name.partition(".")[0]:
            what = f"Slurm's node {name} calls itself {words[0]}; only nodes named as their hosts are known"
            raise LaunchError(what, remedy=_OTHER_HOSTS)
        if (words[5] == "emulated") != hosts.emulated:
            what = f"{name} is {words[5]}, unlike the host that this runs on"
            raise LaunchError(what, remedy="take hosts of one kind")
        same = words[2] == boot
        found[name] = _Probed(int(words[1]), same, same and words[3] == time_space, words[4] != "0")
    return found


def _facts(hosts: HostSet, allocation: Allocation, probed: Mapping[str, _Probed]) -> Pairs:
    cores = ",".join(str(probed[name].cores) for name in hosts.names)
    return (
        ("hosts", ",".join(hosts.names)),
        ("network", hosts.network),
        ("job", allocation.job),
        ("cores", cores),
        ("scheduler", _say(["srun", "--version"]).strip()),
    )
