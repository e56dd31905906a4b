"""What hosts' clocks leave open is no verdict; what they do not, is."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from attrs import evolve
from simulated_runs import only_builtin_stacks, study_file

from msgauge import pipeline
from msgauge.analysis.estimates.host_clocks import summarise_clocks
from msgauge.analysis.verdicts.clock_errors import describe_doubt_of_clocks, withdraw_doubtful
from msgauge.analysis.verdicts.pair_table import Levels, PairTable
from msgauge.analysis.verdicts.verdict_family import judge_family
from msgauge.kernels import load_kernels
from msgauge.model import HostClock, Launch, LaunchRecord, LaunchStatus, RankPlacement
from msgauge.report import json_output, phrasing
from msgauge.study import load_study

APART = "clock_offset=1.5ms,clock_drift=20,uphill_ns=4us"


@pytest.fixture(autouse=True)
def _builtin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_builtin_stacks(tmp_path, monkeypatch)


def test_a_difference_stands_where_it_is_larger_than_what_clocks_leave_open(tmp_path: Path) -> None:
    """A broadcast takes 30, 35 and 200 µs; clocks are known to about ±6 µs."""
    read = load_study(study_file(tmp_path, rounds=8), load_kernels())
    noise = "noise=0.02,launch_noise=0.01"
    stacks = (f"fake[G={each},L=3us,{noise},{APART}]" for each in (20, 25, 200))
    asked = evolve(read, stacks=(*stacks, f"fake[G=20,L=3us,{noise}]"))
    result = pipeline.run(asked, tmp_path / "runs", lambda _: None)
    fast = next(one.stack for one in result.analysis.estimates if "G=20," in one.stack and "clock" in one.stack)
    by_stack = {one.stack: one for one in result.analysis.estimates if one.kernel == "bcast"}
    unlike = [one for one in by_stack.values() if "clock_offset" in one.stack]
    assert all(2_000 < one.clock_error_ns < 20_000 for one in unlike)
    assert [one.clock_error_ns for one in by_stack.values() if one not in unlike] == [0]
    assert all(one.clock_error_ns == 0 for one in result.analysis.estimates if one.kernel == "pingpong")
    family, (_, wide_message, bcast) = judge_family(result.folder.dataset, Levels()), result.folder.plan.cells
    open_, wide, clear = (
        family.compare(fast, next(stack for stack in by_stack if word in stack), cell)
        for word, cell in (("G=25,", bcast), ("G=200,", bcast), ("G=200,", wide_message))
    )
    assert open_ and open_.verdict == "undecided" and "clocks" in open_.reason
    assert wide and wide.verdict == "slower" and not wide.reason
    assert clear and clear.verdict == "slower"
    (warning,) = (one for one in result.analysis.warnings if one.code == "clock-interval" and fast in one.message)
    assert "bcast, 1 KiB" in warning.message
    records = result.folder.records()
    printed = json_output.of_run(
        result.path, result.folder.plan, result.analysis, result.folder.hosts, summarise_clocks(records)
    )
    schema = json.loads((files("msgauge") / "schemas" / "compare.json").read_text())
    jsonschema.validate(json.loads(json_output.text(printed)), schema)
    clocks = [one for record in records if record.clocks for one in record.clocks]
    assert clocks and all(
        abs(one.offset_ns - one.rank * (1_500_000 + 20e-6 * one.at_ns)) <= one.offset_error_ns + 1 for one in clocks
    )


def judged(times: np.ndarray) -> PairTable:
    return PairTable.of(["a", "b"], times, Levels(), exact_clock=True)


def test_a_verdict_stands_only_if_it_does_for_every_two_times_that_the_clocks_allow() -> None:
    times = np.repeat(np.array([[[100.0], [100.0], [100.0]], [[150.0], [150.0], [100.5]]]), 12, axis=2)
    words = [int(word) for word in judged(times).judged.word[0]]
    assert 0 not in words
    for bounds, left in (
        ([[0, 0, 0], [0, 0, 0]], words),
        ([[0.2, 0.3, 0], [0.2, 0.3, 0.02]], [words[0], 0, words[2]]),
        ([[np.inf, 0, 0.02], [0, 0.4, 0.02]], [0, words[1], 0]),
    ):
        kept = withdraw_doubtful(judged(times), np.array(bounds, dtype=float))
        assert [int(word) for word in kept.judged.word[0]] == left
    assert "from 0.500 to 2.00" in describe_doubt_of_clocks(1.0, float(np.log(2)))
    assert "not known well enough" in describe_doubt_of_clocks(1.0, float("inf"))


def test_what_the_clocks_take_back_is_decided_by_the_ratio_that_is_shown() -> None:
    """Rounds of two kinds: the estimate of the test lies between them, at a ratio that no round had."""
    slow = np.where(np.arange(20) % 10 < 4, 1.6, 1.05)
    table = judged(np.stack([np.full((1, 20), 100.0), 100.0 * slow[None]]))
    shown, limit = float(table.ratios[0, 0]), 0.1
    assert shown == pytest.approx(1.05) and float(table.judged.ratio[0, 0]) > 1.2
    kept = withdraw_doubtful(table, np.array([[limit], [0.0]]))
    assert int(table.judged.word[0, 0]) != 0 and int(kept.judged.word[0, 0]) == 0
    assert "from 0.950 to 1.16" in describe_doubt_of_clocks(float(kept.ratios[0, 0]), limit)


def test_a_host_table_tells_each_hosts_clock_once() -> None:
    placement = tuple(RankPlacement(rank, host, 1, "0") for rank, host in enumerate(["n1", "n1", "n2", "n2", "n3"]))
    launch = Launch(number=0, round=0, seed=1, stack="tcp@1", ranks=5, cells=())

    def record(offset: int, drift_error: float, uneven: int = 0) -> LaunchRecord:
        clocks = [HostClock(rank, 10, 0, 0, 0.0, 0.0, 0) for rank in (0, 1)]
        clocks += [HostClock(rank, 10, offset, 4_000, 20.0, drift_error, 9_000, uneven) for rank in (2, 3)]
        clocks.append(HostClock(4, 10, -2_000_000_000, 9_000, -1.0, drift_error, 9_000))
        return LaunchRecord(launch=launch, status=LaunchStatus.OK, placement=placement, clocks=tuple(clocks))

    records = [record(1_500_000, 0.5), record(1_500_020, 2.0, uneven=1)]
    second, third = summarise_clocks(records)
    assert (second.host, second.offset_ns, second.drift_error_ppm, second.launches) == ("n2", 1_500_020, 0.5, 2)
    assert (third.host, third.offset_ns, second.uneven) == ("n3", -2_000_000_000, 1)
    said = phrasing.describe_clocks(records)
    assert said.startswith("n2 ahead of n1 by 1.50 ms ±4.00 µs, drift +20 ±0.5 ppm (uneven); n3 behind n1 by 2.00 s ")
    assert phrasing.describe_clocks([evolve(records[0], clocks=())]) == ""
