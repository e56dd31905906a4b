"""MPI packages of a Spack instance, read from its database; Spack itself is slow to ask."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import frozen

from msgauge.stacks.base.tool_query import ask

PACKAGES = {"openmpi", "mpich", "intel-oneapi-mpi", "intel-mpi", "mvapich", "mvapich2"}


@frozen
class Installed:
    """A package of Spack: ``openmpi@5.0.3`` and its prefix."""

    name: str
    prefix: Path


def mpi_packages() -> tuple[Installed, ...]:
    """The MPI packages installed by the Spack of this user; empty when there is none."""
    root = _root()
    if root is None:
        return ()
    index = root / "opt" / "spack" / ".spack-db" / "index.json"
    try:
        return read_index(index.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return _by_asking(root)


def read_index(text: str) -> tuple[Installed, ...]:
    """MPI packages from the text of a Spack database; what cannot be read counts as nothing installed."""
    try:
        database: Any = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    return tuple(sorted(_entries(database), key=lambda entry: entry.name))


def _entries(database: Any) -> Iterator[Installed]:
    inner = database.get("database") if isinstance(database, dict) else None
    installs = inner.get("installs") if isinstance(inner, dict) else None
    for entry in installs.values() if isinstance(installs, dict) else ():
        spec = entry.get("spec") if isinstance(entry, dict) else None
        if not isinstance(spec, dict) or not entry.get("installed", False):
            continue
        name, version, path = spec.get("name"), spec.get("version", ""), entry.get("path")
        if name in PACKAGES and isinstance(path, str) and path.startswith("/"):
            external = spec.get("external")
            if not external:
                yield Installed(f"{name}@{version}", _inner_prefix(Path(path), str(name)))


def _inner_prefix(path: Path, name: str) -> Path:
    """Intel's package keeps the usual tree two folders down."""
    inner = path / "mpi" / "latest"
    return inner if name.startswith("intel") and inner.is_dir() else path


def _root() -> Path | None:
    named = os.environ.get("SPACK_ROOT", "")
    if named:
        return Path(named)
    program = shutil.which("spack")
    return Path(program).resolve().parents[1] if program else None


def _by_asking(root: Path) -> tuple[Installed, ...]:
    """For an instance whose packages stand elsewhere (``config:install_tree``)."""
    program = root / "bin" / "spack"
    if not program.is_file():
        return ()
    answer = ask([str(program), "find", "--format", "{name}@{version} {prefix}"], limit_s=30.0)
    if not answer.good:
        return ()
    pairs = [line.split(" ", 1) for line in answer.text.splitlines() if " /" in line]
    return tuple(
        Installed(name, _inner_prefix(Path(prefix.strip()), name))
        for name, prefix in pairs
        if name.split("@")[0] in PACKAGES
    )
