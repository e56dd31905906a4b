"""From frames to estimates, comparisons, failures: small runs whose every number is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pytest
from attrs import evolve

from msgauge.analysis.run import analyse, analyse_round
from msgauge.analysis.verdicts.comparisons import choose_base
from msgauge.analysis.verdicts.stop_decision import decide, find_open_cells
from msgauge.kernels import load_kernels
from msgauge.model import (
    Analysis,
    Cell,
    Launch,
    LaunchRecord,
    Origin,
    Plan,
    RankPlacement,
    Refusal,
    Samples,
    Stack,
    Stopping,
)
from msgauge.results.dataset import Dataset
from msgauge.stats.look_schedule import extend_looks, least_rounds, level_after, level_when_resumed, looks_of_run
from msgauge.stats.pairwise import TWO_STACKS
from msgauge.stats.sign_flips import MOST_FLIPS

WIGGLE = np.array([0, 1, -1, 2, -2, 1, 0, -1, 2, -2, 0, 1]) / 1000
"""Scatter of launches: at most 0.2 %."""
KERNELS = tuple(load_kernels().values())


def a_plan(stacks: Sequence[str] = ("quick@1", "slow@1"), *, sizes: Sequence[int] = (8,), base: str = "") -> Plan:
    cells = tuple(Cell(number, "pingpong", size, 2) for number, size in enumerate(sizes))
    return Plan("unit", 1, tuple(stacks), cells, (2,), base=base)


def stacks_of(plan: Plan, simulated: Sequence[str] = ()) -> list[Stack]:
    return [Stack(*spec.split("@"), Origin("builtin"), simulated=spec in simulated) for spec in plan.stacks]


Times = Callable[[str, Cell], float]


def a_run(plan: Plan, times: Times, rounds: int = 7) -> tuple[list[LaunchRecord], list[Samples]]:
    """Launches whose medians are ``times`` (ns) within 0.2 %, 11 batches of 10 events each."""
    records, samples = [], []
    for number in range(rounds * len(plan.stacks)):
        round_, place = divmod(number, len(plan.stacks))
        stack = plan.stacks[place]
        launch = Launch(number, round_, stack, 2, tuple(cell.id for cell in plan.cells), 1)
        records.append(LaunchRecord(launch, "ok", timer_resolution_ns=1.0))
        for cell in plan.cells:
            centre = times(stack, cell) * (1 + WIGGLE[(round_ + place + cell.id) % WIGGLE.size])
            samples.append(a_frame(number, cell, centre))
    return records, samples


def a_frame(launch: int, cell: Cell, centre_ns: float, **said: str) -> Samples:
    values = np.round(10 * centre_ns * np.linspace(0.9, 1.1, 11)).astype(np.int64)
    attributes = {"kernel": cell.kernel, "status": "ok", **said}
    return Samples(launch, cell.id, "time", values, 10, attributes=tuple(attributes.items()))


def twice_as_slow(stack: str, cell: Cell) -> float:
    return 2000.0 if stack.startswith("slow") else 1000.0


def analysed(
    plan: Plan, records: Sequence[LaunchRecord], samples: Iterable[Samples], simulated: Sequence[str] = ()
) -> Analysis:
    dataset = Dataset.of(plan, stacks_of(plan, simulated), records, samples)
    return analyse(dataset, run="unit", stopped="rounds", kernels=KERNELS)


def judged(plan: Plan, times: Times = twice_as_slow, rounds: int = 7) -> Analysis:
    records, samples = a_run(plan, times, rounds)
    return analysed(plan, records, samples)


# --- estimates and comparisons -------------------------------------------------------------------------------


def test_a_stack_twice_as_slow_is_slower_by_two() -> None:
    (found,) = judged(a_plan()).comparisons
    assert (found.base, found.other, found.verdict) == ("quick@1", "slow@1", "slower")
    assert found.ratio == pytest.approx(2, rel=0.005)
    assert found.ratio_low <= found.ratio <= found.ratio_high
    assert found.rounds == 7


def test_estimates_speak_of_events_and_count_launches_and_samples() -> None:
    quick, slow = judged(a_plan()).estimates
    assert quick.median_ns == pytest.approx(1000, rel=0.002)
    assert slow.median_ns == pytest.approx(2000, rel=0.002)
    assert (quick.launches, quick.samples) == (7, 77)
    assert quick.minimum_ns == pytest.approx(900, rel=0.003)
    assert quick.rounds == (0, 1, 2, 3, 4, 5, 6)
    assert len(quick.launch_medians_ns) == 7
    assert np.isnan(quick.p99_ns)
    assert quick.bandwidth_bytes_per_s == pytest.approx(8 / 1e-6, rel=0.01)


@pytest.mark.parametrize(("kernel", "moves"), [("pingpong", True), ("burst", False), ("prtt", False)])
def test_a_bandwidth_does_not_depend_on_how_many_messages_one_time_holds(kernel: str, moves: bool) -> None:
    option = {"burst": "messages", "prtt": "n"}.get(kernel, "")
    cells = tuple(Cell(one, kernel, 8, 2, ((option, f"{10**one}"),) if option else ()) for one in range(3))
    plan = evolve(a_plan(("quick@1",)), cells=cells)
    found = judged(plan, lambda stack, cell: 1000.0 * (10**cell.id if option else 1))
    assert [one.bandwidth_bytes_per_s == pytest.approx(8e6, rel=0.01) for one in found.estimates] == [moves] * 3
    assert [bool(np.isnan(one.bandwidth_bytes_per_s)) for one in found.estimates] == [not moves] * 3


def test_a_cell_that_was_left_alone_keeps_the_verdict_of_its_last_look() -> None:
    """Seven rounds decide it at the first look; at a look after 28 they would not: their least p is above its level."""
    plan = evolve(a_plan(sizes=(8, 16)), stopping=Stopping(minimum_rounds=5, maximum_rounds=28))
    noisy = np.random.default_rng(3)
    records, samples = a_run(plan, lambda stack, cell: twice_as_slow(stack, cell) * np.exp(noisy.normal(0, 0.05)), 28)
    late = {record.launch.number for record in records if record.launch.round >= 7}
    kept = [one for one in samples if one.cell != 0 or one.launch not in late]
    settled, going_on = analysed(plan, records, kept).comparisons
    assert (settled.rounds, settled.verdict, settled.settled) == (7, "slower", True)
    assert (going_on.rounds, going_on.verdict) == (28, "slower")


def test_what_is_undecided_is_not_settled_however_far_its_interval_is_from_one() -> None:
    """Five rounds cannot say so, however far apart two stacks are, so it goes on."""
    (found,) = judged(evolve(a_plan(), stopping=Stopping(minimum_rounds=5, maximum_rounds=28)), rounds=5).comparisons
    assert found.verdict == "undecided"
    assert found.ratio_low > 1.5
    assert not found.settled


def test_the_base_of_the_plan_is_kept() -> None:
    (found,) = judged(a_plan(base="slow@1")).comparisons
    assert (found.base, found.other, found.verdict) == ("slow@1", "quick@1", "faster")


def test_without_a_base_the_first_stack_of_those_with_the_most_tests_is_it_however_slow() -> None:
    """What time says has no part in it: intervals against the fastest hold too seldom."""
    plan = a_plan(("a@1", "b@1", "c@1"), sizes=(8, 16, 32))
    found = judged(plan, lambda stack, cell: 1000.0 if stack == "a@1" else 500.0).comparisons
    assert {one.base for one in found} == {"a@1"}
    assert len(found) == 6
    few = (estimate for estimate in judged(plan).estimates if estimate.stack != "a@1" or estimate.cell == 0)
    assert choose_base(plan, list(few), plan.stacks) == "b@1"
    assert choose_base(plan, (), plan.stacks) == ""


def noisy(stack: str, cell: Cell) -> float:
    """The same whatever the base, and near enough to each other that some pairs are told apart and some are not."""
    return 1000.0 * {"a@1": 1.0, "b@1": 1.001, "c@1": 1.02, "d@1": 1.1}[stack] * (1 + cell.id)


def test_a_base_only_chooses_which_comparisons_are_shown() -> None:
    """The family is all pairs of stacks in all cells: what is said of two of them is the same whichever is the base."""
    stacks = ("a@1", "b@1", "c@1", "d@1")
    by_base = {base: judged(a_plan(stacks, sizes=(8, 16), base=base), noisy).comparisons for base in stacks}
    opposite = {"faster": "slower", "slower": "faster"}
    for one in by_base["a@1"]:
        (back,) = [two for two in by_base[one.other] if (two.other, two.cell) == ("a@1", one.cell)]
        assert back.verdict == opposite.get(one.verdict, one.verdict)
        assert back.p_adjusted == one.p_adjusted
        assert back.ratio == pytest.approx(1 / one.ratio)
        assert (back.ratio_low, back.ratio_high) == pytest.approx((1 / one.ratio_high, 1 / one.ratio_low))
    assert {one.verdict for told in by_base.values() for one in told} >= {"faster", "slower", "equivalent"}


def test_the_marks_of_the_best_and_the_ranks_agree_with_the_verdicts() -> None:
    stacks = ("a@1", "b@1", "c@1", "d@1")
    found = judged(a_plan(stacks, base="d@1"), noisy)
    places = [one.place for one in found.estimates if one.place]
    assert [one.may_be_fastest for one in places] == [True, True, True, False]
    assert [(one.best_rank, one.worst_rank) for one in places] == [(1, 3), (1, 3), (1, 3), (4, 4)]


def test_too_few_rounds_say_so_and_no_number_that_would_do() -> None:
    """The least p that five rounds can give is above the level; six are enough where a run ends by itself."""
    (five,) = judged(a_plan(), rounds=5).comparisons
    assert five.verdict == "undecided"
    assert "p of 5 rounds cannot fall below 0.062" in five.reason
    assert "at least 7 rounds are needed" in five.reason
    (once,) = judged(evolve(a_plan(), stopping=Stopping(maximum_rounds=6)), rounds=6).comparisons
    assert once.verdict == "slower", "a run of six rounds is looked at once"
    (ended,) = judged(a_plan(), rounds=6).comparisons
    assert ended.verdict == "slower", "so is one that its budget ended before the first look"
    (four,) = judged(a_plan(), rounds=4).comparisons
    assert four.reason == "only 4 rounds with both; to tell a difference takes at least 6"


def test_launches_are_paired_by_round_not_by_position() -> None:
    """The machine doubles its pace every round; one stack lacks rounds 0 and 3. Pairs still give exactly two."""
    plan = a_plan()
    records, samples = a_run(plan, twice_as_slow)
    drifting = [evolve(one, values=one.values * 2 ** (one.launch // 2)) for one in samples]
    kept = [one for one in drifting if one.launch not in {0, 6}]
    (found,) = analysed(plan, records, kept).comparisons
    assert found.ratio == pytest.approx(2, rel=0.005)
    assert found.ratio_high / found.ratio_low < 1.01
    assert found.rounds == 5


def test_the_order_of_the_frames_does_not_matter() -> None:
    plan = a_plan(sizes=(8, 16))
    records, samples = a_run(plan, twice_as_slow)
    there = analysed(plan, records, samples)
    back = analysed(plan, records, iter(samples[::-1]))
    assert there.comparisons == back.comparisons
    assert [one.launch_medians_ns for one in there.estimates] == [one.launch_medians_ns for one in back.estimates]


def test_simulated_stacks_are_never_compared_with_measured_ones() -> None:
    plan = a_plan(("a@1", "b@1", "sim@1", "sim@2"))
    records, samples = a_run(plan, lambda stack, cell: 500.0 if "sim" in stack else 1000.0)
    found = analysed(plan, records, samples, ("sim@1", "sim@2"))
    assert {(one.base, one.other) for one in found.comparisons} == {("a@1", "b@1"), ("sim@1", "sim@2")}
    assert [one.simulated for one in found.estimates] == [False, False, True, True]
    assert "simulated-apart" in {warning.code for warning in found.warnings}


def test_one_round_of_simulated_stacks_is_told_that_a_second_one_decides() -> None:
    plan = a_plan(("sim@1", "sim@2"), sizes=(8,))
    records, samples = a_run(plan, lambda stack, cell: 500.0 if stack == "sim@1" else 1000.0, rounds=1)
    (computed,), (measured,) = (analysed(plan, records, samples, some).comparisons for some in (plan.stacks, ()))
    assert computed.reason == "only 1 round with both; to tell a difference takes at least 2"
    assert measured.reason == "only 1 round with both; to tell a difference takes at least 6"


def test_the_completion_of_a_collective_is_compared_and_its_other_series_stand_beside_it() -> None:
    plan = a_plan(("a@1",))
    records, samples = a_run(plan, twice_as_slow)
    roots = [evolve(one, series="root", values=one.values // 4) for one in samples]
    completions = [evolve(one, series="completion") for one in samples]
    found = analysed(plan, records, roots + completions)
    (estimate,) = found.estimates
    assert estimate.median_ns == pytest.approx(1000, rel=0.002)
    assert dict(estimate.series) == {"root": pytest.approx(250, rel=0.003)}


def test_single_samples_have_tails_where_there_are_enough() -> None:
    plan = a_plan(("a@1",))
    plan = evolve(plan, cells=(evolve(plan.cells[0], mode="single"),))
    records, samples = a_run(plan, twice_as_slow, rounds=5)
    many = [evolve(one, values=np.arange(2000) + 5000, divisor=1) for one in samples]
    (estimate,) = analysed(plan, records, many).estimates
    assert estimate.p99_ns == pytest.approx(5000 + 1979)
    assert estimate.p999_ns == pytest.approx(5000 + 1997)


def test_a_run_without_any_record_is_an_empty_analysis() -> None:
    plan = a_plan()
    found = analysed(plan, [], [])
    assert (found.estimates, found.comparisons, found.findings, found.rounds) == ((), (), (), 0)


# --- what fails, is refused, or disturbed --------------------------------------------------------------------


def test_wrong_bytes_in_one_launch_make_the_cell_failed_and_leave_the_others() -> None:
    plan = a_plan(sizes=(8, 16))
    records, samples = a_run(plan, twice_as_slow)
    samples[4] = a_frame(1, plan.cells[0], 2000, status="wrong-bytes", reason="byte 3 of 8")
    assert samples[4].launch == 1
    found = analysed(plan, records, samples)
    (failure,) = found.failures
    assert (failure.stack, failure.kernel, failure.cell) == ("slow@1", "pingpong", 0)
    assert "wrong bytes" in failure.reason
    assert "byte 3 of 8" in failure.reason
    failed = [one for one in found.estimates if one.failed]
    assert [(one.stack, one.cell) for one in failed] == [("slow@1", 0)]
    assert {one.cell for one in found.comparisons} == {1}


def test_a_stack_that_dies_in_one_round_is_a_failure_and_its_other_rounds_count() -> None:
    plan = a_plan(sizes=(8, 16))
    records, samples = a_run(plan, twice_as_slow)
    records[11] = evolve(records[11], status="failed", reason="rank 1 died of signal 11")
    kept = [one for one in samples if (one.launch, one.cell) != (11, 1)]
    found = analysed(plan, records, kept)
    (failure,) = found.failures
    assert (failure.stack, failure.cell, failure.kernel, failure.log) == ("slow@1", 1, "pingpong", "launches/0011")
    assert "signal 11" in failure.reason
    assert [one.rounds for one in found.comparisons] == [7, 6]


def test_a_stack_that_never_starts_is_failed_everywhere_with_its_reason() -> None:
    plan = a_plan(sizes=(8, 16))
    records, samples = a_run(plan, twice_as_slow)
    records = [
        evolve(one, status="timeout", reason="ended after 60 s") if one.launch.stack == "slow@1" else one
        for one in records
    ]
    kept = [one for one in samples if one.launch % 2 == 0]
    found = analysed(plan, records, kept)
    assert [(one.stack, one.kernel, one.cell) for one in found.failures] == [("slow@1", "", -1)]
    assert [one.failed for one in found.estimates if one.stack == "slow@1"] == [found.failures[0].reason] * 2
    assert found.comparisons == ()


def test_refused_cells_are_refusals_not_failures() -> None:
    plan = evolve(a_plan(), refusals=(Refusal("slow@1", 0, "has no probe"),))
    records, _ = a_run(plan, twice_as_slow)
    refused = Samples(0, 0, "time", np.array([], np.int64), attributes=(("status", "refused"), ("reason", "too big")))
    found = analysed(plan, records, [refused])
    assert found.refusals == (Refusal("slow@1", 0, "has no probe"), Refusal("quick@1", 0, "too big"))
    assert found.failures == ()
    assert found.estimates == ()


# --- warnings ------------------------------------------------------------------------------------------------


def codes(analysis: Analysis) -> set[str]:
    return {warning.code for warning in analysis.warnings}


def test_a_quiet_run_has_no_warnings() -> None:
    assert codes(judged(a_plan())) == set()


def test_every_warning_has_a_remedy_and_evidence() -> None:
    found = judged(a_plan(), rounds=3).warnings
    assert found
    assert all(warning.message and warning.remedy and warning.evidence for warning in found)


def test_launches_that_broke_off_are_counted_where_others_ended() -> None:
    plan = a_plan()
    records, frames = a_run(plan, twice_as_slow)
    mine = [one.launch.number for one in records if one.launch.stack == "slow@1"]
    lost = set(mine[1:4])
    ended = [evolve(one, status="timeout") if one.launch.number in lost else one for one in records]
    found = analysed(plan, ended, [one for one in frames if one.launch not in lost])
    (notice,) = (one for one in found.warnings if one.code == "launches-lost")
    assert notice.message.startswith(f"slow@1 lost 3 of {len(mine)} launches (")
    assert notice.evidence == (("slow@1", f"3 of {len(mine)}"),)
    gone = [evolve(one, status="timeout") if one.launch.number in mine else one for one in records]
    assert "launches-lost" not in codes(analysed(plan, gone, [one for one in frames if one.launch not in mine]))
    judged_all_the_same = analysed(plan, gone, frames)
    assert [one.verdict for one in judged_all_the_same.comparisons] == ["slower"]
    (notice,) = (one for one in judged_all_the_same.warnings if one.code == "launches-lost")
    assert notice.evidence == (("slow@1", f"{len(mine)} of {len(mine)}"),)


def test_launches_whose_hosts_went_away_are_not_counted_as_broken_off() -> None:
    plan = a_plan()
    records, frames = a_run(plan, twice_as_slow)
    mine = [one.launch.number for one in records if one.launch.stack == "slow@1"]
    failed, gone = set(mine[1:2]), set(mine[2:5])
    ended = [
        evolve(one, status="failed", lost=one.launch.number in gone) if one.launch.number in failed | gone else one
        for one in records
    ]
    found = analysed(plan, ended, [one for one in frames if one.launch not in failed | gone])
    (notice,) = (one for one in found.warnings if one.code == "launches-lost")
    assert notice.evidence == (("slow@1", f"1 of {len(mine) - 3}"),)
    away = [evolve(one, status="failed", lost=True) if one.launch.number in gone else one for one in records]
    assert "launches-lost" not in codes(analysed(plan, away, [one for one in frames if one.launch not in gone]))


def test_few_launches_are_said() -> None:
    assert "few-launches" in codes(judged(a_plan(), rounds=3))
    assert judged(a_plan(), rounds=3).comparisons[0].verdict == "undecided"


def test_times_that_are_exact_are_not_called_wide_after_few_launches() -> None:
    records, samples = a_run(a_plan(), twice_as_slow, 3)
    still = [evolve(one, values=np.full_like(one.values, 10_000)) for one in samples]
    exact = analysed(a_plan(), records, still, ("quick@1", "slow@1"))
    assert {one.low_ns - one.high_ns for one in exact.estimates} == {0}
    assert "few-launches" not in codes(exact)


def test_one_estimate_of_few_launches_has_few() -> None:
    (notice,) = (one for one in judged(a_plan(("a@1",)), rounds=3).warnings if one.code == "few-launches")
    assert notice.message == (
        "1 of 1 estimate has fewer than 5 launches (minimum 3): its interval is wide and assumes log-normal data."
    )
    (notice,) = (one for one in judged(a_plan(), rounds=3).warnings if one.code == "few-launches")
    assert notice.message.startswith("2 of 2 estimates have fewer than 5 launches (minimum 3): their intervals are")


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"emulated": "yes"}, "emulated"),
        ({"stationary": "no", "level_first": "5000", "level_last": "4000"}, "not-stationary"),
        ({"late": "1"}, "late-rounds"),
    ],
)
def test_what_the_worker_says_becomes_a_warning(said: dict[str, str], code: str) -> None:
    plan = a_plan()
    records, _ = a_run(plan, twice_as_slow)
    samples = [a_frame(record.launch.number, plan.cells[0], 1000.0, **said) for record in records]
    found = analysed(plan, records, samples)
    assert code in codes(found)
    if code == "not-stationary":
        assert ("levels of pingpong", "5000 ns to 4000 ns") in found.warnings[0].evidence
        assert not found.estimates[0].stationary


@pytest.mark.parametrize(("cpus", "crowded"), [("0", True), ("0-1", False), ("", False), ("3,7", False)])
def test_more_ranks_than_processors_is_flagged_wherever_it_is_shown(cpus: str, crowded: bool) -> None:
    plan = a_plan()
    records, samples = a_run(plan, twice_as_slow)
    placement = tuple(RankPlacement(rank, "here", 100 + rank, cpus) for rank in range(2))
    records = [evolve(record, placement=placement) for record in records]
    found = analysed(plan, records, samples)
    assert all(one.oversubscribed == crowded for one in found.estimates)
    assert ("oversubscribed" in codes(found)) == crowded
    assert any("Oversubscribed" in one.sentence for one in found.findings) == crowded


def test_launches_in_two_groups_and_scattered_ones_are_said() -> None:
    plan = a_plan()
    records, samples = a_run(plan, twice_as_slow, rounds=10)
    of_one = [evolve(one, values=one.values * (1 + (one.launch % 4 == 3))) for one in samples]
    found = analysed(plan, records, of_one)
    assert {"bimodal", "launch-variation"} <= codes(found)
    message = next(one.message for one in found.warnings if one.code == "bimodal")
    assert "5 near 2.00 µs, 5 near 4.00 µs" in message
    of_both = [evolve(one, values=one.values * (1 + (one.launch // 2) % 2)) for one in samples]
    assert "bimodal" not in codes(analysed(plan, records, of_both)), "the machine is slow in every other round"


def test_a_clock_too_coarse_for_its_samples_is_said() -> None:
    plan = a_plan()
    records, samples = a_run(plan, twice_as_slow)
    coarse = [evolve(record, timer_resolution_ns=1000.0) for record in records]
    found = analysed(plan, coarse, samples)
    assert "coarse-timer" in codes(found)


def test_an_empty_round_is_said_where_it_was_more_than_half_a_percent() -> None:
    plan = a_plan(sizes=(8, 16))
    records, samples = a_run(plan, twice_as_slow)
    told = [evolve(one, attributes=(*one.attributes, ("empty_ns", "27" if one.cell else "1"))) for one in samples]
    (notice,) = [one for one in analysed(plan, records, told).warnings if one.code == "empty-round"]
    assert "27 ns" in notice.message and "2.6" in notice.message
    assert dict(notice.evidence)["tests"] == "2"


# --- when to stop --------------------------------------------------------------------------------------------


def after(rounds: int, *, settled: bool = True) -> Analysis:
    made = judged(a_plan())
    return evolve(made, rounds=rounds, comparisons=tuple(evolve(one, settled=settled) for one in made.comparisons))


@pytest.mark.parametrize(
    ("rounds", "used_s", "still_open", "expected"),
    [
        (0, 99, (), None),
        (5, 10, (), "precision"),
        (6, 10, (0,), None),
        (6, 59, (0,), "budget"),
        (6, 59, (), "precision"),
        (30, 10, (0,), "rounds"),
    ],
)
def test_a_run_ends_when_no_cell_is_open_or_the_budget_or_the_rounds_are_used_up(
    rounds: int, used_s: float, still_open: tuple[int, ...], expected: str | None
) -> None:
    assert decide(a_plan(), rounds, frozenset(still_open), used_s, 2.0) == expected


def open_cells(plan: Plan, analysis: Analysis, rounds: int = 10) -> frozenset[int]:
    return find_open_cells(plan, analysis, dict.fromkeys(range(len(plan.cells)), rounds))


def test_a_cell_is_open_until_its_ratio_is_settled() -> None:
    assert open_cells(a_plan(), after(10)) == set()
    assert open_cells(a_plan(), after(10, settled=False)) == {0}


def test_a_cell_is_open_before_its_first_look_whatever_its_ratio() -> None:
    assert open_cells(a_plan(), after(10), rounds=4) == {0}


def test_one_cell_that_is_open_does_not_keep_the_others_open() -> None:
    plan = a_plan(sizes=(8, 16))
    made = judged(plan)
    one, other = made.comparisons
    assert open_cells(plan, evolve(made, comparisons=(one, evolve(other, settled=False)))) == {1}


def test_precise_ratios_and_large_ones_are_settled_and_wide_ones_near_the_margin_are_not() -> None:
    assert judged(a_plan()).comparisons[0].settled
    plan = a_plan()
    for factor, settled in ((1.05, False), (3.0, True)):
        records, samples = a_run(plan, lambda stack, _, f=factor: 1000.0 * (f if stack == "slow@1" else 1))  # type: ignore[misc]
        wide = [evolve(one, values=one.values * (100 + 8 * (one.launch % 3)) // 100) for one in samples]
        assert analysed(plan, records, wide).comparisons[0].settled == settled


def test_a_single_stack_stops_on_the_precision_of_its_location() -> None:
    plan = a_plan(("a@1",))
    precise = judged(plan)
    assert open_cells(plan, precise) == set()
    records, samples = a_run(plan, twice_as_slow)
    rough = [evolve(one, values=one.values * (10 + one.launch % 3) // 10) for one in samples]
    assert open_cells(plan, analysed(plan, records, rough)) == {0}


def test_comparisons_without_enough_rounds_do_not_stop_a_run() -> None:
    plan = a_plan()
    records, samples = a_run(plan, twice_as_slow)
    alone = [one for one in samples if one.launch % 2 == 0 or one.launch == 1]
    few = analysed(plan, records, alone)
    assert few.comparisons[0].rounds == 1
    assert not few.comparisons[0].settled


def test_a_stack_that_was_given_up_keeps_no_cell_open() -> None:
    made = judged(a_plan(("a@1", "b@1", "c@1")), rounds=10)
    lost = evolve(made.estimates[2], rounds=(0, 1, 2))
    waiting = evolve(made, comparisons=(made.comparisons[0], evolve(made.comparisons[1], other="c@1", settled=False)))
    assert open_cells(a_plan(), waiting) == {0}
    assert open_cells(a_plan(), evolve(waiting, estimates=(*made.estimates[:2], lost))) == set()


def test_a_run_that_goes_on_to_other_limits_has_looked_before() -> None:
    """Ten rounds, looked at once with the whole level; whoever goes on to twenty has two looks, each at less."""
    ten = Stopping(minimum_rounds=10, maximum_rounds=10)
    twenty = extend_looks(ten, Stopping(minimum_rounds=20, maximum_rounds=20), 10)
    assert looks_of_run(twenty) == (10, 20)
    assert level_after(ten, 10) == pytest.approx(0.04, rel=0.01)
    assert level_after(twenty, 10) == level_after(ten, 10), "what was spent is spent"
    assert level_after(twenty, 20) == pytest.approx((0.05 / TWO_STACKS - 0.04) / 2), "half of what is left"
    thirty = extend_looks(twenty, Stopping(minimum_rounds=30, maximum_rounds=30), 20)
    assert looks_of_run(thirty) == (10, 20, 30)
    adaptive = Stopping(minimum_rounds=5, maximum_rounds=20)
    assert looks_of_run(extend_looks(adaptive, adaptive, 12)) == (7, 10, 12, 20), "what is left is for one look"
    assert extend_looks(adaptive, adaptive, 3).looked == (), "three rounds decide nothing, so nothing was looked at"


def test_a_run_that_its_budget_ends_has_the_levels_of_the_looks_that_it_did_not_reach() -> None:
    adaptive = Stopping(minimum_rounds=5, maximum_rounds=20)
    first, *_ = (level_after(adaptive, look) for look in looks_of_run(adaptive))
    assert level_after(adaptive, 8, is_end=True) == pytest.approx(0.04 - first)
    assert level_after(adaptive, 8) < 0.01, "one that somebody interrupted may have been ended for what it showed"
    longer = extend_looks(adaptive, Stopping(minimum_rounds=5, maximum_rounds=40), 8)
    assert TWO_STACKS * sum(level_after(longer, look) for look in looks_of_run(longer)) <= 0.05


def test_every_look_of_a_resumed_run_can_decide_something_until_nothing_is_left_to_spend() -> None:
    """1024 sign flips give no p below 1/1024: a level below that would be one at which twice the time is undecided."""
    stopping, rounds = Stopping(minimum_rounds=5, maximum_rounds=30), 9
    for longer in (40, 60, 90):
        stopping = extend_looks(stopping, evolve(stopping, maximum_rounds=longer), rounds)
        spent = {look: level_after(stopping, look) for look in looks_of_run(stopping)}
        assert spent[longer] > 1 / MOST_FLIPS
        assert TWO_STACKS * sum(spent.values()) <= 0.05 * (1 + 1e-9)
        assert least_rounds(stopping, rounds) == longer
        rounds = longer
    exhausted = extend_looks(stopping, evolve(stopping, maximum_rounds=120), rounds)
    assert level_after(exhausted, 120, is_end=True) == 0
    assert level_when_resumed(stopping, rounds) == 0
    assert least_rounds(exhausted, 120) == 0


def test_a_table_of_an_interrupted_run_has_little_of_the_level_and_the_more_the_nearer_the_next_look_is() -> None:
    """19 reports before the fortieth round told identical stacks apart in 20 % of runs, each at the end's level."""
    forty = Stopping(minimum_rounds=40, maximum_rounds=40)
    levels = [level_after(forty, rounds) for rounds in range(5, 41)]
    assert levels == sorted(levels)
    assert level_after(forty, 20) < 0.005 < level_after(forty, 36) < level_after(forty, 40)
    assert least_rounds(forty, 20) == 40
    adaptive = Stopping(minimum_rounds=5, maximum_rounds=20)
    assert level_after(adaptive, 8) < level_after(adaptive, 10)


