"""The workers in C++, Fortran, Python and Octave take the same decisions on the same series, those of the policy."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from msgauge.workers.python import sampling

SOURCES = Path(sampling.__file__).parents[2]
VECTORS = Path(__file__).parents[2] / "vectors" / "sampling"
NAMES = sorted(path.stem for path in VECTORS.glob("*.txt"))
Decide = Callable[[Path], str]


@pytest.fixture(scope="module", params=["C++", "Fortran", "Python", "Octave"])
def decide(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Decide:
    """The decisions of a worker on a vector."""
    folder = tmp_path_factory.mktemp("decisions")
    commands = {"C++": _cpp, "Fortran": _fortran, "Python": _python, "Octave": _octave}
    return commands[request.param](folder)


@pytest.mark.parametrize("name", NAMES)
def test_every_worker_takes_the_decisions_of_the_policy(decide: Decide, name: str) -> None:
    assert decide(VECTORS / f"{name}.txt") == (VECTORS / "decisions" / f"{name}.txt").read_text()


def test_the_vectors_reach_every_way_in_which_a_cell_ends() -> None:
    decided = {name: (VECTORS / "decisions" / f"{name}.txt").read_text().splitlines() for name in NAMES}
    ends = {line.split()[1] for lines in decided.values() for line in lines if line.startswith("stopped")}
    assert ends == {"precision", "budget", "count"}
    assert any("stationary no" in lines for lines in decided.values())
    assert any(line.startswith("pace") and line.endswith("barrier") for lines in decided.values() for line in lines)
    assert len(NAMES) >= 20
    assert {path.stem for path in (VECTORS / "decisions").iterdir()} == set(NAMES)


def _cpp(folder: Path) -> Decide:
    source, program = SOURCES / "native" / "sampling_decisions.cpp", folder / "decisions"
    _run("g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-I", source.parent, source, "-o", program)
    return lambda vector: _run(program, vector)


def _fortran(folder: Path) -> Decide:
    if shutil.which("gfortran") is None:
        pytest.skip("gfortran is not installed")
    names = ("series", "sampling", "sampling_decisions")
    sources = [SOURCES / "workers" / "fortran" / f"{name}.F90" for name in names]
    _run("gfortran", "-O1", f"-J{folder}", *sources, "-o", folder / "decisions")
    return lambda vector: _run(folder / "decisions", vector)


def _python(folder: Path) -> Decide:
    return lambda vector: _run(sys.executable, "-m", sampling.__name__, vector)


def _octave(folder: Path) -> Decide:
    """All vectors in one process, for the interpreter takes long to start."""
    if shutil.which("octave-cli") is None:
        pytest.skip("octave-cli is not installed")
    calls = (f"printf('== {name}\\n'); worker_decisions('{VECTORS / name}.txt');" for name in NAMES)
    script = folder / "all.m"
    script.write_text("\n".join(calls) + "\n")
    printed = _run("octave-cli", "-qfW", "--no-gui", "--path", SOURCES / "workers" / "octave", script)
    parts = dict(part.split("\n", 1) for part in printed.split("== ")[1:])
    return lambda vector: parts[vector.stem]


def _run(*words: str | Path) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout
