"""What is said beyond ratios: absolute times under drift, slow launches, tails, forecasts, runs and histories."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.truth.runs import histories_in_modes
from scipy import stats as oracle

from msgauge.model import SlowLaunches
from msgauge.stats.between_runs import (
    Changes,
    ChangesBesideReferences,
    change,
    change_against_references,
    find_beside,
    variance_between,
)
from msgauge.stats.change_points import find_steps
from msgauge.stats.dependence import locate_dependent, widening_factor
from msgauge.stats.launch_quantiles import launch_quantile, launch_quantiles, tails_of_equal_counts
from msgauge.stats.location import median_interval
from msgauge.stats.prediction import Standing, findable, limit_scatter, resolvable, rounds_to_decide, rounds_to_find
from msgauge.stats.slow_launches import find_slow_launches, share_interval


def slow_launches(medians: np.ndarray, others: np.ndarray | None = None) -> SlowLaunches | None:
    """Those of the first stack in a run of one cell."""
    rows = medians[None] if others is None else np.vstack([medians, others])
    return find_slow_launches(rows[:, None]).get((0, 0))


def random(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def autoregressive(series: int, rounds: int, correlation: float, dice: np.random.Generator) -> np.ndarray:
    values = dice.normal(0, 1, (series, rounds))
    for index in range(1, rounds):
        values[:, index] = correlation * values[:, index - 1] + np.sqrt(1 - correlation**2) * values[:, index]
    return 0.05 * values


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.7])
def test_absolute_intervals_cover_the_long_run_level_of_a_machine_that_drifts(correlation: float) -> None:
    dice, covered, naive = random(1), [], []
    for _ in range(60):
        values = autoregressive(20, 10, correlation, dice)
        _, low, high = locate_dependent(values)
        covered.append(((low <= 0) & (high >= 0)).mean())
        low, high = median_interval(np.exp(values))
        naive.append(((low <= 1) & (high >= 1)).mean())
    assert 0.92 <= np.mean(covered) <= 0.98
    assert correlation < 0.6 or np.mean(naive) < 0.7


def test_series_that_share_the_pace_of_the_machine_are_one_series() -> None:
    """With noise as large in each, no series by itself shows how much the pace resembles itself."""
    dice, covered = random(33), []
    for _ in range(150):
        values = autoregressive(1, 10, 0.8, dice) + dice.normal(0, 0.05, (20, 10))
        _, low, high = locate_dependent(values)
        covered.append(((low <= 0) & (high >= 0)).mean())
    assert np.mean(covered) >= 0.91
    assert widening_factor(np.tile(values[:1], (5, 1))) == pytest.approx(widening_factor(values[:1]))


def test_launches_in_two_modes_do_not_hide_how_much_rounds_resemble_each_other() -> None:
    dice = random(31)
    pace = autoregressive(20, 20, 0.8, dice)
    modes = pace + 0.6 * (dice.random(pace.shape) < 0.3)
    assert widening_factor(modes) > 0.6 * widening_factor(pace) > 2
    assert widening_factor(dice.normal(0, 0.05, pace.shape) + 0.6 * (dice.random(pace.shape) < 0.3)) < 1.3


def test_few_rounds_that_resemble_each_other_have_the_wider_of_two_intervals() -> None:
    logs = autoregressive(20, 5, 0.8, random(32))
    factor = 3.0
    _, low, high = locate_dependent(logs, factor=factor)
    middle = np.median(logs, axis=1)
    student = oracle.ttest_1samp(logs[0] - middle[0], 0).confidence_interval(0.95)
    assert low[0] - middle[0] == pytest.approx(factor * min(student.low, (logs[0] - middle[0]).min()))
    assert high[0] - middle[0] == pytest.approx(factor * max(student.high, (logs[0] - middle[0]).max()))


def test_independent_rounds_hardly_widen_an_interval() -> None:
    assert 1.0 <= np.mean([widening_factor(random(seed).normal(0, 1, (20, 10))) for seed in range(20)]) < 1.2


def test_a_planted_slow_mode_is_told_with_its_share_and_factor() -> None:
    dice = random(2)
    medians = 500 * np.exp(dice.normal(0, 0.02, 20))
    medians[[4, 13]] *= 2.8
    found = slow_launches(medians, 500 * np.exp(dice.normal(0, 0.02, (1, 20))))
    assert found is not None
    assert (found.slow, found.launches) == (2, 20)
    assert found.factor_low <= 2.8 <= found.factor_high
    assert found.share_low < 0.1 < found.share_high


def test_a_machine_that_slows_down_between_two_launches_of_a_round_is_no_mode_of_the_second() -> None:
    """One stack was launched before the machine slowed down and the other one after it, at both ends of the stretch."""
    fast, slow = 1000.0, 2500.0
    other = np.array([fast] * 8 + [slow] * 3 + [fast] * 9)
    mine = np.array([fast] * 7 + [slow] * 4 + [fast] * 9)
    assert slow_launches(mine, other[None, :]) is None
    one_more = np.where(np.arange(20) == 2, slow, mine)
    assert slow_launches(one_more, other[None, :]) is None, "such a machine may be slow for a single launch too"
    mine, other = np.append(mine, [fast] * 20), np.append(other, [fast] * 20)
    alone = slow_launches(np.where(np.isin(np.arange(40), range(15, 40, 4)), slow, mine), other[None, :])
    assert alone is not None, "so many that stand by themselves show that the stack has a mode"
    assert alone.slow == 8


@pytest.mark.parametrize(("stacks", "share", "limit"), [(2, 0.3, 0.8), (4, 0.3, 0.75), (2, 0.1, 0.75)])
def test_modes_of_several_stacks_that_are_slow_by_themselves_are_told_of_all(
    stacks: int, share: float, limit: float
) -> None:
    """Their slow launches fall on the same rounds by chance only, which is no pace of the machine."""
    dice, said = random(21), 0
    for _ in range(100):
        times = np.exp(dice.normal(0, 0.01, (stacks, 20)) + np.log(2.8) * (dice.random((stacks, 20)) < share))
        said += any(slow_launches(times[row], np.delete(times, row, axis=0)) for row in range(stacks))
    assert said >= limit * 100


def test_how_much_slower_slow_launches_are_is_no_less_than_what_counts_as_slow() -> None:
    """Two slow launches far from each other tell little, yet both of them are slow."""
    medians = np.array([100.0, 101, 99, 100, 140, 102, 900])
    found = slow_launches(medians)
    assert found is not None
    assert found.slow == 2
    assert pytest.approx(found.factor_low) == 1.25
    assert found.factor_high > 9


def test_a_pace_that_one_stack_met_in_half_of_the_rounds_and_the_other_in_less_is_no_mode() -> None:
    """Eleven rounds of one stack were slow, nine of the other: their levels differ, their ratio does not."""
    fast, slow = 1000.0, 2500.0
    other = np.array([fast] * 4 + [slow] * 11 + [fast] * 5)
    mine = np.array([fast] * 5 + [slow] * 9 + [fast] * 6)
    assert slow_launches(mine, other[None, :]) is None
    assert slow_launches(mine) is not None


def test_one_slow_launch_is_told_where_more_than_one_of_its_cells_was_slow() -> None:
    times = 1000 * np.exp(random(22).normal(0, 0.01, (2, 3, 20)))
    times[1, 0, 7] *= 2.8
    assert find_slow_launches(times) == {}, "an odd value"
    assert set(find_slow_launches(times[:, :1])) == {(1, 0)}, "of a single cell nothing else is known"
    unmeasured = times.copy()
    unmeasured[1, 1:, 7] = np.nan
    assert set(find_slow_launches(unmeasured)) == {(1, 0)}
    times[1, 2, 7] *= 2.8
    assert set(find_slow_launches(times)) == {(1, 0), (1, 2)}
    times[1, 1, [3, 12]] *= 2.8
    found = find_slow_launches(times)
    assert set(found) == {(1, 0), (1, 1), (1, 2)}, "two of a cell are told by themselves"
    assert (found[1, 1].slow, found[1, 0].slow) == (2, 1)


@pytest.mark.parametrize("end", [0, -1])
def test_a_slow_launch_at_an_end_alone_may_be_a_machine_that_changes(end: int) -> None:
    mine, other = np.full(20, 1000.0), np.full((1, 20), 1000.0)
    mine[end] = 2500.0
    assert slow_launches(mine, other) is None
    mine[10] = 2500.0
    found = slow_launches(mine, other)
    assert found is not None
    assert found.slow == 2


def test_scatter_alone_has_no_slow_launches_and_neither_has_a_slow_machine() -> None:
    dice = random(3)
    assert all(slow_launches(np.exp(dice.normal(0, 0.05, 20))) is None for _ in range(200))
    medians, others = np.exp(dice.normal(0, 0.02, 20)), np.exp(dice.normal(0, 0.02, (2, 20)))
    medians[7] *= 3
    others[:, 7] *= 3
    assert slow_launches(medians, others) is None
    assert slow_launches(medians) is not None


@pytest.mark.parametrize("scale", [0.02, 0.1, 0.15])
@pytest.mark.parametrize("rounds", [5, 7, 20])
def test_no_scatter_has_slow_launches_however_wide_or_skewed_it_is(scale: float, rounds: int) -> None:
    dice = random(33)
    shape = (2, 3, rounds)
    for luck in (dice.normal(size=(100, *shape)), dice.exponential(size=(100, *shape))):
        assert sum(bool(find_slow_launches(np.exp(scale * one))) for one in luck) <= 11, "5 of 100, by chance 11"


def test_one_slow_launch_is_told_without_an_interval_of_its_factor() -> None:
    medians = 500 * np.exp(random(34).normal(0, 0.02, 20))
    medians[7] *= 2.8
    found = slow_launches(medians)
    assert found is not None
    assert (found.slow, found.launches) == (1, 20)
    assert found.factor == pytest.approx(2.8, rel=0.1)
    assert np.isnan([found.factor_low, found.factor_high]).all()


def test_the_interval_of_the_factor_follows_the_scatter_of_the_slow_launches() -> None:
    """Two slow launches 20 % apart: Student's t with one degree of freedom, and the little that the others add."""
    medians = np.array([100.0, 101, 99, 100, 101, 99, 100, 250, 300])
    found = slow_launches(medians)
    assert found is not None
    own = oracle.t.ppf(0.975, 1) * np.log(300 / 250) / 2
    fast = oracle.t.ppf(0.975, 6) * np.log(medians[:7]).std(ddof=1) / np.sqrt(7)
    factor = np.sqrt(250 * 300) / oracle.gmean(medians[:7])
    assert found.factor == pytest.approx(factor)
    assert found.factor_high == pytest.approx(factor * np.exp(np.hypot(own, fast)))
    assert found.factor_low == pytest.approx(1.25)


