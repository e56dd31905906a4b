"""Where rounds resemble each other in how stacks compare, the run says so; elsewhere once in a hundred runs."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.truth.machines import correlate

from msgauge.analysis.resembling_rounds import LEVEL, warn_resembling
from msgauge.model import Estimate
from msgauge.stats.round_memory import measure_memory


def wandering(shape: tuple[int, int, int], coefficient: float, random: np.random.Generator) -> np.ndarray:
    """Logarithms (stacks, cells, rounds): the launches of each stack resemble those before them, in all cells alike."""
    stacks, _, rounds = shape
    state = correlate(random.normal(0, 1, (stacks, 1, rounds)), coefficient)
    return 0.03 * state + random.normal(0, 0.01, shape) + 0.1 * random.normal(0, 1, (1, 1, rounds)).cumsum(axis=2)


def estimates(logs: np.ndarray) -> list[Estimate]:
    rounds = tuple(range(logs.shape[2]))
    return [
        Estimate(f"s{stack}@1", cell, "pingpong", 8, 2, launch_medians_ns=tuple(np.exp(row)), rounds=rounds)
        for stack, cells in enumerate(logs)
        for cell, row in enumerate(cells)
    ]


@pytest.mark.parametrize(("coefficient", "rounds", "least", "most"), [(0.0, 10, 0.0, 0.04), (0.7, 20, 0.6, 1.0)])
def test_it_is_said_where_launches_resemble_those_before(
    coefficient: float, rounds: int, least: float, most: float
) -> None:
    random = np.random.default_rng(4)
    runs = [list(warn_resembling(estimates(wandering((4, 6, rounds), coefficient, random)))) for _ in range(100)]
    assert least <= np.mean([bool(found) for found in runs]) <= most


def test_the_pace_of_the_machine_and_single_slow_launches_are_no_reason() -> None:
    random = np.random.default_rng(5)
    said = 0
    for _ in range(100):
        logs = wandering((3, 5, 12), 0.0, random) + 2.0 * (random.random((3, 5, 12)) < 0.1)
        said += bool(list(warn_resembling(estimates(logs))))
    assert said <= 4


def test_the_p_is_uniform_where_order_tells_nothing_and_the_coefficient_is_that_of_the_series() -> None:
    random = np.random.default_rng(6)
    found = [measure_memory(random.normal(size=(5, 9))) for _ in range(400)]
    p = np.array([one.p_value for one in found if one is not None])
    assert p.size == 400
    assert abs(float(np.mean(p <= 0.1)) - 0.1) < 0.045
    memory = measure_memory(correlate(random.normal(size=(30, 400)), 0.6))
    assert memory is not None
    assert memory.coefficient == pytest.approx(0.58, abs=0.04)
    assert memory.p_value < LEVEL


def test_few_rounds_and_times_that_do_not_move_say_nothing() -> None:
    assert measure_memory(np.zeros((3, 20))) is None
    assert measure_memory(np.random.default_rng(1).normal(size=(3, 6))) is None
    assert measure_memory(np.zeros((0, 9))) is None
    assert not list(warn_resembling([]))
