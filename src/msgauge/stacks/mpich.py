"""MPICH 3 to 5 with the hydra launcher. Source: `mpiexec -h`, README.envvar, `mpivars`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgauge.model import RSH_AGENT, Command, Pairs, Setting, Stack, TemporaryFiles, Traces
from msgauge.stacks.base.family import LaunchOptions, Variant
from msgauge.stacks.base.fortran import FORTRAN
from msgauge.stacks.base.log_noise import LogNoise
from msgauge.stacks.base.mpi_family import MpiFamily, Wheels, choose_pmi, command_of_scheduler, host_list
from msgauge.stacks.base.promises import BY_TCP, IN_SHARED_MEMORY
from msgauge.stacks.base.wrapper_identity import Signature

_NOISE = LogNoise(
    lines=(
        "This typically refers to a problem with your application.",
        "Please see the FAQ page for debugging suggestions",
    ),
    notices=(r"BAD TERMINATION OF ONE OF YOUR .*?(?P<told>PID \d+ RUNNING AT \S+ EXIT CODE: \d+)",),
)
"""Source: hydra's pmiserv_cb.c."""


class Mpich(MpiFamily):
    """MPICH: launcher hydra, settings as MPIR_CVAR variables; it spins while it waits and has no other way."""

    name = "mpich"
    title = "MPICH"
    other_names = ("mpich2", "hydra", "mvapich", "cray-mpich")
    signature = Signature(
        "mpich",
        "MPICH",
        wrapper=r"^\S+ for MPICH version (\d[\w.+-]*)",
        launcher=r"^HYDRA build details:\s+Version:\s+(\d[\w.+-]*)",
    )
    wheels = Wheels(("mpich",), "5.0.2")
    debian_packages = ("mpich", "libmpich-dev")
    traces = Traces(
        shared_memory=("mpich", "psm[23]?_", "psm_shm"),  # of its own, and of the network libraries below libfabric
        temporary_files=(TemporaryFiles("hydra_hwloc_xmlfile_*", "hydra_pmi_proxy"),),
    )
    variables = ("PMI_", "HYDRA_", "HYDI_", "MPIR_", "MPIEXEC_", "FI_")
    log_noise = _NOISE
    needs = frozenset({RSH_AGENT})
    library_pattern = re.compile(r"^MPICH Version:\s*(\d[\w.+-]*)")

    def variants(self) -> Sequence[Variant]:
        return (
            Variant(
                "shm",
                "transport",
                "shared memory between ranks of one host, as it does by itself",
                IN_SHARED_MEMORY,
            ),
            Variant(
                "tcp",
                "transport",
                "TCP also between ranks of one host, by the network module it was built with",
                BY_TCP,
            ),
            FORTRAN,
        )

    def pmis(self, stack: Stack) -> tuple[str, ...]:  # noqa: ARG002
        """Not pmix: Debian's 4.0 then starts N times rank 0 of 1, with exit code 0, and the wheel of 5.0 aborts."""
        return ("pmi2",)

    def variant_environment(self, stack: Stack, word: str) -> Pairs:
        if word == "shm":
            return (("MPIR_CVAR_NOLOCAL", "0"),)
        return (("MPIR_CVAR_NOLOCAL", "1"), *_network(stack))

    def launch_command(self, stack: Stack, program: Sequence[str], options: LaunchOptions) -> Command:
        if pmi := choose_pmi(self.pmis(stack), options):
            return command_of_scheduler(stack, program, options, (), pmi)
        hosts = host_list(options)
        argv = (
            stack.launcher,
            "-n",
            str(options.ranks),
            *(("-hosts", hosts) if hosts else ()),
            *(("-launcher", "rsh", "-launcher-exec", options.reach.agent) if options.reach else ()),
            *(("-bind-to", "none") if options.oversubscribed or options.reach else ("-bind-to", "core")),
            *program,
        )
        return Command(argv, stack.environment, folder=str(options.folder))

    def settings(self, stack: Stack) -> Sequence[Setting]:
        source = "mpivars; README.envvar of MPICH"
        megabyte = 1 << 20
        return (
            Setting("MPIR_CVAR_NOLOCAL", "boolean", "0", "no shared memory between ranks of one host", source),
            Setting(
                "MPIR_CVAR_CH4_SHM_POSIX_IQUEUE_CELL_SIZE",
                "bytes",
                "8192" if re.match(r"[5-9]", stack.version) else "16384",
                "size of a cell of the queue in shared memory",
                source,
                low=1024,
                high=megabyte,
            ),
            Setting(
                "MPIR_CVAR_CH4_SHM_POSIX_IQUEUE_NUM_CELLS",
                "integer",
                "64",
                "cells of the queue in shared memory",
                source,
                low=8,
                high=4096,
            ),
            Setting(
                "MPIR_CVAR_BCAST_SHORT_MSG_SIZE",
                "bytes",
                "12288",
                "up to this a broadcast takes the binomial tree",
                source,
                low=0,
                high=64 * megabyte,
            ),
            Setting(
                "MPIR_CVAR_BCAST_INTRA_ALGORITHM",
                "choice",
                "auto",
                "algorithm of the broadcast",
                source,
                choices=("auto", "binomial", "scatter_recursive_doubling_allgather", "scatter_ring_allgather"),
            ),
            Setting(
                "MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE",
                "bytes",
                "2048",
                "up to this an allreduce doubles recursively",
                source,
                low=0,
                high=64 * megabyte,
            ),
        )


def _network(stack: Stack) -> Pairs:
    """TCP by the network module that is there; the library says which (``MPICH Device: ch4:ucx``).

    The wheel of version 5 holds both (``ch4:ucx ofi``) and wants to be told which to take: over UCX 120 ranks need most
    of a minute to start and 200 do not start, over OFI they need a quarter of one.
    """
    if re.search(r"ch4:ucx\b(?![, ]+ofi)", stack.library):
        return (("UCX_TLS", "tcp,self"),)
    if re.search(r"ch4:ofi\b(?![, ]+ucx)", stack.library):
        return (("FI_PROVIDER", "tcp"),)
    if re.search(r"ch3", stack.library):
        return ()
    return (("MPIR_CVAR_CH4_NETMOD", "ofi"), ("FI_PROVIDER", "tcp"))


FAMILY = Mpich()
