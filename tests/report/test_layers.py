"""Every layer of a page says the number of the run's JSON: text, drawing, tooltip, label, table, download.

The pages of five different runs are read whole. Each number and each name of a stack must be one that the JSON states
for the stack and the size beside it, written by the one rule of ``units``.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, frozen
from browser import Browser
from page_layers import Said, layers_of
from planted_runs import paper_run, study_run
from stated_numbers import StatedNumbers, documents_of, tokens_of

from msgauge import units
from msgauge.cli import main

RUNS = ("quick", "collectives", "model", "paper", "applications")
LAYERS = {"text", "label", "aria", "table"}
"""Layers with numbers on every page; letters in drawings (collectives) and tooltips are on some."""


@frozen
class Page:
    """A page, what the run's JSON states, and the estimates and comparisons of the JSON."""

    path: Path
    html: str
    stated: StatedNumbers
    exported: dict[str, Any]

    @property
    def said(self) -> list[Said]:
        return layers_of(self.html)[0]

    def wrong(self) -> list[tuple[str, str, list[str]]]:
        found = ((one, self.stated.wrong(one)) for one in self.said)
        return [(one.layer, one.text, bad) for one, bad in found if bad]


def printed(*words: str) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as text:
        assert main(list(words)) == 0
    return text.getvalue()


@pytest.fixture(scope="module", params=RUNS)
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Page:
    place = tmp_path_factory.mktemp(request.param)
    made = paper_run(place, "broxton-logp") if request.param == "paper" else study_run(place, request.param)
    run = str(made.path)
    exported = json.loads(printed("export", run, "--format", "json"))
    advice = json.loads(printed("advise", run, "--json"))
    stated = StatedNumbers(documents_of(made.path, [exported, advice]))
    return Page(made.path, (made.path / "report.html").read_text(), stated, exported)


def test_every_layer_says_the_numbers_and_names_of_the_json(page: Page) -> None:
    assert {one.layer for one in page.said if tokens_of(one.text)} >= LAYERS
    assert page.wrong() == []


def test_the_rounding_of_november_2026_is_found_in_every_page(page: Page) -> None:
    """What the code of before did: it shortened every number of a drawing's attributes, labels included."""
    long_number = re.compile(r"(?<![\w.])-?\d+\.\d{2,}(?=[^<\"]*[\"])")

    def shorten(drawing: re.Match[str]) -> str:
        return long_number.sub(lambda found: f"{float(found[0]):.1f}".removesuffix(".0"), drawing[0])

    former = evolve(page, html=re.sub(r"<svg.*?</svg>", shorten, page.html, flags=re.DOTALL))
    bad = [word for layer, _, words in former.wrong() for word in words if layer == "label"]
    assert any(word.startswith("intelmpi@2021.2.1") for word in bad)
    assert len(bad) > 20


CORRUPTIONS: dict[str, tuple[str, Callable[[re.Match[str]], str]]] = {
    "text": (r"<h3>intelmpi@2021\.18\.1", lambda _: "<h3>intelmpi@2021.2.1"),
    "table": (r"(<td[^>]*>(?:<b>.</b> )?)(\d)(\d+(?:\.\d+)?) (ns|µs|ms)", lambda m: f"{m[1]}{m[2]}{m[3]}7 {m[4]}"),
    "label": (r'(aria-label="[^"]*: )(\d+(?:\.\d+)?) (ns|µs|ms|%)', lambda m: f"{m[1]}{m[2]}3 {m[3]}"),
}


def test_one_wrong_number_or_name_in_any_layer_is_found(page: Page) -> None:
    spoilt = page.html
    for pattern, change in CORRUPTIONS.values():
        spoilt, count = re.subn(pattern, change, spoilt, count=1)
        assert count == 1
    assert {found for found, _, _ in evolve(page, html=spoilt).wrong()} == set(CORRUPTIONS)


# --- the table of all numbers, as its script shows it and as it is downloaded ---------------------------------------

KINDS = {
    "time": units.format_time,
    "rate": units.format_rate,
    "messages": units.format_message_rate,
    "ratio": units.format_ratio,
    "size": lambda value: units.format_size(int(value)),
    "count": lambda value: str(int(value)),
}


