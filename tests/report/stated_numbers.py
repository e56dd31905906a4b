"""Which numbers a page may say: those of the run's JSON, as ``units`` writes them, each for its stack and size.

The rule knows nothing of how the page is made. A number of the page is right when the JSON holds it for the stack and
the size that stand beside it, or when plain arithmetic on the JSON gives it (a share, a lead, an efficiency).
"""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, permutations
from pathlib import Path
from typing import Any

from page_layers import Said

from msgauge import report, units
from msgauge.report.grid import format_halfwidth

_UNIT = r"ns/B|[kMG]?msg/s|[kMGT]?B/s|ns|µs|ms|min|s|h|[KMG]iB|B|%"
TOKEN = re.compile(rf"(?<![\w.])[-−+]?\d+(?:[  ]\d{{3}})*(?:\.\d+)?(?:e[-+]?\d+)?(?: ?(?:{_UNIT})(?![\w/]))?")
SIZE = re.compile(r"\d+ (?:B|[KMG]iB)(?![\w/])")
_AS_PRINTED = ("published", "load")
"""Numbers that the page repeats as their source has them."""
_SHOWN_FIRST = 5
"""Findings before the fold; the summary counts the others."""
Place = tuple[str, str]
"""A stack and a size as text; empty where the number is of any."""


def tokens_of(text: str) -> list[str]:
    """The numbers of a text with their units; a space before the unit does not matter."""
    return [_bare(found) for found in TOKEN.findall(text)]


class StatedNumbers:
    """The numbers that the JSON documents of a run state."""

    def __init__(self, documents: Iterable[Any]) -> None:
        self.of: dict[Place, set[str]] = defaultdict(set)
        self.specs: set[str] = set()
        for document in documents:
            self._take(document, ("", ""))
        self.of["", ""].update(token for text in _prose() for token in tokens_of(text))
        self._by_length = sorted(self.specs, key=len, reverse=True)

    def wrong(self, said: Said) -> list[str]:
        """What a text says that no number or name of the JSON says there."""
        text, named = self._without_names(said.text)
        bad = [word for word in text.split() if re.search(r"\w@\d", word)]
        place = self._place(said, named)
        known = self.of[place]
        return bad + [token for token in tokens_of(text) if token not in known and not self._is_place(token, said)]

    def _place(self, said: Said, named: list[str]) -> Place:
        """The stack and size that stand above a label or before a cell of a table; a sentence is about any."""
        if said.layer == "label" and said.text.partition("\n")[0] in self.specs:
            size = SIZE.match(said.text.partition("\n")[2])
            return named[0], size[0] if size else ""
        if said.layer == "table":
            spec = next((one for one in said.under if one in self.specs), "")
            size = next((one for one in said.under if SIZE.fullmatch(one)), "") if spec else ""
            return spec, size
        return "", ""

    def _is_place(self, token: str, said: Said) -> bool:
        """The row's own heading, and the place on the axis that a label begins with."""
        heads = {_bare(one) for one in (*said.under, said.text.partition("\n")[2].partition(":")[0])}
        return token in heads or (said.layer == "label" and any(token in tokens_of(head) for head in heads))

    def _without_names(self, text: str) -> tuple[str, list[str]]:
        named = []
        for spec in self._by_length:
            if spec in text:
                text = text.replace(spec, " ")
                named.append(spec)
        return text, named

    # --- reading the JSON

    def _take(self, node: Any, place: Place) -> None:
        if isinstance(node, Mapping):
            for one in _places(node, place):
                for key, value in node.items():
                    self._take_value(key, value, one)
                for token in _derived(node):
                    self._state(token, one)
        elif isinstance(node, list):
            self.of["", ""].update({str(len(node)), str(len(node) - _SHOWN_FIRST)})
            for inner in node:
                self._take(inner, place)
        elif isinstance(node, str):
            self._take_text(node)

    def _take_value(self, key: str, value: Any, place: Place) -> None:
        if isinstance(value, list) and value and all(map(_is_number, value)):
            for number in value:
                self._take_value(key, number, place)
        elif _is_number(value):
            for form in (*_forms(float(value)), *([f"{value:.10g}"] if key in _AS_PRINTED else ())):
                self._state(form, place)
        else:
            self._take(value, place)
            if key in ("spec", "stack", "other", "base") and isinstance(value, str) and "@" in value:
                self.specs.add(value)

    def _take_text(self, text: str) -> None:
        if re.fullmatch(r"\S+@\d\S*", text):
            self.specs.add(text)
        for spec in sorted(self.specs, key=len, reverse=True):
            text = text.replace(spec, " ")
        self.of["", ""].update(tokens_of(text))

    def _state(self, form: str, place: Place) -> None:
        for one in {place, (place[0], ""), ("", "")}:
            self.of[one].add(_bare(form))


