"""Intel MPI 2019 and later, x86-64 only. Source: Intel MPI Library developer reference for Linux."""

# ruff: noqa: ARG002  (a method of the interface takes what any family may need)
from __future__ import annotations

import platform
import re
from collections.abc import Sequence
from pathlib import Path

from msgauge.hosts import Host
from msgauge.model import RSH_AGENT, Command, Obtainable, Pairs, Setting, Stack, Traces
from msgauge.stacks.base.family import LaunchOptions, Variant
from msgauge.stacks.base.fortran import BY_INCLUDE_FILE, FORTRAN
from msgauge.stacks.base.installations import Installation
from msgauge.stacks.base.log_noise import LogNoise
from msgauge.stacks.base.mpi_family import MpiFamily, Wheels, choose_pmi, command_of_scheduler, host_list
from msgauge.stacks.base.promises import BY_SPINNING, BY_TCP, BY_YIELDING, IN_SHARED_MEMORY
from msgauge.stacks.base.wrapper_identity import Signature

_PMI_LIBRARIES = {"pmi2": "libpmi2.so.0", "pmix": "libpmix.so.2"}
_LIBRARY_FOLDERS = ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib64/slurm", "/usr/lib", "/usr/local/lib")


_NOISE = LogNoise(
    notices=(
        r"BAD TERMINATION OF ONE OF YOUR .* KILLED BY SIGNAL: 9 \(Killed\)",
        r"BAD TERMINATION OF ONE OF YOUR .*?(?P<told>RANK \d+ PID \d+ RUNNING AT \S+ .*: (?!9 \(Killed).+)",
    ),
)
"""Of a rank that ends by itself it says nothing but that the others were killed for it."""


class IntelMpi(MpiFamily):
    """Intel MPI: a hydra of its own, placed by I_MPI_PIN variables; without I_MPI_ROOT its wrapper finds no mpi.h."""

    name = "intelmpi"
    title = "Intel MPI"
    other_names = ("impi", "intel", "oneapi", "mpi-intel")
    signature = Signature(
        "intelmpi",
        "Intel MPI",
        wrapper=r"^\S+ for the Intel\(R\) MPI Library (\d[\w.+-]*)",
        launcher=r"^Intel\(R\) MPI Library.*?Version (\d[\w.+-]*)",
    )
    wheels = Wheels(("impi-rt", "impi-devel"), "2021.18.1")
    library_pattern = re.compile(r"^Intel\(R\) MPI Library (\d[\w.+-]*)")
    fortran_defines = BY_INCLUDE_FILE
    traces = Traces(shared_memory=("Intel_MPI_", "shm-?col"))
    variables = ("I_MPI_",)
    log_noise = _NOISE
    needs = frozenset({RSH_AGENT})

    def own_environment(self, place: Installation) -> Pairs:
        prefix = Path(place.compiler).parent.parent
        library = ":".join(str(prefix / folder) for folder in ("lib", "lib/release") if (prefix / folder).is_dir())
        given = dict(place.environment)
        own = {"I_MPI_ROOT": str(prefix), "LD_LIBRARY_PATH": library or str(prefix / "lib")}
        return tuple({**own, **given}.items())

    def variants(self) -> Sequence[Variant]:
        return (
            Variant("shm", "transport", "shared memory only", IN_SHARED_MEMORY),
            Variant("tcp", "transport", "TCP only, by libfabric's tcp provider", BY_TCP),
            Variant(
                "yield",
                "wait",
                "ranks that wait give their core away (I_MPI_WAIT_MODE)",
                BY_YIELDING,
            ),
            Variant(
                "spin",
                "wait",
                "ranks that wait keep their core, as they do by themselves while each has one",
                BY_SPINNING,
            ),
            FORTRAN,
        )

    def pmis(self, stack: Stack) -> tuple[str, ...]:
        """Those whose library is here, which it loads while it runs."""
        return tuple(pmi for pmi in _PMI_LIBRARIES if _pmi_library(pmi))

    def variant_environment(self, stack: Stack, word: str) -> Pairs:
        effects: dict[str, Pairs] = {
            "shm": (("I_MPI_FABRICS", "shm"),),
            "tcp": (("I_MPI_FABRICS", "ofi"), ("FI_PROVIDER", "tcp")),
            "yield": (("I_MPI_WAIT_MODE", "1"),),
            "spin": (("I_MPI_WAIT_MODE", "0"),),
        }
        return effects[word]

    def obtainable(self, host: Host) -> Sequence[Obtainable]:
        return super().obtainable(host) if platform.machine() == "x86_64" else ()

    def launch_command(self, stack: Stack, program: Sequence[str], options: LaunchOptions) -> Command:
        if pmi := choose_pmi(self.pmis(stack), options):
            own = (
                *_settings_across(options).items(),
                ("I_MPI_PMI", pmi),
                ("I_MPI_PMI_LIBRARY", str(_pmi_library(pmi) or "")),
            )
            return command_of_scheduler(stack, program, options, own, pmi)
        if options.reach:
            return _across_hosts(stack, program, options)
        hosts = host_list(options)
        argv = (stack.launcher, "-n", str(options.ranks), *(("-hosts", hosts) if hosts else ()), *program)
        pin: Pairs = (("I_MPI_PIN", "1"), ("I_MPI_PIN_DOMAIN", "core"))
        free: Pairs = (("I_MPI_PIN", "0"),)
        placement = free if options.oversubscribed else pin
        return Command(argv, (*stack.environment, *placement), folder=str(options.folder))

    def settings(self, stack: Stack) -> Sequence[Setting]:
        source = "Intel MPI Library developer reference: environment variables"
        megabyte = 1 << 20
        return (
            Setting(
                "I_MPI_FABRICS", "choice", "shm:ofi", "what carries messages", source, choices=("shm:ofi", "shm", "ofi")
            ),
            Setting(
                "I_MPI_SHM_EAGER_THRESHOLD",
                "bytes",
                "262144",
                "largest message sent at once in shared memory",
                source,
                low=1,
                high=64 * megabyte,
            ),
            Setting("I_MPI_WAIT_MODE", "boolean", "0", "wait without burning the core", source),
            Setting(
                "I_MPI_ADJUST_BCAST",
                "integer",
                "-1",
                "-1: by its own rules; else the number of a preset",
                source,
                low=-1,
                high=22,
            ),
            Setting(
                "I_MPI_ADJUST_ALLREDUCE",
                "integer",
                "-1",
                "-1: by its own rules; else the number of a preset",
                source,
                low=-1,
                high=32,
            ),
        )


