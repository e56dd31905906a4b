"""The source of mexmpi: only what MATLAB documents, files of a readable size."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from conftest import BUILDS, HERE, TOOLBOX, Mpi

SOURCES = sorted(TOOLBOX.glob("source/*.?pp"))


def test_it_compiles_against_the_documented_interface_alone(builds: list[Mpi]) -> None:
    wrapper = dict(line.split(" ", 1) for line in (BUILDS / builds[0].name / "build.txt").read_text().splitlines())[
        "wrapper"
    ]
    shown = subprocess.run([wrapper, "-show"], capture_output=True, text=True, check=True).stdout.split()
    folders = [word for word in shown if word.startswith("-I")]
    done = subprocess.run(
        [
            "g++",
            "-std=c++17",
            "-fsyntax-only",
            "-DOMPI_SKIP_MPICXX",
            "-DMPICH_SKIP_MPICXX",
            f"-I{HERE / 'strict'}",
            f"-I{BUILDS / builds[0].name}",
            *folders,
            str(TOOLBOX / "source" / "mexmpi.cpp"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_files_and_lines_are_short(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert len(lines) <= 400
    assert max(map(len, lines)) <= 130


def test_no_typed_access_that_ends_octave_for_ranges() -> None:
    for path in SOURCES:
        assert (
            not re.search(r"mxGet(Doubles|Uint64s|Int64s|Singles|ComplexDoubles)\(", path.read_text())
            or path.name == "array.hpp"
        )
