"""A run whose launches are slow after one of the stacks says so, and names it."""

from __future__ import annotations

import re

import numpy as np
import pytest
from attrs import evolve
from benchmarks.truth.launch_order import serially_balanced
from benchmarks.truth.simulated_runs import dataset_of, make_plan

from msgauge.analysis.warnings.order_effects import warn_order
from msgauge.model import Stopping
from msgauge.results.dataset import Dataset

ROUNDS = 18


def run_in_random_order(slow_after: float, first: float, *, balanced: bool = True) -> Dataset:
    """Three stacks in four tests, all alike but for what goes before."""
    random = np.random.default_rng(1)
    plan = make_plan(3, 4, Stopping(minimum_rounds=ROUNDS, maximum_rounds=ROUNDS))
    plan = evolve(plan, serially_balanced=balanced)
    if balanced:
        order = serially_balanced(random, 3, ROUNDS)
    else:
        order = random.permuted(np.tile(np.arange(3), (ROUNDS, 1)), axis=1)
    former = np.concatenate([[-1], order.ravel()[:-1]]).reshape(order.shape)
    logs = random.normal(0, 0.01, (3, 4, ROUNDS))
    for round in range(ROUNDS):
        logs[order[round], :, round] += slow_after * (former[round] == 0)[:, None]
        logs[order[round, 0], :, round] += first
    whole = dataset_of(plan, 1000 * np.exp(logs))
    found = Dataset(plan, whole.stacks)
    for round in range(ROUNDS):
        launches = whole.launches_of_round(round)
        for place, stack in enumerate(order[round]):
            number, one = 3 * round + place, launches[stack]
            record = evolve(one.record, launch=evolve(one.record.launch, number=number))
            found.add(record, [evolve(frame, launch=number) for frame in one.frames])
    return found


@pytest.mark.parametrize("balanced", [False, True])
def test_a_run_in_order_says_nothing(balanced: bool) -> None:
    assert list(warn_order(run_in_random_order(0, 0, balanced=balanced))) == []


@pytest.mark.parametrize("balanced", [False, True])
@pytest.mark.parametrize(
    ("slow", "said", "place"),
    [
        ((0.1, 0), "launches right after {}", "{}"),
        ((0, 0.1), "launches that are the first of their round", "first"),
        ((0, -0.1), "launches that are the first of their round", "first"),
    ],
)
def test_the_place_is_named_with_its_factor(slow: tuple[float, float], said: str, place: str, balanced: bool) -> None:
    dataset = run_in_random_order(*slow, balanced=balanced)
    spec = dataset.plan.stacks[0]
    [notice] = warn_order(dataset)
    evidence = dict(notice.evidence)
    assert notice.code == "launch-order"
    assert re.match(
        rf"{said.format(spec)} are some 1\.\d+ times as {'slow' if sum(slow) > 0 else 'fast'} ", notice.message
    )
    assert evidence["place"] == place.format(spec)
    assert float(evidence["factor"]) == pytest.approx(np.exp(sum(slow)), rel=0.03)
    assert evidence["p"] == "0.001"
    assert ("favours none" in notice.message) == balanced
    assert ("do not allow for that" in notice.message) != balanced


def test_stacks_in_simulated_time_take_no_part(monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = run_in_random_order(0.1, 0)
    monkeypatch.setattr(dataset, "simulated", frozenset(dataset.plan.stacks))
    assert list(warn_order(dataset)) == []