def _across_hosts(stack: Stack, program: Sequence[str], options: LaunchOptions) -> Command:
    """By the launcher's agent from the first host, over libfabric's tcp provider, unbound.

    The library does not see that ranks of other hosts share its processors: 20 of them took 40 ms for a round until
    they were told to give the processor away.
    """
    assert options.reach is not None
    reach, given = options.reach, dict(stack.environment)
    hosts = ",".join(dict.fromkeys(options.layout))
    slots = reach.hosts.slots_of(options.layout[0])
    start = (stack.launcher, "-bootstrap", "rsh", "-bootstrap-exec", reach.agent, "-hosts", hosts)
    argv = (*start, "-n", str(options.ranks), "-ppn", str(slots), *program)
    own = tuple((name, value) for name, value in _settings_across(options).items() if name not in given)
    return Command(argv, (*stack.environment, *own), folder=str(options.folder))


def _settings_across(options: LaunchOptions) -> dict[str, str]:
    """What the library is told on several hosts, unless a variant says otherwise."""
    assert options.reach is not None
    wanted = {"I_MPI_PIN": "0", "I_MPI_HYDRA_BRANCH_COUNT": "1024", "FI_PROVIDER": "tcp"}
    if options.reach.interface:
        wanted["FI_TCP_IFACE"] = options.reach.interface
    if options.must_yield:
        wanted["I_MPI_WAIT_MODE"] = "1"
    return wanted


def _pmi_library(pmi: str) -> Path | None:
    """The library of a PMI among those of this system."""
    places = [Path(folder) / _PMI_LIBRARIES[pmi] for folder in _LIBRARY_FOLDERS]
    return next((place for place in places if place.exists()), None)


FAMILY = IntelMpi()
