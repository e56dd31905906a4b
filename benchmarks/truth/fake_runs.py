"""Versions and histories on simulated ranks, all the way: real processes, simulated time, run folders, real commands.

``python -m benchmarks.truth --only fake_``: a run of three launches takes a third of a second, a history of sixty runs
some twenty.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.cli import main as msgauge
from msgauge.commands import compare, diff, history, run

TRIED = compare, diff, history, run
"""The command line imports these by their names; here they stand so that it is seen which code is tried."""
COMMANDS = {command.__name__.rpartition(".")[2] for command in TRIED}
STUDY = ("--kernels", "pingpong,bcast", "--sizes", "8,64KiB")
NOISE = "launch_noise=0.01,round_noise=0.03"
MOOD = 0.02
RUNS = 60
EVERY, NONE = "every one", "0"
"""What is promised of a handful of trials: nothing less can be seen in so few."""
DIFFERENT = {"faster", "slower"}


@frozen
class Machine:
    """Where runs are kept, how many launches each has, and the dice."""

    folder: Path
    random: np.random.Generator
    rounds: int = 7

    def measure(self, stack: str, factor: float = 1.0) -> Path:
        """A run of one stack, the machine in a mood of its own that all launches share; all costs ``factor`` times."""
        pace = factor * float(np.exp(self.random.normal(0, MOOD)))
        rounds, seed = str(self.rounds), str(self.random.integers(1, 2**31))
        words = ["run", *STUDY, "--stacks", stack, "--seed", seed, "--rounds", rounds, "--runs", str(self.folder)]
        with _pace(pace):
            return Path(_run(words).strip().splitlines()[-1])

    def answer(self, *words: str) -> dict[str, Any]:
        """What a command says as JSON."""
        return dict(json.loads(_run([*words, "--json"])))


def fake_pairs(repeated: int, trials: int) -> Figure:
    """Share of pairs of runs of one binary that ``diff`` calls different; ``repeated``: further runs of the old."""
    called = 0
    with _machine(91) as machine:
        for _ in range(trials):
            old, new, *more = (str(machine.measure(f"fake[{NOISE}]")) for _ in range(2 + repeated))
            rows = machine.answer("diff", old, new, *(("--old", *more) if more else ()))["comparisons"]
            called += any(row["verdict"] in DIFFERENT for row in rows)
    beside = f", {repeated} more runs of the old one" if repeated else ""
    case = f"run folders of simulated ranks, moods of 2 %: pairs of runs{beside}, 4 cells"
    return _figure("diff of run folders of one binary tells no change", NONE, case, called, trials)


def fake_against(step: float, trials: int) -> Figure:
    """Share of ``compare --against`` that find what is planted in all ping-pongs; without: that find anything."""
    called = 0
    with _machine(92) as machine:
        old = machine.measure(f"fake[{NOISE}]", 1.07)
        for _ in range(trials):
            new, seed = f"fake[{NOISE},slow_pingpong={1 + step}]", str(machine.random.integers(1, 2**31))
            words = ["compare", *STUDY, "--stacks", new, "--against", str(old), "--seed", seed, "--rounds", "10"]
            rows = machine.answer(*words, "--runs", str(machine.folder / "new"))["comparisons"]
            planted = [row["verdict"] for row in rows if row["kernel"] == "pingpong"]
            called += set(planted) == {"slower"} if step else any(row["verdict"] in DIFFERENT for row in rows)
    case = "an old run folder of simulated ranks, built anew and interleaved, 10 rounds, 5 cells"
    claim = f"a change of {100 * step:.0f} % is found by --against" if step else "--against tells no change of nothing"
    return _figure(claim, EVERY if step else "<= 5 %", case, called, trials)


def fake_histories(step: float, trials: int, runs: int = RUNS) -> Figure:
    """Share of histories of run folders with a change; with a step, in which it alone is found, within one run."""
    called = 0
    for number in range(trials):
        with _machine(93, number, rounds=3) as machine:
            at = int(machine.random.integers(5, runs - 4))
            for place in range(runs):
                machine.measure("fake[launch_noise=0.01]", 1.0 + step * (place >= at))
            series = machine.answer("history", str(machine.folder))["series"]
            found = {change["number"] - 1 for one in series for change in one["changes"]}
            called += bool(found) and (not step or max(abs(place - at) for place in found) <= 1)
    case = f"{runs} run folders of simulated ranks, moods of 2 %, 4 cells"
    if step:
        claim = f"a step of {100 * step:.0f} % in a history of run folders is found within one run, and no other"
        return _figure(claim, EVERY, case, called, trials)
    return _figure("a history of run folders without a change shows none", NONE, case, called, trials)


def simulations() -> Iterator[Simulation]:
    """Those of run folders; a trial of pairs takes a second, of --against two, of histories twenty."""
    for repeated in (0, 3):
        yield Simulation(fake_pairs, (repeated,), 10)
    yield Simulation(fake_against, (0.05,), 10)
    yield Simulation(fake_against, (0.0,), 40)
    yield Simulation(fake_histories, (0.1,), 5)
    yield Simulation(fake_histories, (0.0,), 20)


def _figure(claim: str, promised: str, case: str, count: int, trials: int) -> Figure:
    return Figure(claim, promised, case, count / trials, float("nan"), trials)


@contextlib.contextmanager
def _machine(number: int, trial: int = 0, rounds: int = 7) -> Iterator[Machine]:
    """A machine whose folder is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        yield Machine(Path(folder), np.random.default_rng([*generator(number).integers(0, 2**31, 2), trial]), rounds)


@contextlib.contextmanager
def _pace(pace: float) -> Iterator[None]:
    """The pace of the machine while the block runs."""
    former = os.environ.get("MSGAUGE_PACE")
    os.environ["MSGAUGE_PACE"] = f"{pace:.5f}"
    try:
        yield
    finally:
        os.environ.pop("MSGAUGE_PACE")
        if former is not None:
            os.environ["MSGAUGE_PACE"] = former


def _run(words: list[str]) -> str:
    """Standard output of one of ``COMMANDS``; progress is thrown away, but for that of one that has nothing to say."""
    if words[0] not in COMMANDS:
        raise ValueError(f"{words[0]} is not among {sorted(COMMANDS)}; add it to TRIED")
    said, progress = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(progress):
        code = msgauge(words)
    if not said.getvalue().strip():
        raise RuntimeError(f"{' '.join(words)} ended with {code}: {progress.getvalue()[-2000:]}")
    return said.getvalue()
