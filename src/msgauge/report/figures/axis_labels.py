"""How the values of axes are written: Vega expressions, one for each kind of amount, the same in every figure."""

from __future__ import annotations

from collections.abc import Sequence

UNITS = {
    "time": (("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)),
    "bandwidth": (("kB/s", 1e3), ("MB/s", 1e6), ("GB/s", 1e9)),
    "messages": (("msg/s", 1.0), ("kmsg/s", 1e3), ("Mmsg/s", 1e6)),
}
"""The units of each kind of amount, each with how many base units it is, the smallest first."""


def unit_for_axis(kind: str, domain: Sequence[float]) -> tuple[str, str]:
    """The unit of an axis in its title, and the expression of its labels as bare numbers in that unit."""
    middle = (domain[0] * domain[1]) ** 0.5
    unit, factor = next((one for one in reversed(UNITS[kind]) if middle >= one[1]), UNITS[kind][0])
    return unit, f"format(datum.value/{factor:g},'~g')"


def _label(named: Sequence[tuple[str, float]]) -> str:
    """Each value in the largest unit that it reaches, and below all of them in the smallest."""
    shown = [f"format(datum.value/{factor:.0f},'~g')+' {unit}'" for unit, factor in named]
    bounded = zip(shown[:-1], named[1:], strict=True)
    return "".join(f"datum.value<{limit:.0f}?{text}:" for text, (_, limit) in bounded) + shown[-1]


TIME = _label(UNITS["time"])
BANDWIDTH = _label(UNITS["bandwidth"])
MESSAGES = _label(UNITS["messages"])


def _label_size(tail: str, bytes_tail: str) -> str:
    """Each size exactly, in the largest unit that divides it, as ``units.format_size``: 1025 bytes are not 1 KiB."""
    named = ((f" {prefix}i{tail}", 1 << shift) for prefix, shift in (("G", 30), ("M", 20), ("K", 10)))
    whole = "".join(f"datum.value%{factor}==0?datum.value/{factor}+'{unit}':" for unit, factor in named)
    return f"datum.value<1?'0{bytes_tail}':{whole}datum.value+'{bytes_tail}'"


SIZE = _label_size("B", " B")
"""Of a message; zero bytes stand below 1 on a logarithmic axis."""
BARE_SIZE = _label_size("", "")
"""The same on an axis whose title says that it is bytes."""
NUMBER = "format(datum.value,'~g')"
RATIO = f"{NUMBER}+'×'"
SHARE = "format(datum.value,'.0%')"
ERROR = "(datum.value>1.00001?'+':datum.value<0.99999?'\u2212':'')+format(abs(datum.value-1)*100,'.3~g')+' %'"
"""Of a ratio, which is 1 where there is no error."""
