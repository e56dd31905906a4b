"""Claims about plans: complete randomised blocks from a seed, refusals with reasons, forecasts that mean something."""

from __future__ import annotations

from collections import Counter
from itertools import groupby, pairwise
from operator import attrgetter

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from msgauge.errors import UsageError
from msgauge.hosts import Host
from msgauge.model import CellKey, Kernel, Option, Origin, Plan, Stack, Stopping
from msgauge.plan import WorkerCapabilities, launches_of_round, make_plan
from msgauge.rounds.forecast import expect_prices
from msgauge.study import Measure, Study

KERNELS = {
    "pingpong": Kernel("pingpong", "", "", "", maximum_ranks=2, options=(Option("send", ("standard", "nonblocking")),)),
    "bcast": Kernel("bcast", "", "", "", minimum_ranks=2, needs=("bcast",)),
    "put": Kernel("put", "", "", "", needs=("put",)),
    "halo": Kernel("halo", "", "", "", minimum_ranks=4),
}
HOST = Host("here", 2)
A, B, C = (Stack(name, "1", Origin("builtin")) for name in "abc")
STUDY = Study(
    "s",
    ranks=(2, 4),
    seed=11,
    measures=(
        Measure("pingpong", (8, 64), options=(("send", ("standard", "nonblocking")),)),
        Measure("bcast", (8,)),
        Measure("halo", (8,)),
    ),
)


def planned(study: Study = STUDY, stacks: tuple[Stack, ...] = (A, B, C), **offers: WorkerCapabilities) -> Plan:
    return make_plan(study, stacks, KERNELS, HOST, {f"{name}@1": offer for name, offer in offers.items()})


def test_every_combination_is_one_cell() -> None:
    cells = planned().cells
    assert [cell.id for cell in cells] == list(range(len(cells)))
    assert len(cells) == 2 * 2 * 2 + 2 + 2
    assert len(set(cells)) == len(cells)
    assert {dict(cell.options)["send"] for cell in cells if cell.kernel == "pingpong"} == {"standard", "nonblocking"}


def test_a_cell_named_twice_is_measured_once() -> None:
    doubled = evolve(STUDY, measures=STUDY.measures * 2)
    assert planned(doubled).cells == planned().cells


def test_refused_cells_say_why_and_are_not_launched() -> None:
    plan = planned(b=WorkerCapabilities(kernels=frozenset({"pingpong"})))
    reasons = {
        (refusal.stack, plan.cells[refusal.cell].kernel, plan.cells[refusal.cell].ranks): refusal.reason
        for refusal in plan.refusals
    }
    assert reasons["a@1", "pingpong", 4] == "pingpong runs on at most 2 processes, not 4"
    assert reasons["a@1", "halo", 2] == "halo needs at least 4 processes, not 2"
    assert reasons["b@1", "bcast", 2] == "its worker has no kernel bcast"
    refused = {(refusal.stack, refusal.cell) for refusal in plan.refusals}
    for launch in launches_of_round(plan, 0, 0):
        assert not {(launch.stack, cell) for cell in launch.cells} & refused


def test_messages_that_do_not_fit_into_the_memory_are_refused_with_what_is_free() -> None:
    kernels = {
        **KERNELS,
        "alltoall": Kernel("alltoall", "", "", "", bytes_moved="bytes * ranks * (ranks - 1)"),
        "pi": Kernel("pi", "", "", "", sized=False, bytes_moved="0"),
    }
    mebibytes = 1 << 20
    measures = (Measure("pingpong", (8, 512 * mebibytes)), Measure("alltoall", (64 * mebibytes,)), Measure("pi", (0,)))
    study = Study("s", ranks=(2, 8), measures=measures)

    def refuse(memory_bytes: int) -> dict[tuple[str, int, int], str]:
        plan = make_plan(study, (A,), kernels, evolve(HOST, memory_bytes=memory_bytes), {})
        cells = {cell.id: (cell.kernel, cell.ranks, cell.size_bytes) for cell in plan.cells}
        return {cells[one.cell]: one.reason for one in plan.refusals if cells[one.cell][:2] != ("pingpong", 8)}

    assert refuse(0) == refuse(1 << 40) == {}
    assert refuse(1 << 30) == {
        ("pingpong", 2, 1 << 29): "2 ranks with 512 MiB take about 2.00 GiB of memory, and 1.00 GiB are free here",
        ("alltoall", 8, 64 << 20): "8 ranks with 64 MiB take about 3.50 GiB of memory, and 1.00 GiB are free here",
    }
    assert refuse(2 << 30).keys() == {("alltoall", 8, 64 << 20)}


