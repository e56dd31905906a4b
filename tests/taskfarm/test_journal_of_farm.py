"""A Farm whose journal cannot be written for a while, and one whose program ends meanwhile."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from farms import BUILD
from task_functions import bytes_after
from test_journal_faults import files_end_at

import taskfarm
from taskfarm import pump


def test_a_farm_goes_on_when_its_journal_can_be_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(pump, "MOST_TROUBLES", 4)  # 0.3 s instead of 1.3 of other troubles break a farm
    journal = tmp_path / "journal"
    with taskfarm.Farm(workers=1, pickle=True, journal=str(journal)) as farm:
        assert farm.submit(bytes, 10).result(60) == bytes(10)
        gate = tmp_path / "gate"
        gate.touch()
        assert farm.submit(bytes_after, str(gate), 10).result(60) == bytes(10)
        gate.unlink()
        with files_end_at(journal.stat().st_size + 4096):
            held = [farm.submit(bytes_after, str(gate), 100_000) for _ in range(3)]
            gate.touch()  # a result that came between would stand before the next submission in the journal
            end = time.monotonic() + 10
            while farm.stats()["ready"] < 3 and time.monotonic() < end:  # what is accepted is done
                time.sleep(0.01)
            for function in (bytes, bytearray):  # the second one's name would be broadcast first
                with pytest.raises(taskfarm.Error, match=f"cannot be written: {journal}: File too large") as caught:
                    farm.submit(function, 10)
                assert caught.value.code == taskfarm.errors.JOURNAL
            stream = farm.imap(bytes, range(10))
            time.sleep(0.5)
            assert not any(future.done() for future in held)
            submitted = farm.stats()["submitted"]
        assert [future.result(60) for future in held] == [bytes(100_000)] * 3
        assert list(stream) == [bytes(n) for n in range(10)]
        assert farm.submit(bytes, 5).result(60) == bytes(5)
        assert farm.stats()["submitted"] == submitted + 11
    said = [record.message for record in caplog.records if record.levelno == logging.WARNING]
    assert len(said) == 2 and f"the journal cannot be written: {journal}: File too large; " in said[0]
    assert said[1] == "the journal is written again"


def test_a_program_ends_although_its_journal_cannot_be_written_and_its_successor_has_the_tasks(tmp_path: Path) -> None:
    program = f"""
import logging, resource, signal, threading, time, taskfarm
from taskfarm import pump
told = threading.Event()
class Handler(logging.StreamHandler):
    def emit(self, record):
        super().emit(record)
        told.set()
logging.getLogger("taskfarm").addHandler(Handler())
pump.MOST_TROUBLES = 4
farm = taskfarm.Farm("unix://{tmp_path}/s", workers=1, pickle=True, journal="{tmp_path}/journal")
farm.submit(bytes, 10).result(60)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
future = farm.submit(bytes, 100_000)
while farm.stats()["ready"] < 1:
    time.sleep(0.01)
future.add_done_callback(lambda f: print(f.exception()))
told.wait(50)
"""
    environment = {**os.environ, "PYTHONPATH": str(BUILD / "package")}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0
    assert done.stdout.startswith("no results can be had of the coordinator: the journal cannot be written: ")
    assert "held back" in done.stderr
    again = taskfarm.Coordinator(f"unix://{tmp_path}/s", {"journal": str(tmp_path / "journal")})
    assert (again.stats()["recovered"], again.stats()["queued"]) == (1, 1)
    again.close(0)
