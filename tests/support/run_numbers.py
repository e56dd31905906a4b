"""The numbers that the JSON of a run states, looked up by what they are of; how a text is cut into numbers.

Nothing here knows how the page is made: values come from the run's JSON, the way they are written from ``units``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from math import inf, nan
from pathlib import Path
from typing import Any

from attrs import frozen

from msgauge import units
from msgauge.report.grid import format_halfwidth

_UNIT = r"%|(?:ns/B|[kMG]?msg/s|[kMGT]?B/s|ns|µs|ms|min|s|h|[KMG]iB|B)(?![\w/])"
TOKEN = re.compile(rf"(?<![\w.])[-−+]?\d+(?:[ \u00a0]\d{{3}})*(?:\.\d+)?(?:e[-+]?\d+)?(?: ?(?:{_UNIT}))?")
SIZE = re.compile(r"\d+ (?:B|[KMG]iB)(?![\w/])")
LETTERS = 5
Of = tuple[int, str]
"""A cell by its number, and a stack."""
Numbers = tuple[str, ...]
"""The numbers of a text in their order."""


def tokens_of(text: str) -> Numbers:
    """The numbers of a text with their units; a space before the unit does not matter."""
    return tuple(bare(found) for found in TOKEN.findall(text))


def bare(token: str) -> str:
    """Without what the same number may be written with or without."""
    return token.replace("−", "-").replace("\u00a0", "").replace(" ", "").lstrip("+")


def altered(text: str, token: re.Match[str]) -> str:
    """The text with another last digit of one of its numbers."""
    place = max(at for at in range(*token.span()) if text[at].isdigit())
    return f"{text[:place]}{(int(text[place]) + 1) % 10}{text[place + 1 :]}"


def is_spec(value: object) -> bool:
    """Whether this is the name of a stack."""
    return isinstance(value, str) and re.fullmatch(r"\w\S*@\d\S*", value) is not None


def is_sentence(text: str) -> bool:
    """Whether a text with a number is more than that number and its unit."""
    return re.search(r"\d", text) is not None and len(re.findall(r"[^\W\d]", text)) >= LETTERS


@frozen
class RunNumbers:
    """``documents``: the JSON of a run by name, what commands print and the files of its folder."""

    documents: Mapping[str, Any]

    @classmethod
    def read(cls, folder: Path, printed: Mapping[str, Any]) -> RunNumbers:
        """``printed``: ``export`` and ``advice``, what these commands print of the run."""
        files = {path.stem: json.loads(path.read_text())["value"] for path in sorted(folder.glob("*.json"))}
        records = [json.loads(path.read_text())["value"] for path in sorted(folder.glob("launches/*/record.json"))]
        return cls({**files, **printed, "records": records})

    @cached_property
    def cells(self) -> dict[int, dict[str, Any]]:
        return {one["id"]: one for one in self.documents["plan"]["cells"]}

    @cached_property
    def kernels(self) -> dict[str, dict[str, Any]]:
        return {one["name"]: one for one in self.documents["facts"]["kernels"]}

    @cached_property
    def estimates(self) -> dict[Of, dict[str, Any]]:
        return {(one["cell"], one["stack"]): one for one in self.documents["findings"]["estimates"]}

    @cached_property
    def comparisons(self) -> dict[Of, dict[str, Any]]:
        """By the cell and the stack that is not the base."""
        return {(one["cell"], one["other"]): one for one in self.documents["findings"]["comparisons"]}

    @cached_property
    def costs(self) -> dict[Of, dict[str, Any]]:
        return {(one["cell"], one["stack"]): one for one in self.documents["export"]["costs"]}

    @cached_property
    def efficiencies(self) -> dict[Of, dict[str, Any]]:
        return {(one["cell"], one["stack"]): one for one in self.documents["export"]["efficiencies"]}

    @cached_property
    def specs(self) -> tuple[str, ...]:
        """Every name of a stack that is in the JSON, the longest first."""
        return tuple(sorted({text for text in self._texts if is_spec(text)}, key=len, reverse=True))

    @cached_property
    def sentences(self) -> frozenset[str]:
        """Every longer text of the JSON that has a number: the page repeats it whole or not at all."""
        return frozenset(" ".join(one.split()) for one in self._texts if is_sentence(one))

    @cached_property
    def _texts(self) -> frozenset[str]:
        return frozenset(one for one in leaves_of(self.documents) if isinstance(one, str))

    def records_of(self, stack: str = "") -> list[dict[str, Any]]:
        """The launches of a stack, or all."""
        return [one for one in self.documents["records"] if stack in ("", one["launch"]["stack"])]


def leaves_of(node: Any) -> Iterator[Any]:
    """What stands in a document below all its names and lists."""
    if isinstance(node, Mapping):
        for value in node.values():
            yield from leaves_of(value)
    elif isinstance(node, list):
        for value in node:
            yield from leaves_of(value)
    else:
        yield node


def amounts_of(one: Mapping[str, Any]) -> Iterator[str]:
    """An estimate as a time, a bandwidth and messages a second, each with the width of its interval."""
    middle, low, high = known(one, "median_ns", "low_ns", "high_ns")
    fastest = 1 / low if low else inf
    width, inverse = format_halfwidth(middle, low, high), format_halfwidth(1 / middle, 1 / high, fastest)
    yield f"{units.format_time(middle)} {width}"
    if one["bandwidth_bytes_per_s"]:
        yield f"{units.format_rate(one['bandwidth_bytes_per_s'])} {inverse}"
    yield f"{units.format_message_rate(1e9 / middle)} {inverse}"


def series_of(one: Mapping[str, Any]) -> dict[str, float]:
    """The medians of the other series of an estimate, ns, by name."""
    return dict(one["series"])


def share_of(one: Mapping[str, Any], part: str) -> float:
    """Which part of a program's time went into ``compute``, ``communication``, or neither."""
    parts = {name: min(1.0, series_of(one)[name] / one["median_ns"]) for name in ("compute", "communication")}
    return parts.get(part, max(0.0, 1 - sum(parts.values())))


def ratio_of(one: Mapping[str, Any]) -> str:
    """Ratio and limits of a comparison."""
    return ", ".join(units.format_estimate(*known(one, "ratio", "ratio_low", "ratio_high")))


def lead_of(place: Mapping[str, Any]) -> tuple[str, str]:
    """The lead of the fastest of a cell, and its limits; ``–`` where it is not known."""
    return units.format_estimate(*known(place, "lead", "lead_low", "lead_high"))


def known(one: Mapping[str, Any], *keys: str) -> Iterator[float]:
    """Values of a row; nan where the JSON has null."""
    return (nan if one[key] is None else one[key] for key in keys)


def options_of(cell: Mapping[str, Any]) -> list[str]:
    """``n 1000`` for each option of a cell."""
    return [f"{name} {value}" for name, value in cell["options"]]