def test_a_missing_operation_is_refused_unless_it_can_be_emulated() -> None:
    study = Study("s", measures=(Measure("put", (8,)), Measure("bcast", (8,))))
    plan = planned(study, a=WorkerCapabilities(capabilities=frozenset({"send", "recv", "put"})))
    assert {(refusal.stack, refusal.reason) for refusal in plan.refusals} == {
        ("b@1", "put needs put, which it does not offer"),
        ("c@1", "put needs put, which it does not offer"),
    }


@given(seed=st.integers(0, 2**31 - 1), round=st.integers(0, 50), first=st.integers(0, 10**6))
def test_a_round_is_a_complete_block(seed: int, round: int, first: int) -> None:
    plan = evolve(planned(), seed=seed)
    launches = launches_of_round(plan, round, first)
    assert Counter((launch.stack, launch.ranks) for launch in launches) == Counter(
        (stack, ranks) for stack in plan.stacks for ranks in (2, 4)
    )
    assert [launch.number for launch in launches] == list(range(first, first + len(launches)))
    wanted = {ranks: {c.id for c in plan.cells if c.ranks == ranks} for ranks in (2, 4)}
    refused = {(refusal.stack, refusal.cell) for refusal in plan.refusals}
    for launch in launches:
        assert len(set(launch.cells)) == len(launch.cells)
        assert set(launch.cells) == {c for c in wanted[launch.ranks] if (launch.stack, c) not in refused}
        assert launch.round == round


@given(seed=st.integers(0, 2**31 - 1), round=st.integers(0, 50))
def test_stacks_that_are_compared_follow_each_other(seed: int, round: int) -> None:
    counts = [launch.ranks for launch in launches_of_round(evolve(planned(), seed=seed), round, 0)]
    assert sum(one != other for one, other in pairwise(counts)) == len(set(counts)) - 1


def test_no_number_of_ranks_always_comes_first() -> None:
    plan = planned()
    firsts = Counter(launches_of_round(plan, round, 0)[0].ranks for round in range(600))
    assert all(250 < firsts[ranks] < 350 for ranks in (2, 4))


def test_cells_that_take_no_part_change_no_order() -> None:
    plan = planned()
    chosen = {cell.id for cell in plan.cells if cell.id % 2 and cell.ranks == 2}
    whole = [one for one in launches_of_round(plan, 3, 0) if one.ranks == 2]
    part = launches_of_round(plan, 3, 0, {CellKey(stack, cell) for stack in plan.stacks for cell in chosen})
    assert [(one.stack, one.seed) for one in part] == [
        (one.stack, one.seed) for one in whole if chosen & set(one.cells)
    ]
    assert [one.cells for one in part] == [
        tuple(cell for cell in one.cells if cell in chosen) for one in whole if chosen & set(one.cells)
    ]


def test_a_round_may_hold_a_cell_for_some_stacks_only() -> None:
    plan = planned()
    stack, cell = plan.stacks[0], plan.cells[0]
    (launch,) = launches_of_round(plan, 3, 0, {CellKey(stack, cell.id)})
    assert (launch.stack, launch.ranks, launch.cells) == (stack, cell.ranks, (cell.id,))


def test_the_same_seed_gives_the_same_orders_and_another_gives_others() -> None:
    plan = planned()
    rounds = [[(x.stack, x.cells) for x in launches_of_round(plan, round, 0)] for round in range(8)]
    assert rounds == [[(x.stack, x.cells) for x in launches_of_round(planned(), round, 99)] for round in range(8)]
    other = evolve(plan, seed=12)
    assert rounds != [[(x.stack, x.cells) for x in launches_of_round(other, round, 0)] for round in range(8)]


def test_no_stack_is_favoured_by_its_place_in_the_round() -> None:
    plan = planned(evolve(STUDY, ranks=(2,)))
    firsts = Counter(launches_of_round(plan, round, 0)[0].stack for round in range(600))
    assert all(150 < firsts[stack] < 250 for stack in plan.stacks)


def test_a_block_begins_with_the_stack_that_the_one_before_it_ended_with() -> None:
    plan = planned()
    row = [one for round in range(300) for one in launches_of_round(plan, round, 0)]
    blocks = [[one.stack for one in block] for _, block in groupby(row, key=attrgetter("round", "ranks"))]
    assert len(blocks) == 600
    assert all(before[-1] == block[0] for before, block in pairwise(blocks))
    followed = Counter(pairwise(one.stack for one in row))
    assert all(150 < followed[one, other] < 250 for one in plan.stacks for other in plan.stacks), "by each, itself too"
    assert len({one.seed for one in row}) == len(row)


def test_a_stack_that_can_run_nothing_ends_no_block() -> None:
    """It would be followed by others in random order, though no launch of it was there."""
    study = Study("s", measures=(Measure("put", (8,)),))
    put = WorkerCapabilities(capabilities=frozenset({"put"}))
    plan = planned(evolve(study, ranks=(2,)), a=put, b=put, c=WorkerCapabilities())
    blocks = [[one.stack for one in launches_of_round(plan, round, 0)] for round in range(12)]
    assert {len(one) for one in blocks} == {2}
    assert all(before[-1] == block[0] for before, block in pairwise(blocks))


