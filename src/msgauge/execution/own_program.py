"""Small programs of msgauge's own, one C++ file each, that use no message-passing library."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from msgauge.paths import cache_folder, native_folder

_COMPILE_LIMIT_S = 60.0


def compile_program(name: str, place: Path | None = None) -> Path | None:
    """``native/NAME.cpp``, compiled once per version and machine; None where there is no system compiler.

    ``place``: another folder that it stands in, for what is no part of a worker and changes none.
    """
    source = (place or native_folder()) / f"{name}.cpp"
    compiler = shutil.which(os.environ.get("CXX", "")) or shutil.which("c++") or shutil.which("g++")
    if compiler is None or not source.is_file():
        return None
    key = hashlib.sha256(source.read_bytes() + compiler.encode()).hexdigest()[:16]
    file = f"{name}-{key}"
    for folder in (cache_folder() / "workers", Path(tempfile.gettempdir()) / f"msgauge-{os.getuid()}"):
        program = folder / file
        if _is_own(program) or _compile(compiler, source, program):
            return program
    return None


def _is_own(program: Path) -> bool:
    """A program in a folder that anybody may write to is trusted only when this user made it."""
    try:
        return program.stat().st_uid == os.getuid()
    except OSError:
        return False


def _compile(compiler: str, source: Path, program: Path) -> bool:
    beside = program.with_name(f".{program.name}.{secrets.token_hex(4)}")
    argv = [compiler, "-std=c++17", "-O2", "-pthread", str(source), "-o", str(beside)]
    try:
        program.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=_COMPILE_LIMIT_S, check=True)
        beside.replace(program)
    except (OSError, subprocess.SubprocessError):
        with suppress(OSError):  # in a folder that this user may not even look into
            beside.unlink(missing_ok=True)
        return False
    return True