def test_a_run_of_a_set_number_of_rounds_has_all_of_them_however_clear_it_was_before() -> None:
    plan = a_plan()
    made = judged(plan, rounds=10)
    assert open_cells(plan, made) == set()
    longer = evolve(plan, stopping=extend_looks(plan.stopping, Stopping(minimum_rounds=14, maximum_rounds=14), 10))
    assert open_cells(longer, made) == {0}


# --- looks while a run goes on -------------------------------------------------------------------------------


def test_verdicts_and_marks_are_drawn_up_at_the_planned_looks_and_stand_until_the_next() -> None:
    plan = a_plan()
    records, samples = a_run(plan, twice_as_slow, rounds=12)
    dataset, before, seen = Dataset(plan, stacks_of(plan)), None, []
    for record in records:
        dataset.add(record, [one for one in samples if one.launch == record.launch.number])
        if record.launch.stack == plan.stacks[-1]:
            before = analyse_round(dataset, KERNELS, before)
            marked = [one.stack for one in before.estimates if one.place and one.place.may_be_fastest]
            seen.append((before.comparisons[0].rounds if before.comparisons else 0, marked))
    assert seen == [(0, [])] * 6 + [(7, ["quick@1"])] * 3 + [(10, ["quick@1"])] * 3
    resumed = analyse_round(dataset, KERNELS, None)
    assert resumed.comparisons[0].rounds == 12, "a run that goes on shows what was shown when it ended"


