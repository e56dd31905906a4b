"""The hosts of a job of PBS, Open Grid Engine or LSF that msgauge runs in: its host file is read, ssh reaches them.

``pbs``, ``oge``, ``lsf``, or nothing at all inside of such a job. A run keeps the list, so that it goes on by ssh in
another job of the same hosts.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from msgauge.errors import UsageError
from msgauge.execution.host_access import HostAccess
from msgauge.host_lists import load_host_file
from msgauge.launchers import ssh
from msgauge.model import HostMap, HostSet


class BatchJob:
    """One scheduler, by the variable in which it names the file of the job's hosts."""

    offers = ssh.LAUNCHER.offers

    def __init__(self, name: str, variable: str, title: str) -> None:
        self.name = name
        self._variable = variable
        self._title = title

    def is_around(self) -> bool:
        """Whether this process runs in a job of several hosts, or of another host than this one."""
        file = Path(os.environ.get(self._variable) or "/")
        return file.is_file() and any(not ssh.is_here(host) for host in load_host_file(file).hosts)

    def read(self, words: str, mapping: HostMap) -> HostSet:
        """Nothing: the job says which hosts there are."""
        if words:
            remedy = f"write {self.name}; some of its hosts are named by ssh:n1,n2"
            raise UsageError(f"'{self.name}' takes no words, not {words!r}", remedy=remedy)
        file = os.environ.get(self._variable, "")
        if not file:
            remedy = f"run msgauge in a job, or name hosts: --hosts n1,n2 (this is {socket.gethostname()})"
            raise UsageError(f"this is no job of {self._title}: {self._variable} is not set", remedy=remedy)
        return ssh.LAUNCHER.read(str(load_host_file(Path(file))), mapping)

    def open(self, hosts: HostSet, users: Sequence[str]) -> AbstractContextManager[HostAccess]:
        """By ssh."""
        return ssh.LAUNCHER.open(hosts, users)


LAUNCHERS = (
    BatchJob("pbs", "PBS_NODEFILE", "PBS"),
    BatchJob("oge", "PE_HOSTFILE", "Open Grid Engine"),
    BatchJob("lsf", "LSB_DJOB_HOSTFILE", "LSF"),
)