def test_a_plan_of_before_keeps_its_orders() -> None:
    """A run that was killed goes on by the numbers of its launches, which their places give."""
    plan = evolve(planned(), serially_balanced=False)
    order = ["".join(f"{one.stack[0]}{one.ranks}" for one in launches_of_round(plan, round, 0)) for round in range(4)]
    assert order == ["c4b4a4b2a2c2", "c4a4b4c2a2b2", "b2a2c2b4a4c4", "a2b2c2c4a4b4"]


def test_nothing_to_run_is_an_error_that_says_why() -> None:
    with pytest.raises(UsageError, match="at least 4 processes") as caught:
        planned(Study("s", measures=(Measure("halo", (8,)),)))
    assert caught.value.remedy


def test_a_stack_named_twice_and_an_absent_base_are_refused() -> None:
    with pytest.raises(UsageError, match="twice"):
        planned(STUDY, (A, A))
    with pytest.raises(UsageError, match="base"):
        planned(evolve(STUDY, base="z@9"))


def test_the_forecast_grows_with_the_work_and_keeps_to_the_budget() -> None:
    def expected(**stopping: float) -> float:
        return planned(evolve(STUDY, stopping=Stopping(maximum_rounds=10, **stopping))).expected_s  # type: ignore[arg-type]

    assert expected(budget_s=1000, cell_budget_s=0.2) > 1.5 * expected(budget_s=1000, cell_budget_s=0.05)
    assert expected(budget_s=30) <= 30
    assert expected(budget_s=1000, launch_limit_s=0.5) <= 10 * 6 * 0.5


def test_a_crowd_takes_longer_to_start_and_to_steer() -> None:
    """Two hundred processes on two cores: about 12 s to start, as was seen, and not a minute."""
    plan = planned(Study("s", ranks=(200,), measures=(Measure("bcast", (8,)),), stopping=Stopping(cell_budget_s=0.03)))

    def expected_s(simulated: frozenset[str], cores: int) -> float:
        prices = expect_prices(plan, simulated, cores)
        return prices.round_s(prices.cell_s, {cell.id: cell.ranks for cell in plan.cells})

    each_s = expected_s(frozenset(), 2) / len(plan.stacks)
    assert 10 < each_s < 20
    assert expected_s(frozenset(), 200) < 0.2 * expected_s(frozenset(), 2)
    assert expected_s(frozenset(plan.stacks), 2) < 1 * len(plan.stacks)


def test_a_measure_may_be_of_some_stacks_only() -> None:
    measures = (Measure("pingpong", (8,)), Measure("put", (8,), stacks=("b@1",)), Measure("bcast", (8,)))
    able = WorkerCapabilities(capabilities=frozenset({"send", "recv", "put", "bcast"}))
    plan = planned(evolve(STUDY, ranks=(2,), measures=measures), (A, B), a=able, b=able)
    names = {cell.id: cell.kernel for cell in plan.cells}
    started = {(one.stack, names[cell]) for one in launches_of_round(plan, 0, 0) for cell in one.cells}
    assert started == {(stack, kernel) for stack in ("a@1", "b@1") for kernel in ("pingpong", "bcast")} | {
        ("b@1", "put")
    }
    assert not plan.refusals


def test_a_measure_that_is_not_to_be_oversubscribe_stays_within_the_cores_but_for_simulated_stacks() -> None:
    study = evolve(STUDY, measures=(Measure("bcast", (8,), ranks=(2, 4), oversubscribe=False), Measure("halo", (8,))))
    plan = planned(study, (A, evolve(B, simulated=True)))
    assert [(cell.id, cell.kernel, cell.ranks) for cell in planned(study, (A,)).cells] == [
        (0, "bcast", 2),
        (1, "halo", 2),
        (2, "halo", 4),
    ]
    launched = {
        (launch.stack, plan.cells[number].kernel, launch.ranks)
        for launch in launches_of_round(plan, 1, 1)
        for number in launch.cells
    }
    assert launched == {
        ("a@1", "bcast", 2),
        ("b@1", "bcast", 2),
        ("b@1", "bcast", 4),
        ("a@1", "halo", 4),
        ("b@1", "halo", 4),
    }
    assert {(refusal.stack, plan.cells[refusal.cell].kernel) for refusal in plan.refusals} == {
        ("a@1", "halo"),
        ("b@1", "halo"),
    }


def test_a_study_that_has_only_crowds_and_wants_none_says_so() -> None:
    study = evolve(STUDY, measures=(Measure("halo", (8,), ranks=(4,), oversubscribe=False),))
    with pytest.raises(UsageError, match=r"at most as many processes as cores \(2\)"):
        planned(study)
