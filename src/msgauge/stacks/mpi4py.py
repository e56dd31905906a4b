"""MPI from Python: mpi4py over each MPI of this machine that has MPI-3. Source: mpi4py's manual, "Installation".

One managed environment serves all of them: since 4.1 its wheel has a module for each binary interface (MPICH's, Open
MPI's) and loads the library it is told to. A stack is named by both versions, ``mpi4py@4.1.2+openmpi-5.0.11``, or in
short ``mpi4py@openmpi``, and lies on the axes of its MPI: ``--by language`` pairs it with C++ over the same library.
"""

# ruff: noqa: ARG002  (a method of the interface takes what any family may need)
from __future__ import annotations

import ast
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from attrs import evolve

from msgauge.config import Config
from msgauge.errors import StackError
from msgauge.hosts import Host
from msgauge.model import Obtainable, Origin, Stack
from msgauge.stacks import intelmpi, lam, mpich, openmpi
from msgauge.stacks.base import managed
from msgauge.stacks.base.family import Variant
from msgauge.stacks.base.log_noise import join_noise
from msgauge.stacks.base.mpi_family import MpiFamily
from msgauge.stacks.base.over_mpi import OverMpi
from msgauge.stacks.base.tool_query import ask

TESTED = "4.1.2"
WORKER = Path(__file__).parents[1] / "workers" / "python"
KERNEL_TABLES = {"kernels.py": "KERNELS", "applications.py": "APPLICATIONS"}
"""Files of the worker, and the mapping in each whose keys are the kernels that it has."""
CAPABILITIES = "send recv isend irecv wait sendrecv bcast reduce allreduce"
"""What its worker calls; mpi4py itself has all of MPI."""
BELOW: Mapping[str, MpiFamily] = {
    family.name: family for family in (openmpi.FAMILY, mpich.FAMILY, intelmpi.FAMILY, lam.FAMILY)
}
INTERFACES = {"openmpi": ("openmpi", "libmpi.so.40"), "mpich": ("mpich", "libmpi.so.12")}
"""Binary interface of each family, and the file name by which mpi4py's module for it asks for the library."""
SAME_INTERFACE = {"intelmpi": "mpich"}
OBJECTS = "objects"


class Mpi4Py(OverMpi):
    """mpi4py; everything about launching is left to the family of the MPI below."""

    name = "mpi4py"
    title = "MPI from Python (mpi4py)"
    other_names = ("python", "pympi")
    transport = "mpi4py"
    log_noise = join_noise(*(family.log_noise for family in BELOW.values()))
    language = "python"
    manner = OBJECTS
    below = BELOW

    def variants(self) -> Sequence[Variant]:
        served = [family for name, family in BELOW.items() if SAME_INTERFACE.get(name, name) in INTERFACES]
        return (
            Variant(OBJECTS, "language", "pickled objects (comm.send) in place of buffers (comm.Send)"),
            *self.list_variants_below(served),
        )

    def find(self, host: Host, config: Config) -> Iterator[Stack]:
        environment = _environment()
        if environment is None:
            return
        version = environment.name.removeprefix("mpi4py-")
        for family in BELOW.values():
            for below in family.find(host, config):
                if below.usable:
                    yield _over(below, version, environment)

    def obtainable(self, host: Host) -> Sequence[Obtainable]:
        origin = Origin("managed", "mpi4py")
        return (Obtainable(self.name, TESTED, origin, f"msgauge stacks install mpi4py@{TESTED}"),)

    def install(self, version: str, origin: str) -> None:
        if origin not in {"", "managed"}:
            raise StackError(f"mpi4py cannot be had as {origin!r}", remedy="known ways: managed")
        managed.install(self.name, ("mpi4py",), version or TESTED)

    def kernels(self, stack: Stack) -> frozenset[str] | None:
        return worker_kernels()

    def capabilities(self, stack: Stack) -> frozenset[str]:
        return frozenset(CAPABILITIES.split())

    def program(self, stack: Stack, binary: Path) -> tuple[str, ...]:
        manner = ("--objects",) if OBJECTS in stack.variant else ()
        return (stack.compiler, "-s", "-E", str(WORKER / "start.py"), *manner)

    def verify(self, stack: Stack, facts: Mapping[str, str]) -> str:
        below, family = self.find_below(stack)
        manner = "mpi4py-objects" if OBJECTS in stack.variant else "mpi4py-buffers"
        if facts.get("transport", manner) != manner:
            return f"{stack.spec} reports the manner {facts['transport']!r} where {manner!r} was asked for"
        return family.verify(below, facts)


