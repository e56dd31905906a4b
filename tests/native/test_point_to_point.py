"""Point-to-point kernels: measured or refused with a reason on every transport, and right where costs are known."""

from __future__ import annotations

import pytest
from frames import Frame, cell, plan_text
from running import COMMANDS, Runner, of_cell

LOGGP = "L=1000,o_s=200,o_r=300,g=400,G=0"
WAYS = ["standard", "synchronous", "buffered", "nonblocking", "persistent", "sendrecv"]
SCHEDULES = ["rounds", "sequence", "together", "bisection"]
RECEIVES = ["late", "early", "any-source", "any-tag", "probed"]
PAIRS = [
    *(cell("pingpong", 16, options=f"opt.send={way}") for way in WAYS),
    *(cell("pingpong", 70_000, options=f"opt.receive={way}") for way in RECEIVES),
    cell("pingpong", 16, options="opt.send=ready opt.receive=early"),
    cell("pingpong", 16, cache="rotate", options="opt.receive=early"),
    cell("pingpong", 16, options="opt.send=ready"),
    cell("pingpong", 16, cache="rotate", options="opt.send=persistent"),
    *(cell("ping-ack", 2500, options=f"opt.send={way}") for way in WAYS[:5]),
    *(cell("one-way", 16, options=f"opt.send={way} opt.messages=10") for way in WAYS[:5]),
    cell("one-way", 16, options="opt.idle=20us opt.messages=10"),
    cell("one-way", 16, options="opt.idle=20us opt.idle_at=receiver opt.transient=kept"),
    cell("burst", 5),
    cell("burst", 1025, options="opt.receiver=late opt.messages=10"),
    cell("prtt", 8, options="opt.n=8"),
    cell("prtt", 8, options="opt.n=4 opt.d=10us"),
    cell("prtt", 8, options="opt.d=50us opt.what=delayed"),
    cell("overlap", 100_000),
    cell("overlap", 1000, options="opt.work=double opt.progress=test"),
    *(cell("queue", 8, options=f"opt.kind={kind} opt.depth=64") for kind in ("posted", "unexpected", "random")),
    cell("queue", 8, options="opt.depth=0"),
    *(cell("datatype", 5000, options=f"opt.layout={layout}") for layout in ("vector", "indexed", "contiguous")),
    cell("datatype", 5001, options="opt.layout=indexed opt.how=packed opt.block=8"),
    cell("datatype", 0),
    cell("pingpong", 70_000, options="opt.buffer=received"),
]
ONE_BUFFER_REFUSED = [
    cell("pingpong", 16, options="opt.buffer=received opt.receive=early"),
    cell("pingpong", 16, options="opt.buffer=received opt.send=sendrecv"),
    cell("pingpong", 16, cache="rotate", options="opt.buffer=received"),
]
GROUPS = [
    cell("rate", 8),
    cell("ring", 1000),
    cell("sendrecv", 1000),
    cell("sendrecv", 100_000, options="opt.how=nonblocking"),
    cell("sendrecv", 100_000, options="opt.how=ordered"),
    cell("halo", 1000),
    cell("halo", 70_000, options="opt.dimensions=3"),
    *(cell("all-pairs", 3000, options=f"opt.schedule={way} opt.answer=short") for way in SCHEDULES),
    cell("all-pairs", 9, cache="rotate"),
]


def medians(frames: list[Frame], number: int) -> dict[str, float]:
    """Median per event of every series of a cell."""
    mine = [f for f in frames if f.header["cell"] == str(number) and len(f.values)]
    return {f.header["series"]: f.per_event for f in mine}


def simulated(runner: Runner, cells: list[str], model: str = LOGGP, *, ranks: int = 2) -> list[Frame]:
    return runner.measure("fake", plan_text(cells, ranks=ranks), ranks=ranks, MSGAUGE_FAKE=model)


@pytest.mark.parametrize("how", COMMANDS)
def test_every_way_is_measured_or_refused_with_a_reason(runner: Runner, how: str) -> None:
    frames = runner.measure(how, plan_text(PAIRS, budget_ms="3"))
    refused = {}
    for number, asked in enumerate(PAIRS):
        frame = of_cell(frames, number)
        assert frame.header["status"] in ("ok", "refused"), (asked, frame.header)
        if frame.header["status"] == "refused":
            refused[asked] = frame.header["reason"]
        else:
            assert len(frame.values) >= 3, asked
    assert refused.pop(PAIRS[13]) in (
        "a ready send needs its receive to be posted: receive=early",
        "this stack has no ready send",
    )
    assert "rotate" in refused.pop(PAIRS[14])
    if how in ("openmpi", "mpich"):
        assert not refused
    assert [reason for reason in refused.values() if not reason.startswith("this stack ")] == []


def test_a_buffer_that_is_being_sent_is_not_received_into(runner: Runner) -> None:
    frames = simulated(runner, ONE_BUFFER_REFUSED)
    statuses = [of_cell(frames, number).header["status"] for number in range(3)]
    reasons = [of_cell(frames, number).header["reason"] for number in range(3)]
    assert statuses == ["refused"] * 3
    assert ["buffer" in reasons[0], "buffer" in reasons[1], "rotate" in reasons[2]] == [True] * 3


@pytest.mark.parametrize("how", COMMANDS)
@pytest.mark.parametrize("ranks", [3, 4])
def test_groups_of_ranks_are_measured(runner: Runner, how: str, ranks: int) -> None:
    cells = [text.replace("ranks=2", f"ranks={ranks}") for text in GROUPS]
    frames = runner.measure(how, plan_text(cells, ranks=ranks, budget_ms="5"), ranks=ranks)
    for number, asked in enumerate(cells):
        frame = of_cell(frames, number)
        assert frame.header["status"] == "ok", (asked, frame.header)
        assert (frame.values > 0).all()


