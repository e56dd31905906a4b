"""Emulated hosts: ``lab:4@gigabit`` makes them for the run alone, ``lab:NAME`` takes those that stand."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from attrs import evolve

from msgauge import units
from msgauge.errors import UsageError
from msgauge.execution.absences import Absence, await_hosts
from msgauge.execution.host_access import PlainAccess
from msgauge.lab.bare_link import BareLink, probe_link
from msgauge.lab.emulation import MOST_HOSTS, Lab, LabPlan, RunningLab, find_lab
from msgauge.lab.faults import describe_network
from msgauge.lab.link import find_preset
from msgauge.lab.outages import OutageWatch, find_lost, refuse_dead, refuse_lost
from msgauge.lab.wire_choice import Wire
from msgauge.lab.wiring import INTERFACE
from msgauge.model import OTHER_USER, RSH_AGENT, Command, HostMap, HostSet, Pairs, Reach

_FRESH = re.compile(r"(\d{1,4})(?:x(\d{1,3}))?(?:@([A-Za-z0-9]+))?", re.ASCII)
_STANDING = re.compile(r"([a-z][a-z0-9-]*?)(?::(\d{1,3}))?", re.ASCII)
_REMEDY = "write lab:HOSTS, lab:HOSTS@NETWORK, lab:HOSTSxRANKS@NETWORK or lab:NAME[:RANKS], e.g. lab:4@gigabit"


class LabAccess(PlainAccess):
    """A lab that stands while the run measures. A stack's launcher runs on the first host, as on a cluster."""

    def __init__(self, lab: Lab, hosts: HostSet) -> None:
        self._watch = OutageWatch(lab)
        bare = _probe_bare_link(lab, self._watch.find_lost())
        network = describe_network(lab.link, lab.faults, len(lab.hosts))
        named = evolve(hosts, names=lab.hosts, network=network, cores=count_processors(lab.wire))
        self.reach = Reach(named, str(lab.agent), INTERFACE, "/tmp")
        self.facts = _facts(lab, named, bare)
        self.one_clock = lab.one_clock()
        self._lab = lab
        self._shared: set[Path] = set()
        self._away: dict[str, str] = {}
        """Hosts that were seen to be lost, until somebody waits for them: what was started on them is gone."""
        self._absences = {name: Absence() for name in lab.hosts}

    @property
    def first_processes(self) -> tuple[int, ...]:
        """Process 1 of each host, as it is numbered here."""
        return self._watch.first_processes

    def find_lost(self) -> Mapping[str, str]:
        """Hosts that have died or were cut off; also since then, until they are brought back."""
        self._away |= self._watch.find_lost()
        return dict(self._away)

    def bring_back(self, names: Sequence[str]) -> tuple[str, ...]:
        """Look whether lost hosts were mended: for a minute again and again, later once where it is due."""
        returned = await_hosts(names, self._absences, self.find_lost, self._take_mended)
        self.returns += len(returned)
        return tuple(returned)

    def _take_mended(self, names: Sequence[str]) -> list[str]:
        lost = self._watch.find_lost()
        mended = [name for name in names if name not in lost]
        for name in mended:
            del self._away[name]
        return mended

    def close(self) -> None:
        """Let go of the hosts."""
        self._watch.close()

    def command(self, command: Command) -> Command:
        """The command on the first host, in the same environment and folder."""
        return evolve(command, argv=self._lab.argv_on(self._lab.hosts[0], command.argv))

    def share(self, folders: Sequence[Path]) -> None:
        """Show what stands below /tmp in the hosts too."""
        fresh = [folder for folder in folders if folder not in self._shared]
        self._lab.share(fresh)
        self._shared.update(fresh)


