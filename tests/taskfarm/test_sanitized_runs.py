"""`make asan`, `make ubsan`, `make tsan` fail for a fault in a worker that nobody looks at, and where they see none."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from farms import LIBRARY

SCRIPT = LIBRARY / "tests" / "sanitized.sh"


def build(folder: Path, sanitizer: str, *options: str) -> Path:
    """A folder as of a build, with the program that commits the fault."""
    (folder / "tests").mkdir()
    program = folder / "tests" / "planted"
    name = f'-DTASKFARM_SANITIZE="{sanitizer}"'
    subprocess.run(["g++", "-std=c++20", *options, name, LIBRARY / "tests" / "planted.cpp", "-o", program], check=True)
    return program


def run(folder: Path, *command: str | Path) -> tuple[int, str]:
    """Status and output of a run over that build."""
    done = subprocess.run([SCRIPT, folder, *command], capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("sanitizer", "report"),
    [("address", "heap-use-after-free"), ("undefined", "signed integer overflow"), ("thread", "data race")],
)
def test_a_fault_in_a_process_without_output_or_status_fails_the_run(
    tmp_path: Path, sanitizer: str, report: str
) -> None:
    program = build(tmp_path, sanitizer, f"-fsanitize={sanitizer}")
    fault = subprocess.run([program], capture_output=True, text=True, check=True).stdout.strip()
    assert run(tmp_path, "true") == (0, f"sanitized: a planted fault ({fault}) is reported\n")
    assert run(tmp_path, "false")[0] == 1
    status, said = run(tmp_path, program, fault)  # which ends with 0 and says nothing
    assert status == 1
    assert report in said and "1 reports of processes" in said


def test_a_build_that_sees_nothing_is_no_clean_run(tmp_path: Path) -> None:
    build(tmp_path, "address")
    assert run(tmp_path, "true") == (1, "sanitized: a planted fault (use-after-free) was not reported\n")