def documents_of(folder: Path, printed: Sequence[Mapping[str, Any]]) -> list[Any]:
    """The JSON of a run: what commands print (``export`` first), and the JSON files of its folder."""
    files = [json.loads(path.read_text())["value"] for path in sorted(folder.glob("*.json"))]
    records = [json.loads(path.read_text())["value"] for path in sorted(folder.glob("launches/*/record.json"))]
    return [*printed, *files, *records, *map(_sums, _by_stack(records)), *_leads(printed[0]["estimates"])]


def _by_stack(records: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """All launches, and those of each stack."""
    yield records
    for stack in {one["launch"]["stack"] for one in records}:
        yield [one for one in records if one["launch"]["stack"] == stack]


def _sums(records: list[dict[str, Any]]) -> dict[str, Any]:
    busy = sum(one["usage"]["user_s"] + one["usage"]["system_s"] for one in records)
    return {"launches": len(records), "seconds": sum(one["seconds"] for one in records), "busy_s": busy}


def _leads(estimates: list[dict[str, Any]]) -> Iterator[dict[str, float]]:
    """Every stack's median over every other's in the same cell."""
    cells = defaultdict(list)
    for one in estimates:
        cells[one["cell"]].append(one["median_ns"])
    return ({"lead": a / b} for medians in cells.values() for a, b in permutations(medians, 2))


def _places(node: Mapping[str, Any], place: Place) -> set[Place]:
    named = {node[key] for key in ("stack", "base", "other") if isinstance(node.get(key), str) and "@" in node[key]}
    size = units.format_size(node["size_bytes"]) if isinstance(node.get("size_bytes"), int) else place[1]
    return {(spec, size) for spec in named or {place[0]}}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _forms(value: float) -> Iterator[str]:
    """A number as ``units`` writes it, in every unit that it may be of."""
    if value == round(value):
        yield f"{value:.0f}"
        yield from (units.format_size(int(value)), units.format_count(int(value), "").strip()) if value >= 0 else ()
    for write in (units.format_time, units.format_rate, units.format_amount, units.three_digits, units.format_percent):
        yield write(value)
    yield from TOKEN.findall(units.format_duration(value))
    yield f"{units.three_digits(value)} ns/B"
    yield f"{units.three_digits(value)} s"


def _derived(node: Mapping[str, Any]) -> Iterator[str]:
    """What arithmetic on one estimate or cost gives."""
    if isinstance(node.get("predicted_ns"), float):
        yield units.format_percent(node["predicted_ns"] / node["measured_ns"] - 1)
    if "guidelines" in node:
        for _, verdicts in groupby(sorted((one["guideline"], one["verdict"]) for one in node["guidelines"])):
            yield str(len(list(verdicts)))
    if node.get("points") and node.get("model"):
        yield from _errors_of_model(node)
    if "voluntary_switches_per_event" in node:
        for key in ("voluntary_switches_per_event", "involuntary_switches_per_event"):
            yield units.three_digits(1000 * (node[key] or 0.0))
    middle, low, high = (node.get(f"{name}_ns") for name in ("median", "low", "high"))
    if not (isinstance(middle, float) and isinstance(low, float) and isinstance(high, float) and "samples" in node):
        return
    yield format_halfwidth(middle, low, high).lstrip(">±")
    yield format_halfwidth(1 / middle, 1 / high, 1 / low).lstrip(">±")
    yield units.format_message_rate(1e9 / middle)
    yield units.format_time(middle / max(1, node["ranks"] - 1))
    series = node.get("series") or {}
    series = dict(series) if isinstance(series, list) else series
    if "serial" in series:
        yield units.format_percent(series["serial"] / (node["ranks"] * middle))
        yield from (units.three_digits(series["cpu"] / middle), units.format_percent(series["cpu"] / middle))
        parts = [min(1.0, series[name] / middle) for name in ("compute", "communication")]
        yield from map(units.format_percent, (*parts, max(0.0, 1 - sum(parts))))


def _errors_of_model(node: Mapping[str, Any]) -> Iterator[str]:
    """Predicted over measured half round trips, less one, and the largest of them."""
    segments = node["model"]["segments"]
    errors = []
    for point in node["points"]:
        size = point["size_bytes"]
        ends = [one["last_bytes"] if one["until_bytes"] is None else one["until_bytes"] for one in segments]
        law = next((one for one, end in zip(segments, ends, strict=True) if size <= end), segments[-1])
        half = law["half_round_trip"]
        predicted = half["at_one"]["value"] + (half["per_byte"]["value"] or 0.0) * max(size - 1.0, 0.0)
        errors.append(predicted / point["median_ns"] - 1)
    yield from map(units.format_percent, (*errors, max(map(abs, errors))))


def _bare(token: str) -> str:
    return token.replace("−", "-").replace(" ", "").replace(" ", "").lstrip("+")


def _prose() -> Iterator[str]:
    """What the page says of itself, whatever the run: the texts of templates and of the modules of the report."""
    folder = Path(report.__path__[0])
    for path in folder.rglob("*.html"):
        yield re.sub(r"<[^>]*>|\{[{%].*?[%}]\}|&nbsp;", " ", path.read_text())
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
