"""Claims about sizes, durations, rates and ratios as people write and read them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgauge import units
from msgauge.errors import UsageError


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("8", 8),
        ("8B", 8),
        ("0", 0),
        ("1KiB", 1024),
        ("1K", 1024),
        ("1 kB", 1000),
        ("1 MB", 10**6),
        ("64MiB", 64 * 2**20),
        (" 1.5 KiB ", 1536),
        ("2g", 2**31),
    ],
)
def test_a_size_is_read_as_people_write_it(text: str, size: int) -> None:
    assert units.parse_size(text) == size


@pytest.mark.parametrize("text", ["", "KiB", "-8", "1.3B", "8 parsecs", "8;rm", "1e400", "99999999999G", "٣B"])
def test_what_is_not_a_size_is_refused_with_a_remedy(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        units.parse_size(text)
    assert caught.value.remedy


def test_ranges_and_lists_of_sizes() -> None:
    assert units.parse_sizes("8B..64B x2") == (8, 16, 32, 64)
    assert units.parse_sizes("8..100 x4") == (8, 32)
    assert units.parse_sizes("1KiB..4KiB") == (1024, 2048, 4096)
    assert units.parse_sizes("64, 0, 8..16 x2, 8") == (0, 8, 16, 64)
    assert units.parse_sizes("1.5KiB..6KiB x2") == (1536, 3072, 6144)


@pytest.mark.parametrize("text", ["8..4", "0..8", "8..64 x1", "..", "8..", "..8", "8..64 x", "8...64", "1,,2"])
def test_a_range_that_never_ends_or_never_begins_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        units.parse_sizes(text)


@pytest.mark.parametrize(
    ("text", "rest"), [("8,", "8"), (",8", "8"), ("8,, 1KiB", "8,1KiB"), ("8..64 x2, ", "8..64 x2")]
)
def test_a_comma_with_no_size_beside_it_is_named_with_the_list_without_it(text: str, rest: str) -> None:
    with pytest.raises(UsageError) as caught:
        units.parse_sizes(text)
    assert str(caught.value).startswith(f"the sizes {text!r} have a comma with no size beside it")
    assert caught.value.remedy.startswith(f"write '{rest}'")


@given(st.integers(min_value=0, max_value=2**40))
def test_sizes_come_back_exactly(size: int) -> None:
    assert units.parse_size(units.format_size(size)) == size


@given(st.text(max_size=20))
def test_no_text_does_anything_but_parse_or_be_refused(text: str) -> None:
    for parse in (units.parse_size, units.parse_sizes, units.parse_duration_s, units.parse_ratio):
        try:
            value = parse(text)
        except UsageError as error:
            assert error.remedy
        else:
            assert value is not None


@pytest.mark.parametrize(
    ("text", "seconds"), [("50ms", 0.05), ("2min", 120.0), ("90", 90.0), ("1.5 s", 1.5), ("10us", 1e-5), ("1h", 3600.0)]
)
def test_a_duration_is_read_as_people_write_it(text: str, seconds: float) -> None:
    assert units.parse_duration_s(text) == pytest.approx(seconds)


@given(st.floats(min_value=1.0, max_value=3e11))
def test_times_come_back_within_three_digits(time_ns: float) -> None:
    printed = units.format_time(time_ns)
    assert 1e9 * units.parse_duration_s(printed) == pytest.approx(time_ns, rel=0.0051)


@given(st.floats(min_value=1e-3, max_value=1e5))
def test_ratios_come_back_within_three_digits(ratio: float) -> None:
    assert units.parse_ratio(units.format_ratio(ratio)) == pytest.approx(ratio, rel=0.0051)


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        (units.format_time(171.4), "171 ns"),
        (units.format_time(999.6), "1.00 µs"),
        (units.format_time(0.5), "0.500 ns"),
        (units.format_time(5e10), "50.0 s"),
        (units.format_time(math.nan), "–"),
        (units.format_rate(11.23e9), "11.2 GB/s"),
        (units.format_amount(1536), "1.50 KiB"),
        (units.format_amount(1 << 30), "1.00 GiB"),
        (units.format_amount((1 << 30) - 1), "1.00 GiB"),
        (units.format_amount(1000 << 20), "1000 MiB"),
        (units.format_size(1500), "1500 B"),
        (units.format_ratio(1.0512), "1.05"),
        (units.format_ratio(0.0), "0"),
        (units.format_percent(0.05), "5 %"),
        (units.format_percent(-0.0312), "-3.12 %"),
        (units.format_change(1.0512), "+5.1 %"),
        (units.format_change(0.9997), "-0.03 %"),
        (units.format_change(1.000004), "+0.0004 %"),
        (units.format_change(0.99951), "-0.05 %"),
        (units.format_change(0.9994), "-0.1 %"),
        (units.format_change(1.0), "0.0 %"),
        (units.format_duration(0.84), "0.8 s"),
        (units.format_count(1, "series"), "1 series"),
        (units.format_count(12000, "series"), "12 000 series"),
        (units.format_count(2, "launch"), "2 launches"),
        (units.format_duration(150), "2 min 30 s"),
        (units.format_duration(59.9), "1 min"),
        (units.format_duration(3900), "1 h 5 min"),
    ],
)
def test_numbers_are_printed_with_three_digits_and_a_unit(printed: str, expected: str) -> None:
    assert printed == expected


@pytest.mark.parametrize(
    ("ratio", "low", "high", "printed"),
    [
        (1.05, 1.03, 1.07, ("1.05", "1.03 to 1.07")),
        (1.05, 1.0496, 1.0504, ("1.05", "1.0496 to 1.0504")),
        (1.0523, 1.051, 1.054, ("1.052", "1.051 to 1.054")),
        (0.98, 0.45, 0.99974, ("0.980", "0.450 to 0.9997")),
        (1.0523, 1.0523, 1.0523, ("1.05", "1.05 to 1.05")),
        (1.0, 1 - 1e-12, 1 + 1e-12, ("1.00", "1.00 to 1.00")),
        (2.0, math.nan, math.nan, ("2.00", "– to –")),
        (2.0, 1.5, math.inf, ("2.00", "1.50 to –")),
        (2.0, -math.inf, 3.0, ("2.00", "– to 3.00")),
    ],
)
def test_an_interval_has_the_digits_that_it_needs(
    ratio: float, low: float, high: float, printed: tuple[str, str]
) -> None:
    """Three digits made 1.0004 to 1.0049 of a stack that is slower read "1.00 to 1.00"."""
    assert units.format_estimate(ratio, low, high) == printed
    assert units.format_limits(low, high) == printed[1]


def test_several_ratios_are_told_by_the_least_and_the_largest() -> None:
    assert units.format_estimates([1.05, 1.02, 1.04], 1.01, 1.07) == ("1.02 to 1.05", "1.01 to 1.07")
    assert units.format_estimates([1.0521, 1.0523], 1.051, 1.054) == ("1.052", "1.051 to 1.054")


@given(st.lists(st.floats(min_value=1e-3, max_value=1e4) | st.floats(min_value=0.99, max_value=1.01), min_size=3))
def test_an_interval_of_ratios_reads_as_what_it_is(ratios: list[float]) -> None:
    """Whether an end is 1, below or above it; two ends that differ; and a ratio that lies between them."""
    low, ratio, high = sorted(ratios[:3])
    told, limits = units.format_estimate(ratio, low, high)
    first, last = map(float, limits.split(" to "))
    for end, read in ((low, first), (high, last)):
        assert read == pytest.approx(end, rel=0.0051)
        if abs(end - 1) > units.KEPT:
            assert (read > 1, read < 1) == (end > 1, end < 1)
    if high > low * (1 + 1e-8):
        assert first < last
        assert first <= float(told) <= last


@given(st.floats(min_value=0.99, max_value=1.01))
def test_a_change_reads_as_one_and_in_which_direction(ratio: float) -> None:
    sign = units.format_change(ratio)[0]
    assert sign == ("0" if abs(ratio - 1) <= units.KEPT else "+" if ratio > 1 else "-")
    assert float(units.format_change(ratio).removesuffix(" %")) == pytest.approx(100 * (ratio - 1), abs=0.0501)


def test_percentages_and_plain_ratios_mean_the_same() -> None:
    assert units.parse_ratio("5%") == units.parse_ratio("0.05") == pytest.approx(0.05)
    with pytest.raises(UsageError):
        units.parse_ratio("5 apples")
