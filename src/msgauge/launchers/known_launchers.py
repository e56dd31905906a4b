"""All launchers by name, and the hosts that the words of a command line ask for."""

from __future__ import annotations

from typing import get_args

from msgauge.errors import UsageError, hint_nearest
from msgauge.host_lists import quote
from msgauge.launchers import batch_jobs, lab, local, slurm, ssh
from msgauge.launchers.launcher import Examining, Launcher
from msgauge.model import HostMap, HostSet

LAUNCHERS: dict[str, Launcher] = {
    one.name: one for one in (local.LAUNCHER, lab.LAUNCHER, ssh.LAUNCHER, slurm.LAUNCHER, *batch_jobs.LAUNCHERS)
}


def read_hosts(words: str, mapping: str = "node") -> HostSet:
    """The hosts that ``--hosts`` and ``--map`` ask for; a list of names without a launcher's is for ssh.

    Without words they are those of the allocation that this runs in, else the present computer.

    Raises:
        UsageError: no such launcher, words that it cannot read, or an unknown way of dealing ranks out.
    """
    if mapping not in get_args(HostMap):
        raise UsageError(f"unknown --map {mapping!r}", remedy=f"write --map {' or --map '.join(get_args(HostMap))}")
    if not words:
        around = next((one for one in LAUNCHERS.values() if one.is_around()), None)
        words, mapping = (around.name, mapping) if around else (local.LAUNCHER.name, "node")
    name, colon, rest = words.partition(":")
    near = hint_nearest(name, LAUNCHERS)
    if colon and near and name not in LAUNCHERS and "," not in words:
        remedy = f"did you mean {near!r}? e.g. --hosts lab:4@gigabit; other names are hosts for ssh: ssh:n1,n2"
        raise UsageError(f"there is no launcher {quote(name)}", remedy=remedy)
    dealt: HostMap = "node" if mapping == "node" else "core"
    return LAUNCHERS[name].read(rest, dealt) if name in LAUNCHERS else ssh.LAUNCHER.read(words, dealt)


def examine_hosts(hosts: HostSet) -> HostSet:
    """The hosts with what they tell of themselves, where they stand already.

    Raises:
        UsageError: one of them cannot be had; with the reason of each.
    """
    launcher = launcher_of(hosts)
    return launcher.examine(hosts) if isinstance(launcher, Examining) else hosts


def launcher_of(hosts: HostSet) -> Launcher:
    """The launcher that reaches these hosts.

    Raises:
        UsageError: a run folder names one that is not here.
    """
    if hosts.launcher not in LAUNCHERS:
        raise UsageError(f"there is no launcher {hosts.launcher!r}", remedy=f"known: {', '.join(LAUNCHERS)}")
    return LAUNCHERS[hosts.launcher]
