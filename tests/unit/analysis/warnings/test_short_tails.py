"""Tails that are not compared are told of, with the launches that had too few operations, on invented launches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from benchmarks.truth.simulated_runs import make_plan, stacks

from msgauge.analysis.verdicts.pair_table import Levels
from msgauge.analysis.verdicts.tails import TailTable
from msgauge.analysis.warnings.short_tails import warn_short_tails
from msgauge.model import Launch, LaunchRecord, Samples, Stopping
from msgauge.results.dataset import Dataset

PLAN = make_plan(2, 1, Stopping(minimum_rounds=12, maximum_rounds=12), mode="single")
BUDGET_NS = 50e6


def cut_by_time(first_ns: Sequence[float], second_ns: Sequence[float]) -> Dataset:
    """Launches of two stacks whose operations take so long: as many of them as there is time for."""
    records, frames, random = [], [], np.random.default_rng(8)
    for round_, times in enumerate(zip(first_ns, second_ns, strict=True)):
        for stack, level in zip(PLAN.stacks, times, strict=True):
            number = len(records)
            records.append(LaunchRecord(Launch(number, round_, stack, 2, (0,), 1), "ok", timer_resolution_ns=1.0))
            times_ns = level * np.exp(0.05 * random.normal(size=int(BUDGET_NS / level)))
            frames.append(Samples(number, 0, "time", np.rint(times_ns).astype(int)))
    return Dataset.of(PLAN, stacks(2), records, frames)


def words_of(dataset: Dataset) -> dict[str, str]:
    table = TailTable.of(PLAN.stacks, dataset, Levels(), exact_clock=False)
    assert table is not None
    return {one.quantile: one.verdict for one in table.compare(*PLAN.stacks, 0)}


def test_a_tail_that_the_slower_launches_have_no_time_for_is_not_compared_and_that_is_said() -> None:
    """The others alone were equivalent, of a stack whose every second launch is 1.6 times as slow."""
    dataset = cut_by_time([45_000] * 12, [45_000, 72_000] * 6)
    assert words_of(dataset).keys() == {"p95"}
    (told,) = warn_short_tails(dataset)
    assert told.code == "short-tails"
    assert told.message == (
        f"P99 of {PLAN.stacks[1]} is not compared in 1 test: the time of a test ended before 1000 operations in some "
        "launches, which are the slower ones (6 of 12 in kernel0, 8 B, 2 ranks, every operation timed)"
    )


def test_nothing_is_said_where_all_launches_have_a_tail_or_none_has() -> None:
    long = cut_by_time([20_000] * 12, [20_000, 30_000] * 6)
    assert not list(warn_short_tails(long)) and words_of(long).keys() == {"p95", "p99"}
    short = cut_by_time([20_000] * 12, [60_000] * 12)
    assert not list(warn_short_tails(short)) and words_of(short).keys() == {"p95"}
