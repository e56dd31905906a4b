"""Collectives as the worker measures them: right answers, honest words, and who came late."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from frames import cell, plan_text
from running import COLLECTIVES, Runner, of_cell

from msgauge.kernels import load_kernels
from msgauge.plan import COLLECTIVE
from msgauge.stats.percentiles import tails

FACTS = load_kernels()
BLOCKING = tuple(sorted(word.replace("_", "-") for word in COLLECTIVE))
EVERY = (*BLOCKING, *(f"i{name}" for name in BLOCKING))
MILLISECOND_NS = 1_000_000


@pytest.fixture
def runner(worker: Callable[..., Path], ranks_argv: Callable[[int], list[str]], tmp_path: Path) -> Runner:
    return Runner(worker, ranks_argv, tmp_path, COLLECTIVES)


def drawn_cells(ranks: int, seed: int) -> list[str]:
    """Every collective with every algorithm on a size, root, counts, type and operator drawn by chance."""
    dice = random.Random(seed)
    cells = []
    for name in EVERY:
        options = {option.name: option.choices for option in FACTS[name].options}
        for algorithm in options["algorithm"]:
            chosen = {key: dice.choice(choices) for key, choices in options.items()} | {"algorithm": algorithm}
            if "op" in chosen:
                chosen["op"] = dice.choice(OPERATORS[chosen["type"]])
            size = 8 * dice.choice([0, 1, 2, dice.randrange(40), dice.randrange(1200)])
            words = " ".join(f"opt.{key}={value}" for key, value in chosen.items())
            cells.append(cell(name, size, ranks=ranks, options=words))
    return cells


BITWISE = ["band", "bor", "bxor"]
ARITHMETIC = ["sum", "max", "min"]
OPERATORS = {
    "byte": BITWISE,
    "float32": ARITHMETIC,
    "float64": ARITHMETIC,
    "int32": [*BITWISE, *ARITHMETIC],
    "int64": [*BITWISE, *ARITHMETIC],
}


@pytest.mark.parametrize("ranks", [2, 3, 5, 8])
def test_every_collective_by_every_algorithm_is_right(runner: Runner, ranks: int) -> None:
    cells = drawn_cells(ranks, seed=ranks)
    frames = runner.measure("fake", plan_text(cells, ranks=ranks, cores=ranks, budget_ms="1"), ranks=ranks)
    for number, text in enumerate(cells):
        header = next(frame.header for frame in frames if frame.header["cell"] == str(number))
        if header["status"] == "refused":
            assert "power of two" in header["reason"], text
            assert ranks in (3, 5), text
        else:
            assert header["status"] == "ok", text
            assert header["emulated"] == "yes", text


def test_one_altered_byte_is_noticed_in_every_collective_that_carries_any(runner: Runner) -> None:
    cells = [cell(name, 4096, ranks=4) for name in EVERY if FACTS[name].sized]
    frames = runner.measure("fake", plan_text(cells, ranks=4, cores=4), ranks=4, MSGAUGE_FAKE="wrong_bytes=1")
    told = {f.header["kernel"]: f.header["status"] for f in frames if f.header["cell"] != "-1"}
    # What is gathered at rank 0 holds nothing that rank 0 sent.
    spared = {"gather", "gatherv", "reduce", "igather", "igatherv", "ireduce"}
    assert {name for name, status in told.items() if status == "ok"} == spared
    assert {status for name, status in told.items() if name not in spared} == {"wrong-bytes"}


def test_types_and_sizes_that_do_not_fit_are_refused_with_the_reason(runner: Runner) -> None:
    cells = [
        cell("allreduce", 8, options="opt.type=byte opt.op=sum"),
        cell("reduce", 8, options="opt.type=float64 opt.op=bor"),
        cell("scan", 7),
        cell("alltoall", 2**31),
    ]
    frames = runner.measure("fake", plan_text(cells))
    reasons = [of_cell(frames, number).header["reason"] for number in range(4)]
    assert [reason.split()[0:3] for reason in reasons] == [
        ["MPI", "defines", "no"],
        ["MPI", "defines", "no"],
        ["the", "size", "is"],
        ["its", "buffers", "would"],
    ]


@pytest.mark.parametrize("name", ["bcast", "barrier"])
def test_a_rank_held_up_between_its_arrival_and_the_start_is_in_no_tail(runner: Runner, name: str) -> None:
    """One rank loses its processor for 130 us right before one start in fifty: the P99 is that of the operation."""
    noise = "noise=0.2"
    calm = rounds_of(runner, name, noise)
    held_up = rounds_of(runner, name, f"{noise},straggler=3,straggler_every=50,straggler_ns=130000")
    truth, found = (tails(one["completion"], single=True).p99 for one in (calm, held_up))
    assert found == pytest.approx(truth, rel=0.1)
    assert held_up["completion"].max() < 130_000
    assert held_up["start_skew"].max() < 1000
    assert held_up["late"][0] >= held_up["completion"].size // 50
    assert calm["late"][0] == 0


@pytest.mark.parametrize("name", ["bcast", "barrier"])
def test_a_message_that_is_held_up_shows_in_the_completion_and_less_in_the_mean_over_ranks(
    runner: Runner, name: str
) -> None:
    calm = rounds_of(runner, name, "")
    late = rounds_of(runner, name, f"spike_every=2000,spike_ns={MILLISECOND_NS}")
    usual = tails(calm["completion"], single=True).p999
    assert tails(calm["completion"], single=True).minimum == usual  # the model has no noise
    assert tails(late["completion"], single=True).p99 == usual
    assert late["completion"].max() >= MILLISECOND_NS
    if name == "bcast":
        assert late["mean_rank"].max() < 0.8 * late["completion"].max()
        assert late["root"].max() <= usual


def test_the_reading_of_the_clock_is_taken_off_and_told(runner: Runner) -> None:
    quick, slow = rounds_of(runner, "bcast", "clock=20"), rounds_of(runner, "bcast", "clock=500")
    assert (quick["empty_ns"][0], slow["empty_ns"][0]) == (20, 500)
    assert np.median(slow["completion"]) == pytest.approx(np.median(quick["completion"]), abs=1)


def rounds_of(runner: Runner, name: str, mishap: str) -> dict[str, np.ndarray]:
    """Every series of at least 10,000 rounds on four ranks, float ns per round; ``late`` and ``empty_ns`` beside."""
    text = plan_text([cell(name, 8, ranks=4, mode="single")], ranks=4, cores=4, budget_ms="400").replace(
        "cell_precision=0.01", "cell_precision=0"
    )
    frames = runner.measure("fake", text, ranks=4, MSGAUGE_FAKE=mishap)
    series = {f.header["series"]: f.values.astype(float) for f in frames if f.header["cell"] == "0"}
    said = of_cell(frames, 0, "completion").header
    return series | {name: np.array([float(said[name])]) for name in ("late", "empty_ns")}


def test_a_deferred_collective_hides_nothing(runner: Runner) -> None:
    frames = runner.measure("fake", plan_text([cell("iallreduce", 8, ranks=2)], budget_ms="5"))
    bare, both = of_cell(frames, 0, "completion").values, of_cell(frames, 0, "overlapped").values
    work, hidden = of_cell(frames, 0, "work").values, of_cell(frames, 0, "hidden").values
    assert of_cell(frames, 0).header["algorithm"] == "deferred"
    assert np.median(work) >= np.median(bare)
    assert np.median(both) >= np.median(bare) + np.median(work) - 100  # two readings of the clock
    assert np.median(hidden) <= 100


def test_the_roots_time_is_that_of_the_root_asked_for(runner: Runner) -> None:
    """The root of a small broadcast returns when it has sent, and so before the time of all others."""
    cells = [cell("bcast", 8, ranks=4, options=f"opt.root={root}") for root in ("0", "last", "middle", "rotate")]
    frames = runner.measure("fake", plan_text(cells, ranks=4, cores=4), ranks=4)
    roots = [float(np.median(of_cell(frames, number, "root").values)) for number in range(4)]
    means = [float(np.median(of_cell(frames, number, "mean_rank").values)) for number in range(4)]
    assert max(roots) - min(roots) <= 40
    assert max(roots) < min(means)