def test_a_stack_that_fails_again_is_no_reason_to_look_at_the_times_again() -> None:
    """What is said of its failures grows with each of them, and every one was a look that no level had allowed for."""
    plan = a_plan()
    records, samples = a_run(plan, twice_as_slow, rounds=9)
    broken = {one.launch.number for one in records if one.launch.stack == "slow@1" and one.launch.round in (2, 7, 8)}
    dataset, before, seen = Dataset(plan, stacks_of(plan)), None, []
    for record in records:
        number = record.launch.number
        whole = evolve(record, status="failed", reason="hung") if number in broken else record
        dataset.add(whole, [one for one in samples if one.launch == number and number not in broken])
        if record.launch.stack == plan.stacks[-1]:
            before = analyse_round(dataset, KERNELS, before)
            seen.append(before)
    assert seen[7].estimates is seen[6].estimates and seen[8].estimates is seen[6].estimates
    assert [one.failures[0].reason.partition(", 2")[0] for one in seen[6:]] == [
        "round 3",
        "rounds 3 and 8",
        "rounds 3, 8 and 9",
    ]


def test_between_two_looks_what_was_shown_stands_but_a_cell_that_fails_is_told_at_once() -> None:
    plan = a_plan(sizes=(8, 16))
    records, samples = a_run(plan, twice_as_slow, rounds=9)
    eighth = next(record.launch for record in records if record.launch.round == 8 and record.launch.stack == "slow@1")
    samples = [
        a_frame(eighth.number, plan.cells[0], 2000, status="wrong-bytes", reason="byte 3 of 8")
        if (one.launch, one.cell) == (eighth.number, 0)
        else one
        for one in samples
    ]
    dataset, before, seen = Dataset(plan, stacks_of(plan)), None, []
    for record in records:
        dataset.add(record, [one for one in samples if one.launch == record.launch.number])
        if record.launch.stack == plan.stacks[-1]:
            before = analyse_round(dataset, KERNELS, before)
            seen.append(before)
    assert [one.rounds for one in seen] == list(range(1, 10))
    assert seen[7].estimates is seen[6].estimates
    assert [(one.stack, one.cell) for one in seen[8].estimates if one.failed] == [("slow@1", 0)]
