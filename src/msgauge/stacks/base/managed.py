"""Managed stacks: wheels from the Python package index, each in a prefix of its own under the cache.

The wheels put ``bin``, ``lib`` and ``include`` straight into a prefix, and several of them ship files of the same
names; so each gets a virtual environment of its own, of which only these folders are used. A prefix is made beside its
place and renamed when it is whole: an install that was cut off leaves nothing that looks like a stack.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from msgauge.errors import StackError, ToolError
from msgauge.paths import cache_folder
from msgauge.stacks.base.tool_query import ask

LIMIT_S = 600.0


def prefixes() -> tuple[Path, ...]:
    """The prefixes of the managed stacks that are installed, ``NAME-VERSION`` each."""
    try:
        entries = sorted(stacks_folder().iterdir())
    except OSError:
        return ()
    return tuple(path for path in entries if ".partial-" not in path.name and (path / "bin").is_dir())


def stacks_folder() -> Path:
    """Folder that the managed prefixes stand in."""
    return cache_folder() / "stacks"


def install(name: str, packages: Sequence[str], version: str) -> Path:
    """Get the wheels ``packages``, all of ``version`` (``5``, ``5.0.11``; empty: the newest), as the stack ``name``.

    Raises:
        ToolError: neither uv nor a Python that can make a virtual environment.
        StackError: the cache cannot be written, or the wheels could not be had.
    """
    folder = stacks_folder()
    _remove_leftovers(folder)
    partial = folder / f"{name}.partial-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _fill(partial, [f"{package}=={version}.*" if version else package for package in packages])
        return _publish(partial, folder, name, packages[0])
    except OSError as problem:
        remedy = "free or name another folder in MSGAUGE_CACHE"
        raise StackError(f"cannot write the cache: {problem}", where=str(folder), remedy=remedy) from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _fill(partial: Path, requirements: list[str]) -> None:
    """Make the environment and put the wheels in, by uv where it is, else by venv and pip."""
    uv = shutil.which("uv")
    python = str(partial / "bin" / "python")
    if uv:
        steps = [
            [uv, "venv", "-q", "--no-project", "--python", sys.executable, str(partial)],
            [uv, "pip", "install", "-q", "--python", python, "--only-binary", ":all:", *requirements],
        ]
    else:
        steps = [
            [sys.executable, "-m", "venv", str(partial)],
            [python, "-m", "pip", "install", "-q", "--only-binary", ":all:", *requirements],
        ]
    for step, argv in enumerate(steps):
        answer = ask(argv, limit_s=LIMIT_S)
        if not answer.good:
            raise _install_error(argv, requirements, answer.text, making_environment=step == 0)


def _install_error(
    argv: list[str], requirements: list[str], said: str, *, making_environment: bool
) -> StackError | ToolError:
    tail = "\n".join(said.strip().splitlines()[-8:])
    if making_environment:
        remedy = "install uv, or Debian's python3-venv"
        return ToolError(f"cannot make a virtual environment: {tail}", where=" ".join(argv), remedy=remedy)
    remedy = "look whether there is a wheel of this version for this machine, and whether the package index is reached"
    return StackError(f"cannot get {' '.join(requirements)}: {tail}", where="msgauge stacks install", remedy=remedy)


def _publish(partial: Path, folder: Path, name: str, package: str) -> Path:
    final = folder / f"{name}-{_read_version(partial, package)}"
    if final.is_dir():
        return final
    partial.rename(final)
    return final


def _read_version(prefix: Path, package: str) -> str:
    stem = re.sub(r"[-_.]+", "_", package)
    for entry in prefix.glob(f"lib/python*/site-packages/{stem}-*.dist-info"):
        return entry.name.removeprefix(f"{stem}-").removesuffix(".dist-info")
    raise StackError(f"the wheel of {package} says no version", where=str(prefix), remedy="name a version")


def _remove_leftovers(folder: Path) -> None:
    """Remove what installs that no longer run have left."""
    for path in folder.glob("*.partial-*"):
        pid = path.name.rpartition("-")[2]
        if not pid.isdigit() or not Path(f"/proc/{pid}").exists():
            shutil.rmtree(path, ignore_errors=True)
