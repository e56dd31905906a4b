"""What a median hides is in the first sentences where it was planted, and is not said where it was not."""

from __future__ import annotations

import json
from importlib.resources import files
from math import inf
from pathlib import Path

import jsonschema
import pytest
from attrs import evolve
from benchmarks.truth.simulated_runs import make_plan
from simulated_runs import only_builtin_stacks, study_file

from msgauge import pipeline
from msgauge.analysis.findings.caveats import describe_beyond_gate, describe_caveats, turn
from msgauge.analysis.findings.comparison_findings import findings
from msgauge.analysis.findings.topics import arrange_findings
from msgauge.analysis.verdicts.regression_gate import describe_gate, parse_gate
from msgauge.kernels import load_kernels
from msgauge.model import Analysis, Comparison, Estimate, SlowLaunches, Stopping, StopReason, TailComparison
from msgauge.report import json_output
from msgauge.study import load_study

PLAIN = "fake[launch_noise=0.01,noise=0.01]"
FIRST = 3
"""So many sentences are the first ones."""


@pytest.fixture(autouse=True)
def _builtin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_builtin_stacks(tmp_path, monkeypatch)


def measured(folder: Path, other: str, rounds: int) -> tuple[Analysis, dict[str, object]]:
    """A run of the small study, every operation of it timed, against a stack with something planted."""
    read = load_study(study_file(folder, rounds=rounds), load_kernels())
    single = tuple(evolve(one, mode="single") for one in read.measures)
    stopping = evolve(read.stopping, cell_budget_s=0.01)
    asked = evolve(read, stacks=(PLAIN, other), measures=single, stopping=stopping)
    result = pipeline.run(asked, folder / "runs", lambda _: None)
    printed = json.loads(json_output.text(json_output.of_run(result.path, result.folder.plan, result.analysis)))
    schema = json.loads((files("msgauge") / "schemas" / "compare.json").read_text())
    jsonschema.validate(printed, schema)
    return result.analysis, printed


def first_sentences(analysis: Analysis) -> str:
    return "\n".join(one.sentence for one in analysis.findings[:FIRST])


def test_a_planted_slow_mode_is_in_the_first_sentences(tmp_path: Path) -> None:
    other = "fake[L=800ns,launch_noise=0.01,mode=2.8,mode_every=10,noise=0.01]"
    analysis, printed = measured(tmp_path, other, rounds=20)
    assert "10 % of the launches of fake@1[" in first_sentences(analysis)
    assert "2.8" in first_sentences(analysis)
    sentence = next(one.sentence for one in analysis.findings if one.kind == "comparison" and " 8 B" in one.sentence)
    assert "faster than" in sentence or "slower than" in sentence
    assert "(2 of 20, 95 % interval 1.2 % to 31.7 %; factor 2." in sentence
    found = [one["slow_launches"] for one in printed["estimates"] if "mode" in one["stack"]]  # type: ignore[attr-defined]
    assert [(one["slow"], one["launches"]) for one in found] == [(2, 20)] * 3
    assert all(one["factor_low"] < 2.8 < one["factor_high"] for one in found)
    assert all(one["slow_launches"] is None for one in printed["estimates"] if "mode" not in one["stack"])  # type: ignore[attr-defined]


def test_a_planted_tail_is_in_the_first_sentences_and_the_median_is_not_called_slower(tmp_path: Path) -> None:
    """One message in forty is late by what a message takes: the tail of its operations is twice as long."""
    other = "fake[launch_noise=0.01,noise=0.01,spike_every=40,spike_ns=2800]"
    analysis, printed = measured(tmp_path, other, rounds=8)
    small = next(one for one in analysis.comparisons if one.kernel == "pingpong" and one.size_bytes == 8)
    assert small.verdict in {"equivalent", "undecided"}
    tail = next(one for one in small.tails if one.quantile == "p99")
    assert tail.verdict == ("slower" if "spike" in small.other else "faster")
    assert "at P99" in first_sentences(analysis)
    assert abs(max(tail.ratio, 1 / tail.ratio) - 2) < 0.2
    shown = next(one for one in printed["comparisons"] if one["cell"] == small.cell)  # type: ignore[attr-defined]
    assert [one["quantile"] for one in shown["tails"]] == ["p95", "p99"]


