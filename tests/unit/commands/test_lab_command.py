"""Claims about ``msgauge lab``: who may use the hosts."""

from __future__ import annotations

from pathlib import Path

import pytest

from msgauge.commands import lab
from msgauge.errors import UsageError


@pytest.fixture(autouse=True)
def a_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MSGAUGE_CONFIG", str(tmp_path))
    monkeypatch.delenv("SUDO_USER", raising=False)
    return tmp_path / "config.toml"


def test_a_user_for_stacks_that_refuse_root_who_is_not_there_keeps_no_lab_from_standing(a_configuration: Path) -> None:
    """It was an internal error; the stack itself says what it lacks."""
    a_configuration.write_text('run_as = "nosuchuser"\n')
    assert lab._users("") == []
    assert lab._users("root") == ["root"]


def test_a_user_who_is_named_and_not_there_is_told() -> None:
    with pytest.raises(UsageError, match="no user 'nosuchuser'"):
        lab._users("nosuchuser")


def test_slurm_on_the_hosts_is_refused_to_an_ordinary_user_before_anything_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(UsageError, match="hosts with Slurm need root"):
        lab.up(hosts=2, slurm=True)
