"""Every layer of the page of a history says the numbers of ``history --json``: text, label, table, description."""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve, frozen
from page_layers import Said, layers_of
from run_numbers import TOKEN, altered, tokens_of
from simulated_histories import simulate_history, stand_in
from stated_numbers import prose

from msgauge.cli import main
from msgauge.units import format_change, format_count, format_size, format_time

REFUSED = 0.95
SAMPLE = 300
CELLS = [("pingpong", 8), ("pingpong", 65536), ("bcast", 8)]


@frozen
class HistoryPage:
    """The page, and what ``--json`` printed of the same runs."""

    html: str
    stated: dict[str, Any]

    @property
    def said(self) -> list[Said]:
        return layers_of(self.html)[0]

    def wrong(self, said: Said) -> list[str]:
        """Numbers of a text that no text made of the JSON has there."""
        if said.layer == "label":
            return [] if said.text in set(self._labels()) else list(tokens_of(said.text))
        if said.layer == "table":
            return [] if said.text in self._column(*said.under[-2:], said.number) else [said.text]
        text = " ".join(said.text.split())
        for phrase in sorted({*self._phrases(), *prose()}, key=len, reverse=True):
            text = re.sub(rf"(?<![\w.]){re.escape(phrase)}(?!\w|\.\d)", " ", text) if phrase in text else text
        return list(tokens_of(text))

    def _labels(self) -> Iterator[str]:
        started = {run["name"]: start_of(run["started"]) for run in self.stated["runs"]}
        for one in self.stated["series"]:
            for point in one["points"]:
                times = [format_time(point[f"{name}_ns"]) for name in ("median", "low", "high")]
                where = f"run {point['number']}, {started[point['run']]}: {point['run']}"
                yield f"{point['stack']}\n{where}\n{times[0]} ({times[1]} to {times[2]})"

    def _column(self, row: str, column: str, number: int) -> set[str]:
        """What may stand in a column: of the changes of a stack, or of the runs (the row begins with their number)."""
        if column == "number":
            return {str(number + 1)}
        if column in ("run", "began"):
            run = self.stated["runs"][int(row) - 1]
            return {run["name"] if column == "run" else start_of(run["started"])}
        if column == "versions that change":
            return {", ".join(self._versions(int(row)))}
        found = set()
        for one in self.stated["series"]:
            for change in one["changes"]:
                told = {
                    "stack": one["stack"],
                    "test": cell_of(one),
                    "change, 95 % limits of all together": size_of(change).replace(" %", "\u00a0%"),
                    "first run after it": change["first_run"],
                    "at run": range_of(change),
                    "p": p_of(change),
                    "build": change["build"] or "not known",
                }
                found |= {told[column]} if column == "stack" or one["stack"] == row else set()
        return found

    def _versions(self, run: int) -> dict[str, None]:
        """What a run measured of the stacks of which there are several versions."""
        series = (one["points"] for one in self.stated["series"])
        several = (points for points in series if len({point["stack"] for point in points}) > 1)
        return dict.fromkeys(point["stack"] for points in several for point in points if point["number"] == run)

    def _phrases(self) -> Iterator[str]:
        runs, series = self.stated["runs"], self.stated["series"]
        stacks = len({one["stack"] for one in series})
        yield from self.stated["findings"]
        yield self.stated["gate"]["sentence"]
        yield "95 % interval"  # of every run, however it ended
        yield "The last 2 runs cannot be told"  # of eighteen runs and more
        yield from (f"History of {len(runs)} runs", runs[0]["name"], runs[-1]["name"])
        yield f"{len(series)} series of {format_count(stacks, 'stack')}"
        for one in series:
            yield from (cell_of(one), one["stack"], *(point["stack"] for point in one["points"]))
            times = [format_time(one["points"][place]["median_ns"]) for place in (0, -1)]
            yield f"{one['stack']}: {len(one['points'])} runs, from {times[0]} to {times[1]}."
            for change in one["changes"]:
                place = f"from run {change['first_run']} on, at run {range_of(change)}"
                yield f"{size_of(change)} {place}, p {p_of(change)}."


def start_of(text: str) -> str:
    return text[:16].replace("T", " ")


def cell_of(one: dict[str, Any]) -> str:
    options = [f"{name}={value}" for name, value in one["options"].items()]
    return ", ".join([f"{one['kernel']} {format_size(one['size_bytes'])}", f"{one['ranks']} ranks", *options])


def size_of(change: dict[str, Any]) -> str:
    size, low, high = (format_change(change[key]) for key in ("ratio", "together_low", "together_high"))
    return f"{size} ({low} to {high})"


def range_of(change: dict[str, Any]) -> str:
    ends = sorted({change["earliest"], change["latest"]})
    return str(change["number"]) if len(ends) == 1 else f"{ends[0]} to {ends[1]}"


def p_of(change: dict[str, Any]) -> str:
    return "≤ 0.001" if change["p_adjusted"] <= 0.001 else f"= {change['p_adjusted']:.3g}"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> HistoryPage:
    """Thirty runs of two stacks, of which one has a step."""
    steps = {"openmpi": (20, 0.2)}
    runs = {
        Path(one.path): one
        for one in simulate_history(30, seed=1, stacks=("openmpi", "mpich"), steps=steps, cells=CELLS)
    }
    place = tmp_path_factory.mktemp("history") / "history.html"
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()) as text:
        stand_in(patch, runs)
        assert main(["history", "--fail-on", "slower>5%", "--json", "--output", str(place)]) == 1
    return HistoryPage(place.read_text(), json.loads(text.getvalue()))


def test_every_layer_of_a_history_says_the_numbers_of_its_json(page: HistoryPage) -> None:
    layers = {one.layer for one in page.said if tokens_of(one.text)}
    assert {"text", "label", "aria", "table"} <= layers
    assert any(one["changes"] for one in page.stated["series"])
    assert [(one.layer, one.text, bad) for one in page.said if (bad := page.wrong(one))] == []


def test_every_point_of_the_json_is_drawn_once(page: HistoryPage) -> None:
    points = sum(len(one["points"]) for one in page.stated["series"])
    labels = [(one.under, one.text) for one in page.said if one.layer == "label"]
    assert {text for _, text in labels} == set(page._labels())
    assert len(set(labels)) == points


def test_an_altered_number_of_a_history_is_refused_in_every_layer(page: HistoryPage) -> None:
    places = defaultdict(list)
    for one in page.said:
        places[one.layer].extend((one, token) for token in TOKEN.finditer(one.text))
    for layer, numbers in places.items():
        chosen = Random(7).sample(numbers, min(SAMPLE, len(numbers)))
        kept = [one.text for one, token in chosen if not page.wrong(evolve(one, text=altered(one.text, token)))]
        assert len(kept) <= (1 - REFUSED) * len(chosen), (layer, kept[:5])
