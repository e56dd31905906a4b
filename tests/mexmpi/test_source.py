"""The source of mexmpi: only what MATLAB documents, files of a readable size."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from mexmpi_jobs import ALL, BUILDS, HERE, TOOLBOX, Mpi, wrappers

ALLOWED = {"array.hpp": "mxCreateNumericMatrix(0, 0", "decode.hpp": "mxCreateSparse", "operation.hpp": "(x)"}
"""Calls that Octave 7 gets wrong for complex arrays, where they are used for empty ones, filled again, or functions."""
CORPUS = HERE / "strict" / "corpus.txt"
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


def fuzzer(folder: Path) -> Path:
    """The decoder over a stand-in for the interpreter's memory, which is as scarce as Octave 7's, under sanitizers."""
    wrapper = next(name for name in wrappers() if "mpich" in name)
    shown = subprocess.run([wrapper, "-show"], capture_output=True, text=True, check=True).stdout.split()
    places = [word for word in shown if word.startswith(("-I", "-L", "-l", "-Wl,"))]
    paths = [f"-Wl,-rpath,{word[2:]}" for word in places if word.startswith("-L")]
    sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    sources = [str(HERE / "strict" / name) for name in ("fuzz_decoder.cpp", "mx_memory.cpp")]
    includes = [f"-I{HERE / 'strict'}", f"-I{TOOLBOX / 'source'}", "-DMPICH_SKIP_MPICXX", "-DOCTAVE_CHARACTERS"]
    words = ["g++", "-std=c++17", "-g", "-O1", *sanitizers, *includes, *sources, *places, *paths, "-o", "fuzzer"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return folder / "fuzzer"


def test_no_message_makes_the_decoder_read_or_write_outside_of_it(tmp_path: Path) -> None:
    program = fuzzer(tmp_path)
    count = "1000000" if ALL else "100000"
    words = [program, CORPUS, count, "20261122"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-4000:]
    decoded, refused = (int(number) for number in re.findall(r"(\d+) (?:decoded|refused)", done.stdout))
    assert decoded + refused == int(count)
    assert min(decoded, refused) > int(count) / 10, "both valid and damaged messages are tried"


def test_the_seeds_of_the_fuzzer_are_what_mexmpi_packs(mpi: Mpi) -> None:
    result = mpi.run("mexmpi_use(); print_corpus", 1)
    packed = [" ".join(found) for found in re.findall(r"^corpus (\w+) (\w+)$", result.output, re.MULTILINE)]
    assert packed == CORPUS.read_text().splitlines(), result.output[-1000:]


def test_no_function_is_used_that_octave_7_gets_wrong_for_complex_arrays() -> None:
    for path in SOURCES:
        for call in re.findall(r"mxDuplicateArray\(.*|mxCreate\w+\([^;]*mxCOMPLEX[^;]*;", path.read_text()):
            assert ALLOWED.get(path.name, "none") in call, f"{path.name}: {call}"
