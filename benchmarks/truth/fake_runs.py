"""Versions and histories on simulated ranks, all the way: ``python -m benchmarks.truth.fake_runs [PART ...]``.

Parts: ``pairs`` (two runs of one binary in moods of 2 %, ten times), ``against`` (5 % planted, and nothing, ten times
each), ``history`` (60 runs, a step of 10 % at one of them). Real processes, simulated time; about five minutes in all.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from msgauge.cli import main as msgauge

STUDY = ("--kernels", "pingpong,bcast", "--sizes", "8,64KiB")
NOISE = "launch_noise=0.01,round_noise=0.03"
STEP_AT = 37


def measure(folder: Path, stack: str, seed: int, pace: float, rounds: int = 7) -> Path:
    """A run of one stack on a machine of this pace, below ``folder``."""
    os.environ["MSGAUGE_PACE"] = f"{pace:.5f}"
    words = ["run", *STUDY, "--stacks", stack, "--seed", str(seed), "--rounds", str(rounds), "--runs", str(folder)]
    said = _run(words)[1]
    return Path(said.strip().splitlines()[-1])


def pairs(folder: Path) -> str:
    """Pairs of runs of one binary: how many had a change, alone and with three repeated runs of the old version."""
    random, alone, repeated, cells = np.random.default_rng(31), 0, 0, 0
    for number in range(10):
        moods = np.exp(random.normal(0, 0.02, 5))
        place = folder / str(number)
        runs = [
            str(measure(place, f"fake[{NOISE}]", 10 * number + index + 1, mood)) for index, mood in enumerate(moods)
        ]
        first = _answer(["diff", runs[0], runs[1]])
        more = _answer(["diff", runs[0], runs[1], "--old", *runs[2:]])
        cells += len(first["comparisons"])
        alone += _count_changes(first)
        repeated += _count_changes(more)
    return f"ten pairs of runs of one binary, {cells} cells: {alone} changes alone, {repeated} with repeated runs"


def against(folder: Path) -> str:
    """Comparisons with an old run: how many found the planted change in both pingpongs, how many one elsewhere."""
    old = measure(folder, f"fake[{NOISE}]", 1, 1.07)
    found = false = 0
    for planted in (True, False):
        for seed in range(1, 11):
            new = f"fake[{NOISE},slow_pingpong={1.05 if planted else 1.0}]"
            words = ["compare", *STUDY, "--stacks", new, "--against", str(old), "--seed", str(seed), "--rounds", "10"]
            rows = _answer([*words, "--runs", str(folder / "new")])["comparisons"]
            slower = [row["kernel"] for row in rows if row["verdict"] == "slower"]
            found += planted and slower.count("pingpong") == 2
            false += (
                any(row["verdict"] == "faster" for row in rows) or "bcast" in slower or (bool(slower) and not planted)
            )
    return f"5 % planted: found in {found} of 10 comparisons with an old run; {false} of 20 had a change that is none"


def history(folder: Path) -> str:
    """A history of sixty runs with a step: where it was found."""
    random = np.random.default_rng(33)
    for number in range(60):
        step = 1.1 if number >= STEP_AT else 1.0
        measure(folder, "fake[launch_noise=0.01]", number + 1, float(np.exp(random.normal(0, 0.02))) * step, rounds=5)
    told = _answer(["history", str(folder)])
    steps = sorted({change["number"] - 1 for one in told["series"] for change in one["changes"]})
    changed = sum(bool(one["changes"]) for one in told["series"])
    return f"a step of 10 % at run {STEP_AT} of 60: found at {steps}, in {changed} of {len(told['series'])} series"


PARTS = {"pairs": pairs, "against": against, "history": history}


def _count_changes(answer: dict[str, Any]) -> int:
    return sum(row["verdict"] in {"faster", "slower"} for row in answer["comparisons"])


def _answer(words: list[str]) -> dict[str, Any]:
    return dict(json.loads(_run([*words, "--json"])[1]))


def _run(words: list[str]) -> tuple[int, str]:
    """Exit code and standard output of a command; progress is thrown away."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
        code = msgauge(words)
    return code, said.getvalue()


def main() -> None:
    """Print a line for each part."""
    for name in sys.argv[1:] or PARTS:
        with tempfile.TemporaryDirectory() as folder:
            print(PARTS[name](Path(folder)), flush=True)


if __name__ == "__main__":
    main()