def test_where_nothing_was_planted_nothing_is_said(tmp_path: Path) -> None:
    analysis, printed = measured(tmp_path, "fake[L=1.1us,launch_noise=0.01,noise=0.01]", rounds=8)
    said = "\n".join(one.sentence for one in analysis.findings)
    assert "of its launches" not in said
    assert "of the launches" not in said
    assert "at P9" not in said
    assert all(one["slow_launches"] is None for one in printed["estimates"])  # type: ignore[attr-defined]


SLOW = SlowLaunches(2, 20, 0.1, 0.012, 0.317, 2.8, 2.6, 3.1)
FASTER = Comparison("base@1", "mpich@5", 0, "pingpong", 8, 2, (), 0.95, 0.93, 0.97, "faster", rounds=20)


def test_the_share_and_the_factor_follow_the_verdict() -> None:
    caveats = describe_caveats([FASTER], {FASTER.other_key: SLOW})
    assert caveats == (
        ", but 10 % of its launches are 2.80 × slower (2 of 20, 95 % interval 1.2 % to 31.7 %; factor 2.60 to 3.10)"
    )
    assert "of the launches of base@1 are" in describe_caveats([FASTER], {FASTER.base_key: SLOW})
    assert describe_caveats([FASTER], {}) == ""


def test_one_slow_launch_is_said_without_an_interval_of_its_factor() -> None:
    one = SlowLaunches(1, 20, 0.05, 0.001, 0.249, 2.8, float("nan"), float("nan"))
    assert describe_caveats([FASTER], {FASTER.other_key: one}) == (
        ", but 5 % of its launches, one launch of 20, were 2.80 × slower (95 % interval of the share 0.1 % to 24.9 %)"
    )
    second = evolve(FASTER, cell=1)
    row, less = [FASTER, second], evolve(one, factor=2.5)
    said = describe_caveats(row, {FASTER.other_key: one, second.other_key: less})
    assert "were 2.50 to 2.80 × slower (95 % interval of the share" in said
    said = describe_caveats(row, {FASTER.other_key: SLOW, second.other_key: less})
    assert "up to 10 % of its launches are 2.80 × slower" in said
    assert "factor 2.60 to 3.10)" in said, "what one launch does not tell is left out"
    plan = make_plan(2, 1, Stopping(minimum_rounds=20, maximum_rounds=20))
    estimate = Estimate("mpich@5", 0, "pingpong", 8, 2, median_ns=1.0, slow_launches=one)
    analysis = Analysis("run", "study", StopReason.ROUNDS, 20, estimates=(estimate,))
    printed = json_output.text(json_output.of_run(Path("run"), plan, analysis))
    shown = json.loads(printed)["estimates"][0]["slow_launches"]
    assert (shown["slow"], shown["factor"], shown["factor_low"], shown["factor_high"]) == (1, 2.8, None, None)


def test_a_tail_that_goes_the_same_way_as_the_median_says_nothing_new() -> None:
    def with_tail(word: str, ratio: float) -> Comparison:
        return evolve(FASTER, tails=(TailComparison("p99", ratio, ratio * 0.97, ratio * 1.03, word, 0.01, 20),))  # type: ignore[arg-type]

    assert describe_caveats([with_tail("faster", 0.95)], {}) == ""
    assert describe_caveats([with_tail("undecided", 1.2)], {}) == ""
    assert describe_caveats([with_tail("slower", 2.0)], {}) == (
        ", but at P99 it is slower (ratio 2.00, 95 % interval 1.94 to 2.06)"
    )
    longer = with_tail("faster", 0.5)
    assert describe_caveats([longer], {}) == "", "it may be as long in multiples of the median"
    longer = evolve(longer, tails=(evolve(longer.tails[0], stretch="faster"),))
    assert "at P99 it is even faster" in describe_caveats([longer], {}), "far beyond the median"


