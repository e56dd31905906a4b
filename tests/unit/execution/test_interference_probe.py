"""Claims about the sentinel: quick, readable, and only a real shift counts."""

import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgauge.execution.interference_probe import compile_sentinel, find_shifts, parse_sentinel

STEADY = (("loop_ns", "100"), ("loop_min_ns", "99"), ("copy_ns", "200"), ("copy_min_ns", "198"))


def test_the_real_sentinel_answers_in_time_and_is_compiled_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MSGAUGE_CACHE", str(tmp_path))
    program = compile_sentinel()
    if program is None:
        pytest.skip("no system compiler")
    made = program.stat().st_mtime_ns
    assert compile_sentinel() == program and program.stat().st_mtime_ns == made
    started = time.monotonic()
    probes = dict(parse_sentinel(subprocess.run([program], capture_output=True, text=True, check=True).stdout))
    assert time.monotonic() - started < 3.0
    assert {"loop_ns", "loop_min_ns", "copy_ns", "copy_min_ns"} <= probes.keys()
    assert float(probes["loop_min_ns"]) <= float(probes["loop_ns"])


def changed(**factors: float) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(float(value) * factors.get(name, 1.0))) for name, value in STEADY)


def test_a_steady_machine_is_not_called_disturbed() -> None:
    assert find_shifts(STEADY, changed(loop_ns=1.04, loop_min_ns=1.04, copy_ns=0.96, copy_min_ns=0.96)) == ()


def test_a_passing_interrupt_is_not_called_a_shift() -> None:
    assert find_shifts(STEADY, changed(loop_ns=1.5)) == ()
    assert find_shifts(STEADY, changed(copy_min_ns=0.8)) == ()


@pytest.mark.parametrize("factor", [1.06, 0.9, 2.5])
def test_a_shift_up_or_down_is_named(factor: float) -> None:
    said = find_shifts(STEADY, changed(copy_ns=factor, copy_min_ns=factor))
    assert len(said) == 1 and said[0].startswith("copy went from 200 to")


def test_a_sentinel_that_did_not_run_says_nothing() -> None:
    assert find_shifts((), STEADY) == () == find_shifts(STEADY, ())
    assert find_shifts(STEADY, STEADY) == ()


def test_a_probe_that_came_to_no_end_is_a_shift() -> None:
    with_pingpong = (*STEADY, ("pingpong_ns", "90"), ("pingpong_min_ns", "88"))
    assert find_shifts(with_pingpong, STEADY) == ("pingpong came to no end after the launch",)
    assert find_shifts(STEADY, with_pingpong) == ("pingpong came to no end before the launch",)


@given(st.text(max_size=100))
def test_any_output_can_be_read(text: str) -> None:
    parse_sentinel(text)
    for name, value in parse_sentinel("msgauge-sentinel " + text.replace("\n", " ")):
        assert isinstance(name, str) and float(value) > 0
