"""Compiled workers, one a transport, made once for all tests that ask for them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

NATIVE = Path(__file__).parents[2] / "src" / "msgauge" / "native"
LAUNCHER = NATIVE.parent / "launchers" / "ranks.py"
COMPILE_LIMIT_S = 240
CORE = ("bcast", "exchange", "pingpong", "stream")
"""The kernels that tests of the worker itself need; a worker with all of them takes a minute to compile."""


@pytest.fixture(scope="session")
def kernel_list(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``kernels.inc`` of the shipped kernels."""
    names = tuple(sorted(header.stem for header in (NATIVE / "kernels").glob("*.hpp")))
    return write_kernel_list(tmp_path_factory.mktemp("generated"), names)


def write_kernel_list(folder: Path, names: tuple[str, ...]) -> Path:
    """``kernels.inc`` of these headers, by their stems, in a folder for ``-I``."""
    lines = [f'#include "kernels/{name}.hpp"' for name in names]
    lines.append("#define MSGAUGE_KERNELS(KERNEL) " + " ".join(f"KERNEL({name})" for name in names))
    (folder / "kernels.inc").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture(scope="session")
def compile_native(kernel_list: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Compiles a source with all warnings as errors; skips where the compiler is missing."""

    def compile_(source: Path, *flags: str, compiler: str = "g++") -> Path:
        if shutil.which(compiler) is None:
            pytest.skip(f"{compiler} is not installed")
        program = tmp_path_factory.mktemp("native") / source.stem
        argv = [compiler, "-std=c++20", "-O2", "-Wall", "-Wextra", "-Werror", "-pthread"]
        argv += [*flags, f"-I{kernel_list}", f"-I{NATIVE}", str(source), "-o", str(program)]
        done = subprocess.run(argv, capture_output=True, text=True, timeout=COMPILE_LIMIT_S, check=False)
        assert done.returncode == 0, f"{' '.join(argv)}\n{done.stderr[:4000]}"
        return program

    return compile_


@pytest.fixture(scope="session")
def worker(compile_native: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """The worker with a transport and kernels: ``worker("mpi", "mpicxx.openmpi", ("pi",))``; compiled once each."""
    made: dict[tuple[str, str, tuple[str, ...]], Path] = {}

    def worker_(transport: str, compiler: str = "g++", kernels: tuple[str, ...] = CORE) -> Path:
        key = (transport, compiler, kernels)
        if key not in made:
            include = write_kernel_list(tmp_path_factory.mktemp("kernels"), kernels)
            flags = (f"-DMSGAUGE_TRANSPORT={transport}", f"-I{include}")
            made[key] = compile_native(NATIVE / "worker.cpp", *flags, compiler=compiler)
        return made[key]

    return worker_


@pytest.fixture(scope="session")
def ranks_argv() -> Callable[[int], list[str]]:
    """The beginning of a command that starts so many local ranks."""
    return lambda count: [sys.executable, "-I", str(LAUNCHER), "-n", str(count), "--"]
