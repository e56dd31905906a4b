"""Claims about the sentinel: quick and readable."""

import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgauge.execution.interference_probe import compile_sentinel, parse_sentinel


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
    assert time.monotonic() - started < 10
    assert {"loop_ns", "loop_min_ns", "copy_ns", "copy_min_ns", "running", "processors"} <= probes.keys()
    assert float(probes["running"]) >= 1, "itself"
    assert float(probes["loop_min_ns"]) <= float(probes["loop_ns"])


@given(st.text(max_size=100))
def test_any_output_can_be_read(text: str) -> None:
    parse_sentinel(text)
    for name, value in parse_sentinel("msgauge-sentinel " + text.replace("\n", " ")):
        assert isinstance(name, str) and float(value) > 0
