"""The benchmark ends what it starts."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.taskfarm.programs import output_of, started
from process_ends import gone

ROOT = Path(__file__).parents[2]
CHILD = ["sh", "-c", "sleep 300 & echo $!; wait"]


def test_what_a_program_has_started_ends_when_the_benchmark_is_broken_off() -> None:
    with pytest.raises(KeyboardInterrupt), started(CHILD) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        raise KeyboardInterrupt
    assert process.returncode is not None
    assert gone(child, within_s=5)


def test_a_terminated_benchmark_ends_its_programs() -> None:
    code = (
        "import signal, sys; from benchmarks.taskfarm import __main__ as bench, programs\n"
        "def part(_):\n"
        f"    with programs.started({CHILD!r}) as p: print(p.stdout.readline(), flush=True); p.wait()\n"
        "bench.PARTS['peers'] = part; sys.argv = ['', 'peers']; sys.exit(bench.main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True) as bench:
        assert bench.stdout is not None
        child = int(bench.stdout.readline())
        bench.send_signal(signal.SIGTERM)
        assert bench.wait(20) == 128 + signal.SIGTERM
    assert gone(child, within_s=5)


def test_a_program_that_fails_has_no_output_and_its_last_word_is_kept() -> None:
    assert output_of(["sh", "-c", "echo 1.5; echo why >&2"]) == ("1.5\n", "why")
    assert output_of(["sh", "-c", "echo 1.5; echo first >&2; echo last >&2; exit 3"]) == ("", "last")
