"""From which size on a slow stack is near a fast one: said when it is so, and only then."""

from __future__ import annotations

import numpy as np
from attrs import evolve
from benchmarks.truth.simulated_runs import dataset_of, make_plan

from msgauge.analysis.findings.convergence import find_convergence
from msgauge.analysis.run import analyse
from msgauge.model import Comparison, Finding, Stopping
from msgauge.stats.ratio import interval_at
from msgauge.units import format_size

SIZES = (8, 1024, 65_536, 1 << 20, 16 << 20)


def row(ratios: tuple[float, ...], spread: float = 1.05) -> list[Comparison]:
    return [
        Comparison("c", "files", place, "pingpong", size, 2, (), one, one / spread, one * spread, "slower", rounds=5)
        for place, (size, one) in enumerate(zip(SIZES, ratios, strict=False))
    ]


def told(cells: list[Comparison]) -> Finding:
    (finding,) = find_convergence(cells)
    return finding


def test_the_size_is_where_it_comes_near_and_stays() -> None:
    finding = told(row((200, 90, 1.8, 2.6, 1.5)))
    assert dict(finding.evidence)["from"] == str(16 << 20)
    assert "files takes at most 2 × the time of c at 16 MiB, the largest size (1.50 ×" in finding.sentence
    assert "at 8 B it takes 200 ×" in finding.sentence


def test_a_ratio_whose_interval_reaches_beyond_is_not_near() -> None:
    assert find_convergence(row((200, 90, 9, 1.9, 1.9), spread=1.1)) == (), "nor is it resolved that it is far"


def test_nothing_is_said_to_stay_far_beside_an_interval_that_holds_twice_the_time() -> None:
    """It was said by the interval of the size alone, and shown with the wider one of all sizes together."""
    cells = row((200, 90, 9, 4, 2.2))
    assert "there is no size up to 16 MiB" in told(cells).sentence
    for reach, count in ((1.09, 1), (1.12, 0)):
        together = [evolve(one, ratio_low=one.ratio / reach, ratio_high=one.ratio * reach) for one in cells]
        assert len(find_convergence(cells, together=together)) == count


def test_who_is_slow_does_not_depend_on_who_is_the_base() -> None:
    finding = told(row((1 / 200, 1 / 90, 1 / 9, 1 / 1.5, 1.2)))
    assert "c takes at most 2 × the time of files from 1 MiB on" in finding.sentence


def test_what_is_undecided_at_the_smallest_or_the_largest_size_says_nothing() -> None:
    far = row((200, 90, 9, 4, 5))
    for place in (0, -1):
        cells = [*far]
        cells[place] = evolve(cells[place], verdict="undecided")
        assert find_convergence(cells) == ()


def test_a_row_that_differs_in_more_than_size_says_so() -> None:
    cells = [evolve(one, options=(("send", "ready"),), mode="single") for one in row((200, 90, 9, 4, 5))]
    assert told(cells).sentence.startswith("In pingpong, send ready, every operation timed on 2 processes, there is no")
    assert told(row((200, 90, 9, 4, 5))).sentence.startswith("In pingpong on 2 processes, there is no")


def test_never_near_is_said_with_the_closest_size() -> None:
    assert "the ratio is lowest at 1 MiB (4.00 ×" in told(row((200, 90, 9, 4, 5))).sentence


def test_nothing_is_said_of_stacks_that_are_near_at_every_size_or_of_few_sizes() -> None:
    assert find_convergence(row((1.5, 1.5, 1.5, 1.5, 1.5))) == ()
    assert find_convergence(row((200, 1))) == ()


def test_the_sentence_is_among_the_findings_of_a_run() -> None:
    """Ten rounds without scatter to speak of: ten times as long at small sizes, a tenth more at large ones."""
    assert "convergence" in {finding.kind for finding in report_of(10.0, 1.1, rows=1)}


def test_of_many_rows_each_asks_for_more_certainty() -> None:
    """Intervals are simultaneous: what one row resolves in seven rounds is not said of forty at once."""
    (one,) = (finding for finding in report_of(10.0, 1.9, rows=1, scatter=0.03) if finding.kind == "convergence")
    assert "simultaneous 95 % interval" in one.sentence
    assert all(finding.kind != "convergence" for finding in report_of(10.0, 1.9, rows=40, scatter=0.03))


def test_the_lowest_ratio_has_an_interval_for_all_sizes_that_it_was_picked_from() -> None:
    """Of twelve rounds and four sizes; what is said of the smallest size, which nobody picked, keeps its own."""
    plan = make_plan(2, 4, Stopping(minimum_rounds=12, maximum_rounds=12), sizes=(8, 64, 512, 4096))
    logs = np.random.default_rng(1).normal(0, 0.02, (2, 4, 12)) + np.log([[[1.0]], [[4.0]]])
    report = analyse(dataset_of(plan, 1000 * np.exp(logs)), run="", stopped="rounds")
    (one,) = (finding for finding in report.findings if finding.kind == "convergence")
    lowest = int(np.argmin([found.ratio for found in report.comparisons]))
    low, high = interval_at((logs[1] - logs[0])[lowest], 1 - 0.05 / 4)
    assert f"simultaneous 95 % interval {low:.2f} to {high:.2f}" in one.sentence


def report_of(small: float, large: float, rows: int, scatter: float = 0.001) -> tuple[Finding, ...]:
    """Findings of seven rounds on two stacks whose ratio falls from ``small`` to ``large``, the same in all kernels."""
    plan = make_plan(2, 3 * rows, Stopping(minimum_rounds=7, maximum_rounds=7), sizes=(8, 1024, 65_536))
    wave = scatter * np.sin(2 * np.arange(2 * 3 * rows * 7)).reshape(2, 3 * rows, 7)
    apart = np.stack([np.zeros(3 * rows), np.log(np.tile([small, small, large], rows))])
    times = 1000 * np.exp(wave + apart[:, :, None])
    return analyse(dataset_of(plan, times), run="", stopped="rounds").findings


def test_a_size_that_was_not_compared_is_not_called_near() -> None:
    cells = row((200, 90, 1.9, 1.5, 1.5))
    (finding,) = find_convergence(cells)
    known = [one.size_bytes for one in cells]
    (gapped,) = find_convergence(cells, missing=[known[0] + 1, known[-2] + 1])
    assert " on (" in finding.sentence
    assert f" on without {format_size(known[-2] + 1)}, not compared (" in gapped.sentence