def test_launches_alike_to_the_last_digit_have_slow_ones_beside_them() -> None:
    medians = np.full(10, 100.0)
    assert slow_launches(medians) is None
    medians[[2, 5]] = 300.0
    found = slow_launches(medians)
    assert found is not None
    assert (found.slow, found.factor_low, found.factor_high) == (2, pytest.approx(3.0), pytest.approx(3.0))


@pytest.mark.parametrize(("step", "time"), [(41.67, 60.0), (20.0, 60.0), (69.84, 150.0), (41.67, 300.0)])
def test_steps_of_a_coarse_clock_are_no_slow_launches(step: float, time: float) -> None:
    """Launches that scatter by 2 % are read as one or two numbers of steps; else told in 50 to 90 % of such runs."""
    dice, told = random(53), 0
    for _ in range(20):
        levels = time * np.exp(dice.uniform(-0.3, 0.3, (1, 10, 1)) + dice.normal(0, 0.02, (3, 10, 10)))
        read = np.floor(levels[..., None] * np.exp(dice.normal(0, 0.03, (*levels.shape, 51))) / step + dice.random(51))
        told += bool(find_slow_launches(step * np.median(read, axis=-1)))
    assert told == 0


@pytest.mark.parametrize(("count", "of"), [(0, 10), (1, 10), (3, 17), (10, 10)])
def test_the_interval_of_a_share_is_that_of_scipy(count: int, of: int) -> None:
    expected = oracle.binomtest(count, of).proportion_ci(0.95, method="exact")
    assert share_interval(count, of) == pytest.approx((expected.low, expected.high))


