"""A machine with moods: simulated launches of stacks whose true times are known.

Time on it passes launch by launch. Its pace wanders (a random walk) and sometimes jumps to another regime for a while,
as real machines do; on top of it every launch has its own luck, and the batches inside a launch are autocorrelated.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from msgauge.model import Cell, Launch, LaunchRecord, Plan, Samples, Stack, Stopping
from msgauge.plan import launches_of_round


@frozen
class Machine:
    """Scatter in logarithms: 0.01 is 1 %."""

    launch_scatter: float = 0.01
    wander: float = 0.02
    trend: float = 0.0
    """The machine gets slower by this much from each launch to the next (it heats up, another job grows)."""
    regime_chance: float = 0.1
    regime_size: float = 0.9
    """ln 2.5: the same binary minutes later 2.5 times slower."""
    batch_scatter: float = 0.02
    correlation: float = 0.8
    spike_chance: float = 0.02

    def pace(self, launches: int, cells: int, random: np.random.Generator) -> np.ndarray:
        """Log slowness of the machine at each launch in order of time, shape (cells, launches)."""
        walk = np.cumsum(random.normal(self.trend, self.wander, (cells, launches)), axis=1)
        switches = np.cumsum(random.random((cells, launches)) < self.regime_chance, axis=1)
        return walk + self.regime_size * (switches % 2)

    def batches(self, level: np.ndarray, count: int, random: np.random.Generator) -> np.ndarray:
        """Times of batches inside launches of this log level: shape (...,) to (..., count), with spikes and AR(1)."""
        shape = (*level.shape, count)
        noise = random.normal(0, 1, shape)
        for index in range(1, count):
            noise[..., index] = (
                self.correlation * noise[..., index - 1] + np.sqrt(1 - self.correlation**2) * noise[..., index]
            )
        spikes = (random.random(shape) < self.spike_chance) * random.exponential(1.0, shape)
        return np.exp(level[..., None] + self.batch_scatter * noise + spikes)


QUIET = Machine(wander=0.003, regime_chance=0.0)


def interleaved(rounds: int, random: np.random.Generator) -> np.ndarray:
    """Which stack (0 or 1) is launched at each moment: in every round both, in random order. Shape (2 rounds,)."""
    return np.concatenate([random.permutation(2) for _ in range(rounds)])


def one_after_the_other(rounds: int) -> np.ndarray:
    """All launches of stack 0, then all of stack 1, as most suites do it."""
    return np.repeat([0, 1], rounds)


def two_stacks(
    machine: Machine, order: np.ndarray, shift: float, cells: int, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Launch medians of two stacks in many independent cells, each of shape (cells, rounds); the second is
    exp(``shift``) times slower in truth."""
    level = machine.pace(order.size, cells, random) + random.normal(0, machine.launch_scatter, (cells, order.size))
    medians = np.exp(level + shift * order) * (1 + random.normal(0, 0.002, level.shape))
    return medians[:, order == 0], medians[:, order == 1]


def a_run(
    machine: Machine, plan: Plan, slowness: Sequence[float], rounds: int, random: np.random.Generator
) -> tuple[list[LaunchRecord], list[Samples]]:
    """Records and frames of a run of ``plan`` on the machine, launches in the order that the plan draws.

    60 batches of 100 events in each cell.
    """
    launches: list[Launch] = []
    for round_ in range(rounds):
        launches.extend(launches_of_round(plan, round_, len(launches)))
    pace = machine.pace(len(launches), 1, random)[0]
    samples = []
    for moment, launch in enumerate(launches):
        truth = slowness[plan.stacks.index(launch.stack)]
        luck = random.normal(0, machine.launch_scatter, len(launch.cells))
        level = np.log(500.0 * truth) + pace[moment] + luck
        for cell, batch in zip(launch.cells, machine.batches(level, 60, random), strict=True):
            values = np.round(batch * 100).astype(np.int64)
            samples.append(Samples(launch.number, cell, "time", values, 100, attributes=(("kernel", "pingpong"),)))
    return [LaunchRecord(launch, "ok", timer_resolution_ns=1.0) for launch in launches], samples


def a_plan(cells: int, stacks: Sequence[str] = ("one@1", "two@1"), seed: int = 1) -> Plan:
    """Ping-pong at ``cells`` sizes for these stacks."""
    return Plan(
        study="simulated",
        seed=seed,
        stacks=tuple(stacks),
        cells=tuple(Cell(number, "pingpong", 2**number, 2) for number in range(cells)),
        rank_counts=(2,),
        stopping=Stopping(),
        base=stacks[0],
    )


def stack_values(plan: Plan) -> list[Stack]:
    """The stacks of a plan as values."""
    from msgauge.model import Origin

    return [Stack(*spec.split("@"), Origin("builtin")) for spec in plan.stacks]