def rows_of(exported: dict[str, Any]) -> list[dict[str, Any]]:
    """What the JSON has for each row of the table."""
    compared = {(one["other"], one["cell"]): one for one in exported["comparisons"]}
    rows = []
    for one in exported["estimates"]:
        other = compared.get((one["stack"], one["cell"]), {})
        options = " ".join(f"{name}={value}" for name, value in one["options"].items())
        known = {key: other.get(key) for key in ("base", "ratio", "ratio_low", "ratio_high", "verdict")}
        rows.append({**one, **known, "options": options})
    return rows


def is_same(said: object, known: object) -> bool:
    if isinstance(known, dict):
        return isinstance(said, dict) and said.keys() == known.keys() and all(is_same(said[k], known[k]) for k in known)
    if isinstance(known, float):
        return said == pytest.approx(known, rel=5.1e-5)
    return said == known


def unpacked(value: Any, kind: str, texts: list[str]) -> Any:
    if kind == "series":
        return {texts[name]: time for name, time in value or []}
    return texts[value] if kind == "text" and value is not None else value


def test_the_data_behind_the_table_is_that_of_the_json(page: Page) -> None:
    data, known = layers_of(page.html)[1], rows_of(page.exported)
    assert len(data["rows"]) == len(known)
    for packed, one in zip(data["rows"], known, strict=True):
        for column, value in zip(data["columns"], packed, strict=True):
            if column["key"] == "notes":
                continue
            found = unpacked(value, column["kind"], data["texts"])
            assert is_same(found, one[column["key"]]), (column["key"], found, one[column["key"]])


def test_the_exported_table_is_that_of_the_json(page: Page) -> None:
    lines = list(csv.DictReader(io.StringIO(printed("export", str(page.path), "--format", "csv"))))
    known = rows_of(page.exported)
    assert len(lines) == len(known)
    for line, one in zip(lines, known, strict=True):
        assert (line["stack"], line["kernel"], line["options"]) == (one["stack"], one["kernel"], one["options"])
        series = {f"{name}_ns": value for name, value in one["series"].items()}
        for key, text in line.items():
            value = series.get(key, one.get(key))
            if isinstance(value, int | float) and not isinstance(value, bool):
                assert float(text) == value, key


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Any:
    if Browser.program() is None:
        pytest.skip("no Chromium on this machine")
    with Browser(tmp_path_factory.mktemp("browser")) as started:
        yield started


CATCH = (
    "window.saved = null; URL.createObjectURL = blob => { window.saved = blob; return 'blob:none'; };"
    "HTMLAnchorElement.prototype.click = function() {};"
)
SHOWN = "[...document.querySelectorAll('#numbers tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))"


def test_the_shown_table_and_both_downloads_say_the_numbers_of_the_json(page: Page, browser: Browser) -> None:
    browser.open(page.path / "report.html")
    data, known = layers_of(page.html)[1], rows_of(page.exported)
    shown = browser.evaluate(SHOWN)
    assert len(shown) == min(400, len(known))
    for texts, one in zip(shown, known[:400], strict=True):
        for text, column in zip(texts, data["columns"], strict=True):
            if column["kind"] in KINDS:
                value = one[column["key"]]
                assert text == ("–" if value is None else KINDS[column["kind"]](value)), (column["key"], one)
            elif column["kind"] == "series":
                said = (f"{name} {units.format_time(value)}" for name, value in (one["series"] or {}).items())
                assert text == ", ".join(said).replace("_", " ")
    browser.evaluate(CATCH)
    browser.evaluate("document.getElementById('csv').click()")
    table = list(csv.DictReader(io.StringIO(browser.evaluate("window.saved.text()"))))
    browser.evaluate("document.getElementById('json').click()")
    rows = json.loads(browser.evaluate("window.saved.text()"))
    assert len(table) == len(rows) == len(known)
    for line, row, one in zip(table, rows, known, strict=True):
        assert (line["stack"], row["stack"]) == (one["stack"], one["stack"])
        for column in data["columns"]:
            key, value = column["key"], one.get(column["key"])
            if column["kind"] in KINDS:
                assert is_same(row[key], value)
                assert is_same(float(line[key]) if line[key] else None, None if value is None else float(value))
