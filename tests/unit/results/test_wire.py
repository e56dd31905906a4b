"""Claims about the wire protocol: nothing that is whole is lost, nothing that is garbage is believed."""

from pathlib import Path

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from msgauge.errors import WireError
from msgauge.model import Cell, Launch, Plan, Samples, Stopping
from msgauge.results import wire

words = st.text(min_size=1, max_size=12)
names = st.from_regex(r"[a-z][a-z_0-9]{0,10}", fullmatch=True).filter(
    lambda name: name not in ("cell", "series", "unit", "divisor", "count")
)
frames = st.builds(
    lambda cell, series, values, divisor, attributes: Samples(
        0, cell, series, np.array(values, dtype=np.int64), divisor, "ns", tuple(attributes.items())
    ),
    st.integers(-1, 10**6),
    words,
    st.lists(st.integers(-(2**63), 2**63 - 1), max_size=6),
    st.integers(1, 10**9),
    st.dictionaries(names, st.text(max_size=8), max_size=4),
)


def same(one: Samples, other: Samples) -> bool:
    return (one.cell, one.series, one.divisor, one.unit, one.attributes) == (
        other.cell,
        other.series,
        other.divisor,
        other.unit,
        other.attributes,
    ) and np.array_equal(one.values, other.values)


@given(st.lists(frames, max_size=4))
def test_frames_come_back_as_they_were_written(written: list[Samples]) -> None:
    read = list(wire.frames_of(b"".join(map(wire.write_frame, written)), where="x"))
    assert len(read) == len(written)
    assert all(same(*pair) for pair in zip(read, written, strict=True))


@given(st.lists(frames, min_size=1, max_size=4), st.data())
def test_a_cut_off_file_is_read_up_to_its_last_whole_frame(written: list[Samples], data: st.DataObject) -> None:
    pieces = [wire.write_frame(frame) for frame in written]
    whole = b"".join(pieces)
    cut = data.draw(st.integers(0, len(whole)))
    ends = np.cumsum([len(piece) for piece in pieces])
    assert len(list(wire.frames_of(whole[:cut], where="x"))) == int((ends <= cut).sum())


@given(st.binary(max_size=300))
def test_garbage_is_refused_with_its_place_or_is_a_cut_off_frame(content: bytes) -> None:
    try:
        list(wire.frames_of(content, where="file"))
    except WireError as error:
        assert "file, byte" in error.where
        assert error.remedy


@pytest.mark.parametrize(
    "header",
    [
        "count=1",
        "cell=1 count=-1",
        "cell=1 count=x",
        "cell=1 count=0 divisor=0",
        "cell count=0",
        "cell=1_0 count=0",
        "",
    ],
)
def test_a_header_that_makes_no_sense_is_refused(header: str) -> None:
    with pytest.raises(WireError):
        list(wire.frames_of(header.encode() + b"\n" + bytes(8), where="x"))


def test_a_count_beyond_the_end_of_the_file_allocates_nothing() -> None:
    assert list(wire.frames_of(b"cell=1 count=100000000000000000\n" + bytes(80), where="x")) == []


def test_an_endless_header_is_refused_and_not_taken_for_a_cut() -> None:
    with pytest.raises(WireError):
        list(wire.frames_of(b"a" * (wire.LONGEST_HEADER + 10), where="x"))


def test_a_missing_file_holds_no_frames(tmp_path: Path) -> None:
    assert wire.read_frames(tmp_path / "none") == ([], False)


def test_only_a_file_that_ends_in_the_last_frame_ended_cleanly(tmp_path: Path) -> None:
    end = b"cell=-1 kernel=launch series=end count=0\n"
    path = tmp_path / "samples.bin"
    path.write_bytes(end)
    assert wire.read_frames(path)[1]
    path.write_bytes(end + b"cell=1 count=0\n")
    assert not wire.read_frames(path)[1]


def test_what_stands_before_garbage_is_kept_for_a_failed_launch(tmp_path: Path) -> None:
    path = tmp_path / "samples.bin"
    path.write_bytes(b"cell=7 count=0\n\xff\xff\n")
    assert [frame.cell for frame in wire.readable_frames(path, launch=3)] == [7]


def plan_of(cells: tuple[Cell, ...]) -> Plan:
    return Plan("study", 1, ("a",), cells, (2,))


