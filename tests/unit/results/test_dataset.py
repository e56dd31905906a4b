"""One data set: what counts is the same for estimates, models, papers, tables, page, figures and export."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb
import numpy as np
import pytest
from attrs import evolve

from msgauge import evaluation
from msgauge.analysis.estimates.efficiencies import find_efficiencies
from msgauge.analysis.estimates.observations import make_observations
from msgauge.analysis.run import analyse, analyse_round
from msgauge.model import (
    Cell,
    CellKey,
    Estimate,
    FailureKind,
    Launch,
    LaunchRecord,
    Origin,
    Plan,
    Samples,
    SampleStatus,
    Stack,
    serialization,
)
from msgauge.report.view import make_sketches
from msgauge.results import wire
from msgauge.results.dataset import Dataset, first_series
from msgauge.results.run_folder import RunFolder
from msgauge.stats.programs import limit_efficiency, log_efficiencies

STACKS = (Stack("a", "1", Origin("builtin")), Stack("b", "1", Origin("builtin")))
PLAN = Plan("unit", 1, ("a@1", "b@1"), (Cell(0, "pingpong", 8, 2), Cell(1, "pingpong", 64, 2)), (2,))
END = Samples(0, -1, "end", np.empty(0, dtype=np.int64))
"""The last frame of a launch that went well."""
Launches = Sequence[tuple[int, str]]
"""Round and stack of each launch in order."""
WHOLE: Launches = ((0, "a@1"), (0, "b@1"), (1, "b@1"), (1, "a@1"))
INCOMPLETE = WHOLE[:3]


def records(launches: Launches) -> list[LaunchRecord]:
    return [
        LaunchRecord(Launch(number, round_, stack, 2, (0, 1), 1), "ok")
        for number, (round_, stack) in enumerate(launches)
    ]


def frames(launch: int, level: int, **said: str) -> list[Samples]:
    """Both cells of a launch: three samples around ``level``."""
    words = tuple({"kernel": "pingpong", **said}.items())
    values = np.array([level, level + 1, level + 2], dtype=np.int64)
    return [Samples(launch, cell, "time", values, attributes=words) for cell in (0, 1)]


def a_dataset(launches: Launches) -> Dataset:
    made = records(launches)
    return Dataset.of(PLAN, STACKS, made, [one for r in made for one in frames(r.launch.number, level(r.launch))])


def level(launch: Launch) -> int:
    return 1000 * (launch.number + 1)


# --- which launches count ------------------------------------------------------------------------------------


@pytest.mark.parametrize("launches", [WHOLE, INCOMPLETE], ids=["whole rounds", "incomplete round"])
def test_estimates_observations_and_the_distributions_of_the_page_count_the_same_samples(launches: Launches) -> None:
    dataset = a_dataset(launches)
    estimates = {one.key: one for one in analyse(dataset, run="", stopped="rounds").estimates if not one.failed}
    sketches = {CellKey(one.stack, one.cell): one for one in make_sketches(dataset)[0]}
    observed = {(one.stack, one.size_bytes): one for one in make_observations(dataset, ())}
    assert estimates.keys() == sketches.keys()
    for key, estimate in estimates.items():
        seen = observed[key.stack, estimate.size_bytes]
        assert estimate.samples == sketches[key].samples == 3 * len(seen.rounds)
        assert estimate.minimum_ns == sketches[key].quantiles_ns[0] == seen.minimum_ns
        assert estimate.launch_medians_ns == seen.medians_ns
    expected = {"a@1": 2, "b@1": 2} if launches is WHOLE else {"a@1": 1, "b@1": 2}
    assert {key.stack: one.launches for key, one in estimates.items()} == expected


def test_a_selection_is_what_the_chosen_launches_alone_would_be() -> None:
    launches = [(round_, stack) for round_ in range(3) for stack in ("a@1", "b@1")]
    chosen = a_dataset(launches).select(lambda record: record.launch.round != 1)
    assert chosen.rounds == 2
    assert [one.launch for one in chosen.cells[CellKey("a@1", 0)].frames] == [0, 4]


def test_what_grows_launch_by_launch_is_what_is_read_at_once() -> None:
    launches = [(round_, stack) for round_ in range(6) for stack in ("a@1", "b@1")]
    made, growing = records(launches), Dataset(PLAN, STACKS)
    for record in made:
        growing.add(record, frames(record.launch.number, level(record.launch)))
        _ = growing.cells
    assert answer(growing) == answer(a_dataset(launches))


def answer(dataset: Dataset) -> str:
    return serialization.dumps(analyse(dataset, run="", stopped="rounds"))


def test_an_efficiency_has_limits_from_the_launches_that_have_both_times() -> None:
    made = records([(round_, "a@1") for round_ in range(4)])
    times, serial = [100, 110, 105, 90], [160, 170, 165]
    whole = [Samples(number, 0, "time", np.array([time])) for number, time in enumerate(times)]
    whole += [Samples(number, 0, "serial", np.array([time])) for number, time in enumerate(serial)]
    expected = limit_efficiency(log_efficiencies(np.array(serial), np.array(times[:3]), 2))
    dataset = Dataset.of(PLAN, STACKS, made, whole)
    one = Estimate("a@1", 0, "pi", 8, 2, median_ns=102.5, series=(("communication", 10.0), ("serial", 165.0)))
    (found,) = find_efficiencies(dataset, [one, evolve(one, stack="b@1"), evolve(one, series=())])
    assert (found.key, found.value) == (CellKey("a@1", 0), pytest.approx(165 / 210)), "of the median launch"
    assert (found.low, found.high) == expected
    alone = Dataset.of(PLAN, STACKS, made, whole[: len(times)])
    assert not list(find_efficiencies(alone, [one])), "no launch has a serial time"


# --- cells that failed ---------------------------------------------------------------------------------------


def test_a_cell_with_wrong_bytes_is_in_no_estimate_no_model_and_no_distribution() -> None:
    dataset = a_dataset([(round_, stack) for round_ in range(2) for stack in ("a@1", "b@1")])
    extra = LaunchRecord(Launch(4, 2, "b@1", 2, (0, 1), 1), "ok")
    broken, fine = frames(4, 9, status="wrong-bytes", reason="byte 3")[0], frames(4, 9)[1]
    dataset.add(extra, [broken, fine])
    lost = CellKey("b@1", 0)
    assert lost not in dataset.cells
    assert CellKey("b@1", 1) in dataset.cells
    assert lost not in {CellKey(one.stack, one.cell) for one in make_sketches(dataset)[0]}
    assert ("b@1", 8) not in {(one.stack, one.size_bytes) for one in make_observations(dataset, ())}
    (failure,) = analyse(dataset, run="", stopped="rounds").failures
    assert (failure.key, failure.kind) == (lost, FailureKind.WRONG_BYTES)


def test_wrong_bytes_stay_wrong_when_a_later_launch_breaks_off_in_the_same_cell() -> None:
    """The launch that broke off gave its own sentence to the cell, which then counted as sound."""
    dataset = a_dataset([(0, "a@1"), (0, "b@1")])
    dataset.add(
        LaunchRecord(Launch(2, 1, "b@1", 2, (1, 0), 1), "ok"),
        [frames(2, 9, status="wrong-bytes")[0], frames(2, 9)[1]],
    )
    dataset.add(LaunchRecord(Launch(3, 2, "b@1", 2, (1, 0), 1), "failed", reason="signal 11"), [frames(3, 9)[1]])
    found = analyse(dataset, run="", stopped="rounds")
    assert [(one.key, one.kind) for one in found.failures] == [(CellKey("b@1", 0), FailureKind.WRONG_BYTES)]
    assert [one.key for one in found.estimates if one.failed] == [CellKey("b@1", 0)]


@pytest.mark.parametrize(
    ("word", "status"),
    [
        ("ok", SampleStatus.OK),
        ("wrong-bytes", SampleStatus.WRONG_BYTES),
        ("refused", SampleStatus.REFUSED),
        ("error", SampleStatus.ERROR),
        ("what is this", SampleStatus.ERROR),
    ],
)
def test_a_status_that_the_protocol_does_not_know_is_an_error(word: str, status: SampleStatus) -> None:
    assert frames(0, 1, status=word)[0].status is status


@pytest.mark.parametrize(
    ("names", "expected"),
    [(["root", "completion"], "completion"), (["compute", "time"], "time"), (["sent", "received"], "sent")],
)
def test_the_completion_or_the_time_is_compared_else_what_came_first(names: list[str], expected: str) -> None:
    assert first_series(names) == expected


def test_samples_of_a_test_that_nobody_asked_for_are_kept_and_count_for_nothing() -> None:
    """The analysis looked for the test in the plan, which was a bug of exit code 70."""
    launches = records(WHOLE)
    strange = [Samples(one.launch.number, 770, "time", np.array([5, 6])) for one in launches]
    known = [frame for one in launches for frame in frames(one.launch.number, 100)]
    found = Dataset.of(PLAN, STACKS, launches, [*known, *strange])
    assert {key.cell for key in found.cells} == {0, 1}
    assert sum(frame.cell == 770 for frame in found.frames) == len(launches)
    assert {one.cell for one in analyse(found, run="r", stopped="rounds").estimates} == {0, 1}


def test_nothing_counts_of_a_launch_that_was_not_the_one_asked_for() -> None:
    """It ran another library, say, to its end: its times are of something else, and its bytes too."""
    known = records(WHOLE)
    known[2] = evolve(known[2], status="failed", reason="runs another library", astray=True)
    wrong = [evolve(one, attributes=(*one.attributes, ("status", "wrong-bytes"))) for one in frames(2, 9000)]
    measured = [frame for number in (0, 1, 3) for frame in frames(number, 1000)]
    found = Dataset.of(PLAN, STACKS, known, [*measured, *wrong])
    assert found.cells[CellKey("b@1", 0)].medians_ns.tolist() == [1001]
    analysed = analyse(found, run="unit", stopped="rounds")
    (failure,) = (one for one in analysed.failures if one.stack == "b@1")
    assert (failure.kind, failure.cell) == (FailureKind.LAUNCH, -1)
    assert "runs another library" in failure.reason
    assert "launches-lost" not in {one.code for one in analysed.warnings}


@pytest.mark.parametrize("level", [0, -1000])
def test_times_that_are_not_above_zero_are_told(level: int) -> None:
    """Their tests had no verdict, and the clocks of hosts that there were none of got the blame."""
    launches = records(WHOLE)
    measured = [
        frame
        for one in launches
        for frame in frames(one.launch.number, level - 1 if one.launch.stack == "a@1" else 100)
    ]
    warnings = {
        one.code: one
        for one in analyse(Dataset.of(PLAN, STACKS, launches, measured), run="r", stopped="rounds").warnings
    }
    assert "a@1 in 2 tests" in warnings["not-positive"].message
    assert "b@1" not in warnings["not-positive"].message
    assert "clock-interval" not in warnings


# --- reading -------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[RunFolder]:
    with RunFolder.create(tmp_path, "", PLAN, {}, STACKS) as made:
        for record in records([(round_, stack) for round_ in range(3) for stack in ("a@1", "b@1")]):
            store(made, record)
        yield made


def store(folder: RunFolder, record: LaunchRecord) -> None:
    content = b"".join(wire.write_frame(one) for one in (*frames(record.launch.number, level(record.launch)), END))
    (folder.launch_folder(record.launch.number) / "samples.bin").write_bytes(content)
    folder.record(record)


_OPENED: list[str] = []
_LISTENING: list[bool] = []


@contextmanager
def opened() -> Iterator[list[str]]:
    """The launches whose samples are opened meanwhile, once for each time."""
    if not _LISTENING:
        sys.addaudithook(_listen)  # it cannot be taken away again
        _LISTENING.append(True)
    _OPENED.clear()
    yield _OPENED


def _listen(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and str(arguments[0]).endswith("samples.bin"):
        _OPENED.append(Path(str(arguments[0])).parent.name)


def test_analysis_page_tables_and_export_read_each_launch_once(folder: RunFolder) -> None:
    path = folder.path
    with opened() as found:
        again, analysis = evaluation.reanalyse(path)
        again.write_analysis(analysis)
        evaluation.write_page(again)
        again.write_parquet()
    assert sorted(found) == [f"{number:04d}" for number in range(6)]


def test_a_launch_that_comes_later_costs_its_own_samples_alone(folder: RunFolder) -> None:
    follower = RunFolder.open(folder.path)
    assert len(list(follower.dataset.frames)) == 12
    with opened() as found:
        new = LaunchRecord(Launch(6, 3, "a@1", 2, (0, 1), 1), "ok")
        store(folder, new)
        found.clear()
        assert follower.update().cells[CellKey("a@1", 0)].medians_ns.size == 4
        assert follower.update() is follower.dataset
    assert found == ["0006"]


def test_a_run_that_records_a_launch_reads_nothing_of_the_others(folder: RunFolder) -> None:
    assert folder.dataset.rounds == 3
    with opened() as found:
        number = 6
        content = b"".join(wire.write_frame(one) for one in (*frames(number, 5), END))
        (folder.launch_folder(number) / "samples.bin").write_bytes(content)
        found.clear()
        folder.record(LaunchRecord(Launch(number, 3, "a@1", 2, (0, 1), 1), "ok"))
        analyse_round(folder.dataset, (), None)
    assert found == ["0006"]


def test_parquet_holds_launches_that_do_not_count_too(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path, "", PLAN, {}, STACKS) as made:
        for record in records(WHOLE):
            store(made, record)
        path = made.write_parquet()
    assert duckdb.sql(f"SELECT count(*), count(DISTINCT launch) FROM '{path}'").fetchall() == [(24, 4)]


@pytest.mark.parametrize("simulated", [True, False])
@pytest.mark.parametrize(("spread", "is_still"), [(1, True), (2, True), (3, False)])
def test_a_simulated_time_is_one_time_though_its_clock_is_read_in_whole_ns(
    spread: int, *, simulated: bool, is_still: bool
) -> None:
    stacks = tuple(evolve(stack, simulated=simulated) for stack in STACKS)
    plan = evolve(PLAN, cells=PLAN.cells[:1])
    made = [Samples(number, 0, "time", np.array([20_040_305 + spread * (number % 2)]), 2) for number in range(4)]
    launches = [LaunchRecord(Launch(number, number, "a@1", 2, (0,), 1), "ok") for number in range(4)]
    medians = Dataset.of(plan, stacks, launches, made).cells[CellKey("a@1", 0)].medians_ns
    assert (np.ptp(medians) == 0) == (simulated and is_still)
    if simulated and is_still:
        assert medians[0] == (20_040_305 + spread / 2) / 2


def test_the_side_that_idles_is_compared_whichever_series_came_first() -> None:
    """A worker of before put the sender first, whose pace only shows the receiver's idle time."""
    idle = {"idle": "20us", "idle_at": "receiver"}
    assert first_series(["sender", "receiver"], idle) == first_series(["receiver", "sender"], idle) == "receiver"
    assert first_series(["sender", "receiver"], idle | {"idle": "0"}) == "sender"
    assert first_series(["sender", "receiver"], {"idle": "20us"}) == "sender"
    assert first_series(["sender", "time"], idle) == "time"