@cache
def worker_kernels() -> frozenset[str]:
    """The kernels of the worker in Python, as its sources list them; it is not imported, being for another Python."""
    return frozenset(name for file, table in KERNEL_TABLES.items() for name in _keys_of(WORKER / file, table))


def _keys_of(path: Path, table: str) -> list[str]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict) and ast.unparse(node.target) == table:
            return [ast.literal_eval(key) for key in node.value.keys if key is not None]
    raise StackError(f"the worker in Python has no mapping {table}", where=str(path))


def _environment() -> Path | None:
    """The managed environment of the newest mpi4py."""
    found = [prefix for prefix in managed.prefixes() if prefix.name.startswith("mpi4py-")]
    return max(found, key=lambda prefix: prefix.stat().st_mtime, default=None)


def _over(below: Stack, version: str, environment: Path) -> Stack:
    """mpi4py over a stack; ``compiler`` is Python, for nothing else is needed to make a worker."""
    stack = Stack(
        family="mpi4py",
        version=f"{version}+{below.family}-{below.version}",
        origin=Origin(below.origin.kind, below.origin.where),
        compiler=str(environment / "bin" / "python"),
        launcher=below.launcher,
        language="python",
        axes=tuple({**dict(below.axes), "version": below.version, "language": "python"}.items()),
        user=below.user,
    )
    interface = INTERFACES.get(SAME_INTERFACE.get(below.family, below.family))
    if interface is None:
        title = BELOW[below.family].title
        reason = f"mpi4py {version} needs MPI-3, which {title} {below.version} is not; take a newer MPI"
        return evolve(stack, usable=False, reason=reason)
    library = _library(below, interface[1])
    if library is None:
        reason = f"its library {interface[1]} was not found beside {below.compiler}; install the MPI's run-time package"
        return evolve(stack, usable=False, reason=reason)
    paths = [str(library.parent), *filter(None, [dict(below.environment).get("LD_LIBRARY_PATH", "")])]
    added = {"MPI4PY_MPIABI": interface[0], "MPI4PY_LIBMPI": str(library), "LD_LIBRARY_PATH": ":".join(paths)}
    return evolve(stack, environment=tuple({**dict(below.environment), **added}.items()))


def _library(below: Stack, wanted: str) -> Path | None:
    """The MPI library under the name that mpi4py's module asks for.

    Debian's MPICH has another one (libmpich.so.12), so a folder of the cache gets a link of the wanted name.
    """
    folders = [Path(word[2:]) for word in _show_compile_words(below) if word.startswith("-L")]
    folders += [Path(below.compiler).resolve().parents[1] / "lib", Path(below.compiler).parents[1] / "lib"]
    folders += [*sorted(Path("/usr/lib").glob("*-linux-gnu")), Path("/usr/lib64"), Path("/usr/lib")]
    names = (wanted, "libmpich.so.12") if below.family == "mpich" else (wanted,)
    for folder in folders:
        for name in names:
            library = folder / name
            if library.is_file():
                return library if name == wanted else _find_linked(library, wanted)
    return None


def _show_compile_words(below: Stack) -> list[str]:
    """What the wrapper would hand to the compiler."""
    return ask([below.compiler, "-show"], environment=dict(below.environment)).text.split()


def _find_linked(library: Path, wanted: str) -> Path | None:
    place = managed.stacks_folder().parent / "mpi4py-libraries" / f"{zlib.crc32(str(library).encode()):08x}" / wanted
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.is_symlink():
            place.symlink_to(library)
    return place if place.is_file() else None


FAMILY = Mpi4Py()
