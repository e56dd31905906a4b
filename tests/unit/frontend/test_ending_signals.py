"""Claims about signals that end a command: they are an interruption, and what is ignored stays ignored."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from simulated_runs import only_builtin_stacks, only_run, orphans, study_file

from msgauge import cli
from msgauge.frontend.ending_signals import ENDING

LIMIT_S = 60.0


@pytest.mark.parametrize("number", ENDING)
def test_a_command_that_is_ended_is_interrupted_and_leaves_the_signal_as_it_was(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "_dispatch", lambda _words: os.kill(os.getpid(), number) or time.sleep(LIMIT_S))
    before = signal.signal(number, signal.SIG_DFL)
    try:
        assert cli.main(["show"]) == 130
        assert signal.getsignal(number) is signal.SIG_DFL
    finally:
        signal.signal(number, before)
    assert "interrupted" in capsys.readouterr().err


def test_what_nohup_ignores_stays_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "_dispatch", lambda _words: os.kill(os.getpid(), signal.SIGHUP) or 0)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert cli.main(["show"]) == 0
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_batch_system_that_ends_a_run_gets_its_report_and_no_process_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_builtin_stacks(tmp_path, monkeypatch)
    runs = tmp_path / "runs"
    words = ("compare", study_file(tmp_path, rounds=2000), "--runs", str(runs))
    msgauge = subprocess.Popen([sys.executable, "-m", "msgauge", *words], stdout=subprocess.DEVNULL)
    try:
        end = time.monotonic() + LIMIT_S
        while not list(runs.glob("*/launches/0002/record.json")):
            assert msgauge.poll() is None
            assert time.monotonic() < end
            time.sleep(0.02)
        msgauge.terminate()
        assert msgauge.wait(LIMIT_S) == 130
    finally:
        msgauge.kill()
        msgauge.wait()
    assert {"findings.json", "report.html"} <= {path.name for path in only_run(runs).iterdir()}
    assert orphans(runs) == []
