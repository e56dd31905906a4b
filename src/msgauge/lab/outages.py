"""Hosts of a standing lab that die, and links that are cut, on purpose; and finding out that one is gone."""

from __future__ import annotations

import os
import select
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path

from msgauge import units
from msgauge.errors import LaunchError, UsageError
from msgauge.lab.emulation import Lab, ask_keeper, refresh_lab
from msgauge.lab.wiring import INTERFACE

_WORDS = {"kill": "is ended", "cut": "is cut off", "mend": "comes back"}
_DEAD, _CUT = "has died", "has no link any more"
_MOST_MENDS = 4
"""Commands that a remedy writes out."""


def change_host(lab: Lab, what: str, host: str) -> str:
    """``kill``, ``cut`` or ``mend`` a host; a sentence of what was done.

    Raises:
        UsageError: no such host, or one without a cable to pull.
        LaunchError: the keeper of the lab cannot do it.
    """
    if host not in lab.hosts:
        raise UsageError(f"there is no host {host!r}", remedy=f"hosts of this lab: {lab.hosts[0]} to {lab.hosts[-1]}")
    before = find_lost(lab) if what != "kill" else {}
    if what == "cut":
        refuse_lost(lab, find_dead(before), [host])
    answer = ask_keeper(lab.folder, {"do": what, "host": host})
    if "error" in answer:
        remedy = f"take the lab down and make another: msgauge lab down {lab.name}"
        raise LaunchError(answer["error"], where=f"lab {lab.name}", remedy=remedy)
    if what == "mend" and host not in before:
        return f"{host} is up and has its link: there was nothing to mend"
    return f"{host} {_WORDS[what]}"


def find_lost(lab: Lab) -> Mapping[str, str]:
    """Hosts that are dead or cut off now, each with the reason."""
    found = dict[str, str]()
    for name, pid in zip(lab.hosts, refresh_lab(lab).first_processes, strict=True):
        with closing(_Watched(pid)) as watched:  # one at a time: hosts may be more than files may be open
            outage = watched.outage()
        if outage:
            found[name] = f"{name} {outage}"
    return found


def find_dead(lost: Mapping[str, str]) -> Mapping[str, str]:
    """Those of lost hosts that do not even answer the keeper of their lab."""
    return {name: reason for name, reason in lost.items() if reason.endswith(_DEAD)}


def refuse_lost(lab: Lab, lost: Mapping[str, str], needed: Sequence[str]) -> None:
    """Raises UsageError where a host that is needed is lost, with the commands that bring it back."""
    gone = [name for name in needed if name in lost]
    if not gone:
        return
    told = f"{units.format_count(len(gone), 'host')} of lab {lab.name} cannot be reached: "
    mends = [f"msgauge lab mend {name} --name {lab.name}" for name in gone[:_MOST_MENDS]]
    more = f", and so for {', '.join(gone[_MOST_MENDS:])}" if gone[_MOST_MENDS:] else ""
    raise UsageError(told + ", ".join(lost[name] for name in gone), remedy=" && ".join(mends) + more)


def refuse_dead(lab: Lab, needed: Sequence[str]) -> None:
    """The same of hosts that are dead now; those that are cut off answer."""
    refuse_lost(lab, find_dead(find_lost(lab)), needed)


class OutageWatch:
    """Tells which hosts of a lab are dead or cut off; cheap enough to be asked every second while ranks measure."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab
        self._watched: dict[str, _Watched] = {}
        self._look_at(lab)

    @property
    def first_processes(self) -> tuple[int, ...]:
        """Process 1 of each host that lives, as it is numbered here."""
        self._follow()
        return self._lab.first_processes

    def find_lost(self) -> Mapping[str, str]:
        """Hosts that are gone, each with the reason."""
        self._follow()
        found = {name: watched.outage() for name, watched in self._watched.items()}
        return {name: f"{name} {outage}" for name, outage in found.items() if outage}

    def close(self) -> None:
        """Let go of all hosts."""
        for watched in self._watched.values():
            watched.close()
        self._watched = {}

    def _follow(self) -> None:
        """A host that was made anew has another first process."""
        now = refresh_lab(self._lab)
        if now.first_processes != self._lab.first_processes:
            self._look_at(now)

    def _look_at(self, lab: Lab) -> None:
        self.close()
        self._lab = lab
        self._watched = {name: _Watched(pid) for name, pid in zip(lab.hosts, lab.first_processes, strict=True)}


class _Watched:
    """One host: its first process, and whether its interface has a carrier."""

    def __init__(self, pid: int) -> None:
        self._life = self._carrier = -1
        with suppress(OSError):
            self._life = os.pidfd_open(pid)
        with suppress(OSError):
            carrier = Path("/proc", str(pid), "root", "sys", "class", "net", INTERFACE, "carrier")
            self._carrier = os.open(carrier, os.O_RDONLY | os.O_CLOEXEC)

    def outage(self) -> str:
        """What is wrong, in words; '' while nothing is."""
        if self._life < 0:
            return _DEAD
        poller = select.poll()  # a descriptor may be beyond those of select
        poller.register(self._life, select.POLLIN)
        if poller.poll(0):
            return _DEAD
        try:
            cut = self._carrier >= 0 and os.pread(self._carrier, 1, 0) == b"0"
        except OSError:  # the interface is switched off
            cut = True
        return _CUT if cut else ""

    def close(self) -> None:
        for descriptor in (self._life, self._carrier):
            if descriptor >= 0:
                os.close(descriptor)