def test_one_sentence_tells_the_slow_launches_of_a_stack_over_several_kernels() -> None:
    cells = [evolve(FASTER, cell=number, kernel=f"k{number}") for number in range(3)]
    table = [Estimate("mpich@5", one.cell, one.kernel, 8, 2, median_ns=1.0, slow_launches=SLOW) for one in cells]
    first = findings(table[:2], cells)[0]
    assert first.kind == "slow-launches"
    assert first.sentence.startswith("10 % of the launches of mpich@5 are 2.80 × slower (2 of 20")
    assert first.sentence.endswith("on 2 processes in 2 of 2 tests.")
    assert [one.kind for one in findings(table[:1], cells[:1])] == ["comparison"], "said once"


LATE = TailComparison("p99", 1.95, 1.9, 2.0, "slower", 0.01, 20)
OPEN = evolve(FASTER, ratio=1.0, ratio_low=0.97, ratio_high=1.03, verdict="undecided", reason="noise", tails=(LATE,))


@pytest.mark.parametrize("word", ["faster", "slower", "equivalent", "undecided"])
def test_what_medians_hide_is_told_by_itself_whatever_the_medians_say(word: str) -> None:
    """Where they were undecided, a tail twice as long stood nowhere but behind "Undecided: 1 finding"."""
    tailed = evolve(OPEN, verdict=word, tails=(evolve(LATE, stretch="slower"),))
    (told,) = arrange_findings(findings((), (tailed,))).decisive
    assert "at P99 it is" in told.sentence
    assert "ratio 1.95, 95 % interval 1.90 to 2.00" in told.sentence
    moded = Estimate("mpich@5", 0, "pingpong", 8, 2, median_ns=1.0, slow_launches=SLOW)
    (told,) = arrange_findings(findings((moded,), (evolve(OPEN, verdict=word, tails=()),))).decisive
    assert "10 % of its launches are 2.80 × slower" in told.sentence
    bare = arrange_findings(findings((), (evolve(OPEN, tails=()),)))
    assert (bare.decisive, [one.title for one in bare.topics]) == ((), ["Undecided"])


def test_a_gate_that_passes_by_medians_says_which_tails_and_launches_it_does_not_judge() -> None:
    gate = parse_gate("slower>5%")
    moded = Estimate("mpich@5", 0, "pingpong", 8, 2, median_ns=1.0, slow_launches=SLOW)
    beyond = describe_beyond_gate(gate, (moded,), (OPEN,))
    assert beyond == (
        "at P99 mpich@5 is slower than base@1 in 1 of 1 test (ratio 1.95, 95 % interval 1.90 to 2.00)",
        "10 % of the launches of mpich@5 are 2.80 × slower in 1 of 1 test "
        "(2 of 20, 95 % interval 1.2 % to 31.7 %; factor 2.60 to 3.10)",
    )
    assert describe_gate(gate, ("passed", ()), 1, beyond=beyond[:1]) == (
        f"--fail-on: passed by medians: none of 1 is slower by more than 5 %; but {beyond[0]} (exit code 0)"
    )
    assert "undecided by medians: 1 of 1" in describe_gate(gate, ("undecided", (OPEN,)), 1, beyond=beyond)
    assert describe_beyond_gate(gate, (), (evolve(OPEN, tails=(evolve(LATE, verdict="faster"),)),)) == ()
    within = evolve(LATE, ratio=1.03, ratio_low=1.02, ratio_high=1.04)
    assert describe_beyond_gate(gate, (), (evolve(OPEN, tails=(within,)),)) == (), "by less than the amount"
    assert describe_beyond_gate(parse_gate("faster>5%"), (moded,), (OPEN,)) == ()


def test_a_ratio_that_may_be_nothing_is_one_without_a_bound_from_the_other_side() -> None:
    """Of two rounds that differ a hundredfold, in an interrupted run, Student's t tells just that."""
    tail = TailComparison("p95", 2.0, 0.0, inf, "undecided", 1.0, 2, "undecided")
    one = Comparison("a@1", "b@1", 0, "pingpong", 8, 2, (), 4.0, 0.0, inf, "undecided", tails=(tail,))
    turned = turn(one)
    assert (turned.ratio, turned.ratio_low, turned.ratio_high) == (0.25, 0.0, inf)
    (turned_tail,) = turned.tails
    assert (turned_tail.ratio, turned_tail.ratio_low, turned_tail.ratio_high) == (0.5, 0.0, inf)
