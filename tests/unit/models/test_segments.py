"""Planted protocol changes are found where they are, and none is found where there is none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from msgauge.errors import UsageError
from msgauge.models.segments import find_segments

DENSE = np.unique(np.round(2 ** np.arange(0, 20.01, 0.125)))
POWERS = 2.0 ** np.arange(0, 23)


def clean(sizes):
    return 500.0 + 0.1 * sizes


def eager_and_rendezvous(sizes, limit=8192.0):
    return np.where(sizes <= limit, 500.0 + 0.3 * sizes, 2500.0 + 0.12 * sizes)


def cache_bend(sizes, limit=30_000.0):
    return 500.0 + 0.1 * sizes + 0.2 * np.maximum(sizes - limit, 0.0)


def launches(times, noise=0.01, number=10, seed=1):
    rng = np.random.default_rng(seed)
    mood = np.exp(noise * rng.standard_normal((number, 1)))
    return times[None, :] * mood * np.exp(noise * rng.standard_normal((number, times.size)))


def find(sizes, times, **how):
    return find_segments(sizes, launches(times, **how), np.random.default_rng(3))


def test_a_jump_is_found_within_ten_percent_and_called_a_jump():
    (point,) = find(DENSE, eager_and_rendezvous(DENSE)).breakpoints
    assert point.kind == "jump"
    assert point.size_bytes.value == pytest.approx(8192, rel=0.1)
    assert point.size_bytes.low <= 8192 <= point.size_bytes.high
    assert point.jump.value == pytest.approx((2500 + 0.12 * 8192) / (500 + 0.3 * 8192) - 1, abs=0.03)


def test_a_bend_is_found_within_ten_percent_and_called_a_bend():
    (point,) = find(DENSE, cache_bend(DENSE), noise=0.005).breakpoints
    assert point.kind == "bend"
    assert point.size_bytes.value == pytest.approx(30_000, rel=0.1)
    assert point.size_bytes.low <= 30_000 * 1.05


@pytest.mark.parametrize(("first", "last"), [(0.15, 0.005), (0.005, 0.1)])
def test_a_line_has_no_breakpoint_where_small_messages_scatter_unlike_large_ones(first, last):
    sizes = np.unique(np.round(2 ** np.arange(0, 20.01, 0.35)))
    scatter, rng, wrong = np.linspace(first, last, sizes.size), np.random.default_rng(1), 0
    for _ in range(60):
        times = clean(sizes) * np.exp(scatter * rng.standard_normal((20, sizes.size)))
        wrong += bool(find_segments(sizes, times, np.random.default_rng(3)).breakpoints)
    assert wrong <= 1


def test_lines_of_the_segments_come_back():
    found = find(DENSE, eager_and_rendezvous(DENSE), noise=0.003)
    first, second = found.lines
    assert first.per_byte_ns == pytest.approx(0.3, rel=0.02)
    assert second.at_zero_ns == pytest.approx(2500, rel=0.03)
    assert found.edges == (8192.0,)
    assert found.scores[1] == min(found.scores)


def test_two_breakpoints_are_both_found():
    times = np.where(DENSE > 131_072, 9000.0 + 0.05 * DENSE, eager_and_rendezvous(DENSE, 4096.0))
    found = find(DENSE, times, noise=0.005)
    assert [point.size_bytes.value for point in found.breakpoints] == pytest.approx([4096, 131_072], rel=0.1)


@pytest.mark.parametrize("sizes", [DENSE, POWERS], ids=["dense", "powers"])
def test_a_clean_line_has_no_breakpoint(sizes):
    wrong = sum(bool(find(sizes, clean(sizes), noise=0.05, seed=seed, number=5).breakpoints) for seed in range(30))
    assert wrong <= 1


def test_a_moved_eager_limit_moves_the_breakpoint():
    for limit in (2048.0, 16_384.0, 65_536.0):
        (point,) = find(DENSE, eager_and_rendezvous(DENSE, limit)).breakpoints
        assert point.size_bytes.value == pytest.approx(limit, rel=0.1)


def test_one_odd_size_is_an_outlier_and_not_a_protocol():
    times = clean(POWERS)
    times[11] *= 1.8
    found = find(POWERS, times)
    assert found.breakpoints == ()
    assert found.outliers == (2048.0,)
    assert found.lines[0].per_byte_ns == pytest.approx(0.1, rel=0.03)


def test_one_disturbed_launch_does_not_move_anything():
    times = launches(eager_and_rendezvous(DENSE))
    times[4, 30:90] *= 5.0
    (point,) = find_segments(DENSE, times, np.random.default_rng(3)).breakpoints
    assert point.size_bytes.value == pytest.approx(8192, rel=0.1)


def test_a_size_of_zero_bytes_is_a_size():
    sizes = np.concatenate([[0.0], POWERS])
    assert find(sizes, clean(sizes)).breakpoints == ()


@settings(max_examples=20, deadline=None)
@given(some.floats(1e-3, 1e3), some.integers(0, 100))
def test_the_unit_of_time_does_not_matter(factor, seed):
    times = launches(eager_and_rendezvous(POWERS), seed=seed)
    plain, scaled = (find_segments(POWERS, t, np.random.default_rng(1)) for t in (times, times * factor))
    assert plain.edges == scaled.edges


@pytest.mark.parametrize(
    ("sizes", "times"),
    [
        ([1, 2], [[1.0, 2.0]]),
        ([1, 3, 2], [[1.0, 2.0, 3.0]]),
        ([1, 2, 3], [[1.0, 0.0, 3.0]]),
        ([1, 2, 3], [[1.0, np.nan, 3.0]]),
        ([1, 2, 3], [1.0, 2.0, 3.0]),
        ([1, 2, 3], np.zeros((0, 3))),
    ],
)
def test_unusable_times_are_refused_with_a_remedy(sizes, times):
    with pytest.raises(UsageError) as caught:
        find_segments(np.array(sizes), np.array(times), np.random.default_rng(1))
    assert caught.value.remedy
