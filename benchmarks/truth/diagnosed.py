"""What ``msgauge doctor`` says of the noise of a machine: the difference that runs like its trial find."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from benchmarks.truth.machines import ALIKE
from benchmarks.truth.simulated_runs import dataset_of, make_plan
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.run import analyse
from msgauge.diagnostics.noise import find_detectable
from msgauge.diagnostics.system_probe import TRIAL_ROUNDS, TRIAL_SIZES
from msgauge.model import Stopping, StopReason
from msgauge.stats.pairwise import SLOWER, judge_pairs

AGAIN = 4
UNEVEN = ("drifting",)


def detectable_differences(machine: str, trials: int) -> Figure:
    """Share of runs like the trial that find the difference which it names, of one test; four after each trial."""
    random, found = generator(181), list[bool]()
    stopping = Stopping(minimum_rounds=TRIAL_ROUNDS, maximum_rounds=TRIAL_ROUNDS)
    plan = make_plan(2, len(TRIAL_SIZES), stopping, sizes=TRIAL_SIZES)
    for _ in range(trials):
        logs = ALIKE[machine]((2, len(TRIAL_SIZES), TRIAL_ROUNDS), random)
        report = analyse(dataset_of(plan, 1000 * np.exp(logs)), run="", stopped=StopReason.ROUNDS)
        worst = max(report.comparisons, key=lambda one: max(abs(one.ratio_high - 1), abs(1 - one.ratio_low)))
        named = find_detectable(report, worst)
        for _ in range(AGAIN if np.isfinite(named) else 0):
            times = ALIKE[machine]((2, 1, TRIAL_ROUNDS), random)
            times[1] += np.log1p(named)
            found.append(int(judge_pairs(np.exp(times)).word[0, 0]) == SLOWER)
    case = f"{machine}: {TRIAL_ROUNDS} rounds, the worst of {len(TRIAL_SIZES)} tests"
    claim = "a difference that a trial of the machine names is found by runs like it"
    promised = "" if machine in UNEVEN else "at least 80 %"
    return Figure(claim, promised, case, float(np.mean(found)), float("nan"), len(found))


def simulations() -> Iterator[Simulation]:
    """Those of doctor."""
    for machine in (
        "lognormal",
        "heavy tails",
        "spikes",
        "two modes, cell by cell",
        "two modes, launch by launch",
        *UNEVEN,
    ):
        yield Simulation(detectable_differences, (machine,), 400)
