"""Proof that the instrument works, on a simulated machine whose truth is known.

Each claim stands beside the naive way that breaks it, so that the proof fails when the product takes the naive way.
"""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from drifting_machine import (
    QUIET,
    Machine,
    a_plan,
    a_run,
    interleaved,
    one_after_the_other,
    stack_values,
    two_stacks,
)

from msgauge.analysis.run import analyse
from msgauge.model import Analysis, Samples, Stopping
from msgauge.results.dataset import Dataset
from msgauge.stats.location import median_interval
from msgauge.stats.look_schedule import level_after, looks_of_run
from msgauge.stats.pairwise import EQUIVALENT, FASTER, SLOWER, judge_pairs
from msgauge.stats.ratio import estimate_ratios
from msgauge.stats.round_memory import INDEPENDENT, RoundMemory

DIFFERENT = (FASTER, SLOWER)
DIFFERENTLY = {"faster", "slower"}
TRIALS = 8000
COUNTS = (5, 6, 7, 10, 14, 20, 28)


def random(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def words(base: np.ndarray, other: np.ndarray, memory: RoundMemory | None = None) -> np.ndarray:
    """What is said of the second stack in each cell, shape (cells,); judged in tables of twenty."""
    tables = (np.stack([base[at : at + 20], other[at : at + 20]]) for at in range(0, base.shape[0], 20))
    return np.concatenate([judge_pairs(table, memory=memory).word[0] for table in tables])


def share_different(found: np.ndarray) -> float:
    return float(np.isin(found, DIFFERENT).mean())


# --- coverage ------------------------------------------------------------------------------------------------


def lognormal(shape: tuple[int, ...], dice: np.random.Generator) -> np.ndarray:
    return np.exp(dice.normal(0, 0.03, shape))


def with_spikes(shape: tuple[int, ...], dice: np.random.Generator) -> np.ndarray:
    return np.exp(dice.normal(0, 0.03, shape) + (dice.random(shape) < 0.1) * dice.exponential(0.5, shape))


def bimodal(shape: tuple[int, ...], dice: np.random.Generator) -> np.ndarray:
    return np.exp(dice.normal(0, 0.01, shape) + 0.3 * (dice.random(shape) < 0.3))


@pytest.mark.parametrize("launches", [lognormal, with_spikes, bimodal])
def test_intervals_of_location_cover_what_they_say(launches) -> None:
    truth = float(np.median(launches((1_000_000,), random(1))))
    for n in COUNTS:
        low, high = median_interval(launches((TRIALS, n), random(n)))
        covered = np.mean((low <= truth) & (truth <= high))
        assert 0.93 <= covered <= 0.97, f"{n} launches: {covered:.3f}"


@pytest.mark.parametrize("launches", [lognormal, with_spikes, bimodal])
def test_intervals_of_ratios_cover_what_they_say(launches) -> None:
    dice = random(2)
    for n in COUNTS:
        differences = np.log(launches((TRIALS, n), dice)) - np.log(launches((TRIALS, n), dice)) + np.log(1.2)
        _, low, high, _ = estimate_ratios(differences)
        covered = np.mean((low <= 1.2) & (high >= 1.2))
        assert 0.93 <= covered <= 0.97, f"{n} rounds: {covered:.3f}"


def test_intervals_for_fewer_than_five_launches_cover_lognormal_scatter() -> None:
    for n in (2, 3, 4):
        low, high = median_interval(lognormal((TRIALS, n), random(n)))
        assert 0.93 <= np.mean((low <= 1) & (high >= 1)) <= 0.97


def test_autocorrelated_batches_do_not_count_as_independent() -> None:
    """Location from batches: one median per launch covers the truth, all batches in one pot do not."""
    machine, dice, n, trials = Machine(launch_scatter=0.03, spike_chance=0.0), random(3), 10, 800
    level = dice.normal(0, machine.launch_scatter, (trials, n))
    batches = machine.batches(level, 40, dice)
    medians = np.array([[_frame(launch).median_ns for launch in run] for run in batches[:200]])
    low, high = median_interval(medians)
    assert 0.91 <= np.mean((low <= 1) & (high >= 1)) <= 0.99
    low, high = median_interval(np.median(batches, axis=2))
    assert 0.93 <= np.mean((low <= 1) & (high >= 1)) <= 0.97
    low, high = median_interval(batches.reshape(trials, -1))
    assert np.mean((low <= 1) & (high >= 1)) < 0.5


def _frame(batch: np.ndarray) -> Samples:
    return Samples(0, 0, "time", np.round(batch * 1_000_000).astype(np.int64), divisor=1_000_000)


# --- A/A and power -------------------------------------------------------------------------------------------


def test_identical_stacks_are_not_called_different_on_a_drifting_machine() -> None:
    found = words(*two_stacks(Machine(), interleaved(10, random(4)), 0.0, 1500, random(5)))
    tables = np.isin(found, DIFFERENT).reshape(-1, 20).any(axis=1)
    assert tables.mean() <= 0.07, "5 % and the error of 75 tables"


def test_without_interleaving_identical_stacks_would_be_called_different() -> None:
    times = two_stacks(Machine(), one_after_the_other(10), 0.0, 600, random(5))
    assert share_different(words(*times, memory=INDEPENDENT)) > 0.2
    assert share_different(words(*times)) < 0.05, "the order of rounds shows it"


def test_a_true_shift_of_five_percent_is_found_with_ten_launches() -> None:
    found = words(*two_stacks(QUIET, interleaved(10, random(6)), float(np.log(1.05)), 1000, random(7)))
    assert (found == SLOWER).mean() >= 0.9


def test_one_disturbed_round_does_not_hide_a_true_shift() -> None:
    base, other = two_stacks(QUIET, interleaved(10, random(6)), float(np.log(1.05)), 500, random(8))
    other[:, 3] *= 2.6
    assert share_different(words(base, other)) >= 0.9


def test_pairing_in_rounds_is_what_finds_it_on_a_drifting_machine() -> None:
    """Shuffle the second stack's rounds and the power is gone: drift no longer cancels."""
    machine = Machine(wander=0.015, regime_chance=0.05)
    base, other = two_stacks(machine, interleaved(14, random(9)), float(np.log(1.05)), 400, random(10))
    assert share_different(words(base, other)) >= 0.9
    unpaired = random(11).permuted(other, axis=1)
    assert share_different(words(base, unpaired)) < 0.5


def test_equivalent_stacks_are_called_equivalent() -> None:
    found = words(*two_stacks(QUIET, interleaved(10, random(12)), float(np.log(1.005)), 500, random(13)))
    assert (found == EQUIVALENT).mean() >= 0.9


def test_stacks_apart_by_more_than_the_margin_are_rarely_called_equivalent() -> None:
    found = words(*two_stacks(QUIET, interleaved(7, random(14)), float(np.log(1.031)), 1000, random(15)))
    assert (found == EQUIVALENT).reshape(-1, 20).any(axis=1).mean() <= 0.05


def test_looking_several_times_does_not_make_identical_stacks_different() -> None:
    """Every table is drawn up at all planned looks of a run, though the run might have ended at any of them."""
    stopping, tables = Stopping(minimum_rounds=5, maximum_rounds=20), 80
    base, other = two_stacks(Machine(), interleaved(20, random(16)), 0.0, 10 * tables, random(17))
    times = np.stack([base, other]).reshape(2, tables, 10, 20)
    called = np.zeros(tables, dtype=bool)
    for rounds in looks_of_run(stopping):
        level = level_after(stopping, rounds)
        for table in range(tables):
            found = judge_pairs(times[:, table, :, :rounds], level=level)
            called[table] |= bool(np.isin(found.word, DIFFERENT).any())
    assert called.mean() <= 0.08, "5 % and the error of 80 tables"


# --- the same, through the whole analysis ---------------------------------------------------------------------


def test_naming_the_fastest_of_identical_stacks_as_base_does_not_make_the_others_different() -> None:
    """Who names what came out as the fastest picks the base by its data; the correction and the pairing bear that."""
    called = compared = 0
    for seed in range(12):
        plan = a_plan(4, [f"stack{number}@1" for number in range(6)], seed)
        dataset = Dataset.of(plan, stack_values(plan), *a_run(Machine(), plan, (1.0,) * 6, 7, random(seed)))
        seen = min(analyse(dataset, run="simulated", stopped="rounds").estimates, key=lambda one: one.median_ns)
        dataset.plan = evolve(plan, base=seen.stack)
        found = analyse(dataset, run="simulated", stopped="rounds").comparisons
        called += sum(one.verdict in DIFFERENTLY for one in found)
        compared += len(found)
    assert compared == 12 * 4 * 5
    assert called <= 0.05 * compared


def analysed(machine: Machine, slowness: tuple[float, ...], seed: int, rounds: int = 10) -> Analysis:
    plan = a_plan(30, tuple(f"stack{number}@1" for number in range(len(slowness))), seed)
    records, samples = a_run(machine, plan, slowness, rounds, random(seed))
    return analyse(Dataset.of(plan, stack_values(plan), records, samples), run="simulated", stopped="rounds")


def test_analysis_of_identical_stacks_calls_none_different() -> None:
    """Takes batches as independent anywhere, or drops the pairing, and this fails: the luck of launches is 3 %."""
    machine = Machine(launch_scatter=0.03)
    told = [one.verdict for seed in range(8) for one in analysed(machine, (1.0, 1.0), seed).comparisons]
    assert len(told) == 240
    assert sum(word in DIFFERENTLY for word in told) <= 0.05 * len(told)


def test_analysis_of_four_identical_stacks_calls_none_different_beyond_the_margin() -> None:
    found = [one for seed in range(4) for one in analysed(Machine(), (1.0,) * 4, seed).comparisons]
    assert sum(one.verdict in DIFFERENTLY for one in found) <= 0.05 * len(found)
    assert not [one for one in found if one.verdict in DIFFERENTLY and not 1 / 1.03 <= one.ratio <= 1.03]


def test_the_order_the_plan_draws_cancels_a_machine_that_gets_slower_and_slower() -> None:
    """4 % from launch to launch. In a fixed order the second stack would always look slower; drawn, it does not."""
    machine = Machine(trend=0.04, wander=0.002, regime_chance=0.0, launch_scatter=0.005)
    told = [one.verdict for seed in range(12) for one in analysed(machine, (1.0, 1.0), seed).comparisons]
    assert sum(word in DIFFERENTLY for word in told) <= 0.05 * len(told)
    fixed = words(*two_stacks(machine, np.tile([0, 1], 10), 0.0, 200, random(19)))
    assert share_different(fixed) > 0.9


def test_analysis_finds_a_shift_of_five_percent_in_a_drifting_machine() -> None:
    machine = Machine(wander=0.005, regime_chance=0.05)
    found = [analysed(machine, (1.0, 1.05), seed, rounds=14) for seed in range(4)]
    told = [one.verdict for analysis in found for one in analysis.comparisons]
    assert told.count("slower") >= 0.9 * len(told)


def test_batches_in_one_pot_would_call_identical_stacks_different() -> None:
    """The naive way, as a check that the simulation above could catch it."""
    plan = a_plan(30)
    records, samples = a_run(Machine(launch_scatter=0.03), plan, (1.0, 1.0), 10, random(1))
    stack_of = {record.launch.number: record.launch.stack for record in records}
    called = 0
    for cell in plan.cells:
        pots = [
            np.concatenate([one.per_event for one in samples if one.cell == cell.id and stack_of[one.launch] == stack])
            for stack in plan.stacks
        ]
        _, _, _, p = estimate_ratios(np.log(pots[0]) - np.log(pots[1]))
        called += p <= 0.05
    assert called > 0.3 * len(plan.cells)
