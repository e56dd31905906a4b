"""Marks are the same wherever a run is shown, and none contradicts a verdict.

One run is shown four ways: on a terminal, on the page, as JSON and in the table that stands there while it runs. The
mark of every cell is held against the verdicts on all pairs, gathered from an analysis with each stack as the base.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve
from page_layers import layers_of
from rich.console import Console

from msgauge.analysis.run import analyse
from msgauge.kernels import load_kernels
from msgauge.model import Analysis, Cell, Launch, LaunchRecord, Origin, Plan, RankPlacement, Samples, Stack, Stopping
from msgauge.report import json_output, page
from msgauge.report.grid import make_grids
from msgauge.report.terminal import run_terminal
from msgauge.report.view import RunView
from msgauge.results.dataset import Dataset
from msgauge.units import format_size

KERNELS = load_kernels()
USED = (KERNELS["pingpong"], KERNELS["bcast"])
SIZES = (8, 1024, 65536)
RANKS = (2, 4)
SEEDS = range(4)
FLAGS = {"emulated": "e", "oversubscribed": "o", "stationary": "n"}
Marks = dict[tuple[str, int], str]
"""The star and the letters of each stack in each cell."""


def a_run(seed: int) -> Dataset:
    """Two to five stacks of which some are alike, some have two modes, one is emulated in places and one drifts."""
    random = np.random.default_rng(seed)
    stacks = tuple(Stack(f"stack{letter}", "1", Origin("builtin")) for letter in "abcde"[: random.integers(2, 6)])
    places = product(USED, SIZES, RANKS)
    cells = tuple(
        Cell(number, kernel.name, size, ranks)
        for number, (kernel, size, ranks) in enumerate(one for one in places if one[0].collective or one[2] == 2)
    )
    rounds = int(random.integers(6, 13))
    plan = Plan(
        "marks", seed, tuple(one.spec for one in stacks), cells, RANKS, stopping=Stopping(maximum_rounds=rounds)
    )
    factor = np.exp(random.choice([0.0, 0.0, 0.01, 0.05, 0.4], size=(len(stacks), len(cells))))
    slow = {stack.spec: random.random() < 0.4 for stack in stacks}
    records, frames = [], []
    for number, (round_, ranks, place) in enumerate(product(range(rounds), RANKS, range(len(stacks)))):
        spec = plan.stacks[place]
        mine = [cell for cell in cells if cell.ranks == ranks]
        launch = Launch(number, round_, spec, ranks, tuple(cell.id for cell in mine), 1)
        crowd = tuple(RankPlacement(rank, "node", 1 + rank, "0-1", rank % 2) for rank in range(ranks))
        records.append(LaunchRecord(launch, "ok", placement=crowd, seconds=0.5))  # type: ignore[arg-type]
        pace = float(np.exp(random.normal(0, 0.01))) * (1.5 if slow[spec] and random.random() < 0.25 else 1.0)
        for cell in mine:
            times = 1e4 * pace * factor[place, cell.id] * np.exp(0.01 * random.standard_normal(9))
            said = [("emulated", "yes")] * (place == 1 and cell.id % 2 == 0) + [("stationary", "no")] * (
                place + cell.id == 3
            )
            series, values = KERNELS[cell.kernel].series[0], np.rint(times).astype(np.int64)
            frames.append(Samples(number, cell.id, series, values, 1, attributes=tuple(said)))
    return Dataset.of(plan, stacks, records, frames)


def verdicts_of(dataset: Dataset) -> dict[tuple[str, str, int], str]:
    """Of every stack against every other, whichever was named as the base."""
    plan, found = dataset.plan, {}
    for base in plan.stacks:
        dataset.plan = evolve(plan, base=base)
        for one in analyse(dataset, run="marks", stopped="rounds").comparisons:
            found[one.other, one.base, one.cell] = str(one.verdict)
    dataset.plan = plan
    return found


def marks_by_verdicts(dataset: Dataset, exported: Mapping[str, list[dict[str, object]]]) -> Marks:
    """A star where no other stack is faster; letters by the facts of the estimates."""
    verdicts = verdicts_of(dataset)
    found: Marks = {}
    for one in exported["estimates"]:
        stack, cell = str(one["stack"]), int(str(one["cell"]))
        beaten = any(verdicts[other, stack, cell] == "faster" for other in dataset.plan.stacks if other != stack)
        letters = (letter for fact, letter in FLAGS.items() if bool(one[fact]) == (fact != "stationary"))
        found[stack, cell] = ("" if beaten else "*") + "".join(sorted(letters))
    return found


def marks_in_json(exported: Mapping[str, list[dict[str, object]]]) -> Marks:
    return {
        (str(one["stack"]), int(str(one["cell"]))): ("*" if one["may_be_fastest"] else "")
        + "".join(sorted(letter for fact, letter in FLAGS.items() if bool(one[fact]) == (fact != "stationary")))
        for one in exported["estimates"]
    }


NUMBER = r"\d[\d.]* (?:ns|µs|ms|[kMG]B/s) *>?±[\d.]+%"
PLACE = re.compile(rf"(?P<star>\*)? *{NUMBER} *(?P<letters>[a-z]*)(?= |$)")
WORDS = {"emulated": "e", "oversubscribed": "o", "non-stationary": "n"}


def letters_in(text: str) -> set[str]:
    return {letter for word, letter in WORDS.items() if re.search(rf"\b{word}\b", text)}


def marks_in_text(text: str, view: RunView) -> Marks:
    """Of a terminal that is wide enough for one table a grid: the heading, the stacks, a line for each size."""
    found: Marks = {}
    lines = text.splitlines()
    for grid in make_grids(view.plan, view.analysis, view.kernels):
        start = next(at for at, line in enumerate(lines) if line.startswith(grid.title))
        rule = next(at for at in range(start, len(lines)) if set(lines[at].strip()) == {"─"})
        columns = [heads_below(lines[start + 1 : rule], spec) for spec in grid.stacks]
        for line, row in zip(lines[rule + 1 : rule + 1 + len(grid.rows)], grid.rows, strict=True):
            size = format_size(row[0].cell.size_bytes)
            assert line.strip().startswith(size)
            places = list(PLACE.finditer(line.strip().removeprefix(size)))
            for spec, head, place in zip(grid.stacks, columns, places, strict=True):
                letters = {*place["letters"], *letters_in(head), *letters_in(lines[start])}
                found[spec, row[0].cell.id] = (place["star"] or "") + "".join(sorted(letters))
    return found


def heads_below(lines: list[str], spec: str) -> str:
    """The words in the heading of a stack's column: its name and what stands below it."""
    named = next(line for line in lines if spec in line)
    start = named.index(spec)
    ends = [match.start() for match in re.finditer(r"\S+", named) if match.start() > start]
    return " ".join(line[start : ends[0] if ends else None] for line in lines[lines.index(named) :])


