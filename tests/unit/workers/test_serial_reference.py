"""The serial program's time is the median of its runs, in whatever language: like is held against like."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from msgauge.workers.python import applications
from msgauge.workers.python.applications import Application

WORKERS = Path(applications.__file__).parents[1]


class Clocked(Application):
    """A program whose serial runs last as long as a list says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, lasts_ns: list[int]) -> None:
        world = SimpleNamespace(Get_rank=lambda: 0)
        super().__init__(SimpleNamespace(COMM_WORLD=world), SimpleNamespace(ranks=1), objects=False)  # type: ignore[arg-type]
        self.now_ns, self.lasts_ns = 0, lasts_ns
        monkeypatch.setattr(applications, "time", SimpleNamespace(perf_counter_ns=lambda: self.now_ns))

    def serial(self) -> None:
        self.now_ns += self.lasts_ns.pop(0)


def test_the_median_of_three_runs_of_each_check_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    program = Clocked(monkeypatch, [90, 50, 70, 60, 80, 55])
    program.refer()
    assert program.serial_ns == 70
    program.refer()
    assert program.serial_ns == 65


def test_a_long_program_runs_once_in_a_check_and_two_runs_give_their_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    program = Clocked(monkeypatch, [300_000_000, 200_000_000])
    program.refer()
    assert program.serial_ns == 300_000_000
    program.refer()
    assert program.serial_ns == 250_000_000


@pytest.mark.skipif(shutil.which("octave") is None, reason="Octave is not installed")
def test_octave_keeps_the_median_and_the_answer() -> None:
    code = (
        f"addpath('{WORKERS / 'octave'}'); global n = 0;"
        "function a = go(), global n; n = n + 1; p = [0.06 0.001 0.02]; pause(p(n)); a = n; end;"
        "[a, ns] = worker_reference(@go); printf('%d %d', a, ns > 15e6 && ns < 60e6)"
    )
    done = subprocess.run(["octave", "-qf", "--eval", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "3 1"