def test_a_launch_has_a_tail_only_with_ten_operations_beyond_it() -> None:
    values = random(4).lognormal(size=1000)
    assert launch_quantile(values, 0.99) == pytest.approx(np.percentile(values, 99, method="median_unbiased"))
    assert np.isnan(launch_quantile(values[:999], 0.99))
    assert np.isfinite(launch_quantiles([values, values[:300]])).tolist() == [[True, True], [False, False]]


def test_what_a_forecast_promises_comes_true_in_four_of_five() -> None:
    dice, said, true = random(5), 0, 0
    for _ in range(150):
        rounds = dice.choice([0.0, 0.02, 0.045, 0.06]) + dice.normal(0, 0.03, 80)
        first = Standing(float(rounds[:7].mean()), float(rounds[:7].std(ddof=1)), 7, 0.005)
        needed = rounds_to_decide(first, 0.03)
        if needed is None:
            continue
        values = rounds[:needed]
        error = values.std(ddof=1) / np.sqrt(needed)
        different = abs(values.mean()) > oracle.t.isf(0.0025, needed - 1) * error
        alike = abs(values.mean()) + oracle.t.isf(0.005, needed - 1) * error < np.log(1.03)
        said, true = said + 1, true + bool(different or alike)
    assert said > 30
    assert true >= 0.8 * said


