"""Labs for tests. They need root and a kernel with namespaces; where those are refused under CI, the tests fail."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from benchmarks.host_processes import command_line

from msgauge.errors import ToolError
from msgauge.lab.emulation import Lab, LabPlan, RunningLab
from msgauge.lab.faults import Faults
from msgauge.lab.link import PRESETS, Link
from msgauge.lab.slurm_daemons import start_slurm
from msgauge.paths import cache_folder

ROOT = Path(__file__).parents[2]
MSGAUGE = str(Path(sys.executable).parent / "msgauge")


def start(
    hosts: int,
    link: Link,
    offsets: tuple[int, ...] = (),
    *,
    name: str = "",
    ssh: bool = False,
    faults: Faults | None = None,
) -> RunningLab:
    """A lab, or a failure of the test that says why there is none here."""
    try:
        running = RunningLab(LabPlan(hosts, link, name, offsets, ssh, faults or Faults()), ["nobody"])
    except ToolError as error:
        if os.environ.get("CI") == "true":
            pytest.fail(f"CI must be able to emulate hosts: {error}")
        pytest.skip(f"no emulated hosts here: {error}")
    running.lab.share([ROOT, Path(sys.prefix), Path(sys.base_prefix), cache_folder()])  # where these stand below /tmp
    return running


@contextmanager
def start_with_slurm(hosts: int) -> Iterator[Lab]:
    """A lab whose hosts wait for jobs of Slurm; the packages of setup-system.sh must be there."""
    with start(hosts, PRESETS["bare"]) as lab:
        try:
            start_slurm(lab)
        except ToolError as error:
            if os.environ.get("CI") == "true":
                pytest.fail(f"CI must be able to start Slurm: {error}")
            pytest.skip(f"no Slurm here: {error}")
        yield lab


def call_msgauge(*words: str, folder: Path, limit_s: float = 240, columns: int = 0) -> subprocess.CompletedProcess[str]:
    """The command to its end, from a folder; ``columns``: how wide its terminal is, 0: not said."""
    width = {"COLUMNS": str(columns)} if columns else {}
    return _call([MSGAUGE, *words], folder, limit_s, width)


def call_on(
    lab: Lab, host: str, argv: Sequence[str], folder: Path = Path("/"), limit_s: float = 120
) -> subprocess.CompletedProcess[str]:
    """Run a program on a host to its end."""
    return _call(lab.argv_on(host, argv), folder, limit_s, {})


def _call(
    argv: Sequence[str], folder: Path, limit_s: float, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        argv,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=limit_s,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )


def processes_of(marker: str) -> list[str]:
    """The command lines, of this process not, that hold a word."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        words = command_line(process)
        if marker in words and str(os.getpid()) != process.name:
            found.append(words)
    return found
