"""Maps of collectives, lines over processes, and programs: what the figures say is what the estimates hold."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable
from math import nan
from typing import Any

import pytest
from attrs import evolve
from rich.console import Console

from msgauge.model import Analysis, Cell, Cost, Estimate, Finding, Kernel, Option, Place, Plan, ProgramEfficiency
from msgauge.report import page, secondary_series
from msgauge.report.figure_files import figures_of
from msgauge.report.figures.figure import Figure
from msgauge.report.figures.heatmap import plot_maps
from msgauge.report.figures.scaling import (
    make_scaling_families,
    plot_efficiencies,
    plot_shares,
    plot_times,
    share,
)
from msgauge.report.figures.theme import colour, column, paper, screen
from msgauge.report.figures.vega_render import render, render_svg
from msgauge.report.page_figure import draw
from msgauge.report.sections import all_numbers, applications, collectives, fan_out, measurements
from msgauge.report.terminal import run_terminal
from msgauge.report.view import Curve, RunView

STACKS = ("openmpi@5.0.11", "mpich@5.0.2")
FANOUT = Kernel("fanout", "Fan-out", "A round of a coordinator.", "tcp-or-mpi", series=("time",), pattern="fan-out")
ALLREDUCE = Kernel("allreduce", "Allreduce", "Until all have the sum.", "", collective=True, series=("completion",))
FORMS = evolve(FANOUT, options=(Option("form", ("sends", "bcast", "blocking")),))
STARTUP = Kernel("startup", "Start-up", "Until ready.", "", sized=False, series=("time", "boot", "launch"))
BURST = Kernel("burst", "Burst", "Two curves.", "", series=("sent", "received"))
RATE = Kernel("rate", "Message rate", "Time per message.", "", series=("time", "fastest"), headline="messages")
SERIES = {
    "startup": (("boot", 7e3), ("launch", 8e3), ("teardown", 9e3)),
    "allreduce": (("imbalance", 12.0), ("mean_rank", 345.0), ("root", 6789.0)),
    "rate": (("fastest", 500.0),),
}
PI = Kernel(
    "pi",
    "Pi",
    "Area under a curve.",
    "",
    minimum_ranks=1,
    sized=False,
    series=("time", "compute", "communication", "cpu", "serial", "reduce"),
    kind="program",
)


def a_view(
    *parts: tuple[Kernel, tuple[int, ...], tuple[int, ...]], cores: int = 2, stacks: tuple[str, ...] = STACKS
) -> RunView:
    """Every kernel at every size on every number of processes; all but the first stack take 1.5 times as long.

    A kernel with options is measured under each choice of each.
    """
    cells: list[Cell] = []
    for kernel, sizes, ranks in parts:
        chosen = [((one.name, word),) for one in kernel.options for word in one.choices] or [()]
        places = [(options, size, n) for options in chosen for size, n in product(sizes, ranks)]
        cells += [Cell(len(cells) + i, kernel.name, size, n, options) for i, (options, size, n) in enumerate(places)]
    estimates = [estimate(stack, cell, cores) for cell in cells for stack in stacks]
    plan = Plan("example", 1, stacks, tuple(cells), tuple(sorted({cell.ranks for cell in cells})))
    turn = Finding("In allreduce, the order turns at 1 KiB.", 40, "crossover", (("kernel", "allreduce"),))
    worth = tuple(ProgramEfficiency(one.key, efficiency(one), nan, nan) for one in estimates if one.kernel == "pi")
    analysis = Analysis("run", "example", "rounds", 3, tuple(estimates), findings=(turn,), efficiencies=worth)
    kernels = tuple(kernel for kernel, _, _ in parts)
    return RunView("run", plan, analysis, kernels=kernels, machine={"allowed_processors": list(range(cores))})


def efficiency(one: Estimate) -> float:
    return 1e6 / (one.ranks * one.median_ns)


def product(sizes: tuple[int, ...], ranks: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(size, n) for size in sizes for n in ranks]


def estimate(stack: str, cell: Cell, cores: int) -> Estimate:
    factor = 1.0 if stack == STACKS[0] else 1.5
    time = factor * (1000.0 * cell.ranks if cell.kernel != "pi" else 1e6 / cell.ranks + 1e5)
    series = (("compute", 1e6 / cell.ranks), ("communication", 5e4), ("cpu", 1e6), ("serial", 1e6), ("reduce", 2e4))
    return Estimate(
        stack,
        cell.id,
        cell.kernel,
        cell.size_bytes,
        cell.ranks,
        cell.options,
        median_ns=time,
        low_ns=time * 0.98,
        high_ns=time * 1.02,
        messages_per_s=1e9 / time if cell.kernel == RATE.name else float("nan"),
        launches=3,
        oversubscribed=cell.ranks > cores,
        series=series if cell.kernel == "pi" else SERIES.get(cell.kernel, ()),
        place=Place(True, 1, 1, 1.5, 1.47, 1.53) if stack == STACKS[0] else Place(False, 2, 2),
    )


ALL = a_view((ALLREDUCE, (8, 1024), (2, 4, 8)), (FANOUT, (8, 64), (10, 50, 200)), (PI, (0,), (1, 2, 4)))


def test_the_share_of_calls_is_their_time_over_the_whole() -> None:
    (family,) = make_scaling_families(ALL, lambda kernel: kernel.name == "pi")
    four = next(
        measurement
        for measurement in family.measurements
        if measurement.cell.ranks == 4 and measurement.stack == STACKS[0]
    )
    assert share(four, "communication") == pytest.approx(5e4 / 3.5e5)
    assert share(evolve(four, estimate=evolve(four.estimate, series=())), "communication") is None


def with_efficiency(one: Estimate, low: float, high: float) -> RunView:
    """All, with the limits of one program."""
    known = (evolve(each, low=low, high=high) if each.key == one.key else each for each in ALL.analysis.efficiencies)
    return evolve(ALL, analysis=evolve(ALL.analysis, efficiencies=tuple(known)))


def test_an_efficiency_that_is_hardly_known_leaves_the_others_their_room() -> None:
    vague = ALL.analysis.estimates[-1]
    assert vague.kernel == "pi"
    view = with_efficiency(vague, 0.01, 90.0)
    (family,) = make_scaling_families(view, lambda kernel: kernel.name == "pi")
    figure = plot_efficiencies(family, view)
    assert figure is not None
    spec = figure.make(paper())
    best = max(point["y"] for point in spec["data"]["values"])
    assert max(point["high"] for point in spec["data"]["values"]) == pytest.approx(max(1.05, 2 * best))
    assert [point["cut"] for point in spec["data"]["values"] if "cut" in point] == ["↑ to 9000 %"]
    assert "↑ to 9000 %" in render_svg(figure, paper()), "what is cut is said in the figure"


def test_the_axis_of_efficiencies_holds_limits_above_one() -> None:
    view = with_efficiency(ALL.analysis.estimates[-1], 0.4, 1.7)
    (family,) = make_scaling_families(view, lambda kernel: kernel.name == "pi")
    figure = plot_efficiencies(family, view)
    assert figure is not None
    spec = figure.make(paper())
    assert max(point["high"] for point in spec["data"]["values"]) == 1.7
    assert not any("cut" in point for point in spec["data"]["values"])
    assert "1.5" in json.dumps(spec), "the axis has a tick above one"


def test_the_band_of_an_efficiency_is_that_of_both_times_in_each_launch() -> None:
    (family,) = make_scaling_families(ALL, lambda kernel: kernel.name == "pi")
    known = family.measurements[2].estimate
    figure = plot_efficiencies(family, with_efficiency(known, 0.5, 1.02))
    assert figure is not None
    points = figure.make(paper())["data"]["values"]
    assert (points[2]["low"], points[2]["high"]) == (0.5, 1.02)
    assert points[3]["low"] == points[3]["y"] == points[3]["high"], "nothing is known of it"


def test_a_line_over_processes_holds_every_stack_and_marks_those_beyond_the_cores() -> None:
    family = make_scaling_families(ALL, lambda kernel: kernel.name == "fanout")[0]
    figure = plot_times(family, ALL)
    assert figure is not None
    points = figure.make(paper())["data"]["values"]
    assert [(p["x"], p["s"], p["oversubscribed"]) for p in points] == [
        (n, s, True) for n in (10, 50, 200) for s in (0, 1)
    ]
    assert [p["y"] for p in points[:2]] == [10_000.0, 15_000.0]


def test_a_round_is_told_for_each_worker_with_what_it_burns() -> None:
    first = next(cell for cell in ALL.plan.cells if cell.kernel == "fanout" and cell.ranks == 10)
    cost = Cost(STACKS[0], first.id, "fanout", first.size_bytes, first.ranks, cpu_ns_per_event=18_500.0)
    text = fan_out.render(evolve(ALL, analysis=evolve(ALL.analysis, costs=(cost,))))
    rows = [re.sub(r"<[^>]*>", " ", row).split() for row in text.split("<tr>")[2:]]
    assert len(rows) == 2 * 3 * len(STACKS)
    assert rows[0] == ["openmpi", "@5.0.11", "8", "B", "10", "10.0", "µs", "±2%", "1.11", "µs", "18.5", "µs"]
    assert sum(row[-1] == "–" for row in rows) == len(rows) - 1


def blocks_of(text: str) -> dict[str, str]:
    """The blocks of a section by their titles."""
    parts = text.split('<article class="block"')[1:]
    return {re.search("<h3>([^<]*)</h3>", part)[1]: part for part in parts}  # type: ignore[index]


def test_every_form_and_the_start_up_have_their_numbers_and_a_share_of_the_figures() -> None:
    view = a_view((FORMS, (8, 32, 64, 256, 1024, 2048), (3, 4, 5)), (STARTUP, (0,), (3, 4, 5)))
    text = fan_out.render(view)
    blocks = blocks_of(text)
    assert list(blocks) == ["Fan-out, form sends", "Fan-out, form bcast", "Fan-out, form blocking", "Start-up"]
    assert [part.count("<tr>") - 1 for part in blocks.values()] == [6 * 3 * 2] * 3 + [3 * 2]
    assert [part.count("<figure") for part in blocks.values()] == [4, 4, 3, 1]
    assert all("8 B</figcaption>" in part and "2 KiB</figcaption>" in part for part in list(blocks.values())[:3])
    assert "7 more figures" in text
    assert all(word in blocks["Start-up"] for word in ("Boot", "Launch", "Teardown", "7.00 µs", "9.00 µs"))


def test_a_round_on_one_number_of_processes_is_still_told_for_each_worker() -> None:
    view = a_view((FORMS, (8,), (10,)), (STARTUP, (0,), (10,)))
    blocks = blocks_of(fan_out.render(view))
    assert len(blocks) == 3 and all("Time per worker" in part and "1.11 µs" in part for part in blocks.values())


def test_maps_that_the_page_has_no_room_for_are_counted_and_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    monkeypatch.setattr(collectives, "draw", lambda figure: drawn.append(figure) or draw(figure))
    monkeypatch.setattr(collectives, "_MOST", 1)
    for maps, said in ((1, ""), (2, "1 more map:"), (3, "2 more maps:")):
        view = a_view(*((evolve(ALLREDUCE, name=f"allreduce-{n}"), (8, 1024), (2, 4)) for n in range(maps)))
        text = collectives.render(view)
        assert said in text and (" more map" in text) == bool(said)
    assert len(drawn) == 3


def a_large_view() -> RunView:
    """As many estimates as the study ``collectives`` has on twelve stacks."""
    collectives = tuple(evolve(ALLREDUCE, name=f"allreduce-{n}", title=f"Allreduce {n}") for n in range(9))
    stacks = (*STACKS, *(f"openmpi@4.1.{n}[tcp,yield]" for n in range(10)))
    view = a_view(
        *((one, (8, 1024, 32768, 524288), (2, 4, 8)) for one in (ALLREDUCE, *collectives)),
        (BURST, (8,), (2,)),
        (FORMS, (64,), (2, 4, 8)),
        (PI, (0,), (1, 2, 4)),
        stacks=stacks,
    )
    burst = next(cell.id for cell in view.plan.cells if cell.kernel == "burst")
    curves = tuple(Curve(one, burst, "received", (1e3, 2e3, 3e3)) for one in stacks)
    costs = tuple(Cost(e.stack, e.cell, e.kernel, e.size_bytes, e.ranks) for e in view.analysis.estimates)
    return evolve(view, curves=curves, analysis=evolve(view.analysis, costs=costs))


@pytest.mark.parametrize("detail", [0, 5])
def test_a_large_run_keeps_its_maps_its_bursts_and_its_rounds_and_names_what_it_leaves_out(detail: int) -> None:
    view = a_large_view()
    assert 1550 < len(view.analysis.estimates) < 1650
    text = page.render(evolve(view, detail=detail))
    assert len(text.encode()) <= page.LIMIT_BYTES
    for said in (
        "Collectives: fastest stack",
        "the order turns at 1 KiB",
        "Cumulative bytes over time",
        "Time per worker",
    ):
        assert said in text
    assert text.count('<figure class="map') == 10 and text.count('<figure class="curve') == 1
    (large,) = re.findall(r"This run is large: (.*?) left out", text)
    left = ("wide drawings, the distributions of samples and the figures of later kernels are",)
    last = ("the figures of programs, the figures and tables of single kernels and the costs per message are",)
    assert large in (left if detail == 0 else last)
    assert ('<h2 id="measurements-title">' in text) == (detail == 0)


def test_a_program_tells_the_calls_it_times_alone() -> None:
    block = blocks_of(applications.render(ALL))["Pi"]
    assert '<th scope="col">Reduce</th>' in block and "20.0 µs" in block


def test_the_further_series_of_a_collective_stand_below_its_figures() -> None:
    full = evolve(ALLREDUCE, series=("completion", "root", "mean_rank", "imbalance"))
    text = measurements.render(a_view((full, (8, 1024), (2,))))
    assert "Other series: root, mean rank, imbalance" in text
    rows = [re.sub("<[^>]*>", " ", row).split() for row in text.partition("Other series")[2].split("<tr>")[2:]]
    assert rows[0][:12] == ["openmpi", "@5.0.11", "8", "B", "2.00", "µs", "6.79", "µs", "345", "ns", "12.0", "ns"]
    assert len(rows) == 4


def test_a_message_rate_is_told_in_messages_per_second() -> None:
    view = a_view((RATE, (0, 8), (2,)))
    text = measurements.render(view)
    assert "500 kmsg/s" in text and "333 kmsg/s" in text
    kinds = [figure.kind for figure in measurements.figures(view)]
    assert kinds == ["messages"]
    data = json.loads(all_numbers.render(view).partition('id="data">')[2].partition("</script>")[0])
    keys = [column["key"] for column in data["columns"]]
    assert {"p999_ns", "messages_per_s", "series"} <= set(keys)
    assert data["rows"][0][keys.index("messages_per_s")] == 5e5
    ((name, value),) = data["rows"][0][keys.index("series")]
    assert (data["texts"][name], value) == ("fastest", 500.0)


def test_an_efficiency_has_the_same_interval_in_terminal_table_and_label() -> None:
    keys = [one.key for one in ALL.analysis.estimates if one.kernel == "pi"]
    known = tuple(ProgramEfficiency(key, 0.6, 0.5, 0.75) for key in keys)
    view = evolve(ALL, analysis=evolve(ALL.analysis, efficiencies=known))
    (family,) = make_scaling_families(view, lambda kernel: kernel.kind == "program")
    assert len(family.measurements) == len(keys)
    table, shown = str(applications.render(view)), said(run_terminal.report(view, 300))
    figure = plot_efficiencies(family, view)
    assert figure is not None
    text = "60 % (50 % to 75 %)"
    assert table.count(f"<td>{text}") == len(keys)
    assert shown.count(f"parallel efficiency {text}") == len(keys)
    assert json.dumps(figure.make(screen())).count(f": {text}") == len(keys)


def test_the_terminal_tells_what_programs_were_worth_and_the_further_series() -> None:
    shown = said(run_terminal.report(ALL, 200))
    told = "openmpi@5.0.11: parallel efficiency 71.4 %; without intervals: 14.3 % of the time in calls, CPU time"
    assert told in shown
    assert "CPU time of all ranks 1.00 × the time of the serial program" in " ".join(shown.split())
    assert "other series, openmpi@5.0.11 at 1 KiB: imbalance 12.0 ns, mean rank 345 ns, root 6.79 µs" in shown
    table = said(secondary_series.parts(ALL))
    assert "Allreduce, 8 ranks" in table and "mean rank" in table and "345 ns" in table


def said(parts: Iterable[Any]) -> str:
    console = Console(width=200, file=io.StringIO(), record=True)
    for part in parts:
        console.print(part)
    return console.export_text()


def test_the_rule_of_the_cores_stands_where_processes_become_more() -> None:
    view = a_view((FANOUT, (8,), (2, 4, 8, 16)), cores=4)
    figure = plot_times(make_scaling_families(view, lambda kernel: True)[0], view)
    assert figure is not None
    rules = [layer for layer in figure.make(paper())["layer"] if "data" in layer]
    assert rules and all(layer["data"]["values"][0]["x"] == 4 for layer in rules)
    crowded = {p["x"]: p["oversubscribed"] for p in figure.make(paper())["data"]["values"]}
    assert crowded == {2: False, 4: False, 8: True, 16: True}


def test_two_numbers_of_processes_are_no_line() -> None:
    view = a_view((FANOUT, (8,), (10, 50)))
    assert plot_times(make_scaling_families(view, lambda kernel: True)[0], view) is None
    assert not any(figure.kind == "processes" for figure in figures_of(view))


def test_the_map_names_the_fastest_and_how_far_behind_the_next_is() -> None:
    ((grid, figure),) = plot_maps(ALL)
    assert grid.kernel.name == "allreduce"
    places = {(p["size"], p["ranks"]): p for p in figure.make(screen())["data"]["values"]}
    assert len(places) == 6
    assert {(p["s"], p["t"]) for p in places.values()} == {(0, "1.50×")}
    assert "its nearest rival takes 1.50 × the time (95 % interval 1.47 to 1.53)" in places["8 B", 2]["d"]


def test_the_legend_of_a_map_names_the_stacks_that_are_the_fastest_somewhere() -> None:
    ((_, figure),) = plot_maps(ALL)
    assert [key.name for key in draw(figure).legend] == [STACKS[0]]


def test_the_map_marks_more_processes_than_cores() -> None:
    ((_, figure),) = plot_maps(ALL)
    drawing = render_svg(figure, screen())
    assert "(* oversubscribed)" in drawing
    assert [f">{ranks} *<" in drawing for ranks in (2, 4, 8)] == [False, True, True]


def test_the_map_says_where_nothing_is_resolved() -> None:
    same = tuple(evolve(one, place=Place(True, 1, 2)) for one in ALL.analysis.estimates)
    view = evolve(ALL, analysis=evolve(ALL.analysis, estimates=same))
    ((_, figure),) = plot_maps(view)
    places = figure.make(screen())["data"]["values"]
    assert {p["t"] for p in places} == {"~"}
    assert all("each may be the fastest" in p["d"] for p in places)
    assert not draw(figure).legend, "no stack is shown as the fastest"
    inks = [colour(screen(), index) for index in range(len(STACKS))]
    assert not any(ink in render_svg(figure, screen()) for ink in inks)
    assert render(figure, column(320), "pdf").startswith(b"%PDF"), "a legend of none must not make it infinitely high"


def test_a_map_of_which_a_part_is_resolved_keeps_the_order_of_its_axes() -> None:
    open_ = tuple(evolve(one, place=Place(True, 1, 2)) if one.cell % 2 else one for one in ALL.analysis.estimates)
    ((_, figure),) = plot_maps(evolve(ALL, analysis=evolve(ALL.analysis, estimates=open_)))
    places = figure.make(screen())["data"]["values"]
    assert {p["open"] for p in places} == {True, False}
    for theme in (screen(), paper()):
        orders = [re.findall(r">(8 B|1 KiB)<", render_svg(one, theme)) for one in (figure, plot_maps_of(ALL))]
        assert orders[0] == orders[1]


def test_a_number_stands_upright_where_its_place_is_too_narrow_for_it() -> None:
    """In thirteen columns on a narrow screen numbers stood over each other."""
    marks = [
        plot_maps_of(ALL).make(evolve(screen(narrow=True), width=width))["layer"][-1]["mark"] for width in (20, 294)
    ]
    assert [mark.get("angle") for mark in marks] == [270, None]


def plot_maps_of(view: RunView) -> Figure:
    ((_, figure),) = plot_maps(view)
    return figure


def test_simulated_times_win_no_place_on_the_map() -> None:
    some = tuple(evolve(one, simulated=one.stack == STACKS[0], place=None) for one in ALL.analysis.estimates)
    assert not list(plot_maps(evolve(ALL, analysis=evolve(ALL.analysis, estimates=some))))


def test_shares_of_a_program_add_up_to_the_whole() -> None:
    (family,) = make_scaling_families(ALL, lambda kernel: kernel.name == "pi")
    figure = plot_shares(family, ALL)
    assert figure is not None
    bars: list[dict[str, Any]] = figure.make(paper())["data"]["values"]
    for row in {bar["row"] for bar in bars}:
        parts = [bar for bar in bars if bar["row"] == row]
        assert [bar["part"] for bar in parts] == [0, 1, 2]
        assert parts[0]["from"] == 0 and parts[-1]["to"] == pytest.approx(1.0)


@pytest.mark.parametrize("look", [paper(), screen(), screen(narrow=True)], ids=["paper", "screen", "narrow"])
def test_every_figure_can_be_drawn(look: Any) -> None:
    found = [figure for figure in figures_of(ALL) if figure.kind in {"processes", "efficiency", "map"}]
    assert {figure.kind for figure in found} == {"processes", "efficiency", "map"}
    for figure in found:
        assert render_svg(figure, look).count("<path") > 5
    assert len({figure.key for figure in figures_of(ALL)}) == len(list(figures_of(ALL)))


def test_the_page_has_the_sections_with_their_numbers() -> None:
    text = page.render(ALL)
    for said in (
        "Collectives: fastest stack",
        "Scaling with the number of processes",
        "Programs",
        "the order turns at 1 KiB",
    ):
        assert said in text
    assert "71.4 %" in text, "efficiency of pi on four processes, in the table"
    assert "4 (&gt; cores)" in text


def test_the_page_leaves_sections_out_that_have_nothing_to_say() -> None:
    text = page.render(a_view((FANOUT, (8, 64), (2,))))
    assert "Collectives: fastest stack" not in text and "<h2>Programs" not in text


def test_a_family_without_serial_times_has_no_efficiency() -> None:
    (family,) = make_scaling_families(ALL, lambda kernel: kernel.name == "pi")
    bare = evolve(
        family,
        measurements=tuple(
            evolve(measurement, estimate=evolve(measurement.estimate, series=())) for measurement in family.measurements
        ),
    )
    without = evolve(ALL, analysis=evolve(ALL.analysis, efficiencies=()))
    assert plot_efficiencies(bare, without) is None and plot_shares(bare, without) is None


def test_curves_are_drawn_as_cumulative_bytes_against_time() -> None:
    burst = Kernel("burst", "Burst", "Two curves.", "", series=("sent", "received"))
    curves = (
        Curve(STACKS[0], 0, "received", tuple(1000.0 * n for n in range(1, 11))),
        Curve(STACKS[1], 0, "received", tuple(3000.0 * n for n in range(1, 11))),
    )
    view = evolve(a_view((burst, (100,), (2,))), curves=curves)
    (figure,) = [figure for figure in figures_of(view) if figure.kind == "curve"]
    points = figure.make(paper())["data"]["values"]
    assert {(p["x"], p["y"]) for p in points if p["s"] == 0} == {(1000.0 * n, 100 * n) for n in range(1, 11)}
    assert render_svg(figure, screen(narrow=True)).count("<path") > 2
    assert "Cumulative bytes over time" in page.render(view)
