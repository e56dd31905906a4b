"""MPI stacks behind environment modules: those already loaded (EasyBuild's EBROOT...) and those that can be loaded."""

from __future__ import annotations

import os
import re
import shutil
from functools import lru_cache
from pathlib import Path

from attrs import frozen

from msgauge.model import Pairs
from msgauge.stacks.base.tool_query import ask

MOST_MODULES = 16
LIMIT_S = 10.0
LOADED_ROOTS = ("EBROOTOPENMPI", "EBROOTMPICH", "EBROOTIMPI", "EBROOTMVAPICH2")
_NAME = re.compile(
    r"(?<!\S)((?:[A-Za-z0-9_.+-]+/)*(?:openmpi|mpich|impi|intel-?mpi|intel-oneapi-mpi|mvapich2?)(?:/[A-Za-z0-9_.+-]+)?)"
    r"(?=\s|\(|$)",
    re.IGNORECASE,
)
_KEPT = re.compile(r"^(?:PATH|LD_LIBRARY_PATH|CPATH|LIBRARY_PATH|OPAL_PREFIX|I_MPI_.*|OMPI_.*|MPICH_.*|FI_.*|UCX_.*)$")


@frozen
class Module:
    """A module, the folders that it puts in front of PATH, and the environment it sets."""

    name: str
    folders: tuple[Path, ...]
    environment: Pairs = ()


@lru_cache(maxsize=1)
def mpi_modules() -> tuple[Module, ...]:
    """The MPI modules of this machine, loaded ones first; at most 16, each given ten seconds."""
    loaded = [
        Module(root.removeprefix("EBROOT").lower(), (Path(os.environ[root]) / "bin",))
        for root in LOADED_ROOTS
        if os.environ.get(root)
    ]
    tool = _module_tool()
    if tool is None or not os.environ.get("MODULEPATH"):
        return tuple(loaded)
    names = read_avail(ask([tool, "bash", "-t", "avail"], limit_s=2 * LIMIT_S).text)[:MOST_MODULES]
    return (*loaded, *filter(None, (_load(tool, name) for name in names)))


def read_avail(text: str) -> tuple[str, ...]:
    """Names of MPI modules in what ``module -t avail`` printed, in its order, each once."""
    return tuple(dict.fromkeys(match.group(1) for match in _NAME.finditer(text)))


def _module_tool() -> str | None:
    """Lmod, or the classic modulecmd; the shell function ``module`` is only a coat over these."""
    for variable in ("LMOD_CMD", "MODULES_CMD"):
        named = os.environ.get(variable, "")
        if named and os.access(named, os.X_OK):
            return named
    return shutil.which("modulecmd")


_SCRIPT = 'eval "$("$0" bash load "$1" 2>/dev/null)" && env -0'


def _load(tool: str, name: str) -> Module | None:
    answer = ask(["bash", "-c", _SCRIPT, tool, name], limit_s=LIMIT_S)
    if not answer.good:
        return None
    changed = _find_changes(answer.text)
    before = set(os.environ.get("PATH", "").split(os.pathsep))
    folders = [
        Path(f) for f in dict(changed).get("PATH", "").split(os.pathsep) if f.startswith("/") and f not in before
    ]
    return Module(name, tuple(folders), changed) if folders else None


def _find_changes(text: str) -> Pairs:
    """Variables that the module changed, of the kinds that matter for compiling and launching."""
    pairs = (entry.partition("=")[::2] for entry in text.split("\0") if "=" in entry)
    return tuple(sorted((n, value) for n, value in pairs if _KEPT.match(n) and os.environ.get(n) != value))
