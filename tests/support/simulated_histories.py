"""Histories as they could have been: moods between runs, heavy tails, planted steps; no folders, no launches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from msgauge.analysis.between_runs.measured_runs import LaunchTimes, MeasuredRun
from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey
from msgauge.commands import history as command
from msgauge.model import Origin, Stack

CELLS = (("pingpong", 8), ("pingpong", 65536), ("bcast", 1024))


def simulate_history(
    runs: int,
    *,
    seed: int,
    stacks: Sequence[str] = ("openmpi",),
    steps: Mapping[str, tuple[int, float]] | None = None,
    cells: Sequence[tuple[str, int]] = CELLS,
    heavy: bool = True,
) -> list[RunLevels]:
    """Runs in moods of 2 %, launches that scatter by 2 %, both with heavy tails; ``steps``: stack to (run, log)."""
    dice = np.random.default_rng(seed)
    draw = (lambda size: dice.standard_t(3, size) / 1.7) if heavy else (lambda size: dice.normal(0, 1, size))
    moods = 0.02 * draw(runs)
    found = []
    for run in range(runs):
        medians = {}
        for stack in stacks:
            at, size = (steps or {}).get(stack, (runs, 0.0))
            for number, (kernel, size_bytes) in enumerate(cells):
                level = 1000 * (number + 1) * np.exp(moods[run] + (size if run >= at else 0.0))
                medians[SeriesKey(f"{stack}@1.{run >= at:d}", kernel, size_bytes, 2)] = level * np.exp(0.02 * draw(7))
        found.append(
            RunLevels(
                path=f"runs/2026-{run // 28 + 1:02d}-{run % 28 + 1:02d}T0200-node-{run:04x}",
                started=f"2026-{run // 28 + 1:02d}-{run % 28 + 1:02d}T02:00:00.000+00:00",
                stacks=tuple(_stack(spec) for spec in dict.fromkeys(key.stack for key in medians)),
                identities={key.stack: key.stack for key in medians},
                medians_ns=medians,
                study="nightly",
            )
        )
    return found


def stand_in(patch: pytest.MonkeyPatch, runs: Mapping[Path, RunLevels]) -> None:
    """Let ``msgauge history`` find these runs, which have no folders and no tails."""
    patch.setattr(command, "list_runs", lambda _: list(runs))
    patch.setattr(command, "read_measured", lambda path: in_rounds(runs[path]))
    patch.setattr(command, "warn_of_runs", lambda _: ())


def in_rounds(run: RunLevels) -> MeasuredRun:
    """The run with its launches in rounds from 0 on, and no tails."""
    launches = {key: LaunchTimes(np.arange(times.size), times) for key, times in run.medians_ns.items()}
    return MeasuredRun(run, {"p50": launches, "p95": {}, "p99": {}})


def _stack(spec: str) -> Stack:
    family, _, version = spec.partition("@")
    return Stack(family, version, Origin("managed"))
