"""LogGP parameters come back from trains that an event simulator made without knowing the formulas."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import frozen

from msgauge.errors import UsageError
from msgauge.models.loggp import LogGP, ReceiveData, TrainData, fit_loggp

SIZES = (1, 16, 128, 512, 1024, 4096, 8192)
COUNTS = (1, 2, 3, 4, 8, 12, 16, 24, 32)
DELAYS = (0.0, 20_000.0, 40_000.0)


@frozen
class Wire:
    """A LogGP machine, ns and ns per byte; overheads may grow with the size."""

    latency: float = 1500.0
    o_s: float = 300.0
    o_r: float = 400.0
    g: float = 700.0
    big_g: float = 0.8
    o_s_per_byte: float = 0.0

    def train(self, n: int, delay: float, size: int) -> float:
        """Walk the events of n messages and one answer, message by message."""
        processor, port_free, arrivals = 0.0, 0.0, []
        for i in range(n):
            if i:
                processor += delay
            begin = max(processor, port_free)
            processor = begin + self.o_s + (size - 1) * self.o_s_per_byte
            port_free = begin + self.g + (size - 1) * self.big_g
            arrivals.append(processor + self.latency + (size - 1) * self.big_g)
        server = 0.0
        for arrival in arrivals:
            server = max(server, arrival) + self.o_r
        answer = server + self.o_s + (size - 1) * self.o_s_per_byte + self.latency + (size - 1) * self.big_g
        return answer + self.o_r

    def delayed(self, delay: float, size: int) -> float:
        sent = self.o_s + (size - 1) * self.o_s_per_byte
        arrived = sent + self.latency + (size - 1) * self.big_g + self.o_r
        arrived += sent + self.latency + (size - 1) * self.big_g
        return max(sent + delay, arrived) + self.o_r


def measure(wire: Wire | dict[int, Wire], noise: float, seed: int = 1, launches: int = 10, sizes=SIZES):
    """Trains and delayed receives with multiplicative noise between launches, inside them, and rare spikes."""
    rng = np.random.default_rng(seed)
    trains, receives = [], []

    def noisy(time: float, mood: float) -> float:
        spike = 1.0 + 3.0 * (rng.random() < 0.02) if noise else 1.0
        return time * mood * np.exp(noise * rng.standard_normal()) * spike

    for launch in range(launches):
        mood = np.exp(noise * rng.standard_normal())
        for size in sizes:
            at = wire if isinstance(wire, Wire) else wire[size]
            for delay in DELAYS:
                for n in COUNTS[(1 if delay else 0) :]:
                    for _ in range(5 if noise else 1):
                        trains.append((launch, n, delay, size, noisy(at.train(n, delay, size), mood)))
            for delay in (40_000.0, 60_000.0):
                over = at.delayed(delay, size) - delay
                for _ in range(5 if noise else 1):
                    receives.append((launch, delay, size, delay + noisy(over, mood)))
    return TrainData(*np.array(trains).T), ReceiveData(*np.array(receives).T)


def fit(wire, noise: float = 0.0, edges=(), **how) -> LogGP:
    trains, receives = measure(wire, noise, **how)
    return fit_loggp(trains, receives, edges)


def test_parameters_of_a_silent_wire_come_back_exactly():
    wire = Wire()
    (segment,) = fit(wire).segments
    found = [segment.o_s.value, segment.o_r.value, segment.g.value, segment.big_g.value, segment.latency.value]
    assert found == pytest.approx([wire.o_s, wire.o_r, wire.g, wire.big_g, wire.latency], rel=1e-6)
    assert segment.latency_per_byte.value == pytest.approx(0.0, abs=1e-9)
    assert segment.gap_set_by == "gap"
    assert segment.nonlinear_sizes == ()


def test_parameters_of_a_noisy_wire_come_back_within_two_percent():
    wire = Wire()
    (segment,) = fit(wire, noise=0.001).segments
    found = [segment.o_r.value, segment.g.value, segment.big_g.value, segment.latency.value]
    assert found == pytest.approx([wire.o_r, wire.g, wire.big_g, wire.latency], rel=0.02)


def test_intervals_cover_the_truth_at_their_nominal_rate():
    wire, covered, asked = Wire(), 0, 0
    for seed in range(25):
        (segment,) = fit(wire, noise=0.01, seed=seed, sizes=(1, 512, 8192)).segments
        pairs = [(segment.o_s, wire.o_s), (segment.o_r, wire.o_r), (segment.g, wire.g)]
        pairs += [(segment.big_g, wire.big_g), (segment.latency, wire.latency)]
        covered += sum(quantity.covers(truth) for quantity, truth in pairs)
        asked += len(pairs)
    assert covered / asked >= 0.90


def test_a_delay_injected_in_the_sender_shows_in_o_s_and_nowhere_else():
    plain, slowed = (fit(Wire(o_s=o_s), noise=0.0005).segments[0] for o_s in (300.0, 500.0))
    assert slowed.o_s.value - plain.o_s.value == pytest.approx(200.0, abs=40.0)
    assert slowed.o_s.covers(500.0)
    assert slowed.big_g.value == pytest.approx(plain.big_g.value, rel=0.01)
    assert slowed.g.value == pytest.approx(plain.g.value, rel=0.02)
    assert slowed.latency.covers(1500.0)


def test_a_delay_that_overtakes_the_gap_does_not_leak_into_big_g():
    (segment,) = fit(Wire(o_s=1500.0)).segments
    assert segment.gap_set_by == "o_s"
    assert segment.o_s.value == pytest.approx(1500.0, rel=1e-6)
    assert segment.big_g.value == pytest.approx(0.8, rel=1e-6)
    assert segment.g.value == pytest.approx(700.0, rel=1e-6)


def test_a_slow_receiver_is_named_as_the_limit():
    (segment,) = fit(Wire(o_r=2000.0)).segments
    assert segment.gap_set_by == "o_r"
    assert segment.o_r.value == pytest.approx(2000.0, rel=1e-6)


def test_overhead_that_grows_with_the_size_is_told_from_the_gap():
    wire = Wire(o_s_per_byte=0.1)
    (segment,) = fit(wire).segments
    assert segment.send.per_byte.value == pytest.approx(0.1, rel=1e-6)
    assert segment.send.at(1025) == pytest.approx(300.0 + 102.4)
    assert segment.big_g.value == pytest.approx(0.8, rel=1e-6)


def test_each_segment_has_parameters_of_its_own():
    eager, rendezvous = Wire(), Wire(latency=4000.0, big_g=0.3, g=2500.0)
    sizes = (1, 256, 1024, 4096, 5000, 8192, 16384)
    model = fit({size: eager if size <= 4096 else rendezvous for size in sizes}, edges=(4096,), sizes=sizes)
    first, second = model.segments
    assert (first.first_bytes, first.last_bytes, second.first_bytes) == (1, 4096, 5000)
    assert first.big_g.value == pytest.approx(0.8)
    assert second.big_g.value == pytest.approx(0.3)
    assert second.latency.value == pytest.approx(4000.0)
    assert model.segment_of(4097) is second
    assert model.segment_of(0) is first
    assert model.segment_of(10**9) is second


def test_copying_counted_twice_is_not_identifiable_as_latency():
    trains, receives = measure(Wire(), 0.0)
    late = ReceiveData(receives.launch, receives.delay_ns, receives.size_bytes, receives.total_ns + 3000.0)
    (segment,) = fit_loggp(trains, late, ()).segments
    assert "overlap" in segment.latency.reason
    assert not segment.latency.known
    assert segment.half_round_trip.at(1) == pytest.approx(2200.0)


def test_without_delays_above_the_gap_o_s_is_refused_with_the_reason():
    trains, receives = measure(Wire(), 0.0)
    short = TrainData(
        trains.launch, trains.n, np.where(trains.delay_ns > 0, 100.0, 0.0), trains.size_bytes, trains.prtt_ns
    )
    (segment,) = fit_loggp(short, receives, ()).segments
    assert "delay longer than the gap" in segment.o_s.reason
    assert not segment.o_r.known
    assert not segment.latency.known
    assert segment.big_g.value == pytest.approx(0.8)


def test_a_segment_with_one_size_has_no_big_g_and_says_so():
    (segment,) = fit(Wire(), sizes=(512,)).segments
    assert "one size" in segment.big_g.reason
    assert not segment.latency.known


def test_a_window_that_closes_after_eight_messages_is_reported_as_not_linear():
    trains, receives = measure(Wire(), 0.0)
    stalled = trains.prtt_ns + np.where(trains.size_bytes == 512, 5000.0 * np.maximum(trains.n - 8, 0), 0.0)
    data = TrainData(trains.launch, trains.n, trains.delay_ns, trains.size_bytes, stalled)
    (segment,) = fit_loggp(data, receives, ()).segments
    assert segment.nonlinear_sizes == (512,)


def test_a_missing_launch_of_one_size_does_not_spoil_the_fit():
    trains, receives = measure(Wire(), 0.0)
    keep = ~((trains.launch == 3) & (trains.size_bytes == 1024))
    fewer = TrainData(*(getattr(trains, name)[keep] for name in ("launch", "n", "delay_ns", "size_bytes", "prtt_ns")))
    (segment,) = fit_loggp(fewer, receives, ()).segments
    assert segment.g.value == pytest.approx(700.0)


@pytest.mark.parametrize("spoil", ["length", "nan", "negative", "empty", "no message"])
def test_unusable_trains_are_refused_with_a_remedy(spoil):
    trains, receives = measure(Wire(), 0.0, launches=2, sizes=(1, 16))
    columns = [trains.launch, trains.n, trains.delay_ns, trains.size_bytes, trains.prtt_ns.copy()]
    if spoil == "length":
        columns[4] = columns[4][:-1]
    elif spoil == "empty":
        columns = [column[:0] for column in columns]
    elif spoil == "no message":
        columns[1] = np.zeros_like(columns[1])
    else:
        columns[4][0] = np.nan if spoil == "nan" else -1.0
    with pytest.raises(UsageError) as caught:
        fit_loggp(TrainData(*columns), receives, ())
    assert caught.value.remedy


def test_the_same_generator_gives_the_same_intervals():
    assert fit(Wire(), noise=0.01).segments == fit(Wire(), noise=0.01).segments


def test_a_pipeline_that_fills_with_the_second_message_does_not_bend_the_gap():
    trains, receives = measure(Wire(), 0.0)
    keep = np.isin(trains.n, (1, 2, 4)) & (trains.delay_ns == 0)
    later = trains.prtt_ns + 5000.0 * (trains.n > 1)
    fewer = [column[keep] for column in (trains.launch, trains.n, trains.delay_ns, trains.size_bytes, later)]
    (segment,) = fit_loggp(TrainData(*fewer), receives, ()).segments
    assert segment.g.value == pytest.approx(700.0)
