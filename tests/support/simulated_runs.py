"""Small studies on the fake stack for tests of the whole pipeline: real processes, simulated time, no other stacks."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from attrs import evolve

from msgauge.cli import main
from msgauge.model import Analysis, Event, serialization

STUDY = """\
title = "Small"
stacks = ["fake"]
seed = 11

[stopping]
budget = "10 min"
minimum_rounds = {rounds}
maximum_rounds = {rounds}
cell_budget = "1 ms"
launch_limit = "{limit}"

[[measure]]
kernel = "pingpong"
sizes = ["8", "64KiB"]

[[measure]]
kernel = "bcast"
sizes = "1KiB"
"""


def only_builtin_stacks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No stack of this machine is looked for, so that tests are fast and the same everywhere."""
    configuration = folder / "configuration"
    (configuration / "msgauge").mkdir(parents=True)
    (configuration / "msgauge" / "config.toml").write_text("search = []\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(configuration))


def study_file(folder: Path, *, rounds: int = 5, limit: str = "20 s", name: str = "small") -> str:
    """Write the small study and give its path."""
    path = folder / f"{name}.toml"
    path.write_text(STUDY.format(rounds=rounds, limit=limit))
    return str(path)


def nameless(analysis: Analysis) -> object:
    """The analysis as plain values, to be compared with another run's.

    Without the name of its run, and without what its launches cost this machine: that is not of the simulated clock.
    """
    return serialization.to_plain(evolve(analysis, run="", stack_costs=()))


def only_run(folder: Path) -> Path:
    """The one run below a folder."""
    (path,) = (path for path in folder.iterdir() if (path / "plan.json").exists())
    return path


def measure_once(factory: pytest.TempPathFactory, command: str, stacks: str, *, rounds: int) -> Path:
    """A run of the small study by ``compare`` or ``run``, for all tests of a module."""
    folder = factory.mktemp("run")
    with pytest.MonkeyPatch.context() as monkeypatch:
        only_builtin_stacks(folder, monkeypatch)
        study = study_file(folder, rounds=rounds)
        assert main([command, study, "--stacks", stacks, "--runs", str(folder / "runs")]) == 0
    return only_run(folder / "runs")


class Interrupting:
    """A watcher that presses Ctrl-C when the given number of launches has begun."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, event: Event) -> None:
        """Count launches; raise at the last."""
        if type(event).__name__ == "LaunchStarted":
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt


def orphans(folder: Path) -> list[str]:
    """Command lines of living processes that name a folder."""
    lines = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and int(process.name) != os.getpid():
            try:
                line = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if str(folder) in line:
                lines.append(line)
    return lines


def measure_fake(folder: Path, stacks: str, *, seed: int, pace: str = "1", words: tuple[str, ...] = ()) -> Path:
    """One run of the small study on simulated ranks below ``folder``, on a machine of this pace; gives its path."""
    folder.mkdir(parents=True, exist_ok=True)
    return measure_study(folder, study_file(folder), ("--stacks", stacks, "--seed", str(seed), *words), pace)


def measure_study(folder: Path, study: str, words: tuple[str, ...], pace: str = "1") -> Path:
    """One run of a study below ``folder``, asked for with these words; gives its path."""
    folder.mkdir(parents=True, exist_ok=True)
    before = set(folder.iterdir())
    asked = ["run", study, "--runs", str(folder), *words]
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("MSGAUGE_PACE", pace)
        assert main(asked) == 0
    (path,) = (path for path in folder.iterdir() if path not in before and (path / "plan.json").exists())
    return path
