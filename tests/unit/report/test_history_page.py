"""Claims about the page of a history: its numbers are those of the data, names are text, it stays small and offline."""

from __future__ import annotations

import html
import json
import re
from importlib.resources import files

import jsonschema
import pytest
from attrs import evolve
from simulated_histories import simulate_history

from msgauge.analysis.between_runs.history import trace_history
from msgauge.analysis.between_runs.history_findings import describe_changes
from msgauge.report import history_page, json_output, json_versions
from msgauge.report.figures.history_charts import even_ticks
from msgauge.report.history_page import render_history
from msgauge.report.terminal.history_terminal import draw_bars, list_history
from msgauge.units import format_change, format_time

HISTORY = trace_history(simulate_history(30, seed=1, stacks=("openmpi", "mpich"), steps={"openmpi": (20, 0.2)}))


def test_every_point_says_its_run_and_its_number() -> None:
    page = render_history(HISTORY, "--fail-on: failed")
    said = set(map(html.unescape, re.findall(r'<path aria-label="([^"]*)"', page)))
    expected = {
        f"{one.versions[place]}\nrun {number + 1}, {run.started[:10]} 02:00: {run.name}\n"
        f"{format_time(one.median_ns[place])} ({format_time(one.low_ns[place])} to {format_time(one.high_ns[place])})"
        for one in HISTORY.series
        for place, number in enumerate(one.runs)
        for run in (HISTORY.runs[number],)
    }
    assert said == expected
    assert "--fail-on: failed" in page
    assert page.count('class="wide"') == 3
    assert "From run 2026-01-21T0200-node-0014 on" in page


def test_a_change_has_one_interval_in_sentence_label_table_and_json() -> None:
    page = html.unescape(render_history(HISTORY, ""))
    answer = json.loads(json_output.text(json_versions.of_history(HISTORY, None, ("", "passed", ""), "p50")))
    jsonschema.validate(answer, json.loads((files("msgauge") / "schemas" / "history.json").read_text()))
    changes = [change for one in answer["series"] for change in one["changes"]]
    assert len(changes) == 3
    for change in changes:
        assert change["together_low"] < change["ratio_low"] < change["ratio_high"] < change["together_high"]
        limits = " to ".join(format_change(change[f"together_{end}"]) for end in ("low", "high"))
        told = f"{format_change(change['ratio'])} ({limits})"
        assert f"{told} from run {change['first_run']} on" in page, "the label of a figure"
        assert f"<td>{told}</td>".replace(" %", "\u00a0%") in page, "the table"
    largest = max(changes, key=lambda change: change["ratio"])
    assert f"{format_change(largest['ratio'])} ({format_change(largest['together_low'])}" in answer["findings"][0]


def test_nothing_found_is_not_called_nothing_there() -> None:
    clean = trace_history(simulate_history(14, seed=2, stacks=("openmpi",)))
    assert "No change of level is found in " in " ".join(describe_changes(clean))
    assert "No change of level." not in render_history(clean, "")


def test_names_are_text_and_nothing_is_asked_of_any_server() -> None:
    hostile = "x<script>alert(1)</script>"
    page = render_history(trace_history(simulate_history(3, seed=1, stacks=(hostile,))))
    assert "<script>alert" not in page
    assert not re.search(r'(?:src|href)="(?!#|data:)', page)


def test_a_large_page_keeps_the_figures_of_what_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = [("pingpong", 8), ("bcast", 8), ("allreduce", 8)]
    runs = simulate_history(30, seed=2, cells=cells)
    for number, run in enumerate(runs):
        for key, values in run.medians_ns.items():
            values[:] = values * (1.3 if key.kernel == "allreduce" and number >= 15 else 1)
    monkeypatch.setattr(history_page, "LIMIT_BYTES", 60_000)
    page = render_history(trace_history(runs))
    assert "allreduce 8 B, 2 ranks, time over runs" in page
    assert "pingpong 8 B, 2 ranks, time over runs" not in page
    assert "2 tests without a change are not drawn" in page


def test_the_table_fits_a_hundred_columns_and_names_each_change() -> None:
    lines = list(list_history(HISTORY))
    assert max(map(len, lines)) <= 100
    assert sum("from run 21" in line for line in lines) == 3
    assert sum("openmpi" in line for line in lines) == 2


def test_sizes_stand_in_order_whichever_run_brought_them_first() -> None:
    """Runs of other sizes put ping-pong of 8 B behind broadcast: the first one had not measured it."""
    first = simulate_history(3, seed=1, cells=(("pingpong", 65536), ("bcast", 1024)))
    second = simulate_history(3, seed=2, cells=(("pingpong", 8), ("pingpong", 65536)))
    later = [evolve(run, path=f"{run.path}-later", started=run.started.replace("2026", "2027")) for run in second]
    history = trace_history([*first, *later])
    rows = [line.split("  ")[1] for line in list_history(history) if line.startswith("  ")]
    assert [row for row in rows if row[0] in "pb"] == ["pingpong 8 B", "pingpong 64 KiB", "bcast 1 KiB"]
    titles = [figure.title for figure in history_page._draw_cells(history, ["openmpi@1.0"], "time")[0]]
    assert [title.partition(",")[0] for title in titles] == ["pingpong 8 B", "pingpong 64 KiB", "bcast 1 KiB"]


def test_bars_go_from_the_fastest_to_the_slowest_and_noise_stays_low() -> None:
    assert draw_bars([1, 1, 2, 4]) == "▁▁▅█"
    assert draw_bars([1, 1.001]) == "▁▁"
    assert len(draw_bars(range(1, 200))) == 24


def test_times_that_lie_close_are_labelled_at_even_steps() -> None:
    assert even_ticks(780, 1260) == [800, 900, 1000, 1100, 1200]
    assert even_ticks(10, 100) == []
