"""Every layer of a page says the number of the run's JSON: text, drawing, tooltip, label, table, download.

The pages of five different runs are read whole. Each number and each name of a stack must be one that the JSON states
for the stack, the size and the block beside it, written by the one rule of ``units``; each number in the sentence of a
finding one of the comparisons that it rests on. How much of this is held is measured: numbers are altered in their last
digit, one at a time, and nearly all of these alterations must be refused.
"""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve
from browser import Browser
from finding_numbers import HELD, wrong_numbers
from planted_runs import eventful_run
from run_numbers import TOKEN, altered, tokens_of
from whole_page import Page, printed, read_page

from msgauge import units

RUNS = ("quick", "collectives", "model", "paper", "applications")
PAPER = "broxton-logp"
LAYERS = {"text", "label", "aria", "table", "drawing", "tooltip"}
FOUND = {"comparison", "crossover", "pair", "slow-launches", "summary"}
"""Kinds of findings that every one of these runs has."""
SAMPLE = 300
"""Numbers of a layer that are altered."""
REFUSED = 0.95


@pytest.fixture(scope="module", params=RUNS)
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Page:
    place = tmp_path_factory.mktemp(request.param)
    made = eventful_run(place, PAPER if request.param == "paper" else request.param)
    return read_page(made.path)


def test_every_layer_says_the_numbers_and_names_of_the_json(page: Page) -> None:
    assert {one.layer for one in page.said if tokens_of(one.text)} == LAYERS
    assert page.wrong() == []


def test_each_run_has_all_that_a_page_may_say(page: Page) -> None:
    """Wins, leads, crossovers, slow launches, and tails that say more than the medians."""
    exported = page.exported
    assert {one["kind"] for one in exported["findings"]} >= FOUND
    assert {"faster", "slower"} <= {one["verdict"] for one in exported["comparisons"]}
    tails = [tail["verdict"] for one in exported["comparisons"] for tail in one["tails"]]
    assert "slower" in tails
    assert any("at P99 it is" in one["sentence"] for one in exported["findings"])
    assert any(one["lead"] is not None for one in exported["estimates"])
    slow = {one["stack"] for one in exported["estimates"] if one["slow_launches"]}
    assert {spec.partition("@")[0] for spec in slow} == {"mpich"}


def drawn(places: list[Any], most: int = SAMPLE) -> list[Any]:
    return random.Random(7).sample(places, min(most, len(places)))


def test_an_altered_number_is_refused_in_every_layer(page: Page) -> None:
    places = defaultdict(list)
    for one in page.said:
        places[one.layer].extend((one, token) for token in TOKEN.finditer(one.text))
    for layer, numbers in places.items():
        chosen = drawn(numbers)
        kept = [(one, token[0]) for one, token in chosen if not page.wrong_of(one, token)]
        assert len(kept) <= (1 - REFUSED) * len(chosen), (layer, len(kept), len(chosen), kept[:5])


# --- sentences of findings ------------------------------------------------------------------------------------------


def test_a_finding_says_the_numbers_of_the_comparisons_it_rests_on(page: Page) -> None:
    held = [one for one in page.exported["findings"] if one["kind"] in HELD]
    assert [(one["sentence"], bad) for one in held if (bad := wrong_numbers(one, page.stated.numbers))] == []


def test_an_altered_number_of_a_finding_is_refused(page: Page) -> None:
    found = [one for one in page.exported["findings"] if one["kind"] in HELD]
    chosen = drawn([(one, token) for one in found for token in TOKEN.finditer(one["sentence"])])
    of = Counter(one["kind"] for one, _ in chosen)
    kept = [
        (one["kind"], one["sentence"], token[0])
        for one, token in chosen
        if not wrong_numbers({**one, "sentence": altered(one["sentence"], token)}, page.stated.numbers)
    ]
    assert len(kept) <= (1 - REFUSED) * len(chosen), (of, kept)


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
    "ratio": lambda value: units.format_limits(value, value).partition(" to ")[0],
    "size": lambda value: units.format_size(int(value)),
    "count": lambda value: str(int(value)),
}


FEWEST_DIGITS = 5
"""The page carries so many digits of a number at least, rounded."""


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
        return said in {known, *(float(f"{known:.{digits}g}") for digits in range(FEWEST_DIGITS, 17))}
    return said == known


def unpacked(value: Any, kind: str, texts: list[str]) -> Any:
    if kind == "series":
        return {texts[name]: time for name, time in value or []}
    return texts[value] if kind == "text" and value is not None else value


def test_the_data_behind_the_table_is_that_of_the_json(page: Page) -> None:
    data, known = page.data, rows_of(page.exported)
    assert len(data["rows"]) == len(known)
    for packed, one in zip(data["rows"], known, strict=True):
        for column, value in zip(data["columns"], packed, strict=True):
            if column["key"] == "notes":
                continue
            found = unpacked(value, column["kind"], data["texts"])
            assert is_same(found, one[column["key"]]), (column["key"], found, one[column["key"]])


def test_an_altered_number_behind_the_table_is_refused(page: Page) -> None:
    data, known = page.data, rows_of(page.exported)
    numbers = [
        (value, one[column["key"]])
        for packed, one in zip(data["rows"], known, strict=True)
        for column, value in zip(data["columns"], packed, strict=True)
        if column["kind"] in KINDS and value is not None
    ]
    chosen = drawn(numbers)
    kept = [
        (value, right)
        for value, right in chosen
        if is_same(
            type(value)(altered(str(value), list(re.finditer(r"[\d.]+", str(value).partition("e")[0]))[-1])), right
        )
    ]
    assert len(kept) <= (1 - REFUSED) * len(chosen), kept[:5]


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
    data, known = page.data, rows_of(page.exported)
    shown = browser.evaluate(SHOWN)
    assert len(shown) == min(400, len(known))
    for texts, one in zip(shown, known[:400], strict=True):
        for text, column in zip(texts, data["columns"], strict=True):
            if column["kind"] in KINDS:
                value = one[column["key"]]
                assert text == ("–" if value is None else KINDS[column["kind"]](value)), (column["key"], one)
            elif column["kind"] == "mark":
                assert text == ("*" if one[column["key"]] else "")
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
