"""All launchers by name, and the hosts that the words of a command line ask for."""

from __future__ import annotations

from typing import get_args

from msgauge.errors import UsageError, hint_nearest
from msgauge.launchers import lab, local, slurm
from msgauge.launchers.launcher import Launcher
from msgauge.model import HostMap, HostSet

LAUNCHERS: dict[str, Launcher] = {one.name: one for one in (local.LAUNCHER, lab.LAUNCHER, slurm.LAUNCHER)}


def read_hosts(words: str, mapping: str = "node") -> HostSet:
    """The hosts that ``--hosts`` and ``--map`` ask for; without words those of the allocation that this runs in.

    Raises:
        UsageError: no such launcher, words that it cannot read, or an unknown way of dealing ranks out.
    """
    if mapping not in get_args(HostMap):
        raise UsageError(f"unknown --map {mapping!r}", remedy=f"write --map {' or --map '.join(get_args(HostMap))}")
    if not words:
        around = next((one for one in LAUNCHERS.values() if one.is_around()), None)
        words, mapping = (around.name, mapping) if around else (local.LAUNCHER.name, "node")
    name, _, rest = words.partition(":")
    if name not in LAUNCHERS:
        near = hint_nearest(name, LAUNCHERS)
        remedy = f"did you mean {near!r}?" if near else f"known launchers: {', '.join(LAUNCHERS)}"
        raise UsageError(f"there is no launcher {name!r}", remedy=f"{remedy}; e.g. --hosts lab:4@gigabit")
    return LAUNCHERS[name].read(rest, "node" if mapping == "node" else "core")


def launcher_of(hosts: HostSet) -> Launcher:
    """The launcher that reaches these hosts.

    Raises:
        UsageError: a run folder names one that is not here.
    """
    if hosts.launcher not in LAUNCHERS:
        raise UsageError(f"there is no launcher {hosts.launcher!r}", remedy=f"known: {', '.join(LAUNCHERS)}")
    return LAUNCHERS[hosts.launcher]
