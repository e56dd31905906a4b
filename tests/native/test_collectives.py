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
def test_a_straggler_shows_in_the_completion_and_not_in_the_mean_over_ranks(runner: Runner, name: str) -> None:
    """One rank late by 1 ms, one time in a thousand: the last one, which in a broadcast only receives."""
    calm = rounds_of(runner, name, "")
    late = rounds_of(runner, name, f"straggler=3,straggler_every=1000,straggler_ns={MILLISECOND_NS}")
    usual = tails(calm["completion"], single=True).p999
    assert tails(calm["completion"], single=True).minimum == usual  # the model has no noise
    completion = tails(late["completion"], single=True)
    assert completion.p99 == usual
    assert MILLISECOND_NS <= completion.p999 <= MILLISECOND_NS + usual
    if name == "barrier":
        assert completion.p999 == MILLISECOND_NS + usual
        assert tails(late["mean_rank"], single=True).p999 < 0.8 * completion.p999
    else:
        assert tails(late["mean_rank"], single=True).p999 <= usual
        assert tails(late["root"], single=True).p999 <= usual
    over_all = float(late["mean_rank"].mean())  # what suites report that print one mean
    assert over_all < usual + 0.002 * MILLISECOND_NS


def rounds_of(runner: Runner, name: str, mishap: str) -> dict[str, np.ndarray]:
    """Every series of at least 10,000 rounds on four ranks, float ns per round."""
    text = plan_text([cell(name, 8, ranks=4, mode="single")], ranks=4, cores=4, budget_ms="20000").replace(
        "cell_precision=0.01", "cell_precision=0"
    )
    frames = runner.measure("fake", text, ranks=4, MSGAUGE_FAKE=mishap)
    return {f.header["series"]: f.values.astype(float) for f in frames if f.header["cell"] == "0"}


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
