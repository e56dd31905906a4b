"""Claims about tails between runs: one that changes alone is told of medians too, one that does not is not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from attrs import evolve

from msgauge.analysis.between_runs.history import trace_history
from msgauge.analysis.between_runs.measured_runs import Quantile
from msgauge.analysis.between_runs.run_comparison import compare_runs
from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey
from msgauge.analysis.between_runs.run_quantiles import (
    choose_quantile,
    leave_out_short_tails,
    warn_of_changed_tails,
    warn_of_short_tails,
    warn_of_tails_in_history,
)
from msgauge.errors import UsageError

SIZES = (8, 64, 1024, 65536, 1 << 20)
Run = dict[Quantile, RunLevels]


def draw_run(
    random: np.random.Generator, number: int, *, median: float = 1.0, tail: float = 1.0, sizes: Sequence[int] = SIZES
) -> Run:
    """Seven launches of operations that were timed one by one: their medians and P99s, in a mood of the run."""
    mood = np.exp(0.02 * random.normal())

    def levels(level: float) -> dict[SeriesKey, np.ndarray]:
        keys = [SeriesKey("openmpi@5", "pingpong", size, 2, mode="single") for size in sizes]
        return {key: mood * level * np.exp(0.02 * random.normal(size=7)) for key in keys}

    day = f"2026-{number // 28 + 1:02d}-{number % 28 + 1:02d}T02:00:00"
    run = RunLevels(f"runs/{day}", day, medians_ns=levels(1000 * median))
    return {"p50": run, "p95": evolve(run, medians_ns={}), "p99": evolve(run, medians_ns=levels(2000 * tail))}


def draw_runs(seed: int, count: int, **changes: float) -> list[Run]:
    random = np.random.default_rng(seed)
    return [draw_run(random, 40 * bool(changes) + number, **changes) for number in range(count)]


def tails_of(old: Sequence[Run], new: Sequence[Run]) -> list[str]:
    """What is said of tails beside the medians of two versions."""
    compared = compare_runs(choose_quantile(old, "p50"), choose_quantile(new, "p50"))
    return [one.message for one in warn_of_changed_tails(old, new, compared, ())]


def test_a_tail_that_changed_alone_is_told_with_the_way_to_see_it() -> None:
    old, new = draw_runs(1, 5), draw_runs(2, 5, tail=2.0)
    compared = compare_runs(choose_quantile(old, "p50"), choose_quantile(new, "p50"))
    assert {one.verdict for one in compared.judged} <= {"equivalent", "undecided"}
    (warning,) = warn_of_changed_tails(old, new, compared, ())
    assert warning.code == "tails-changed"
    assert warning.message == (
        "openmpi@5 is slower at P99, which medians do not show, in 5 tests: pingpong 8 B, 2 ranks, single; "
        "pingpong 64 B, 2 ranks, single; pingpong 1 KiB, 2 ranks, single; and 2 more"
    )
    assert warning.remedy == "see by how much: --quantile p99"


def test_a_tail_that_goes_with_its_median_or_stays_is_no_news_and_one_that_goes_the_other_way_is() -> None:
    old = draw_runs(3, 5)
    assert tails_of(old, draw_runs(4, 5)) == []
    assert tails_of(old, draw_runs(4, 5, median=1.5, tail=1.5)) == []
    (said,) = tails_of(old, draw_runs(4, 5, median=0.7, tail=1.5))
    assert said.startswith(
        "openmpi@5 is slower at P99, which medians do not show, in 5 tests: pingpong 8 B, 2 ranks, single;"
    )


def test_where_launches_have_no_p99_their_p95_is_looked_at_and_where_they_have_no_tail_nothing_is() -> None:
    def shorter(runs: Sequence[Run]) -> list[Run]:
        return [{"p50": run["p50"], "p95": run["p99"], "p99": run["p95"]} for run in runs]

    old, new = draw_runs(1, 5), draw_runs(2, 5, tail=2.0)
    (said,) = tails_of(shorter(old), shorter(new))
    assert said.startswith("openmpi@5 is slower at P95, which medians do not show, in 5 tests")
    bare = [[{**run, "p99": run["p95"]} for run in side] for side in (old, new)]
    assert tails_of(bare[0], bare[1]) == []
    assert tails_of(old, bare[1]) == [], "one version alone has tails"


def test_a_test_of_few_operations_has_its_p95_looked_at_beside_others_that_have_a_p99() -> None:
    few = SIZES[0]

    def shorter(runs: Sequence[Run]) -> list[Run]:
        """P95 alone at one size, which is the one that changes; at the others both tails, as before."""
        found = []
        for run in runs:
            tails = run["p99"].medians_ns
            usual = {key: 1000 * values / values.mean() for key, values in tails.items() if key.size_bytes != few}
            p95 = evolve(run["p99"], medians_ns={**tails, **usual})
            found.append({"p50": run["p50"], "p95": p95, "p99": evolve(p95, medians_ns=usual)})
        return found

    old, new = shorter(draw_runs(1, 5)), shorter(draw_runs(2, 5, tail=2.0))
    told = "openmpi@5 is slower at P95, which medians do not show, in 1 test: pingpong 8 B, 2 ranks, single"
    assert tails_of(old, new) == [told]
    lacking = [{**new[0], "p99": evolve(new[0]["p99"], medians_ns={})}, *new[1:]]
    assert tails_of(old, lacking) == [told], "a run without P99 has its P95 compared"


def test_tails_of_both_kinds_are_told_each_by_its_own() -> None:
    old, new = draw_runs(1, 5), draw_runs(2, 5, tail=2.0)
    for run in (*old, *new):
        first = next(iter(run["p99"].medians_ns))
        run["p95"] = run["p99"]
        left = {key: values for key, values in run["p99"].medians_ns.items() if key != first}
        run["p99"] = evolve(run["p99"], medians_ns=left)
    compared = compare_runs(choose_quantile(old, "p50"), choose_quantile(new, "p50"))
    said = {one.remedy: one.message for one in warn_of_changed_tails(old, new, compared, ())}
    assert set(said) == {f"see by how much: --quantile {one}" for one in ("p95", "p99")}
    assert "at P95, which medians do not show, in 1 test: pingpong 8 B" in said["see by how much: --quantile p95"]
    assert "at P99, which medians do not show, in 4 tests" in said["see by how much: --quantile p99"]


def test_a_step_of_the_tail_alone_is_told_of_a_history_of_medians_with_its_run() -> None:
    random = np.random.default_rng(5)
    runs = [draw_run(random, number, tail=1.0 if number < 20 else 1.5, sizes=SIZES[:2]) for number in range(30)]
    medians = trace_history(choose_quantile(runs, "p50"))
    assert not any(one.changes for one in medians.series)
    (warning,) = warn_of_tails_in_history(runs, medians)
    assert warning.message == (
        "openmpi@5 is slower at P99, which medians do not show, from run 2026-01-21T02:00:00 on in 2 tests: "
        "pingpong 8 B, 2 ranks, single; pingpong 64 B, 2 ranks, single"
    )
    alike = [draw_run(random, number, sizes=SIZES[:2]) for number in range(30)]
    assert warn_of_tails_in_history(alike, trace_history(choose_quantile(alike, "p50"))) == ()
    together = [{**run, "p50": run["p99"]} for run in runs]
    assert warn_of_tails_in_history(together, trace_history(choose_quantile(together, "p50"))) == ()


@pytest.mark.parametrize(("quantile", "needed"), [("p95", 200), ("p99", 1000)])
def test_a_tail_that_no_run_has_is_refused_with_what_it_needs(quantile: Quantile, needed: int) -> None:
    bare = [{**run, "p99": run["p95"]} for run in draw_runs(1, 2)]
    with pytest.raises(UsageError, match=f"in each, launches timed fewer than {needed} operations one by one"):
        choose_quantile(bare, quantile)


def test_a_tail_that_some_runs_lack_is_left_out_of_all_and_that_is_said() -> None:
    """They may lack it since they were slower: of those that have it nothing follows for the others."""
    old, new = draw_runs(1, 3), draw_runs(2, 3, tail=1.5)
    slow = next(iter(new[0]["p99"].medians_ns))
    kept_times = {key: times for key, times in new[0]["p99"].medians_ns.items() if key != slow}
    new[0]["p99"] = evolve(new[0]["p99"], medians_ns=kept_times)
    (before, after), (told,) = leave_out_short_tails([old, new], "p99")
    assert all(slow not in run["p99"].medians_ns and len(run["p99"].medians_ns) == 4 for run in (*before, *after))
    assert all(run["p50"] is was["p50"] for run, was in zip((*before, *after), (*old, *new), strict=True))
    assert told.code == "short-tails"
    assert told.message == (
        "P99 is not compared in 1 test: pingpong 8 B, 2 ranks, single; launches of some runs, the slower ones, timed "
        "fewer than 1000 operations one by one"
    )
    assert leave_out_short_tails([old, new], "p50")[1] == (), "who asks for medians is told of medians"
    assert warn_of_short_tails(old, "p99", "is not compared") == ()