def test_what_rounds_resolve_is_found_in_four_of_five() -> None:
    difference = float(resolvable(np.array(0.03), 10, 0.05))
    rounds = np.log1p(difference) + random(6).normal(0, 0.03, (4000, 10))
    assert (oracle.ttest_1samp(rounds, 0, axis=1).pvalue <= 0.05).mean() == pytest.approx(0.8, abs=0.04)


@pytest.mark.parametrize("family", [1, 2, 200])
def test_the_rounds_that_find_a_difference_find_no_larger_one_only(family: int) -> None:
    rounds = rounds_to_find(0.05, 0.03, 0.01, family)
    assert rounds is not None
    assert findable(0.03, rounds, 0.01, family) <= 0.05 < findable(0.03, rounds - 1, 0.01, family)
    assert rounds_to_find(0.001, 0.3, 0.01, family) is None


def test_nine_of_ten_true_scatters_lie_below_their_limit() -> None:
    seen = random(7).normal(0, 0.03, (4000, 7)).std(axis=1, ddof=1)
    assert np.mean([limit_scatter(one, 7) >= 0.03 for one in seen]) == pytest.approx(0.9, abs=0.02)


def between_runs(runs: int, cells: int, dice: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Log levels of runs of one binary, 2 % between runs and 1 % by launches, and the variance by launches."""
    launches = dice.normal(0, 0.02, (runs, 1, 1)) + dice.normal(0, 0.01, (runs, cells, 10))
    return np.median(launches, axis=2), np.pi / 2 * launches.var(axis=2, ddof=1) / 10


def test_runs_of_the_same_binary_are_not_called_different_though_the_machine_is_in_another_state() -> None:
    dice, called, naive = random(7), 0, 0
    for _ in range(400):
        (old, first), (new, second) = between_runs(5, 8, dice), between_runs(1, 8, dice)
        found = change(old, new, (first, second), variance_between([old, new]))
        called += bool((found.p_different() <= 0.05).any())
        naive += bool((np.abs(old[0] - new[0]) > 2 * np.sqrt(first[0] + second[0])).any())
    assert called <= 0.05 * 400
    assert naive > 0.4 * 400


def test_a_change_beyond_the_scatter_of_runs_is_found_and_none_is_called_alike_that_is_not() -> None:
    dice = random(12)
    (old, first), (new, second) = between_runs(6, 8, dice), between_runs(3, 8, dice)
    found = change(old, new + 0.3, (first, second), variance_between([old, new + 0.3]))
    assert (found.p_different() < 0.05).all()
    assert (found.p_alike(0.03) > 0.05).all()
    still = Changes(np.zeros(1), np.full(1, 0.005), np.full(1, 9.0))
    assert (still.p_alike(0.03) < 0.05).all()


def test_an_interval_across_runs_is_that_of_students_two_samples() -> None:
    old, new = random(13).normal(0, 1, (4, 1)), random(14).normal(0, 1, (5, 1))
    nothing = np.zeros_like(old), np.zeros_like(new)
    found = change(old, new, nothing, variance_between([old, new]))
    expected = oracle.ttest_ind(new[:, 0], old[:, 0])
    low, high = found.interval()
    assert np.log([low[0], high[0]]) == pytest.approx(expected.confidence_interval())
    assert found.p_different() == pytest.approx(expected.pvalue)


def test_without_knowledge_between_runs_there_is_a_ratio_and_no_interval() -> None:
    single = variance_between([np.zeros((1, 2)), np.zeros((1, 2))])
    found = change(np.zeros((1, 2)), np.full((1, 2), 0.2), (np.zeros((1, 2)), np.zeros((1, 2))), single)
    assert np.exp(found.shift) == pytest.approx(1.22, abs=0.01)
    assert np.isnan(found.interval()).all()
    assert np.isnan(variance_between([np.zeros((2, 2)), np.zeros((1, 2))]).variance).all()


def test_a_cell_that_happens_to_agree_counts_with_the_variance_of_the_others() -> None:
    runs = random(15).normal(0, 0.02, (4, 9))
    runs[:, 0] = 0
    assert variance_between([runs]).variance[0] == np.median(runs.var(axis=0, ddof=1))


@pytest.mark.parametrize(("stacks", "least"), [(1, 0.05), (2, 0.6), (3, 0.9)])
def test_references_take_the_machine_out_of_a_change(stacks: int, least: float) -> None:
    dice, called, found = random(9), 0, 0
    for _ in range(300):
        mood = dice.normal(0, 0.05)
        references = mood + dice.normal(0, 0.01, (stacks, 10))
        shift = mood + dice.normal(0, 0.01, 10)
        called += bool((against(shift, references).p_different() <= 0.05).any())
        found += (against(shift + np.log(1.1), references).p_different() <= 0.05).mean() / 300
    assert called <= 0.05 * 300
    assert found > least


@pytest.mark.parametrize("own", [0.0, 0.01, 0.03])
@pytest.mark.parametrize("stacks", [1, 2, 3])
def test_what_a_run_does_to_single_stacks_is_no_change(stacks: int, own: float) -> None:
    dice, called, alike = random(31), 0, 0
    for _ in range(300):
        shifts = dice.normal(0, 0.05) + own * dice.normal(0, 1, (stacks + 1, 1)) + dice.normal(0, 0.01, (stacks + 1, 9))
        called += bool((against(shifts[0], shifts[1:]).p_different() <= 0.05).any())
        alike += bool((against(shifts[0] + np.log(1.03), shifts[1:]).p_alike(0.03) <= 0.05).any())
    assert called <= 0.06 * 300
    assert alike <= 0.06 * 300


def test_beside_references_p_is_below_the_level_where_the_interval_of_that_level_excludes_nothing_changed() -> None:
    dice = random(32)
    for _ in range(20):
        found = against(dice.normal(0.05, 0.02, 1), dice.normal(0, 0.01, (3, 5)))
        for level in (0.5, 0.9, 0.95, 0.999):
            low, high = found.interval(level)
            assert (found.p_different()[0] <= 1 - level) == bool((low[0] > 1) | (high[0] < 1))


def test_cells_and_stacks_are_corrected_for_each_in_its_part() -> None:
    references = random(33).normal(0, 0.01, (3, 10))
    alone = against(np.array([0.2]), references).p_different()[0]
    many = against(np.full(9, 0.2), references).p_different()
    assert alone < many[0] < 9 * alone
    two = change_against_references(np.full(9, 0.2), np.full(9, 0.003**2), references, stacks=2).p_different()
    assert (many < two).all()
    assert (two <= 2.001 * many).all()


def test_what_the_references_show_in_a_single_cell_is_no_change_of_a_stack() -> None:
    """The machine is slower in one cell of forty, by 5 to 50 %: one spike hardly widens the scatter of all cells."""
    dice, wrong, hid, found = random(34), 0, 0, 0
    for factor in np.linspace(1.05, 1.5, 40):
        spike = np.zeros(40)
        spike[11] = np.log(factor)
        shifts = spike + dice.normal(0, 0.01, (4, 40)) + dice.normal(0, 0.01, (4, 1))
        wrong += bool((against(shifts[0], shifts[1:]).p_different() <= 0.05).any())
        faster = against(shifts[0] - spike, shifts[1:])
        hid += bool((faster.p_alike(0.1)[11] <= 0.05) | (faster.interval()[0][11] > 1 / factor))
        shifts[0, 30] += np.log(1.3)
        found += bool(against(shifts[0], shifts[1:]).p_different()[30] <= 0.05)
    assert wrong <= 2
    assert hid <= 6, "a stack that did not follow the machine may have become faster"
    assert found >= 36


def against(shift: np.ndarray, references: np.ndarray) -> ChangesBesideReferences:
    beside = find_beside(references)[: shift.size]
    return change_against_references(shift, np.full(shift.size, 0.003**2), references, beside=beside)


def test_references_that_disagree_widen_the_interval_and_two_values_are_none() -> None:
    random_cells = random(16).normal(0, 0.01, (2, 10))
    apart = against(np.zeros(3), random_cells + np.array([[0.0], [0.2]]))
    together = against(np.zeros(3), random_cells)
    widths = [np.log(found.interval()[1] / found.interval()[0]) for found in (apart, together)]
    assert (widths[0] > 5 * widths[1]).all()
    assert apart.stack_freedom == 1
    assert np.isnan(against(np.zeros(3), np.zeros((1, 2))).error).all()


def history(cells: int, step: float, at: int, dice: np.random.Generator) -> np.ndarray:
    logs = dice.normal(0, 0.02, (1, 60)) + dice.normal(0, 0.01, (cells, 60))
    logs[:, at:] += step
    return logs


def test_clean_histories_have_no_step() -> None:
    dice = random(10)
    assert not [step for _ in range(20) for step in find_steps(history(6, 0.0, 0, dice))]


def test_a_machine_that_wanders_from_run_to_run_is_no_change() -> None:
    dice, shown = random(18), 0
    for _ in range(12):
        moods = autoregressive(1, 60, 0.6, dice)
        shown += bool(find_steps(moods + dice.normal(0, 0.01, (3, 60))))
    assert shown <= 1


def test_cells_that_are_slow_in_some_runs_have_no_step() -> None:
    """Which runs are odd is asked anew in each order of runs; asked once, 10 % of such histories showed a change."""
    assert histories_in_modes(0.3, 1.1, 1, 40).share == 0


def test_a_step_in_a_long_history_is_one_step() -> None:
    logs = random(19).normal(0, 0.02, (1, 300)) + random(20).normal(0, 0.01, (2, 300))
    logs[:, 141:] += 0.1
    assert {step.first_after for step in find_steps(logs)} <= {140, 141, 142}
    assert len(find_steps(logs)) == 2


def test_a_level_that_was_left_again_is_two_steps() -> None:
    logs = history(3, 0.2, 20, random(17))[:, :40]
    logs[:, 30:] -= 0.2
    assert sorted({step.first_after for step in find_steps(logs)}) == [20, 30]


@pytest.mark.parametrize("seed", [1034, 1059, 1070])
def test_between_two_steps_up_there_is_no_third(seed: int) -> None:
    """All three were cut between the steps first, and that cut was told, with limits that held 1."""
    dice = np.random.default_rng(seed)
    logs = dice.normal(0, 0.02, (1, 60)) + dice.normal(0, 0.007, (3, 60)) + 0.0953 * np.repeat([0, 1, 2], 20)
    assert {step.first_after for step in find_steps(logs)} == {20, 40}


@pytest.mark.parametrize(("runs", "at", "found"), [(11, 5, 0), (13, 6, 1), (18, 15, 1), (13, 11, 0)])
def test_few_runs_show_no_change_and_neither_do_the_last_two(runs: int, at: int, found: int) -> None:
    logs = 0.01 * random(runs).normal(0, 1, (1, runs))
    logs[:, at:] += 0.5
    assert len(find_steps(logs)) == found


def test_a_planted_step_is_found_within_one_run() -> None:
    dice = random(11)
    for at in (6, 20, 31, 50):
        (step,) = find_steps(history(1, 0.1, at, dice))
        assert abs(step.first_after - at) <= 1
        assert step.earliest <= at <= step.latest
        assert step.factor == pytest.approx(np.exp(0.1), rel=0.03)


def test_launches_are_compared_by_as_many_operations_as_the_shortest_has_that_has_the_tail() -> None:
    long, short, few = (np.random.default_rng(seed).random(size) for seed, size in enumerate((3000, 1000, 300)))
    (first, medians), (second, _), (third, _) = (
        (one.quantiles, one.medians) for one in tails_of_equal_counts([[long, few], [short], [long]])
    )
    assert first.shape == (2, 2)
    assert first[0] == pytest.approx([launch_quantile(long[:300], 0.95), launch_quantile(few, 0.95)])
    assert second[:, 0] == pytest.approx([launch_quantile(short[:300], 0.95), launch_quantile(short, 0.99)])
    assert third[1, 0] == pytest.approx(launch_quantile(long[:1000], 0.99))
    assert medians[0] == pytest.approx([np.median(long[:300]), np.median(few)]), "of the same operations"
    assert np.isnan(first[1]).all() and np.isnan(medians[1]).all(), "a launch that lacks it may be the slower one"


def test_without_a_launch_that_has_a_tail_there_is_none_to_compare() -> None:
    (found,) = tails_of_equal_counts([[np.ones(100)]])
    assert np.isnan(found.quantiles).all() and np.isnan(found.medians).all()
    assert tails_of_equal_counts([]) == []
