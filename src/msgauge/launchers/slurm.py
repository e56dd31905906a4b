"""The hosts of the Slurm allocation that msgauge runs in: ``slurm``, or nothing at all inside of one."""

from __future__ import annotations

import os
import secrets
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from msgauge.errors import LaunchError, UsageError
from msgauge.lab.label import find_own_network
from msgauge.model import RSH_AGENT, SHARED_FOLDER, HostMap, HostSet
from msgauge.slurm.allocation_shells import AllocationShells
from msgauge.slurm.slurm_access import AGENT, SlurmAccess, find_allocation, list_pmis, own_name


class SlurmLauncher:
    """Hosts of a Slurm allocation."""

    name = "slurm"
    offers = frozenset({RSH_AGENT, SHARED_FOLDER})

    def is_around(self) -> bool:
        """Whether this process runs in an allocation of several hosts, or of another host than this one."""
        if not os.environ.get("SLURM_JOB_ID") or not os.environ.get("SLURM_JOB_NODELIST"):
            return False
        return find_allocation().hosts != (own_name(),)

    def read(self, words: str, mapping: HostMap) -> HostSet:
        """Nothing, ``srun``, or the PMI by which srun is to start the ranks."""
        found = find_allocation()
        offered = list_pmis() if words else ()
        if words and words != "srun" and words not in offered:
            known = ", ".join(f"slurm:{one}" for one in offered) or "none here"
            remedy = f"write slurm, slurm:srun, or slurm:PMI with one of srun's: {known}"
            raise UsageError(f"cannot read the hosts 'slurm:{words}'", remedy=remedy)
        pmis = offered if words == "srun" else (words,) if words else ()
        network = find_own_network()
        return HostSet(
            asked=f"slurm:{words}" if words else "slurm",
            launcher=self.name,
            names=found.hosts,
            slots=found.slots,
            map=mapping,
            emulated=bool(network),
            network=network,
            pmis=pmis,
            allocation=f"Slurm job {found.job}",
            apart=own_name() != found.hosts[0],
        )

    @contextmanager
    def open(self, hosts: HostSet, users: Sequence[str]) -> Iterator[SlurmAccess]:  # noqa: ARG002
        """A shell on every host, through which msgauge asks and cleans up.

        Raises:
            LaunchError: the allocation is of other hosts than the run.
        """
        allocation = find_allocation()
        if set(allocation.hosts) != set(hosts.names):
            raise LaunchError(
                f"this run is of {', '.join(hosts.names)}, and this allocation of {', '.join(allocation.hosts)}",
                remedy=f"go on in an allocation of the same hosts: salloc -w {','.join(hosts.names)}",
            )
        mark = f"mg-{secrets.token_hex(6)}"
        agent = AGENT.replace("@SRUN@", shlex.join(allocation.srun(mark)))
        shells = AllocationShells(allocation.srun("msgauge"), hosts.names, mark, agent)
        try:
            yield SlurmAccess(hosts, allocation, shells, mark)
        finally:
            shells.close()


LAUNCHER = SlurmLauncher()
