"""Predictions from LogGP agree with an event simulation, and with the arithmetic of small cases done by hand."""

from __future__ import annotations

import heapq

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from msgauge.errors import UsageError
from msgauge.models import predict
from msgauge.models.estimate import ParameterEstimate
from msgauge.models.loggp import CostLaw, LogGP, Segment

O_S, O_R, L, G, BIG_G = 300.0, 400.0, 1500.0, 700.0, 0.8


def law(at_one, per_byte=0.0):
    return CostLaw(ParameterEstimate(at_one), ParameterEstimate(per_byte))


def segment(*, first=1, last=1 << 22, latency=L, big_g=BIG_G, g=G, reason=""):
    return Segment(
        first_bytes=first,
        last_bytes=last,
        send=law(O_S),
        receive=law(O_R),
        gap=law(g, big_g),
        half_round_trip=law(O_S + latency + O_R, big_g),
        latency=ParameterEstimate(latency, reason=reason),
        latency_per_byte=ParameterEstimate(0.0),
    )


MODEL = LogGP((segment(),))


def half(size):
    return O_S + L + (size - 1) * BIG_G + O_R


def simulate(ranks, programs):
    """Run programs of ("send", to, size), ("recv", from) and ("work", ns) on a LogGP machine; the end of each rank."""
    clock, port, inbox, brought = [0.0] * ranks, [0.0] * ranks, {}, [-1e18] * ranks
    position, ready = [0] * ranks, list(range(ranks))
    heapq.heapify(ready)
    waiting = set()
    while ready:
        rank = heapq.heappop(ready)
        while position[rank] < len(programs[rank]):
            step = programs[rank][position[rank]]
            if step[0] == "work":
                clock[rank] += step[1]
            elif step[0] == "send":
                begin = max(clock[rank], port[rank])
                clock[rank] = begin + O_S
                port[rank] = begin + G + (step[2] - 1) * BIG_G
                gap = G + (step[2] - 1) * BIG_G
                brought[step[1]] = max(clock[rank] + L + (step[2] - 1) * BIG_G, brought[step[1]] + gap)
                inbox.setdefault((rank, step[1]), []).append(brought[step[1]])
                if step[1] in waiting:
                    waiting.remove(step[1])
                    heapq.heappush(ready, step[1])
            else:
                arrived = inbox.get((step[1], rank))
                if not arrived:
                    waiting.add(rank)
                    break
                clock[rank] = max(clock[rank], arrived.pop(0)) + O_R
            position[rank] += 1
    assert all(position[rank] == len(programs[rank]) for rank in range(ranks))
    return clock


def binomial_down(ranks, size_below):
    programs = [[] for _ in range(ranks)]
    for rank in range(ranks):
        bit = 1
        while bit < ranks and not rank & bit:
            bit <<= 1
        if rank:
            programs[rank].append(("recv", rank - bit))
        while bit > 1:
            bit >>= 1
            if rank + bit < ranks:
                programs[rank].append(("send", rank + bit, size_below(min(bit, ranks - rank - bit))))
    return programs


def binomial_up(ranks, size):
    programs = [[] for _ in range(ranks)]
    for rank in range(ranks):
        bit = 1
        while bit < ranks and not rank & bit:
            if rank + bit < ranks:
                programs[rank].append(("recv", rank + bit))
            bit <<= 1
        if rank:
            programs[rank].append(("send", rank - bit, size))
    return programs


@pytest.mark.parametrize("size", [1, 8, 1000, 65536])
def test_ping_pong_is_the_sum_of_its_parts(size):
    (there, _) = (simulate(2, [[("send", 1, size)], [("recv", 0)]])[1], None)
    assert predict.pingpong_ns(MODEL, size) == pytest.approx(there) == pytest.approx(half(size))


def test_ping_pong_of_nothing_is_that_of_one_byte():
    assert predict.pingpong_ns(MODEL, 0) == predict.pingpong_ns(MODEL, 1)


def test_ping_pong_without_identifiable_latency_follows_the_fitted_line():
    model = LogGP((segment(latency=-100.0, reason="not identifiable: overlap"),))
    assert predict.pingpong_ns(model, 1001) == pytest.approx(O_S - 100.0 + O_R + 800.0)


