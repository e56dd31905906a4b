"""The built wheel, not the source tree, is what users get: it must carry the native sources and work from anywhere."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from one_builder import one_builder, shared_folder

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_folder(tmp_path_factory) / "wheel"


@pytest.fixture(scope="module")
def wheel(place: Path) -> Path:
    folder = place / "dist"
    with one_builder(place / "dist.lock"):
        if not folder.exists():
            command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
            subprocess.run(command, check=True, capture_output=True, timeout=120)
    (built,) = folder.glob("msgauge-*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, place: Path) -> Path:
    """The msgauge command of a new environment with the locked dependencies and the wheel in it."""
    venv = place / "environment"
    with one_builder(place / "environment.lock"):
        if not venv.exists():
            _install(wheel, venv)
    return venv / "bin" / "msgauge"


def _install(wheel: Path, venv: Path) -> None:
    uv = subprocess.run(
        [str(ROOT / "setup.sh"), "--uv", sys.executable], check=True, capture_output=True, text=True, timeout=120
    ).stdout.strip()
    environment = {**os.environ, "VIRTUAL_ENV": str(venv)}
    for arguments in (
        ["venv", "--quiet", "--python", sys.executable, str(venv)],
        ["pip", "install", "--quiet", "-r", str(ROOT / "requirements.lock")],
        ["pip", "install", "--quiet", "--no-deps", str(wheel)],
    ):
        subprocess.run([uv, *arguments], check=True, capture_output=True, timeout=300, env=environment)


def test_the_wheel_is_pure_python_and_carries_the_native_sources(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    for needed in ("native/worker.cpp", "native/transports/mpi.hpp", "native/kernels/pingpong.hpp"):
        assert f"msgauge/{needed}" in names
    for needed in ("matlab/filempi/MPI_Run.m", "matlab/filempi/for_matlab/fflush.m", "workers/octave/start_worker.m"):
        assert f"msgauge/{needed}" in names
    assert any(name.startswith("msgauge/studies/") and name.endswith(".toml") for name in names)


def test_the_installed_wheel_compares_stacks_from_any_folder(installed: Path, tmp_path: Path) -> None:
    command = [str(installed), "compare", "--stacks", "fake,fake[L=2us]", "--rounds", "5", "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["estimates"]
    assert Path(answer["run"]).is_relative_to(tmp_path)


@pytest.mark.skipif(shutil.which("octave-cli") is None, reason="no octave-cli on this machine")
def test_the_installed_wheel_finds_the_file_toolbox_in_itself(installed: Path, tmp_path: Path) -> None:
    command = [str(installed), "stacks", "prove", "filempi", "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    assert "msgauge filempi" in done.stdout


def test_the_installed_wheel_lists_stacks(installed: Path, tmp_path: Path) -> None:
    command = [str(installed), "stacks", "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    assert {"spec", "family", "version", "origin", "usable", "reason"} <= set(json.loads(done.stdout)["stacks"][0])
