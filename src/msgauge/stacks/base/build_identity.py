"""What exactly is run: a digest of a worker, of the libraries that it loads and of its environment.

Two runs with the same digest measured the same stack; a version alone does not say so, for a library that is being
developed keeps its version while it changes. Two runs with different digests may still be of one installation, for
msgauge's own sources are in the worker: which files were the installation's, and what was in them, is noted beside it.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from msgauge.model import Pairs, Stack
from msgauge.stacks.base.tool_query import ask

_LINKED = re.compile(r"(?:=>\s*)?(/\S+)\s+\(0x")
_OF_THE_SYSTEM = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/")
_OF_THE_LANGUAGE = re.compile(r"(ld-|lib(c|m|dl|rt|pthread|resolv|util|stdc\+\+|gcc_s|gfortran|quadmath)[.-])")
"""How the names of libraries begin that every program loads, whatever passes its messages."""
_MOST_PLUGINS = 2000
_MOST_PLUGIN_BYTES = 1 << 28
"""Of more than that the sizes and times count, not the contents: no build is to wait for a whole distribution."""


def identify(program: Sequence[str], environment: Pairs) -> str:
    """The digest of what ``program`` runs; empty where it is no binary, or its libraries cannot be listed."""
    binary = Path(program[0]) if len(program) == 1 else None
    if binary is None or not binary.is_file():
        return ""
    listed = _list_libraries(binary, environment)
    if listed is None:
        return ""
    libraries = sorted({os.path.realpath(found) for found in listed})
    digest = hashlib.sha256()
    for file in (str(binary), *libraries):
        content = _hash_file(file, *_read_stamp(file))
        if not content:
            return ""
        digest.update(f"{Path(file).name if file != str(binary) else 'worker'} {content}\n".encode())
    for folder in sorted({str(Path(file).parent) for file in libraries if not is_of_the_system(file)}):
        digest.update("".join(_list_plugins(Path(folder))).encode())
    digest.update(repr(sorted(environment)).encode())
    return digest.hexdigest()[:32]


def describe_installation(program: Sequence[str], stack: Stack) -> Pairs:
    """Each file of a stack's installation with a digest of its content: its tools, and the libraries that it loads.

    A folder that holds such libraries, and is none of the system's, stands for what may be loaded from it later. The
    compiler counts where the stack has a launcher of its own; else it is the system's. None of what comes with msgauge.
    """
    if stack.origin.kind == "builtin":
        return ()
    tools = [path for path in (stack.compiler, stack.launcher) if path] if stack.launcher else []
    binary = Path(program[0]) if len(program) == 1 else None
    loaded = (_list_libraries(binary, stack.environment) or []) if binary and binary.is_file() else []
    libraries = sorted({path for path in loaded if not _OF_THE_LANGUAGE.match(Path(path).name)})
    folders = sorted({str(Path(path).parent) for path in libraries if not is_of_the_system(path)})
    return tuple((path, _digest(path)) for path in dict.fromkeys((*tools, *libraries, *folders)))


def find_changed(installation: Pairs) -> list[str]:
    """Those of the files of ``describe_installation`` that are gone or have other contents now."""
    return [path for path, digest in installation if _digest(path) != digest]


def names_libraries(installation: Pairs, stack: Stack) -> bool:
    """Whether ``describe_installation`` found more than tools: an interpreter and static libraries hide what runs."""
    return any(path not in (stack.compiler, stack.launcher) for path, _ in installation)


def is_of_the_system(path: str) -> bool:
    """Whether a library stands where the distribution puts those of all its programs."""
    return os.path.realpath(path).startswith(_OF_THE_SYSTEM)


def _list_libraries(binary: Path, environment: Pairs) -> list[str] | None:
    """The paths under which a program finds its libraries; None where that cannot be found out."""
    listed = ask(["ldd", str(binary)], environment=dict(environment))
    return _LINKED.findall(listed.text) if listed.good else None


def _digest(path: str) -> str:
    """What is in a file, or in the libraries of a folder; '' where it cannot be read."""
    if not Path(path).is_dir():
        return _hash_file(path, *_read_stamp(path))[:32]
    return hashlib.sha256("".join(_list_plugin_contents(Path(path))).encode()).hexdigest()[:32]


def _list_plugin_contents(folder: Path) -> Iterator[str]:
    """As ``_list_plugins``, by content: who installs the same once more has the same."""
    with suppress(OSError):
        found = [(path, _read_stamp(str(path))) for path in sorted(folder.rglob("*.so*"))[:_MOST_PLUGINS]]
        few = sum(size for _, (size, _) in found) <= _MOST_PLUGIN_BYTES
        for path, stamp in found:
            yield f"{path.relative_to(folder)} {_hash_file(str(path), *stamp) if few else stamp}\n"


def _read_stamp(file: str) -> tuple[int, int]:
    with suppress(OSError):
        state = Path(file).stat()
        return state.st_size, state.st_mtime_ns
    return -1, -1


@lru_cache(maxsize=512)
def _hash_file(file: str, size: int, changed_ns: int) -> str:  # noqa: ARG001
    """Digest of a file's content; one that was replaced since is read again, by its size and time of change."""
    with suppress(OSError), Path(file).open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
    return ""


def _list_plugins(folder: Path) -> Iterator[str]:
    """Libraries below a prefix that may be loaded later, by name, size and time of change."""
    with suppress(OSError):
        for path in sorted(folder.rglob("*.so*"))[:_MOST_PLUGINS]:
            yield f"{path.name} {_read_stamp(str(path))}\n"