def test_ping_pong_in_a_later_segment_counts_latency_from_its_first_size():
    model = LogGP((segment(last=4096), segment(first=5000, latency=4000.0, big_g=0.3)))
    assert predict.pingpong_ns(model, 10_001) == pytest.approx(O_S + 4000.0 + 3000.0 + O_R)


@pytest.mark.parametrize("window", [1, 8, 64])
def test_stream_agrees_with_simulated_events(window):
    programs = [[("send", 1, 1024)] * window + [("recv", 1)], [("recv", 0)] * window + [("send", 0, 1)]]
    assert predict.stream_ns(MODEL, 1024, window) == pytest.approx(simulate(2, programs)[0] / window)


@pytest.mark.parametrize("ranks", [2, 3, 10, 50])
@pytest.mark.parametrize("size", [8, 2048])
def test_fanout_agrees_with_simulated_events(ranks, size):
    root = [("send", r, size) for r in range(1, ranks)] + [("recv", r) for r in range(1, ranks)]
    programs = [root, *[[("recv", 0), ("send", 0, size)] for _ in range(ranks - 1)]]
    assert predict.fanout_ns(MODEL, ranks, size) == pytest.approx(simulate(ranks, programs)[0], rel=1e-9)


@pytest.mark.parametrize("ranks", [2, 3, 4, 5, 8, 13, 64])
def test_scatter_agrees_with_simulated_events(ranks):
    ends = simulate(ranks, binomial_down(ranks, lambda below: below * 512))
    have = [end for rank, end in enumerate(ends) if rank % 2]
    assert predict.scatter_ns(MODEL, ranks, 512) == pytest.approx(max(have))


def test_scatter_to_four_by_hand():
    second_send = max(O_S, G + 1023 * BIG_G)
    assert predict.scatter_ns(MODEL, 4, 512) == pytest.approx(max(half(1024), second_send) + half(512))


@pytest.mark.parametrize("ranks", [2, 3, 4, 7, 16])
def test_reduce_agrees_with_simulated_events(ranks):
    assert predict.reduce_ns(MODEL, ranks, 800) == pytest.approx(simulate(ranks, binomial_up(ranks, 800))[0])


def test_mandelbrot_waits_for_its_slowest_block():
    compute = [1e6, 5e6, 2e6]
    expected = 5e6 + half(4096)
    assert predict.mandelbrot_ns(MODEL, compute, 4096) == pytest.approx(expected)


def test_mandelbrot_blocks_that_arrive_together_are_received_one_after_the_other():
    both = predict.mandelbrot_ns(MODEL, [0.0, 1e6, 1e6], 1)
    assert both == pytest.approx(1e6 + half(1) + max(O_R, G))


@given(some.integers(2, 300), some.integers(0, 1 << 20))
def test_more_ranks_never_make_a_scatter_or_a_fanout_cheaper(ranks, size):
    for operation in (predict.scatter_ns, predict.fanout_ns, predict.reduce_ns):
        assert operation(MODEL, ranks + 1, size) >= operation(MODEL, ranks, size) - 1e-6


def test_closure_is_told_for_each_segment():
    model = LogGP((segment(last=4096), segment(first=5000, big_g=0.3)))
    sizes = [1, 1024, 8192, 16384]
    predicted = [predict.pingpong_ns(model, size) for size in sizes]
    measured = [predicted[0], predicted[1] / 1.02, predicted[2] / 1.2, predicted[3] / 0.9]
    first, second = predict.closure(model, "pingpong", sizes, predicted, measured)
    assert (first.sizes, second.sizes) == ((1, 1024), (8192, 16384))
    assert first.median_error == pytest.approx(0.01)
    assert second.worst_error == pytest.approx(0.2)
    assert first.closes
    assert not second.closes


def test_sizes_that_cannot_be_predicted_are_left_out_of_the_closure():
    assert predict.closure(MODEL, "stream", [8], [np.nan], [1.0]) == ()


def test_nonsense_is_refused_with_a_remedy():
    for call in (
        lambda: predict.scatter_ns(MODEL, 1, 8),
        lambda: predict.stream_ns(MODEL, 8, 0),
        lambda: predict.closure(MODEL, "pingpong", [1, 2], [1.0], [1.0]),
        lambda: predict.closure(MODEL, "pingpong", [1], [1.0], [0.0]),
        lambda: predict.pingpong_ns(LogGP(()), 8),
    ):
        with pytest.raises(UsageError) as caught:
            call()
        assert caught.value.remedy