def marks_on_page(html: str, view: RunView) -> Marks:
    """Of the table of each kernel: the row is the size, the column the stack with what holds for all of it."""
    said = layers_of(html)[0]
    found: Marks = {}
    for grid in make_grids(view.plan, view.analysis, view.kernels):
        mine = [one for one in said if grid.key in one.under]
        heading = next(one.text for one in mine if one.layer == "text")
        cells = {format_size(row[0].cell.size_bytes): row[0].cell.id for row in grid.rows}
        for one in mine:
            spec = one.under[-1].partition(" ")[0]
            if one.layer == "table" and spec in grid.stacks:
                letters = {
                    *re.sub(r".*%", "", one.text).replace(" ", ""),
                    *letters_in(one.under[-1]),
                    *letters_in(heading),
                }
                found[spec, cells[one.under[-2]]] = "*" * one.text.startswith("*") + "".join(sorted(letters))
    return found


def marks_in_data(html: str, view: RunView) -> Iterator[tuple[tuple[str, str, int, int], bool]]:
    """The star of each row of the table of all numbers."""
    data = layers_of(html)[1]
    keys = [column["key"] for column in data["columns"]]
    for packed in data["rows"]:
        row = dict(zip(keys, packed, strict=True))
        yield (
            (data["texts"][row["stack"]], data["texts"][row["kernel"]], row["size_bytes"], row["ranks"]),
            row["may_be_fastest"],
        )


def shown_live(view: RunView) -> str:
    out = io.StringIO()
    table = run_terminal.draw_running_table(view.plan, view.analysis, view.kernels, (400, 400))
    Console(file=out, width=400).print(table, highlight=False)
    return out.getvalue()


def shown_at_end(view: RunView) -> str:
    out = io.StringIO()
    run_terminal.print_report(view, Console(file=out, width=400))
    return out.getvalue()


@pytest.mark.parametrize("seed", SEEDS)
def test_no_mark_contradicts_a_verdict_wherever_a_run_is_shown(seed: int) -> None:
    dataset = a_run(seed)
    analysis: Analysis = analyse(dataset, run="marks", stopped="rounds", kernels=USED)
    view = RunView("marks", dataset.plan, analysis, kernels=USED, stacks=tuple(dataset.stacks))
    exported = json_output.of_run(Path("marks"), dataset.plan, analysis)
    right = marks_by_verdicts(dataset, exported)
    assert len(right) == len(dataset.plan.stacks) * len(dataset.plan.cells)
    html = page.render(view)
    assert marks_in_json(exported) == right
    assert marks_in_text(shown_at_end(view), view) == right
    assert marks_on_page(html, view) == right
    cells = {(one.kernel, one.size_bytes, one.ranks): one.id for one in dataset.plan.cells}
    for (stack, *place), star in marks_in_data(html, view):
        assert star == right[stack, cells[tuple(place)]].startswith("*")  # type: ignore[index]
    assert marks_in_text(shown_live(view), view) == right


def test_the_runs_have_stars_blanks_and_letters() -> None:
    found: set[str] = set()
    for seed in SEEDS:
        dataset = a_run(seed)
        analysis = analyse(dataset, run="marks", stopped="rounds")
        found |= {*marks_in_json(json_output.of_run(Path("marks"), dataset.plan, analysis)).values()}
    assert {"*", "", "e"} <= found
    assert {letter for mark in found for letter in mark} == {"*", "e", "n", "o"}
