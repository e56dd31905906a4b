"""Fan-out and the application programs, run by hand: right answers everywhere, and never one out of damaged bytes."""

from __future__ import annotations

import os

import numpy as np
import pytest
from frames import Frame, cell, plan_text
from running import Runner, of_cell

SMALL = {
    "pi": "opt.n=100000",
    "matvec": "opt.n=120",
    "matmul": "opt.n=60",
    "mandelbrot": "opt.side=240",
    "montecarlo": "opt.tasks=100 opt.points=2000",
}
COMMON = ["time", "compute", "communication", "cpu", "serial"]
CALLS = {
    "pi": ["reduce"],
    "matvec": ["scatter", "reduce"],
    "matmul": ["scatter", "reduce"],
    "mandelbrot": ["collect"],
    "montecarlo": [],
}
FORMS = ("sends", "bcast", "blocking", "tasks")
PLACES = [(1, 0), (1, 5), (2, 3), (0, 1), (0, 12)]
"""A rank, and which of the bytes it sends is damaged."""
SILENT_ROOT = ("pi", "mandelbrot")
"""Programs in which rank 0 only receives."""


def applications(ranks: int) -> list[str]:
    return [
        cell(name, 0, ranks=ranks, options=options)
        for name, options in SMALL.items()
        if ranks > 1 or name != "montecarlo"
    ]


def medians(frames: list[Frame], number: int) -> dict[str, float]:
    """Median of each series of a cell, ns."""
    mine = [f for f in frames if f.header["cell"] == str(number)]
    return {f.header["series"]: float(np.median(f.values)) for f in mine if len(f.values)}


@pytest.mark.parametrize(("how", "ranks"), [("loopback", 1), ("loopback", 5), ("tcp", 3), ("openmpi", 4), ("mpich", 2)])
def test_every_application_finds_the_serial_answer(runner: Runner, how: str, ranks: int) -> None:
    cells = applications(ranks)
    frames = runner.measure(how, plan_text(cells, ranks=ranks, budget_ms="20"), ranks=ranks)
    for number, name in enumerate(list(SMALL)[: len(cells)]):
        frame = of_cell(frames, number)
        assert frame.header["status"] == "ok", (name, frame.header)
        assert frame.header["kernel"] == name
        found = medians(frames, number)
        assert [series for series in found if series != "warmup"] == COMMON + CALLS[name]
        assert found["time"] > 0
        assert found["serial"] > 0
        assert found["cpu"] > 0.01 * found["compute"]  # a rank may wait long for a core, but it is the same unit


@pytest.mark.parametrize(("how", "ranks"), [("loopback", 1), ("fake", 2), ("fake", 7)])
def test_computing_and_communicating_is_no_more_than_the_whole(runner: Runner, how: str, ranks: int) -> None:
    """Exact where a rank cannot lose its core after rank 0 has the answer: alone, and in simulated time."""
    frames = runner.measure(how, plan_text(applications(ranks), ranks=ranks, budget_ms="20"), ranks=ranks)
    for number in range(len(applications(ranks))):
        time, compute, communication = (of_cell(frames, number, series).values for series in COMMON[:3])
        assert len(time)
        assert np.all(compute + communication <= time)
        assert np.all(compute + communication > 0)


@pytest.mark.parametrize("how", ["tcp", "openmpi"])
def test_no_more_processor_time_is_told_than_the_cores_had(runner: Runner, how: str) -> None:
    """Ranks that share a core begin one after the other: a program's time counts from the first of them."""
    cores, ranks = len(os.sched_getaffinity(0)), 3 * len(os.sched_getaffinity(0))
    frames = runner.measure(
        how, plan_text([cell("pi", 0, ranks=ranks, options="opt.n=1000000")], ranks=ranks), ranks=ranks
    )
    time, cpu = (of_cell(frames, 0, series).values for series in ("time", "cpu"))
    assert np.mean(cpu <= 1.1 * cores * time) > 0.95


@pytest.mark.parametrize(("how", "ranks"), [("loopback", 2), ("tcp", 12), ("openmpi", 6), ("fake", 50)])
def test_a_fan_out_comes_back_in_each_of_its_forms(runner: Runner, how: str, ranks: int) -> None:
    sizes = (8, 2048)
    cells = [cell("fanout", size, ranks=ranks, options=f"opt.form={form}") for form in FORMS for size in sizes]
    frames = runner.measure(how, plan_text(cells, ranks=ranks, budget_ms="20"), ranks=ranks)
    algorithms = [of_cell(frames, number).header.get("algorithm", "") for number in range(len(cells))]
    assert [of_cell(frames, number).header["status"] for number in range(len(cells))] == ["ok"] * len(cells)
    assert all(len(of_cell(frames, number).values) >= 3 for number in range(len(cells)))
    assert algorithms == ["", "", *(["", ""] if how == "openmpi" else ["binomial", "binomial"]), *[""] * 4]


def test_a_simulated_fan_out_costs_what_its_model_says(runner: Runner) -> None:
    """Rank 0 hands out one packet after the other, so every worker more costs it a send and a receive more."""
    model = "L=10000,o_s=300,o_r=200,g=300,G=0"
    times = []
    for ranks in (11, 21):
        plan = plan_text([cell("fanout", 8, ranks=ranks)], ranks=ranks)
        times.append(of_cell(runner.measure("fake", plan, ranks=ranks, MSGAUGE_FAKE=model), 0).per_event)
    assert (times[1] - times[0]) / 10 == pytest.approx(300 + 200, abs=300)
    assert times[0] > 2 * 10_000


@pytest.mark.parametrize(
    ("name", "rank", "byte"),
    [(name, rank, byte) for name in SMALL for rank, byte in PLACES if rank > 0 or name not in SILENT_ROOT],
)
def test_one_damaged_byte_makes_an_application_fail(runner: Runner, name: str, rank: int, byte: int) -> None:
    plan = plan_text([cell(name, 0, ranks=3, options=SMALL[name])], ranks=3)
    damage = f"damage_rank={rank},damage_byte={byte}"
    frames = runner.measure("loopback", plan, ranks=3, MSGAUGE_LOOPBACK=damage)
    assert of_cell(frames, 0).header["status"] == "wrong-bytes"
    assert not len(of_cell(frames, 0).values)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rank", [0, 1, 2])
def test_one_damaged_byte_makes_a_fan_out_fail(runner: Runner, form: str, rank: int) -> None:
    plan = plan_text([cell("fanout", 64, ranks=3, options=f"opt.form={form}")], ranks=3)
    frames = runner.measure("loopback", plan, ranks=3, MSGAUGE_LOOPBACK=f"damage_rank={rank},damage_byte=40")
    assert of_cell(frames, 0).header["status"] == "wrong-bytes"


def test_slow_rounds_are_few_rounds(runner: Runner) -> None:
    """A round of 200 ms, as a library that spins on shared cores has them: time limits it, not a number of rounds."""
    plan = plan_text([cell("fanout", 8, ranks=10)], ranks=10, budget_ms="300")
    frames = runner.measure("fake", plan, ranks=10, MSGAUGE_FAKE="L=100000000")
    frame = of_cell(frames, 0)
    assert frame.per_event > 200e6
    assert 3 <= len(frame.values) <= 5
