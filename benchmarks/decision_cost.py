"""What deciding whether to go on costs after rounds 5, 50 and 500, and what is read for it.

    python benchmarks/decision_cost.py [--stacks 6] [--cells 40] [--samples 200]

A run folder of made-up launches grows round by round, as a campaign grows it: each launch is recorded, then the round
is evaluated as a campaign does it: analysis, cells of the next round, whether to go on, what is left. Printed are the
milliseconds of processor time of a round (median over five rounds nearby), the bytes of samples read in it, and the
ratio of the last to the first. At the planned looks all pairs of stacks are judged: these are printed apart, and what
all of them come to for a round. They become rare as fast as they become dear.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from attrs import frozen

from msgauge.analysis.run import analyse_round
from msgauge.analysis.verdicts.stop_decision import decide
from msgauge.model import Analysis, Cell, Launch, LaunchRecord, Origin, Plan, Samples, Stack, Stopping
from msgauge.plan import launches_of_round
from msgauge.results import wire
from msgauge.results.run_folder import RunFolder
from msgauge.rounds.schedule import Schedule
from msgauge.stats.look_schedule import is_look

ROUNDS = (5, 50, 500)
NEAR = 2
"""Rounds on either side that are evaluated too."""


@frozen
class RoundCost:
    """What one round's evaluation took; reading its launches is part of it."""

    round: int
    seconds: float
    bytes_read: int
    look: bool


def main() -> None:
    """Grow the run and print what its rounds cost."""
    parser = argparse.ArgumentParser(description="cost of the decision after a round")
    parser.add_argument("--stacks", type=int, default=6)
    parser.add_argument("--cells", type=int, default=40)
    parser.add_argument("--samples", type=int, default=200, help="in each cell of a launch")
    options = parser.parse_args()
    print(f"{options.stacks} stacks, {options.cells} cells, {options.samples} samples in each cell of a launch")
    costs = measure_rounds(a_plan(options.stacks, options.cells), options.samples)
    typical = [_typical(costs, number) for number in ROUNDS]
    for number, cost in zip(ROUNDS, typical, strict=True):
        print(f"round {number:>3}: {1e3 * cost.seconds:.1f} ms, {cost.bytes_read} bytes of samples read")
    print(f"round {ROUNDS[-1]} / round {ROUNDS[0]}: {typical[-1].seconds / typical[0].seconds:.2f}")
    for cost in costs:
        if cost.look:
            print(f"look after round {cost.round}: {1e3 * cost.seconds:.1f} ms")
    print(f"looks, for each round: {1e3 * sum(cost.seconds for cost in costs if cost.look) / ROUNDS[-1]:.1f} ms")


def measure_rounds(plan: Plan, samples: int) -> list[RoundCost]:
    """Evaluate the rounds near those asked for, their launches recorded in a folder; those between come from memory."""
    stacks = tuple(Stack(*spec.split("@"), Origin("builtin")) for spec in plan.stacks)
    opened = _listen()
    with tempfile.TemporaryDirectory() as place, RunFolder.create(Path(place), "", plan, {}, stacks) as folder:
        random, costs, number = np.random.default_rng(1), [], folder.dataset.rounds
        analysis: Analysis | None = None
        schedule = Schedule(folder, 2)
        for round_ in range(ROUNDS[-1] + NEAR):
            launches = launches_of_round(plan, round_, number)
            number += len(launches)
            records = [LaunchRecord(launch, "ok", timer_resolution_ns=1.0) for launch in launches]
            made = [_frames(launch, plan, samples, random) for launch in launches]
            look = is_look(plan.stopping, round_ + 1)
            if not look and all(abs(round_ + 1 - near) > NEAR for near in ROUNDS):
                for record, frames in zip(records, made, strict=True):
                    folder.dataset.add(record, frames)
                schedule.cells_of(round_ + 1)
                continue
            for launch, frames in zip(launches, made, strict=True):
                content = b"".join(map(wire.write_frame, frames))
                (folder.launch_folder(launch.number) / "samples.bin").write_bytes(content)
            opened.clear()
            begun = time.process_time()
            for record in records:
                folder.record(record)
            analysis = analyse_round(folder.dataset, (), analysis)
            schedule.take_look(round_ + 1, analysis)
            decide(plan, round_ + 1, schedule.open_cells(round_ + 1), 0.0, schedule.round_s(round_ + 1))
            schedule.forecast_s(round_ + 1)
            seconds, read = time.process_time() - begun, sum(Path(name).stat().st_size for name in opened)
            costs.append(RoundCost(round_ + 1, seconds, read, look))
    return costs


def _listen() -> list[str]:
    """The samples files that this process opens from here on, once for each time."""
    opened: list[str] = []

    def note(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and str(arguments[0]).endswith("samples.bin"):
            opened.append(str(arguments[0]))

    sys.addaudithook(note)
    return opened


def a_plan(stacks: int, cells: int) -> Plan:
    """Precision that is never reached, so that every round is evaluated."""
    specs = tuple(f"stack{number}@1" for number in range(stacks))
    measured = tuple(Cell(number, "pingpong", 8 * (number + 1), 2) for number in range(cells))
    stopping = Stopping(1e9, maximum_rounds=10 * ROUNDS[-1], ratio_precision=1e-9)
    return Plan("benchmark", 1, specs, measured, (2,), stopping=stopping, base=specs[0])


def _frames(launch: Launch, plan: Plan, samples: int, random: np.random.Generator) -> list[Samples]:
    """Launches differ by 2 %, their samples by more; the stacks differ by less than the launches."""
    words = (("kernel", "pingpong"), ("mode", "batch"), ("status", "ok"), ("stationary", "yes"))
    levels = 1e6 * np.exp(random.normal(0, 0.02, len(plan.cells)))
    values = (levels[:, None] * (1 + random.exponential(0.05, (levels.size, samples)))).astype(np.int64)
    return [Samples(launch.number, cell.id, "time", values[cell.id], 200, "ns", words) for cell in plan.cells]


def _typical(costs: list[RoundCost], number: int) -> RoundCost:
    """The median of the rounds nearby, looks left out."""
    near = [one for one in costs if abs(one.round - number) <= NEAR and not one.look]
    return sorted(near, key=lambda one: one.seconds)[len(near) // 2]


if __name__ == "__main__":
    main()
