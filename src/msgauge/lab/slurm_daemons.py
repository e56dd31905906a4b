"""A real Slurm on the hosts of a lab: munged and slurmd on each, slurmctld on the first, all of them Debian's.

Configuration and key are made for the lab and stand in its folder, which each host shows as /etc/slurm; everything else
that the daemons write is in the host's own /run. They are processes of the hosts and end with these.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from msgauge.errors import ToolError
from msgauge.lab.emulation import Lab
from msgauge.lab.namespaces import SEARCH_PATH

CONFIGURATION = Path("/etc/slurm")
"""Where Debian's Slurm looks for its configuration; each host shows that of its lab there."""
PACKAGES = ("slurm-wlm", "munge", "libpmi2-0")
_DAEMONS = ("munged", "slurmctld", "slurmd", "srun")
_MUNGE = "munge"
"""The user that munged runs as: it refuses a key that others can read."""
_CPUS = 64
"""More than this computer has, so that Slurm does not stand in the way of more ranks than processors."""
_LIMIT_S = 60.0
_LOOK_S = 0.1
# ``sbatch --wait`` looks after 2 s, then after 8 s and 32 s where a job that ended is remembered for longer than 4 s
# (MinJobAge); a script starts at once instead of after 3 s (batch_sched_delay).

_START = """
set -e
mount --bind "$1" /etc/slurm
install -d -m 755 -o munge -g munge /run/munge
install -d -m 755 /run/slurm
setpriv --reuid munge --regid munge --clear-groups munged --num-threads=2 --key-file="$1/munge.key" \
    --pid-file=/run/munge/pid --seed-file=/run/munge/seed --log-file=/run/munge/log
if [ "$2" = first ]; then slurmctld; fi
slurmd
"""

_OPTIONS = f"""\
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0
MinJobAge=4
ReturnToService=2
SlurmctldPidFile=/run/slurm/slurmctld.pid
SlurmdPidFile=/run/slurm/slurmd.pid
StateSaveLocation=/run/slurm/state
SlurmdSpoolDir=/run/slurm/spool
SlurmctldLogFile=/run/slurm/slurmctld.log
SlurmdLogFile=/run/slurm/slurmd.log
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
JobAcctGatherType=jobacct_gather/none
MailProg=/bin/true
SlurmdParameters=config_overrides
KillWait=5
NodeName=DEFAULT CPUs={_CPUS} Sockets={_CPUS} CoresPerSocket=1 ThreadsPerCore=1 State=UNKNOWN
"""


def start_slurm(lab: Lab) -> None:
    """Start Slurm on all hosts of a lab; afterwards they wait for jobs.

    Raises:
        ToolError: Slurm or munge is not installed, or their daemons do not start, with what they said.
    """
    _refuse_missing()
    folder = lab.folder / "slurm"
    _write_configuration(folder, lab.hosts)
    starting = [_start(lab, folder, host) for host in lab.hosts]
    try:
        _await_daemons(lab, folder, starting)
    finally:
        for process in starting:
            process.kill()
            process.wait()


def has_slurm(lab: Lab) -> bool:
    """Whether Slurm was started on the hosts of a lab."""
    return (lab.folder / "slurm" / "slurm.conf").is_file()


def write_options(hosts: Sequence[str]) -> str:
    """slurm.conf for these hosts."""
    names = ",".join(hosts)
    partition = f"PartitionName=lab Nodes={names} Default=YES MaxTime=INFINITE State=UP OverSubscribe=YES\n"
    return f"ClusterName=lab\nSlurmctldHost={hosts[0]}\n{_OPTIONS}NodeName={names}\n{partition}"


def _refuse_missing() -> None:
    missing = [name for name in _DAEMONS if shutil.which(name, path=SEARCH_PATH) is None]
    if missing or not CONFIGURATION.is_dir():
        raise ToolError(
            f"Slurm is not installed: there is no {', no '.join(missing) or CONFIGURATION}",
            remedy=f"on Debian: apt-get install --no-install-recommends {' '.join(PACKAGES)}",
        )


def _write_configuration(folder: Path, hosts: Sequence[str]) -> None:
    """slurmd 22.05 starts without cgroups only when this one is named, though nothing of it is mounted."""
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    (folder / "slurm.conf").write_text(write_options(hosts))
    (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
    key = os.open(folder / "munge.key", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o400)
    owner = pwd.getpwnam(_MUNGE)
    os.fchown(key, owner.pw_uid, owner.pw_gid)
    os.write(key, os.urandom(1024))
    os.close(key)


def _start(lab: Lab, folder: Path, host: str) -> subprocess.Popen[bytes]:
    """The daemons of a host; what they complain of before they have a log of their own is in the lab's folder."""
    place = "first" if host == lab.hosts[0] else "other"
    argv = lab.argv_on(host, ["sh", "-c", _START, "start", str(folder), place])
    with (folder / f"{host}.start").open("wb") as said:
        return subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
            env={"PATH": SEARCH_PATH, "LC_ALL": "C"},
        )


def _await_daemons(lab: Lab, folder: Path, starting: Sequence[subprocess.Popen[bytes]]) -> None:
    limit = time.monotonic() + _LIMIT_S
    for host, process in zip(lab.hosts, starting, strict=True):
        try:
            code = process.wait(max(0.0, limit - time.monotonic()))
        except subprocess.TimeoutExpired:
            code = -1
        if code != 0:
            raise _failure(lab, folder, f"{host}: {_read_complaint(folder, host) or 'no answer'}")
    while (idle := _count_idle(lab)) < len(lab.hosts):
        if time.monotonic() > limit:
            raise _failure(lab, folder, f"{idle} of {len(lab.hosts)} hosts wait for jobs")
        time.sleep(_LOOK_S)


def _count_idle(lab: Lab) -> int:
    """How many hosts the controller says wait for jobs."""
    argv = lab.argv_on(lab.hosts[0], ["sinfo", "-h", "-N", "-o", "%T"])
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=5, check=False)
        return done.stdout.split().count("idle")
    return 0


def _read_complaint(folder: Path, host: str) -> str:
    with suppress(OSError):
        return (folder / f"{host}.start").read_text(errors="replace").strip()[-300:]
    return ""


def _failure(lab: Lab, folder: Path, what: str) -> ToolError:
    remedy = f"read /run/slurm/*.log on its hosts: {lab.agent} {lab.hosts[0]} 'cat /run/slurm/*.log'"
    return ToolError(f"Slurm did not start: {what}", where=str(folder), remedy=remedy)
