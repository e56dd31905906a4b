"""Real hosts by ssh: ``n1,n2:4,user@n3``, or what a host file names. They need an sshd and a shell, no msgauge.

A stack's own launcher runs on the first host: right here where that is this computer. It reaches the others by an agent
that calls ssh with the user's own configuration.
"""

from __future__ import annotations

import getpass
import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from attrs import evolve

from msgauge.errors import UsageError
from msgauge.host_lists import ListedHost, parse_host_words, quote
from msgauge.lab.label import find_own_network, read_label
from msgauge.model import RSH_AGENT, SHARED_FOLDER, HostMap, HostSet
from msgauge.ssh.ssh_access import SshAccess
from msgauge.ssh.ssh_connections import Connections, Survey, Target, survey_here

CONFIG_VARIABLE = "MSGAUGE_SSH_CONFIG"

_LONGEST_NAME = 120
_MOST_TOLD = 20
"""Hosts that cannot be had are told with reason and remedy up to so many, the others by name."""


class SshLauncher:
    """Hosts that ssh reaches."""

    name = "ssh"
    offers = frozenset({RSH_AGENT, SHARED_FOLDER})

    def is_around(self) -> bool:
        """Never: its hosts are named."""
        return False

    def read(self, words: str, mapping: HostMap) -> HostSet:
        """Names, each with the ranks that it takes under ``--map core`` and the user that it is reached as.

        From a host of a lab there is no way but to the others, so that they are known to be emulated unasked.
        """
        listed = parse_host_words(words)
        slots = tuple(host.slots for host in listed.hosts)
        names = tuple(host.name for host in listed.hosts)
        takes = slots if len(set(slots)) > 1 else ()
        config = os.environ.get(CONFIG_VARIABLE, "")
        network = find_own_network()[:_LONGEST_NAME]
        hosts = HostSet(f"ssh:{listed}", self.name, names, slots[0], mapping, bool(network), network)
        return evolve(hosts, takes=takes, config=config)

    def examine(self, hosts: HostSet) -> HostSet:
        """The hosts with what they tell of themselves."""
        with self._connect(hosts) as (_, found, _survey):
            return found

    @contextmanager
    def open(self, hosts: HostSet, users: Sequence[str]) -> Iterator[SshAccess]:  # noqa: ARG002
        """Connect to every host; refused where one is not to be had."""
        with self._connect(hosts) as (connections, found, survey):
            access = SshAccess(connections, found, survey.facts)
            access.install_agent()
            yield access

    @contextmanager
    def _connect(self, hosts: HostSet) -> Iterator[tuple[Connections, HostSet, Survey]]:
        listed = parse_host_words(hosts.asked.partition(":")[2]).hosts
        away = [host for number, host in enumerate(listed) if number or not is_here(host)]
        targets = [Target(host.name, f"{host.user}@{host.name}" if host.user else host.name) for host in away]
        names = [host.name for host in listed]
        peers = {name: [other for other in names if other != name] for name in names}
        with Connections(targets, hosts.config) as connections:
            survey = connections.open(peers)
            refuse_unreachable(survey, names)
            for name in names:
                if name not in survey.facts:
                    survey.facts[name] = survey_here(connections.place, peers[name])
            _refuse_twins(names, survey.facts)
            yield connections, _describe(hosts, survey.facts), survey


def is_here(host: ListedHost) -> bool:
    """Whether a host of a list is the present computer, by its name and its user."""
    own = socket.gethostname()
    return host.name in (own, own.partition(".")[0], "localhost") and host.user in ("", getpass.getuser())


def refuse_unreachable(survey: Survey, names: Sequence[str]) -> None:
    """Raises UsageError with each host that cannot be had, its reason and its remedy."""
    lost = [name for name in names if name in survey.reasons]
    if not lost:
        return
    lines = [f"{name}: {survey.reasons[name][0]}; {survey.reasons[name][1]}" for name in lost[:_MOST_TOLD]]
    if lost[_MOST_TOLD:]:
        lines.append(f"and {len(lost) - _MOST_TOLD} more: {','.join(lost[_MOST_TOLD:])}")
    what = f"{len(lost)} of {len(names)} hosts cannot be reached:\n  " + "\n  ".join(lines)
    raise UsageError(what, remedy="mend what is said of each, or leave these hosts out")


def _refuse_twins(names: Sequence[str], facts: Mapping[str, Mapping[str, str]]) -> None:
    """Two names of one computer would be two hosts whose messages never leave it."""
    seen: dict[tuple[str, str], str] = {}
    for name in names:
        identity = (facts[name].get("boot", ""), facts[name].get("name", name))
        if identity in seen:
            what = f"{quote(seen[identity])} and {quote(name)} are the same computer ({quote(identity[1])})"
            raise UsageError(what, remedy=f"name it once, e.g. {seen[identity]}:2 for two ranks")
        seen[identity] = name


def _describe(hosts: HostSet, facts: Mapping[str, Mapping[str, str]]) -> HostSet:
    """Emulated hosts say that they are; real ones how many processors they have."""
    networks = sorted({read_label(text)[:_LONGEST_NAME] for one in facts.values() if (text := one.get("emulated"))})
    if networks:
        return evolve(hosts, emulated=True, network="; ".join(networks))
    ways = ", ".join(sorted({one.get("interface", "") for one in facts.values()} - {""})) or "an unknown interface"
    cores = sum(int(cores) for one in facts.values() if (cores := one.get("cores", "")).isdigit())
    return evolve(hosts, emulated=False, network=f"reached by ssh, joined by {ways}", cores=cores)


LAUNCHER = SshLauncher()
