"""Sizes, durations, rates, ratios and counts: from what people write to base units, and back with three digits.

Inside msgauge a size is whole bytes, a duration seconds or nanoseconds (the name says which), a rate bytes per second.
``KiB MiB GiB`` and the bare ``K M G`` count by 1024, as message sizes do everywhere in this field;
``kB KB MB GB`` count by 1000.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from msgauge.errors import UsageError

_BINARY = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
_SIZES = {"": 1, "b": 1, "byte": 1, "bytes": 1} | {
    f"{letter}{tail}": base**power
    for power, letter in enumerate("kmg", start=1)
    for tail, base in (("", 1024), ("ib", 1024), ("b", 1000))
}
_DURATIONS_NS = {
    "ns": 1,
    "us": 10**3,
    "µs": 10**3,
    "μs": 10**3,
    "ms": 10**6,
    "": 10**9,
    "s": 10**9,
    "sec": 10**9,
    "m": 60 * 10**9,
    "min": 60 * 10**9,
    "h": 3600 * 10**9,
}
_QUANTITY = re.compile(r"\s*([0-9]{1,15}(?:\.[0-9]{1,15})?)\s*([A-Za-zµμ]*)\s*")
_DIGITS = range(3, 12)
"""Significant digits that an end of an interval may have."""
KEPT = 1e-9
"""What of a ratio lies nearer to 1 is 1."""
_LARGEST_BYTES = 2**50
_LARGEST_NS = 366 * 86400 * 10**9


def parse_size(text: str) -> int:
    """Bytes of ``8``, ``8B``, ``1KiB``, ``1.5 MiB``, ``1 MB``, ``64K``.

    Raises:
        UsageError: not a size, or not a whole number of bytes.
    """
    exact = _quantity(text, _SIZES, "a size", _RANGE_REMEDY if _FOREIGN_RANGE.fullmatch(text) else _SIZE_REMEDY)
    if exact.denominator != 1 or exact > _LARGEST_BYTES:
        raise UsageError(f"{text!r} is not a whole number of bytes up to 1024 TiB", remedy="write for example '64KiB'")
    return int(exact)


def parse_sizes(text: str) -> tuple[int, ...]:
    """Sizes of a list and of ranges: ``8,1KiB``, ``8B..4MiB x2`` (each twice the one before), ``0,8..64KiB x8``.

    A range without a factor doubles; its end is included when the factor meets it. Ascending, without repeats.

    Raises:
        UsageError: an item that is neither a size nor a range, a factor below 2, a range that ends before it begins,
            or a comma with nothing beside it, as a variable that is not set leaves one.
    """
    items = [item.strip() for item in text.split(",")]
    named = [item for item in items if item]
    if 0 < len(named) < len(items):
        raise UsageError(
            f"the sizes {text!r} have a comma with no size beside it",
            remedy=f"write '{','.join(named)}', or the size that is missing; is it a variable that is not set?",
        )
    sizes: set[int] = set()
    for item in items:
        sizes.update(_range(item) if ".." in item else (parse_size(item),))
    return tuple(sorted(sizes))


def parse_duration_s(text: str) -> float:
    """Seconds of ``50ms``, ``1.5 s``, ``2min``, ``90`` (a bare number is seconds).

    Raises:
        UsageError: not a duration, or longer than a year.
    """
    exact = _quantity(text, _DURATIONS_NS, "a duration", "write a number with ns, us, ms, s, min or h: '50ms'")
    if exact > _LARGEST_NS:
        raise UsageError(f"{text!r} is longer than a year", remedy="write a shorter duration, for example '10min'")
    return float(exact / 10**9)


def parse_ratio(text: str) -> float:
    """A relative amount: ``5%`` is 0.05, ``0.05`` is 0.05.

    Raises:
        UsageError: neither a number nor a percentage.
    """
    body = text.strip()
    scale = 100.0 if body.endswith("%") else 1.0
    match = _QUANTITY.fullmatch(body.removesuffix("%"))
    if match is None or match[2]:
        raise UsageError(f"{text!r} is not a ratio", remedy="write for example '5%' or '0.05'")
    return float(match[1]) / scale


def format_size(size_bytes: int) -> str:
    """A size exactly, in the largest binary unit that divides it: ``8 B``, ``1 KiB``, ``1500 B``."""
    for unit, factor in reversed(_BINARY.items()):
        if size_bytes and size_bytes % factor == 0:
            return f"{size_bytes // factor} {unit}"
    return f"{size_bytes} B"


def format_time(time_ns: float) -> str:
    """A time with three digits in its own unit: ``171 ns``, ``1.23 µs``, ``50.0 ms``, ``12.0 s``."""
    return _scale(time_ns, (("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)))


def format_rate(bytes_per_s: float) -> str:
    """A bandwidth with three digits, by 1000: ``11.2 GB/s``."""
    return _scale(bytes_per_s, (("B/s", 1.0), ("kB/s", 1e3), ("MB/s", 1e6), ("GB/s", 1e9), ("TB/s", 1e12)))


def format_message_rate(messages_per_s: float) -> str:
    """Messages per second with three digits: ``435 kmsg/s``, ``4.35 Mmsg/s``."""
    return _scale(messages_per_s, (("msg/s", 1.0), ("kmsg/s", 1e3), ("Mmsg/s", 1e6), ("Gmsg/s", 1e9)))


def format_amount(amount_bytes: float) -> str:
    """An amount of memory with three digits, by 1024: ``17.3 MiB``."""
    return _scale(amount_bytes, (("B", 1.0), *((unit, float(factor)) for unit, factor in _BINARY.items())))


def format_ratio(ratio: float) -> str:
    """A ratio with three digits: ``1.05``, ``12.3``, ``0.982``."""
    return three_digits(ratio)


def format_limits(low: float, high: float) -> str:
    """Both ends of an interval of ratios: ``1.03 to 1.07``.

    Three digits, or as many as tell the ends apart and each from 1: ``1.049 to 1.052``, ``0.9997 to 1.02``.
    """
    return " to ".join(_limits(low, high))


def format_estimate(ratio: float, low: float, high: float) -> tuple[str, str]:
    """A ratio and its interval: ``("1.05", "1.03 to 1.07")``.

    The ends are those of `format_limits`; the ratio has three digits, or as many as it takes to stand between them:
    of 1.0523 in 1.051 to 1.054 they are ``1.052``.
    """
    first, last = _limits(low, high)
    if -math.inf < low <= ratio <= high < math.inf:
        return _write_ratio(ratio, lambda read: float(first) <= read <= float(last)), f"{first} to {last}"
    return format_ratio(ratio), f"{first} to {last}"


def format_estimates(ratios: Sequence[float], low: float, high: float) -> tuple[str, str]:
    """The least and the largest of several ratios, and their limits: ``("1.02 to 1.05", "1.01 to 1.07")``."""
    least, most = (format_estimate(end(ratios), low, high) for end in (min, max))
    return " to ".join(dict.fromkeys((least[0], most[0]))), least[1]


def format_percent(relative: float) -> str:
    """A relative amount as percent with at most three digits: ``5 %``, ``0.52 %``, ``-3 %``."""
    if not math.isfinite(relative):
        return "–"
    return f"{float(f'{100 * relative:.3g}'):g} %"


def format_change(ratio: float) -> str:
    """A ratio as a change in percent with its sign: ``+4.9 %``, ``-0.3 %``, ``+120 %``.

    One decimal, or as many as tell it from none: ``+0.03 %``, so that an end of an interval that misses 0 shows it.
    """
    if not math.isfinite(ratio):
        return "–"
    percent = 100 * (ratio - 1)
    if abs(ratio - 1) <= KEPT:
        return "0.0 %"
    if abs(percent) < 0.05:
        return f"{percent:+.{-math.floor(math.log10(abs(percent)))}f} %"
    return f"{percent:+.1f} %" if abs(percent) < 99.95 else f"{percent:+.0f} %"


HIGHEST_OF_REPORT = 0.97
"""Up to it a level is that of the report of a run which ended by itself; with all else that was shown it has 95 %."""


def format_level(level: float) -> str:
    """``95 %``; ``99.75 %`` of intervals that are wider than those of a run that ended by itself.

    Four digits, or as many as tell it from 100 %, with two of what is missing there: ``99.9963 %``.
    """
    if 0.95 <= level <= HIGHEST_OF_REPORT:
        return "95 %"
    text = f"{100 * level:.4g}"
    if text == "100" and level < 1:
        text = f"{100 * level:.{1 - math.floor(math.log10(100 * (1 - level)))}f}".rstrip("0")
    return f"{text} %"


def format_duration(seconds: float) -> str:
    """A span of time as people say it: ``0.8 s``, ``45 s``, ``2 min 30 s``, ``1 h 5 min``."""
    if not math.isfinite(seconds):
        return "–"
    if seconds < 9.95:
        return f"{max(seconds, 0.0):.1f} s"
    whole = round(seconds)
    hours, minutes, rest = whole // 3600, whole % 3600 // 60, whole % 60
    parts = (
        f"{hours} h" if hours else "",
        f"{minutes} min" if minutes else "",
        f"{rest} s" if rest and not hours else "",
    )
    return " ".join(part for part in parts if part)


def format_count(number: int, noun: str) -> str:
    """``1 round``, ``3 launches``, ``2 processes``, ``4 series``."""
    ending = "" if noun.endswith("series") else "es" if noun.endswith(("ch", "s", "x")) else "s"
    return f"{number:,} {noun if number == 1 else noun + ending}".replace(",", " ")


def three_digits(value: float) -> str:
    """A number with three significant digits and no exponent where it can be helped; ``–`` when it is not finite."""
    return _write_digits(value, 3)


def _write_digits(value: float, digits: int) -> str:
    if not math.isfinite(value):
        return "–"
    rounded = float(f"{value:.{digits}g}")
    if rounded == 0:
        return "0"
    if not 1e-4 <= abs(rounded) < 1e6:
        return f"{rounded:.{digits - 1}e}"
    return f"{rounded:.{max(0, digits - 1 - math.floor(math.log10(abs(rounded))))}f}"


def _limits(low: float, high: float) -> tuple[str, str]:
    if not math.isfinite(low) or not math.isfinite(high):
        return format_ratio(low), format_ratio(high)
    least = next((digits for digits in _DIGITS if _write_digits(low, digits) != _write_digits(high, digits)), 3)
    return _tell_from_one(low, least), _tell_from_one(high, least)


def _tell_from_one(ratio: float, least: int) -> str:
    return _write_ratio(ratio, lambda read: read != 1 or abs(ratio - 1) <= KEPT, least)


def _write_ratio(ratio: float, tells: Callable[[float], bool], least: int = 3) -> str:
    """The fewest digits from ``least`` on of which ``tells`` holds, as it is read again; else three."""
    texts = (_write_digits(ratio, digits) for digits in _DIGITS if digits >= least)
    return next((text for text in texts if tells(float(text))), format_ratio(ratio))


def _quantity(text: str, units: dict[str, int], what: str, remedy: str) -> Fraction:
    """Number × unit, exactly."""
    match = _QUANTITY.fullmatch(text)
    factor = units.get(match[2].lower()) if match else None
    if match is None or factor is None:
        raise UsageError(f"{text!r} is not {what}", remedy=remedy)
    return Fraction(match[1]) * factor


_SIZE_REMEDY = "write a number with B, KiB, MiB, GiB (by 1024) or kB, MB, GB (by 1000)"
_RANGE_REMEDY = "write a range as '8B..4MiB x2': first, last, and how many times larger each is than the one before"
_FOREIGN_RANGE = re.compile(r"\s*[0-9][^:-]*[:-][^:-]*[0-9][^:-]*")
"""A range as other benchmarks write it: ``1:4096``, ``1-4096``."""
_RANGE = re.compile(r"(?P<first>[^.]+(?:\.[0-9]+[^.]*)?)\.\.(?P<last>.+?)(?:\s*[x×*]\s*(?P<factor>[0-9]{1,6}))?\s*")


def _range(item: str) -> list[int]:
    """Sizes of ``FIRST..LAST xFACTOR``."""
    match = _RANGE.fullmatch(item)
    if match is None:
        raise UsageError(f"{item.strip()!r} is not a range of sizes", remedy=_RANGE_REMEDY)
    size, last, factor = parse_size(match["first"]), parse_size(match["last"]), int(match["factor"] or 2)
    if not 0 < size <= last or factor < 2:
        raise UsageError(f"{item.strip()!r} is an empty or endless range", remedy=_RANGE_REMEDY)
    sizes = []
    while size <= last:
        sizes.append(size)
        size *= factor
    return sizes


def _scale(value: float, units: tuple[tuple[str, float], ...]) -> str:
    """Three digits in the largest unit that the rounded value fills."""
    if not math.isfinite(value):
        return "–"
    unit, factor = next((pair for pair in reversed(units) if float(f"{abs(value) / pair[1]:.3g}") >= 1), units[0])
    return f"{three_digits(value / factor)} {unit}"
