"""What exactly is run: a digest of a worker, of the libraries that it loads and of its environment.

Two runs with the same digest measured the same stack; a version alone does not say so, for a library that is being
developed keeps its version while it changes.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from msgauge.model import Pairs
from msgauge.stacks.base.tool_query import ask

_LINKED = re.compile(r"(?:=>\s*)?(/\S+)\s+\(0x")
_OF_THE_SYSTEM = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/")
_MOST_PLUGINS = 2000


def identify(program: Sequence[str], environment: Pairs) -> str:
    """The digest of what ``program`` runs; empty where it is no binary, or its libraries cannot be listed."""
    binary = Path(program[0]) if len(program) == 1 else None
    if binary is None or not binary.is_file():
        return ""
    listed = ask(["ldd", str(binary)], environment=dict(environment))
    if not listed.good:
        return ""
    libraries = sorted({os.path.realpath(found) for found in _LINKED.findall(listed.text)})
    digest = hashlib.sha256()
    for file in (str(binary), *libraries):
        content = _hash_file(file, *_read_stamp(file))
        if not content:
            return ""
        digest.update(f"{Path(file).name if file != str(binary) else 'worker'} {content}\n".encode())
    for folder in sorted({str(Path(file).parent) for file in libraries if not file.startswith(_OF_THE_SYSTEM)}):
        digest.update("".join(_list_plugins(Path(folder))).encode())
    digest.update(repr(sorted(environment)).encode())
    return digest.hexdigest()[:32]


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