def test_a_plan_names_its_cells_in_the_order_of_the_launch() -> None:
    plan = plan_of((Cell(1, "pingpong", 8, 2), Cell(2, "bcast", 64, 2, options=(("root", "0"),), mode="single")))
    text = wire.write_plan(plan, Launch(7, 3, "a", 2, (2, 1), 99), cores=4)
    assert text.splitlines() == [
        "msgauge-plan 1",
        "launch number=7 round=3 seed=99 ranks=2 cores=4",
        "clock name=monotonic",
        "limits cell_budget_ns=50000000 cell_precision=0.01 launch_limit_ns=60000000000 check=yes",
        "cell id=2 kernel=bcast bytes=64 mode=single cache=hot ranks=2 opt.root=0",
        "cell id=1 kernel=pingpong bytes=8 mode=batch cache=hot ranks=2",
        "end",
    ]


def test_where_ranks_share_cores_a_cell_may_last_a_turn_of_each_rank_of_a_core() -> None:
    plan = evolve(plan_of((Cell(1, "fanout", 8, 200),)), stopping=Stopping(shared_core_budget_s=0.004))
    budgets = {
        cores: dict(word.split("=") for word in line.split()[1:])["cell_budget_ns"]
        for cores in (2, 100, 200)
        for line in wire.write_plan(plan, Launch(0, 0, "a", 200, (1,), 1), cores).splitlines()
        if line.startswith("limits ")
    }
    assert budgets == {2: "400000000", 100: "50000000", 200: "50000000"}


@given(words, words)
def test_no_option_can_break_out_of_its_line(name: str, value: str) -> None:
    plan = plan_of((Cell(1, "k", 8, 2, options=((name, value),)),))
    lines = wire.write_plan(plan, Launch(0, 0, "a", 2, (1,), 1), cores=1).split("\n")
    assert len(lines) == 7
    assert lines[4].isascii()
    assert lines[4].count(" ") == 7


def test_a_launch_of_unknown_cells_is_refused() -> None:
    with pytest.raises(WireError, match="does not hold"):
        wire.write_plan(plan_of(()), Launch(0, 0, "a", 2, (5,), 1), cores=1)


def test_facts_gather_placement_usage_and_end() -> None:
    content = (
        b"cell=-1 series=hello count=0 rank=0 size=2 library=L\n"
        b"cell=-1 series=rank count=0 rank=1 host=h pid=12 cpus=0-1 cpu=1\n"
        b"cell=-1 series=rank count=0 rank=0 host=h pid=11 cpus=0-1 cpu=0\n"
        b"cell=-1 series=usage count=0 rank=0 user_ns=2e9 system_ns=0 voluntary=1 involuntary=2 peak_bytes=50\n"
        b"cell=-1 series=usage count=0 rank=1 user_ns=1e9 system_ns=0 voluntary=1 involuntary=2 peak_bytes=70\n"
        b"cell=-1 series=end count=0\n"
    )
    facts = wire.parse_facts(wire.frames_of(content, where="x"))
    assert (facts.size, facts.ended, [place.pid for place in facts.placement]) == (2, True, [11, 12])
    assert (facts.usage.user_s, facts.usage.involuntary_switches, facts.usage.peak_memory_bytes) == (3.0, 4, 70)


@given(st.lists(st.dictionaries(st.sampled_from(["rank", "size", "pid", "cpu", "user_ns"]), st.text(max_size=6))))
def test_odd_facts_never_end_a_run(attributes: list[dict[str, str]]) -> None:
    none = np.empty(0, dtype=np.int64)
    series = ("hello", "rank", "usage", "clock", "end")
    wire.parse_facts(
        Samples(0, -1, series[index % 5], none, attributes=tuple(fields.items()))
        for index, fields in enumerate(attributes)
    )


def test_a_launch_is_told_when_it_began_and_where_to_run() -> None:
    plan = Plan("s", 1, ("a",), (Cell(0, "startup", 0, 2),), (2,))
    launch = Launch(1, 0, "a", 2, (0,), 5)
    told = wire.write_plan(plan, launch, 2, wire.Start(10, 20, (0, 3))).splitlines()[1]
    assert told == "launch number=1 round=0 seed=5 ranks=2 cores=2 boot_ns=10 begun_ns=20 pin=0,3"
    assert "pin" not in wire.write_plan(plan, launch, 2)
