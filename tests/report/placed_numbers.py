"""What may stand in one label of a drawing, or in one place of a table: the numbers of one value, in their order.

Each function gives the texts that are right there; one of them has to have exactly the numbers that the page says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from measured_numbers import cost_of_message, effect_of_factor
from page_layers import PLACES, RANKS, Said
from run_numbers import (
    SIZE,
    RunNumbers,
    amounts_of,
    bare,
    known,
    lead_of,
    options_of,
    ratio_of,
    series_of,
    share_of,
)

from msgauge import units
from msgauge.report.grid import format_halfwidth

OF_CELLS = {"measurements", "collectives", "applications", "fan-out", "bursts"}
"""Sections whose blocks and figures are about cells of the plan."""
_PARTS = {"computing": "compute", "calls of the stack": "communication", "other": ""}
_PARAMETERS = {
    "L": ("latency",),
    "o_s": ("send", "at_one"),
    "o_r": ("receive", "at_one"),
    "g": ("gap", "at_one"),
    "G": ("gap", "per_byte"),
}


class PlacedNumbers:
    """Finds what a label or a place of a table is about, and what it may say."""

    def __init__(self, numbers: RunNumbers) -> None:
        self.numbers = numbers
        self._seen: dict[str, frozenset[int]] = {}
        self._keys = {key: frozenset(cells) for key, cells in _keys_of_cells(numbers).items()}

    def cells_of(self, said: Said) -> frozenset[int]:
        """The cells of the block or figure, of those the ones with the size and the ranks that stand beside."""
        cells = frozenset(self.numbers.cells)
        for place in (*(one.removeprefix("figure-") for one in said.under), said.heading):
            cells &= self._cells_at(place)
            if sampled := re.search(r"-samples-(\d+)$", place):
                cells = self._with(cells, {bare(units.format_size(int(sampled[1])))}, set())
        for text in (*said.under, *([_head(said.text)] if said.layer == "label" else [])):
            whole = said.layer == "label" or SIZE.fullmatch(text) is not None
            ranks = set(re.findall(r"(?<![\w.])(\d+) (?:processes|process|ranks|rank)\b", text))
            cells = self._with(cells, set(map(bare, SIZE.findall(text))) if whole else set(), ranks)
        return cells

    def _cells_at(self, place: str) -> frozenset[int]:
        """Of an id or a heading; all cells where it is about none in particular."""
        if place not in self._seen:
            keys = [key for key in self._keys if place == key or place.startswith((f"{key}-", f"{key}:"))]
            self._seen[place] = self._keys[max(keys, key=len)] if keys else frozenset(self.numbers.cells)
        return self._seen[place]

    def _with(self, cells: Iterable[int], sizes: set[str], ranks: set[str]) -> frozenset[int]:
        known = self.numbers.cells
        return frozenset(
            one
            for one in cells
            if (not sizes or bare(units.format_size(known[one]["size_bytes"])) in sizes)
            and (not ranks or str(known[one]["ranks"]) in ranks)
        )

    def stack_of(self, said: Said) -> str:
        """The stack that a label begins with, or a row or a heading names; '' for any."""
        line = _head(said.text) if said.layer == "label" else ""
        named = [spec for spec in self.numbers.specs if spec in line]
        under = [spec for one in (*said.under, said.heading) if (spec := without_marks(one)) in self.numbers.specs]
        return named[0] if named else under[-1] if under else ""

    # --- labels of marks

    def of_label(self, said: Said) -> Iterator[str]:
        """Behind the size or the number of processes that the label begins with."""
        figure = next((one.removeprefix("figure-") for one in said.under if one.startswith("figure-")), "")
        kind = re.sub(r"-samples-\d+$", "-samples", figure).rpartition("-")[2]
        if figure.startswith("model-"):
            yield from self._of_model_point(said, figure, kind)
        stack = self.stack_of(said)
        for cell in self.cells_of(said):
            one = self.numbers.estimates.get((cell, stack))
            if one is not None and one["median_ns"]:
                yield from self._of_estimate(said, kind, one)
            if kind == "ratio" and (two := self.numbers.comparisons.get((cell, stack))):
                yield f"{ratio_of(two)}; {two['rounds']}"

    def _of_estimate(self, said: Said, kind: str, one: Mapping[str, Any]) -> Iterator[str]:
        middle = one["median_ns"]
        if kind in ("time", "bandwidth", "messages"):
            yield from (f"{text} {one['launches']}" for text in amounts_of(one))
        elif kind == "samples":
            yield from map(units.format_time, one["launch_medians_ns"][said.number : said.number + 1])
        elif kind == "processes":
            yield units.format_time(middle)
        elif kind == "efficiency":
            yield self._efficiency_of(one)
        elif kind == "shares":
            part = re.sub(r" [\d.]+ %$", "", said.text.partition(": ")[2])
            yield units.format_percent(share_of(one, _PARTS[part]))
        elif kind == "map" and one.get("place"):
            place = one["place"]
            yield "{} 95 % {}".format(*lead_of(place))
        elif kind in ("sent", "received"):
            yield from map(units.format_time, (middle, *series_of(one).values()))

    def _efficiency_of(self, one: Mapping[str, Any]) -> str:
        """``93 % 91 % 95 %``: the value and its limits, which are left out where there is no interval."""
        found = self.numbers.efficiencies[one["cell"], one["stack"]]
        told = [units.format_percent(found[key]) for key in ("value", "low", "high") if found[key] is not None]
        return " ".join(told if found["low"] != found["high"] else told[:1])

    def _of_model_point(self, said: Said, figure: str, kind: str) -> Iterator[str]:
        """A measured half round trip, or the error of the one that the model gives."""
        for model in self.numbers.documents["models"]["models"]:
            if figure != f"model-{_slug(model['stack'])}-{kind}":
                continue
            for point in model["points"]:
                if bare(units.format_size(point["size_bytes"])) in map(bare, SIZE.findall(_head(said.text))):
                    yield units.format_time(point["median_ns"])
                    yield units.format_percent(half_round_trip(model, point["size_bytes"]) / point["median_ns"] - 1)

    def of_map(self, said: Said) -> Iterator[str]:
        """The lead that is written into a place of a map, in the order of the plan."""
        places: dict[int, str] = {}
        for (cell, _), one in self.numbers.estimates.items():
            if cell in self.cells_of(said) and one.get("place"):
                known = one["place"]["lead"] is not None
                places[cell] = lead_of(one["place"])[0] + "×" if known else places.get(cell, "~")
        order = list(self.numbers.cells)
        families = {
            cell: (self.numbers.cells[cell]["ranks"], self.numbers.cells[cell]["size_bytes"]) for cell in places
        }
        ranks = list(dict.fromkeys(families[cell][0] for cell in order if cell in places))
        ordered = sorted(places, key=lambda cell: (ranks.index(families[cell][0]), families[cell][1]))
        yield from (places[cell] for cell in ordered[said.number : said.number + 1])

    # --- places of tables

    def of_place(self, said: Said) -> Iterator[str]:
        """What may stand in this row and column."""
        section, column = said.under[0], said.under[-1]
        if section in OF_CELLS:
            yield from self._of_cell_column(said, column)
        elif section == "summary":
            yield from self._of_decision(self.stack_of(said), " ".join(column.split()).lower())
        elif section == "models":
            yield from self._of_model(said, column)
        elif section == "resource-usage":
            yield from self._of_usage(said, column)
            yield from cost_of_message(self.numbers, said, self.stack_of(said))
        elif section == "factor-effects":
            yield from effect_of_factor(self.numbers, said)
        elif section == "paper":
            yield from self._of_paper(*said.under[-3:])
        elif section == "guidelines":
            rows = self.numbers.documents["advice"]["guidelines"]
            row = said.under[-2].partition("\n")[0]
            yield str(sum((one["guideline"], one["verdict"]) == (row, column.lower()) for one in rows))

    def _of_cell_column(self, said: Said, column: str) -> Iterator[str]:
        cells, stack = self.cells_of(said), self.stack_of(said)
        column = without_marks(column)
        if column in PLACES:
            yield from (units.format_size(self.numbers.cells[cell]["size_bytes"]) for cell in cells)
        if column in RANKS:
            yield from (str(self.numbers.cells[cell]["ranks"]) for cell in cells)
        for cell in cells:
            one = self.numbers.estimates.get((cell, column if column in self.numbers.specs else stack))
            if one is None or not one["median_ns"]:
                continue
            if column in self.numbers.specs:
                yield from amounts_of(one)
            else:
                cost = self.numbers.costs.get((cell, stack), {})
                found = _columns_of(one, self.numbers.kernels[one["kernel"]], cost)
                if (cell, stack) in self.numbers.efficiencies:
                    found["parallel efficiency"] = (self._efficiency_of(one),)
                yield from found.get(column.lower(), ())

    def _of_decision(self, stack: str, column: str) -> Iterator[str]:
        """The result of the stack in the test of the column, or its mean."""
        summary = self.numbers.documents["export"]["summary"]
        row = next((one for one in summary["stacks"] if one["stack"] == stack), None)
        if row is not None and column.startswith("mean") and row["mean"]:
            yield ratio_of(row["mean"])
            yield f"{ratio_of(row['mean'])}; {row['mean']['tests']}; {summary['tests']}"
        for test, result in zip(summary["key_tests"], row["results"] if row else (), strict=bool(row)):
            if column.startswith(test["title"]) and result:
                write = {
                    "time": units.format_time,
                    "bandwidth": units.format_rate,
                    "messages": units.format_message_rate,
                }
                width = format_halfwidth(*known(result, "median", "low", "high"))
                yield f"{write[test['shown']](result['median'])} {width}"

    def _of_model(self, said: Said, column: str) -> Iterator[str]:
        model = next(one for one in self.numbers.documents["models"]["models"] if one["stack"] == self.stack_of(said))
        row = said.under[-2]
        for segment in model["model"]["segments"]:
            if column == "Sizes" or _span(segment) == row:
                yield _span(segment) if column == "Sizes" else _parameter(segment, column)
        for one in model["closures"]:
            span = f"{units.format_size(one['first_bytes'])} to {units.format_size(one['last_bytes'])}"
            if column == "Sizes" and row.partition(",")[0] == one["kernel"]:
                yield span
            elif (
                row == span
                and column in ("Median error", "Worst error")
                and one["kernel"] == said.under[-3].partition(",")[0]
            ):
                yield units.format_percent(one[column.lower().replace(" ", "_")])
        for one in model["predictions"]:
            if one["what"] == row and column in ("Predicted", "Measured"):
                yield units.format_time(one[f"{column.lower()}_ns"])
            elif one["what"] == row and column == "Error":
                yield units.format_percent(one["predicted_ns"] / one["measured_ns"] - 1)

    def _of_usage(self, said: Said, column: str) -> Iterator[str]:
        for one in self.numbers.documents["export"]["stack_costs"]:
            if one["stack"] != self.stack_of(said) or (
                column != "ranks" and f"{one['ranks']} processes" not in said.under
            ):
                continue
            yield {
                "ranks": str(one["ranks"]),
                "CPU s per s waiting": f"{units.three_digits(one['wait_cpu_fraction'])} s",
                "peak memory per rank": units.format_amount(one["peak_memory_bytes"]),
                "CPU per launch": units.format_duration(one["cpu_s"]),
            }.get(column, "")

    def _of_paper(self, row: str, whose: str, column: str) -> Iterator[str]:
        for table in self.numbers.documents["paper"]["tables"]:
            titles = [
                f"{label}, {unit.replace('us', 'µs')}"
                for label, unit in zip(table["labels"], table["units"], strict=True)
            ]
            names = [one["name"] for one in table["columns"]]
            if row not in titles or column not in names:
                continue
            place = table["values"][titles.index(row)][names.index(column)]
            if whose == "published" and place["published"] is not None:
                yield f"{place['published']:.10g}"
            elif whose in place:
                yield ", ".join(units.three_digits(value["value"]) for _, value in place[whose])


def without_marks(heading: str) -> str:
    """The stack that a heading of a table names beside what is unusual of it (``smpi@3.32 simulated``)."""
    first = heading.partition(" ")[0]
    return first if "@" in first else heading


def _head(text: str) -> str:
    """What a label begins with: the stack and the place on the axis; of a map the place alone."""
    first, line, rest = text.partition("\n")
    if not line:
        return ""
    return (
        f"{first}\n{rest.partition(': ')[0]}"
        if ": " in rest or ";" not in rest
        else f"{first}\n{rest.partition(';')[0]}"
    )


def after_head(said: Said) -> str:
    """The numbers of a label that are no place on an axis."""
    return said.text[len(_head(said.text)) :] if said.layer == "label" else said.text


def _columns_of(
    one: Mapping[str, Any], kernel: Mapping[str, Any], cost: Mapping[str, Any]
) -> dict[str, tuple[str, ...]]:
    """The columns of tables with a row for each stack, by their headings in small letters."""
    series, middle = series_of(one), one["median_ns"]
    named = {name.replace("_", " "): (units.format_time(value),) for name, value in series.items()}
    median = (units.format_time(middle),)
    wide = (f"{median[0]} {format_halfwidth(*known(one, 'median_ns', 'low_ns', 'high_ns'))}",)
    compared = next((name for name in kernel["series"] if name not in series), kernel["series"][0])
    found = {**named, compared.replace("_", " "): median, "time": (*wide, *median), "time per round": wide}
    found["time per worker"] = (units.format_time(middle / max(1, one["ranks"] - 1)),)
    if cost:
        found["cpu time per round"] = (units.format_time(cost["cpu_ns_per_event"]),)
    if "serial" in series:
        found["in calls"] = (units.format_percent(share_of(one, "communication")),)
        found["cores used"] = (units.three_digits(series["cpu"] / middle),)
    return found


def _span(segment: Mapping[str, Any]) -> str:
    end = segment["last_bytes"] if segment["until_bytes"] is None else segment["until_bytes"]
    return f"{units.format_size(segment['first_bytes'])} to {units.format_size(end)}"


def _parameter(segment: Mapping[str, Any], column: str) -> str:
    if column not in _PARAMETERS:
        return ""
    one: Any = segment
    for key in _PARAMETERS[column]:
        one = one[key]
    if column == "G":
        value, low, high = map(units.three_digits, known(one, "value", "low", "high"))
        return f"{value} ns/B {low} to {high} ns/B"
    return " ".join(map(units.format_time, known(one, "value", "low", "high")))


def half_round_trip(model: Mapping[str, Any], size: int) -> float:
    """What a model gives for a size, ns."""
    segments = model["model"]["segments"]
    ends = [one["last_bytes"] if one["until_bytes"] is None else one["until_bytes"] for one in segments]
    law = next((one for one, end in zip(segments, ends, strict=True) if size <= end), segments[-1])["half_round_trip"]
    return float(law["at_one"]["value"] + (law["per_byte"]["value"] or 0.0) * max(size - 1.0, 0.0))


def _slug(word: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "-", word)


def titles_of(numbers: RunNumbers, cell: Mapping[str, Any]) -> tuple[str, ...]:
    """How blocks about a cell are headed: by ranks, by size, by neither; as sentences of the page."""
    title, ranks = numbers.kernels[cell["kernel"]]["title"], cell["ranks"]
    timed = ["every operation timed"] * (cell["mode"] == "single")
    by_ranks = [title, f"{ranks} rank{'s' if ranks != 1 else ''}", *options_of(cell), *timed]
    by_size = [title, units.format_size(cell["size_bytes"]), *options_of(cell)]
    return tuple(", ".join(some) for some in (by_ranks, by_size, [title, *options_of(cell)]))


def _keys_of_cells(numbers: RunNumbers) -> dict[str, set[int]]:
    """Ids and headings that the page gives its blocks and figures, each with the cells that it is about."""
    found: dict[str, set[int]] = {}
    for number, one in numbers.cells.items():
        options = [word for pair in one["options"] for word in pair]
        words = (
            [one["kernel"], str(one["ranks"]), *options, *(["single"] * (one["mode"] == "single"))],
            [one["kernel"], str(one["size_bytes"]), *options],
            [one["kernel"], *(options or ["all"]), "map"],
        )
        for key in (*("-".join(map(_slug, some)) for some in words), *titles_of(numbers, one)):
            found.setdefault(key, set()).add(number)
    return found
