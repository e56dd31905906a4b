"""The worker run by hand over each kind of transport: what it writes is what the wire protocol says."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from frames import Frame, cell, plan_text
from running import COMMANDS, REMOTE, USUAL, Runner, of_cell

ALL_CELLS = [
    cell("pingpong", 0),
    cell("pingpong", 8),
    cell("pingpong", 100_001),
    cell("pingpong", 64, mode="single"),
    cell("pingpong", 64, cache="rotate"),
    cell("pingpong", 64, cache="cold"),
    cell("stream", 8),
    cell("stream", 100_000),
    cell("exchange", 8),
    cell("exchange", 1_000_000),
    cell("exchange", 1_000_000, options="opt.how=ordered"),
    cell("exchange", 8, options="opt.how=sendrecv"),
]


@pytest.mark.parametrize("how", COMMANDS)
def test_every_point_to_point_cell_is_measured(runner: Runner, how: str) -> None:
    frames = runner.measure(how, plan_text(ALL_CELLS))
    for number, asked in enumerate(ALL_CELLS):
        frame = of_cell(frames, number)
        assert frame.header["status"] == "ok", (asked, frame.header)
        assert len(frame.values) >= 3
        assert (frame.values > 0).all()
        assert f"bytes={frame.header['bytes']} " in asked
    assert of_cell(frames, 3).header["mode"] == "single"
    assert of_cell(frames, 3).header["divisor"] == "2"
    assert of_cell(frames, 5).header["cache"] == "cold"
    assert of_cell(frames, 10).header["algorithm"] == "ordered"
    assert frames[-1].header["series"] == "end"


@pytest.mark.parametrize("how", COMMANDS)
@pytest.mark.parametrize("ranks", [2, 4])
def test_a_broadcast_has_its_series(runner: Runner, how: str, ranks: int) -> None:
    cells = [cell("bcast", 8, ranks=ranks), cell("bcast", 50_000, ranks=ranks, options="opt.algorithm=binomial")]
    frames = runner.measure(how, plan_text(cells, ranks=ranks, budget_ms="30"), ranks=ranks)
    for number in range(2):
        names = [f.header["series"] for f in frames if f.header["cell"] == str(number)]
        assert [name for name in names if name != "warmup"] == [
            *("completion", "root", "mean_rank", "imbalance", "start_skew")
        ]
        completion = of_cell(frames, number, "completion")
        assert completion.header["status"] == "ok"
        came_late = int(completion.header["late"])
        if ranks == 2 or how == "fake":  # an appointment, which a busy machine may make impossible to keep
            assert completion.header["start"] == "agreed" or came_late
        else:
            assert (completion.header["start"], came_late) == ("barrier", 0)
        assert len(completion.values) == len(of_cell(frames, number, "imbalance").values)
        if len(completion.values):
            assert (completion.values >= of_cell(frames, number, "mean_rank").values).all()
            assert (of_cell(frames, number, "imbalance").values >= 0).all()
    native = how in ("openmpi", "mpich")
    assert of_cell(frames, 0).header["emulated"] == ("no" if native else "yes")
    assert of_cell(frames, 1).header["algorithm"] == "binomial"


@pytest.mark.parametrize("how", COMMANDS)
def test_a_launch_says_who_ran_where_and_what_it_used(runner: Runner, how: str) -> None:
    frames = runner.measure(how, plan_text([cell("pingpong", 8)], ranks=3), ranks=3)
    series = [f.header["series"] for f in frames if f.header["cell"] == "-1"]
    routes = ["data_path"] * 3 if how in ("tcp", "openmpi", "mpich") else []
    assert series == ["hello", "clock", *["rank"] * 3, *["usage"] * 3, *routes, "end"]
    assert frames[0].header["size"] == "3"
    assert frames[0].header["library"]
    assert [f.header["rank"] for f in frames if f.header["series"] == "rank"] == ["0", "1", "2"]
    assert float(frames[1].header["cost_ns"]) > 0
    assert all(int(f.header["peak_bytes"]) > 100_000 for f in frames if f.header["series"] == "usage")


@pytest.mark.parametrize("how", COMMANDS)
def test_every_rank_says_hello(runner: Runner, how: str) -> None:
    done = runner.run(how, 3, "--hello")
    lines = [line for line in done.stdout.splitlines() if line.startswith("msgauge-hello ")]
    facts = [dict(word.split("=", 1) for word in line.split()[1:]) for line in lines]
    assert sorted(fact["rank"] for fact in facts) == ["0", "1", "2"]
    assert {fact["size"] for fact in facts} == {"3"}
    assert done.returncode == 0


def test_tcp_carries_large_messages_both_ways_among_many(runner: Runner) -> None:
    cells = [cell("exchange", 8 << 20), cell("bcast", 4 << 20, ranks=8), cell("pingpong", 64 << 20)]
    frames = runner.measure("tcp", plan_text(cells, ranks=8), ranks=8)
    assert [of_cell(frames, number).header["status"] for number in range(3)] == ["ok", "ok", "ok"]


def test_the_fake_stack_repeats_itself_to_the_last_bit(runner: Runner) -> None:
    model = "L=900,o_s=150,G=0.2,noise=0.02,launch_noise=0.01,spike_every=300,spike_ns=20000"
    plan = plan_text([cell("pingpong", 8), cell("stream", 1000), cell("bcast", 64)], seed=5)
    first, again = (runner.measure("fake", plan, MSGAUGE_FAKE=model) for _ in range(2))
    other = runner.measure("fake", plan_text([cell("pingpong", 8)], seed=6), MSGAUGE_FAKE=model)
    for number in range(3):
        np.testing.assert_array_equal(of_cell(first, number).values, of_cell(again, number).values)
    assert of_cell(first, 0).per_event != of_cell(other, 0).per_event


def test_the_fake_stack_gives_back_the_parameters_it_was_given(runner: Runner) -> None:
    plan = plan_text([cell("pingpong", 1), cell("pingpong", 10_001)])
    frames = runner.measure("fake", plan, MSGAUGE_FAKE="L=1000,o_s=200,o_r=300,g=400,G=0.25")
    assert of_cell(frames, 0).per_event == pytest.approx(1500, rel=0.005)
    assert of_cell(frames, 1).per_event == pytest.approx(1500 + 2500, rel=0.005)


def test_a_delay_on_the_senders_side_is_found_again(runner: Runner) -> None:
    """By the quickest of four launches: where both ranks of one share a core with other work, each message waits."""
    plan = plan_text([cell("pingpong", 8)], budget_ms="100")
    plain, delayed = (
        min(quickest_event(runner.measure("loopback", plan, MSGAUGE_LOOPBACK=f"delay_ns={delay}")) for _ in range(4))
        for delay in (0, 1_000_000)
    )
    assert 950_000 < delayed - plain < 1_800_000, "two delays are more than that"


def quickest_event(frames: Sequence[Frame]) -> float:
    found = of_cell(frames, 0)
    return float(found.values.min()) / int(found.header["divisor"])


def test_altered_bytes_make_the_cell_fail_and_the_rest_goes_on(runner: Runner) -> None:
    plan = plan_text([cell("pingpong", 8), cell("bcast", 1000), cell("pingpong", 0), cell("pingpong", 200_000)])
    frames = runner.measure("fake", plan, MSGAUGE_FAKE="wrong_bytes=1,eager=100000")
    statuses = [of_cell(frames, number).header["status"] for number in range(4)]
    assert statuses == ["wrong-bytes", "wrong-bytes", "ok", "wrong-bytes"]
    assert not len(of_cell(frames, 0).values)
    unchecked = runner.measure("fake", plan_text([cell("pingpong", 8)], check="no"), MSGAUGE_FAKE="wrong_bytes=1")
    assert of_cell(unchecked, 0).header["status"] == "ok"


def test_what_cannot_be_measured_is_refused_with_a_reason(runner: Runner) -> None:
    cells = [
        cell("pingpong", 8, ranks=3),
        cell("teleport", 8),
        cell("pingpong", 8, options="opt.x=y"),
        cell("bcast", 8),
    ]
    frames = runner.measure("fake", plan_text(cells))
    frames += runner.measure("fake", plan_text([cell("bcast", 8)], ranks=3), ranks=3)[-5:]
    reasons = [f.header["reason"] for f in frames if f.header.get("status") == "refused"]
    assert reasons == [
        "needs 3 ranks, the launch has 2",
        "this worker has no kernel teleport",
        "pingpong has no option 'x'",
        "a collective takes all 3 ranks of its launch",
    ]


@pytest.mark.parametrize("how", ["fake", "tcp", "openmpi"])
def test_another_number_of_ranks_than_planned_ends_the_job(runner: Runner, how: str) -> None:
    path = runner.folder / "plan.txt"
    path.write_text(plan_text([cell("pingpong", 8)], ranks=2))
    done = runner.run(how, 1, "--plan", str(path), "--samples", str(runner.folder / "s.bin"))
    assert done.returncode == 67
    assert "finds itself in a job of 1, but 2 ranks were planned" in done.stderr
    assert not (runner.folder / "s.bin").exists()


def test_a_plan_that_is_wrong_ends_the_job_and_names_the_line(runner: Runner) -> None:
    path = runner.folder / "plan.txt"
    path.write_text(plan_text(["kernel=pingpong bytes=many mode=batch cache=hot ranks=2"]))
    done = runner.run("fake", 2, "--plan", str(path), "--samples", str(runner.folder / "s.bin"))
    assert done.returncode == 65
    assert "line 5: bytes=many" in done.stderr
    assert runner.run("fake", 2, "--plan", f"{runner.folder}/nowhere", "--samples", "s").returncode == 65
    assert runner.run("fake", 2, "--plan", str(path)).returncode == 64


def test_samples_that_cannot_be_written_end_the_job(runner: Runner) -> None:
    path = runner.folder / "plan.txt"
    path.write_text(plan_text([cell("pingpong", 8)]))
    for target in (f"{runner.folder}/nowhere/samples.bin", "/dev/full"):
        done = runner.run("tcp", 2, "--plan", str(path), "--samples", target)
        assert done.returncode == 73, done.stderr
        assert f"cannot write {target}" in done.stderr


def test_slow_operations_keep_to_the_budget_within_reason(runner: Runner) -> None:
    frames = runner.measure("fake", plan_text([cell("pingpong", 8)], budget_ms="50"), MSGAUGE_FAKE="L=100000000")
    frame = of_cell(frames, 0)
    assert len(frame.values) == 3
    assert frame.header["stopped"] == "budget"


def test_cells_after_the_launchs_limit_say_so(runner: Runner) -> None:
    frames = runner.measure("tcp", plan_text([cell("pingpong", 8)] * 40, budget_ms="10", limit_ms="20"))
    last = of_cell(frames, 39)
    assert last.header["status"] == "error"
    assert "time limit" in last.header["reason"]


def test_a_crash_is_a_crash_and_comes_in_the_round_it_was_planned_for(runner: Runner) -> None:
    plan = runner.folder / "plan.txt"
    for number, good in ((1, True), (2, False)):
        plan.write_text(plan_text([cell("pingpong", 8)], round=str(number)))
        samples = str(runner.folder / f"{number}.bin")
        done = runner.run("fake", 2, "--plan", str(plan), "--samples", samples, MSGAUGE_FAKE="crash=3")
        assert (done.returncode == 0) is good


def test_facts_and_coverage_need_no_launcher(runner: Runner) -> None:
    facts = runner.run("fake", 1, "--facts").stdout.splitlines()
    assert [line.split()[2] for line in facts] == [f"kernel={name.replace('_', '-')}" for name in USUAL + REMOTE]
    coverage = runner.run("fake", 1, "--coverage").stdout
    assert "kernel=bcast series=coverage transport=fake how=emulated algorithm=binomial" in coverage
    assert "kernel=pingpong series=coverage transport=fake how=native" in coverage


def test_ranks_that_cannot_keep_an_appointment_are_started_by_a_barrier(runner: Runner) -> None:
    delay_ns = 30_000_000  # longer than the longest slack
    plan = plan_text([cell("bcast", 8)], budget_ms="100")
    frame = of_cell(runner.measure("loopback", plan, MSGAUGE_LOOPBACK=f"delay_ns={delay_ns}"), 0, "completion")
    assert frame.header["start"] == "barrier"
    assert int(frame.header["late"]) > 0
    assert len(frame.values) >= 3
    assert frame.values.min() >= delay_ns
