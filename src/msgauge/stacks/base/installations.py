"""Where MPI stacks stand on this machine: pairs of a C++ wrapper and a launcher, and where each pair comes from.

Looked at in this order: prefixes of the config file, managed prefixes, environment modules, Spack, and the folders of
PATH with the usual places of the distributions. A pair that is reached in two ways is listed once, under the first.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from msgauge.config import Config, Prefix
from msgauge.model import Origin, Pairs
from msgauge.stacks.base import environment_modules, managed, spack

USUAL = ("/usr/lib64/*mpi*/bin", "/usr/lib/*mpi*/bin", "/opt/*mpi*/bin", "/opt/intel/oneapi/mpi/*/bin")


@frozen
class Installation:
    """A wrapper and a launcher that seem to belong together; ``launcher`` is empty where none was found."""

    origin: Origin
    compiler: str
    launcher: str
    environment: Pairs = ()
    family: str = ""
    """What the config file says it is, for wrappers that do not say themselves."""
    problem: str = ""


def find_installations(config: Config) -> tuple[Installation, ...]:
    """Every pair on this machine; those that the config file names and that are not there carry a ``problem``."""
    sources = {
        "prefix": lambda: _find_configured(config.prefixes),
        "managed": _find_managed,
        "module": _modules,
        "spack": _spack,
        "system": _on_path,
    }
    seen: set[tuple[str, str, str]] = set()
    places = []
    for kind, source in sources.items():
        if kind not in config.search:
            continue
        for place in source():
            key = _what_it_really_is(place)
            if key not in seen:
                seen.add(key)
                places.append(place)
    return tuple(places)


def _what_it_really_is(place: Installation) -> tuple[str, str, str]:
    """Wrappers of Open MPI and MPICH are links to one program that looks at the name it was called by."""
    name = re.sub(r"^(?:mpicxx|mpic\+\+|mpiCC)", "", Path(place.compiler).name)
    generic = "" if name.startswith((".", "-")) else name
    return os.path.realpath(place.compiler), os.path.realpath(place.launcher), generic


def _find_configured(prefixes: tuple[Prefix, ...]) -> Iterator[Installation]:
    for prefix in prefixes:
        if prefix.name:
            continue  # an MPI of its own: stacks/custom.py
        origin = Origin("prefix", str(prefix.path))
        pair = next(iter(pairs_in(prefix.path / "bin")), ("", ""))
        compiler = str(prefix.path / prefix.compiler) if prefix.compiler else pair[0]
        launcher = str(prefix.path / prefix.launcher) if prefix.launcher else pair[1]
        missing = [name for name, path in (("compiler", compiler), ("launcher", launcher)) if not can_run(path)]
        problem = (
            f"the configured prefix {prefix.path} has no {' and no '.join(missing)}; "
            "correct its entry in config.toml, or name the wrapper there"
            if missing
            else ""
        )
        yield Installation(origin, compiler, launcher, prefix.environment, prefix.family, problem)


def _find_managed() -> Iterator[Installation]:
    for prefix in managed.prefixes():
        yield from _pairs_as_places(prefix / "bin", Origin("managed", str(prefix)))


def _modules() -> Iterator[Installation]:
    for module in environment_modules.mpi_modules():
        for folder in module.folders:
            yield from _pairs_as_places(folder, Origin("module", module.name), module.environment)


def _spack() -> Iterator[Installation]:
    for installed in spack.mpi_packages():
        yield from _pairs_as_places(installed.prefix / "bin", Origin("spack", installed.name))


def _on_path() -> Iterator[Installation]:
    folders = [Path(entry) for entry in os.environ.get("PATH", "").split(os.pathsep) if entry.startswith("/")]
    yield from _first_on_path(folders)
    for pattern in USUAL:
        folders += sorted(Path("/").glob(pattern.lstrip("/")))
    for folder in dict.fromkeys(folders):
        yield from _pairs_as_places(folder, _origin_of(folder))


def _first_on_path(folders: list[Path]) -> Iterator[Installation]:
    """What one gets by just typing mpicxx and mpiexec: the pair that is most often a mixed one."""
    compiler = _first(folders, ("mpicxx", "mpic++"))
    launcher = _first(folders, ("mpiexec", "mpirun"))
    if compiler is not None and launcher is not None and compiler.parent != launcher.parent:
        yield Installation(_origin_of(compiler.parent), str(compiler), str(launcher))


def _first(folders: list[Path], names: tuple[str, ...]) -> Path | None:
    return next((folder / name for name in names for folder in folders if can_run(str(folder / name))), None)


def _origin_of(folder: Path) -> Origin:
    real = Path(os.path.realpath(folder))
    system = real.is_relative_to("/usr") and not real.is_relative_to("/usr/local")
    return Origin("system", str(folder)) if system else Origin("prefix", str(folder.parent))


def _pairs_as_places(folder: Path, origin: Origin, environment: Pairs = ()) -> Iterator[Installation]:
    for compiler, launcher in pairs_in(folder):
        yield Installation(origin, compiler, launcher, environment)


_WRAPPER = re.compile(r"^(mpicxx|mpic\+\+)([.-][A-Za-z0-9.]+)?$")
_LAUNCHER = re.compile(r"^(mpiexec|mpirun)([.-][A-Za-z0-9.]+)?$")


def pairs_in(folder: Path) -> tuple[tuple[str, str], ...]:
    """C++ wrappers of a folder with the launcher of the same suffix (mpicxx.mpich, mpiexec.mpich); suffixed ones first.

    A wrapper without a launcher gets the plain one, or an empty string.
    """
    try:
        names = sorted(entry.name for entry in folder.glob("mpi*"))
    except OSError:
        return ()
    wrappers = _by_suffix(folder, names, _WRAPPER, prefer="mpicxx")
    launchers = _by_suffix(folder, names, _LAUNCHER, prefer="mpiexec")
    ordered = sorted(wrappers, key=lambda suffix: (suffix == "", suffix))
    return tuple((wrappers[suffix], launchers.get(suffix, launchers.get("", ""))) for suffix in ordered)


def _by_suffix(folder: Path, names: list[str], pattern: re.Pattern[str], *, prefer: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in names:
        match = pattern.match(name)
        if match and can_run(str(folder / name)):
            suffix = match.group(2) or ""
            if suffix not in found or match.group(1) == prefer:
                found[suffix] = str(folder / name)
    return found


def can_run(path: str) -> bool:
    """Whether a program stands there that this user may start; of a folder that is closed to this user nothing is."""
    return bool(path) and os.access(path, os.X_OK) and Path(path).is_file()