def test_a_halo_of_eight_ranks_in_three_dimensions_reaches_the_right_neighbours(runner: Runner) -> None:
    cells = [cell("halo", 1000, ranks=8, options=f"opt.dimensions={d}") for d in (2, 3)]
    for how in ("fake", "loopback"):
        frames = runner.measure(how, plan_text(cells, ranks=8), ranks=8)
        assert [of_cell(frames, number).header["status"] for number in (0, 1)] == ["ok", "ok"]


def test_altered_bytes_are_noticed_by_every_kernel(runner: Runner) -> None:
    pairs = [text for text in PAIRS if "bytes=0 " not in text and "random" not in text]
    frames = simulated(runner, pairs, f"{LOGGP},wrong_bytes=1")
    statuses = {of_cell(frames, number).header["status"] for number in range(len(pairs))}
    assert statuses == {"wrong-bytes", "refused"}
    frames = simulated(runner, GROUPS, f"{LOGGP},wrong_bytes=1")
    assert {of_cell(frames, number).header["status"] for number in range(len(GROUPS))} == {"wrong-bytes"}


def test_one_way_times_are_the_overheads_when_the_other_side_is_given_time(runner: Runner) -> None:
    frames = simulated(
        runner,
        [
            cell("one-way", 16, options="opt.idle=20us"),
            cell("one-way", 16, options="opt.idle=20us opt.idle_at=receiver"),
            cell("one-way", 16),
        ],
    )
    assert medians(frames, 0)["sender"] == pytest.approx(200, abs=1)
    assert medians(frames, 1)["receiver"] == pytest.approx(300, abs=1)
    assert medians(frames, 2)["receiver"] == pytest.approx(400, abs=3), "without idle time the gap is what shows"
    compared = [of_cell(frames, number).header["series"] for number in range(3)]
    assert compared == ["sender", "receiver", "sender"], "what stacks are compared by comes first"


def test_trains_give_the_slopes_that_loggp_is_made_from(runner: Runner) -> None:
    options = ["opt.n=1", "opt.n=9", "opt.n=17", "opt.n=9 opt.d=2us", "opt.d=20us opt.what=delayed"]
    options = [text.replace("9", "8").replace("17", "16") for text in options]
    frames = simulated(runner, [cell("prtt", 1, options=text) for text in options])
    one, eight, sixteen, spaced, delayed = (medians(frames, number) for number in range(5))
    assert one["time"] / 2 == pytest.approx(1500, rel=0.01)
    assert (sixteen["time"] - eight["time"]) / 8 == pytest.approx(400, abs=1), "g"
    assert (spaced["time"] - one["time"]) / 7 - spaced["delay"] == pytest.approx(200, abs=5), "o_s"
    assert delayed["time"] - delayed["delay"] == pytest.approx(500, abs=25), "o_s + o_r, and one read of the clock"


def test_a_burst_rises_by_the_gap_and_the_late_receiver_finds_it_all_there(runner: Runner) -> None:
    frames = simulated(runner, [cell("burst", 8), cell("burst", 8, options="opt.receiver=late opt.messages=10")])
    sent = of_cell(frames, 0, "sent").values.reshape(-1, 100)
    assert set((sent[:, 1:] - sent[:, :-1]).ravel()) == {400}
    late = of_cell(frames, 1, "sent").values.reshape(-1, 10)
    received = of_cell(frames, 1, "received").values.reshape(-1, 10)
    assert (late < 10_000).all(), "short messages leave though nobody receives them"
    assert (received > 1_900_000).all()
    frames = simulated(runner, [cell("burst", 8, options="opt.receiver=late opt.messages=10")], f"{LOGGP},eager=1")
    assert (of_cell(frames, 0, "sent").values > 1_900_000).all(), "a rendezvous waits for the receiver"


def test_where_messages_travel_by_themselves_the_arithmetic_hides_them(runner: Runner) -> None:
    cells = [cell("overlap", 10_000), cell("overlap", 10_000, options="opt.work=half")]
    frames = simulated(runner, cells, "L=50000,o_s=200,o_r=300,g=400,G=0")
    equal, half = (medians(frames, number) for number in range(2))
    assert equal["hidden"] / equal["exchange"] > 0.95
    assert half["work"] == pytest.approx(half["exchange"] / 2, rel=0.05)
    assert half["hidden"] == pytest.approx(half["work"], rel=0.05)


def test_rates_rings_and_shifts_cost_what_loggp_says(runner: Runner) -> None:
    cells = [cell("ring", 1, ranks=4), cell("rate", 1, ranks=4, options="opt.windows=16"), cell("ping-ack", 1, ranks=4)]
    frames = simulated(runner, cells, ranks=4)
    assert medians(frames, 0)["time"] == pytest.approx(1500, rel=0.01)
    one_pair_ns = 400 + (1500 + 1500 - 400 + 100) / 64
    assert medians(frames, 1)["time"] == pytest.approx(one_pair_ns / 2, rel=0.05), "two pairs, one gap each"
    assert medians(frames, 2)["time"] == pytest.approx(3000, rel=0.01)


def test_the_dropped_warm_up_is_kept_beside_the_samples(runner: Runner) -> None:
    plan = plan_text([cell("pingpong", 8)] * 20, budget_ms="10")
    frames = runner.measure("loopback", plan)
    dropped = {f.header["cell"]: int(f.header["dropped"]) for f in frames if f.header["series"] == "time"}
    kept = {f.header["cell"]: len(f.values) for f in frames if f.header["series"] == "warmup"}
    assert kept == {number: count for number, count in dropped.items() if count}
