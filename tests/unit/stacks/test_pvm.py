"""The session of PVM: its daemon is tried again, its failure said with what it logged. No PVM is needed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from attrs import define, field

from msgauge.errors import LaunchError
from msgauge.model import Command, Origin, Stack
from msgauge.stacks.base.family import LaunchOptions
from msgauge.stacks.pvm import BOOTS, FAMILY

STACK = Stack("pvm", "3.4.6", Origin("system"), compiler="g++")


@define
class Daemon:
    """Runs what a session runs; the daemon fails so often before it comes up, with a log and a stale file."""

    folder: Path
    failures: int
    code: int = 1
    said: list[str] = field(factory=list)
    stale: list[bool] = field(factory=list)

    def run(self, command: Command, limit_s: float) -> tuple[int, str]:
        self.said.append(command.argv[2])
        if "halt" in command.argv[2]:
            return 0, ""
        socket = self.folder / f"pvmd.{os.getuid()}.{self.folder.name}"
        self.stale.append(socket.exists())
        socket.write_text("7f000001:1234")
        if self.failures >= len(self.said):
            (self.folder / f"pvml.{os.getuid()}.{self.folder.name}").write_text("libpvm: no room for a socket")
            return self.code, ""
        return 0, ""


def test_a_daemon_that_did_not_come_up_is_tried_again_without_its_files(tmp_path: Path) -> None:
    daemon = Daemon(tmp_path, failures=1)
    with FAMILY.session(STACK, LaunchOptions(2, 2, tmp_path), daemon):
        assert daemon.stale == [False, False]
    assert ["halt" in said for said in daemon.said] == [False, False, True]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("code", "how"), [(1, "ended with 1"), (-9, "took longer than 20 s")])
def test_a_daemon_that_never_comes_up_is_an_error_with_its_log_and_a_remedy(
    tmp_path: Path, code: int, how: str
) -> None:
    daemon = Daemon(tmp_path, failures=BOOTS, code=code)
    with (
        pytest.raises(LaunchError, match=f"pvmd {how}, {BOOTS} times: libpvm: no room for a socket") as raised,
        FAMILY.session(STACK, LaunchOptions(2, 2, tmp_path), daemon),
    ):
        raise AssertionError("a session without a daemon was opened")
    assert "docs/reference/stacks/pvm.md" in raised.value.remedy
    assert list(tmp_path.iterdir()) == []
