"""Fixtures of these tests; what they give is made in filempi_bench.py."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from filempi_bench import OCTAVE, Bench


@pytest.fixture
def stand_in_for_ssh(tmp_path: Path) -> Path:
    """A folder for PATH with an ssh that hands the command to a shell here; what it is told goes to $HOSTLOG."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "ssh").write_text(
        '#!/bin/sh\nwhile [ "${1#-}" != "$1" ]; do shift 2; done\n'
        'echo "$*" >>"${HOSTLOG:-/dev/null}"\nshift\nexec sh -c "$*"\n'
    )
    (folder / "ssh").chmod(0o755)
    return folder


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A bench whose jobs lie in memory; after the test nothing may be left in it."""
    if OCTAVE is None:
        pytest.skip("no octave-cli on this machine")
    memory = Path("/dev/shm")
    jobs = Path(tempfile.mkdtemp(prefix="filempi-test ", dir=memory if memory.is_dir() else tmp_path))
    work = tmp_path / "work"
    work.mkdir()
    made = Bench(work, jobs)
    try:
        yield made
        assert made.left() == []
    finally:
        for process in made.started:
            if process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait(10)
        for pid in made.ranks().values():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        shutil.rmtree(jobs, ignore_errors=True)