class LabLauncher:
    """Hosts of namespaces on this computer."""

    name = "lab"
    offers = frozenset({RSH_AGENT, OTHER_USER})

    def is_around(self) -> bool:
        """Never: its hosts are named."""
        return False

    def read(self, words: str, mapping: HostMap) -> HostSet:
        """``4``, ``4@gigabit``, ``4x2@gigabit`` (two ranks a host under ``--map core``), or the name of a lab.

        Raises:
            UsageError: words that make no sense, or a lab of which a host is dead.
        """
        asked = f"lab:{words}"
        if match := _FRESH.fullmatch(words):
            count, slots, network = int(match.group(1)), int(match.group(2) or 1), match.group(3) or "bare"
            if not 1 <= count <= MOST_HOSTS or slots < 1:
                raise UsageError(f"{asked}: a lab has 1 to {MOST_HOSTS} hosts of one rank or more", remedy=_REMEDY)
            names = tuple(f"n{number}" for number in range(1, count + 1))
            return HostSet(asked, self.name, names, slots, mapping, True, describe_network(find_preset(network)))
        if match := _STANDING.fullmatch(words):
            lab = find_lab(match.group(1))
            refuse_dead(lab, lab.hosts)
            network = describe_network(lab.link, lab.faults, len(lab.hosts))
            return HostSet(asked, self.name, lab.hosts, int(match.group(2) or 1), mapping, True, network)
        raise UsageError(f"cannot read the hosts {asked!r}", remedy=_REMEDY)

    def examine(self, hosts: HostSet) -> HostSet:
        """The hosts as they are. Raises UsageError: of a lab that stands one is dead or cut off."""
        words = hosts.asked.partition(":")[2]
        if not _FRESH.fullmatch(words):
            lab = find_lab(words.partition(":")[0])
            refuse_lost(lab, find_lost(lab), lab.hosts)
        return hosts

    @contextmanager
    def open(self, hosts: HostSet, users: Sequence[str]) -> Iterator[LabAccess]:
        """Start the lab, or find the one that stands; the bare link is measured first."""
        words = hosts.asked.partition(":")[2]
        with ExitStack() as opened:
            if match := _FRESH.fullmatch(words):
                plan = LabPlan(len(hosts.names), find_preset(match.group(3) or "bare"))
                lab = opened.enter_context(RunningLab(plan, users))
            else:
                lab = find_lab(words.partition(":")[0])
            with closing(LabAccess(lab, hosts)) as access:
                yield access


def _probe_bare_link(lab: Lab, lost: Mapping[str, str]) -> BareLink | None:
    """From the first host to the last one that is there. Raises UsageError where the first one is not."""
    refuse_lost(lab, lost, lab.hosts[:1])
    last = max(number for number, name in enumerate(lab.hosts) if name not in lost)
    return probe_link(lab, last) if last else None


def count_processors(wire: Wire) -> int:
    """The processors that ranks of a lab share: all of this computer, but one for a switch in user space.

    Without it two ranks that spin on two processors keep the switch waiting: half round trips of Open MPI on 100BaseT
    were 5 ms instead of 0.1.
    """
    return max(1, len(os.sched_getaffinity(0)) - (wire == "switch"))


def _facts(lab: Lab, hosts: HostSet, bare: BareLink | None) -> Pairs:
    facts = [("hosts", ",".join(hosts.names)), ("network", hosts.network), ("emulated_by", lab.wire)]
    if bare is not None:
        facts += [
            ("bare_half_round_trip_ns", f"{bare.half_round_trip_ns:.0f}"),
            ("bare_bytes_per_s", f"{bare.bytes_per_s:.0f}"),
            (
                "bare_half_round_trips_ns",
                _list_times((one.size_bytes, one.half_round_trip_ns) for one in bare.exchanges),
            ),
            ("bare_half_pings_ns", _list_times((one.size_bytes, one.half_ping_ns) for one in bare.exchanges)),
            ("bare_link", f"{units.format_time(bare.half_round_trip_ns)}, {units.format_rate(bare.bytes_per_s)}"),
        ]
    return tuple(facts)


def _list_times(times: Iterable[tuple[int, float]]) -> str:
    """``8:78700 64:84100``: bytes and ns of what was measured."""
    return " ".join(f"{size}:{time_ns:.0f}" for size, time_ns in times if time_ns > 0)


LAUNCHER = LabLauncher()
