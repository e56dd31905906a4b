"""The terminal report and the live display: complete, honest and readable without colour."""

from __future__ import annotations

import io
import re
import sys
from types import FrameType

import pytest
from attrs import evolve
from report_example import example_view
from rich.console import Console

from msgauge.model import (
    Build,
    BuildEnded,
    BuildStarted,
    Event,
    Finding,
    HostsAwaited,
    HostsReturned,
    Launch,
    LaunchEnded,
    LaunchRecord,
    LaunchStarted,
    MeasuringEnded,
    MeasuringStarted,
    Notice,
    Refusal,
    RoundEnded,
)
from msgauge.report.terminal import run_terminal
from msgauge.report.terminal.progress import ProgressView
from msgauge.report.view import RunView


def printed(view: RunView, width: int = 80, **options: object) -> str:
    out = io.StringIO()
    run_terminal.print_report(view, Console(file=out, width=width, **options))  # type: ignore[arg-type]
    return out.getvalue()


@pytest.mark.parametrize("width", [80, 97, 110, 133, 170])
def test_no_number_is_cut_off(width: int) -> None:
    assert "…" not in printed(example_view(stacks=6, hostile=False), width)


@pytest.mark.parametrize("stacks", [4, 6, 12])
@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_no_line_is_wider_than_the_screen(stacks: int, width: int) -> None:
    """But commands, which are copied: a terminal breaks them itself."""
    lines = printed(example_view(stacks=stacks), width).splitlines()
    steps = next(number for number, line in enumerate(lines) if line.startswith("Run folder "))
    assert max(len(line) for line in lines[:steps]) <= width
    assert all(" msgauge " in line for line in lines[steps + 1 :] if len(line) > width)


def test_every_stack_of_many_keeps_its_column_in_one_of_the_tables() -> None:
    view = example_view(stacks=9, hostile=False)
    text = re.sub(r"\s", "", printed(view, 80))
    rows = [line for line in printed(view, 80).splitlines() if line.strip().startswith("64 MiB")]
    assert sum(line.count("±") for line in rows) == 9
    for spec in view.plan.stacks:
        assert re.escape(spec.split("@")[0]) in text


def test_the_title_of_a_study_stands_below_its_name() -> None:
    view = example_view()
    lines = printed(evolve(view, plan=evolve(view.plan, title="Halo exchange of our solver")), 170).splitlines()
    named = next(index for index, line in enumerate(lines) if line.startswith("msgauge "))
    assert lines[named + 1] == "Halo exchange of our solver"


def count_calls(stacks: int) -> int:
    """Calls of functions of msgauge by which a run of so many stacks is printed."""
    view, calls = example_view(stacks=stacks, hostile=False), 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        calls += event == "call" and "msgauge" in frame.f_code.co_filename

    sys.setprofile(count)
    try:
        printed(view)
    finally:
        sys.setprofile(None)
    return calls


def test_twice_as_many_stacks_take_twice_the_work() -> None:
    assert count_calls(40) < 2.5 * count_calls(20)


def test_the_sentences_come_before_the_tables_and_the_weightiest_first() -> None:
    view = example_view(hostile=False)
    light, heavy = Finding("A small thing.", 0.1), Finding("The main thing.", 9.0)
    text = printed(evolve(view, analysis=evolve(view.analysis, findings=(light, heavy))))
    assert text.index("The main thing.") < text.index("A small thing.") < text.index("Ping-pong")


def test_marks_stand_without_colour_and_are_explained() -> None:
    text = printed(example_view(hostile=False), color_system=None)
    assert "\x1b" not in text
    assert re.search(r"\* +\d", text)
    for meaning in ("may be the fastest of the row", "emulated: built from", "oversubscribed: more ranks"):
        assert meaning in " ".join(text.split())


def test_failures_refusals_and_remedies_are_said() -> None:
    text = " ".join(printed(example_view(hostile=False)).split())
    assert "intelmpi@2021.17 (exchange, 1 B, 2 ranks): rank 1 ended by signal 11 in round 7" in text
    assert "tcp@1 (bcast root=1, 3 sizes from 1 B to 1 MiB, 4 ranks): tcp has no" in text
    assert "remedy: sudo cpupower" in text
    assert "no result: tcp@1 (refused)" in text


def test_what_holds_for_several_stacks_alike_is_said_once() -> None:
    view = example_view(hostile=False)
    first, second, third = view.plan.stacks[:3]
    lacking = tuple(Notice("emulated", f"{stack} has no scan.", "beware") for stack in (first, second, third))
    other = Notice("emulated", "5 of 9 have no scan.", "beware")
    another = Notice("emulated", "6 of 9 have no scan.", "beware")
    refused = tuple(Refusal(stack, 1, "no such thing") for stack in (first, third))
    analysis = evolve(view.analysis, warnings=(*lacking, other, another), refusals=refused)
    text = " ".join(printed(evolve(view, analysis=analysis)).split())
    alike = f"{first} has no scan; the same holds for {second} and {third}"
    assert f"! {alike}; 5 of 9 have no scan; 6 of 9 have no scan. remedy: beware" in text
    assert text.count("no such thing") == 1
    assert f"– {first} and {third} (" in text


def test_a_simulated_column_says_so_in_its_heading() -> None:
    view = example_view(hostile=False, simulated=True)
    assert "simulated" in printed(view, 120)


def test_names_are_never_markup_nor_terminal_commands() -> None:
    view = example_view()
    evil = "[bold]x[/bold]\x1b[2J\u202eabc\x07"
    text = printed(evolve(view, analysis=evolve(view.analysis, findings=(Finding(evil, 9),))), color_system=None)
    assert "[bold]x[/bold]" in text
    assert not set("\x1b\u202e\x07") & set(text)


def test_of_a_stack_whose_times_are_all_zero_it_is_said_that_they_are() -> None:
    view = example_view(stacks=3, hostile=False)
    nought = view.plan.stacks[1]
    estimates = tuple(evolve(one, median_ns=0.0) if one.stack == nought else one for one in view.analysis.estimates)
    text = printed(evolve(view, analysis=evolve(view.analysis, estimates=estimates)), 200)
    assert f"no result: {nought} (its times are not above zero)" in text
    assert "not measured" not in text


def test_a_run_without_any_number_says_so_and_still_ends_in_what_to_do() -> None:
    view = example_view()
    empty = evolve(view.analysis, estimates=(), comparisons=(), findings=())
    text = printed(evolve(view, analysis=empty))
    assert "No comparable measurements" in text
    assert "msgauge report" in text


@pytest.mark.parametrize(("stopped", "asks"), [("budget", True), ("rounds", True), ("interrupted", False)])
def test_more_rounds_are_asked_for_where_the_run_has_come_to_its_limits(stopped: str, asks: bool) -> None:
    """Resumed as it is, a run that has spent its budget or its rounds would measure nothing."""
    view = example_view(hostile=False)
    undecided = tuple(evolve(one, verdict="undecided") for one in view.analysis.comparisons)
    analysis = evolve(view.analysis, stopped=stopped, comparisons=undecided)
    for width in (200, 40):  # broken over two lines, a command could not be copied
        line = next(line for line in printed(evolve(view, analysis=analysis), width).splitlines() if "--resume" in line)
        assert line.endswith(f" --rounds {2 * analysis.rounds}") == asks


def events(view: RunView) -> list[object]:
    launch = Launch(0, 0, view.plan.stacks[0], 2, (0,), 1)
    failed = LaunchRecord(launch, "failed", "rank 1 ended by signal 11")
    return [
        BuildStarted("openmpi@5.0.11"),
        BuildEnded(Build("openmpi@5.0.11", ("w",), None, cached=True)),
        BuildEnded(Build("lam@7.1.4", (), None, reason="no compiler")),
        MeasuringStarted(view.plan, 30.0, "can resolve a difference of 5 % in 30 of 51 tests"),
        HostsAwaited(("n2", "n3")),
        HostsReturned(("n2",)),
        LaunchStarted(launch, 1, 4),
        LaunchEnded(LaunchRecord(launch, "ok")),
        LaunchEnded(failed),
        RoundEnded(0, view.analysis, 20.0),
        RoundEnded(1, view.analysis, 15.0),
        MeasuringEnded("precision"),
    ]


def test_in_a_pipe_the_live_display_is_a_few_plain_lines() -> None:
    view, out, now = example_view(hostile=False), io.StringIO(), [100.0]
    with ProgressView(Console(file=out, width=80), clock=lambda: now[0]) as watch:
        for event in events(view):
            now[0] += 1.0
            watch(event)  # type: ignore[arg-type]
    lines = out.getvalue().splitlines()
    assert "worker for openmpi@5.0.11: from the cache" in lines
    assert "build of lam@7.1.4 failed: no compiler" in lines
    assert "measuring 4 stacks in 51 tests, about 30 s; can resolve a difference of 5 % in 30 of 51 tests" in lines
    assert "round 1: openmpi@5.0.11 failed: rank 1 ended by signal 11" in lines
    assert lines[-1] == "measured 2 rounds: all that was still measured was decided, or as precise as requested"
    assert "connected again to n2" in lines
    assert len(lines) <= 8, "rounds that end within seconds of each other are not all told"
    assert "\x1b" not in out.getvalue()


def test_on_a_terminal_it_draws_what_runs_how_long_and_the_table_and_leaves_nothing_behind() -> None:
    view, out = example_view(hostile=False), io.StringIO()
    console = Console(file=out, width=100, height=40, force_terminal=True, color_system=None, force_interactive=True)
    with ProgressView(console, kernels=view.kernels, clock=lambda: 5.0) as watch:
        for event in events(view)[:-1]:
            watch(event)  # type: ignore[arg-type]
        watch(LaunchStarted(Launch(9, 2, "mpich@4.0.2/system", 2, (0,), 1), 3, 4))
        console.print(watch._draw())
    text = out.getvalue()
    assert "round 3: mpich@4.0.2/system on 2 ranks (3 of 4)" in text
    assert "2 rounds completed, about 15 s left, or less, 1 launch failed" in text
    assert "about 30 s; can resolve a difference of 5 % in 30 of 51 tests" in text
    assert "Ping-pong, 2 ranks" in text
    assert "\x1b[?25h" in text, "the cursor is shown again"


def test_after_the_last_round_no_time_is_left() -> None:
    """``about 0.0 s left, or less`` is not a time."""
    out, now = io.StringIO(), [100.0]
    with ProgressView(Console(file=out, width=80), clock=lambda: now[0]) as watch:
        for number, left_s in ((0, 12.0), (1, 0.0)):
            now[0] += 6.0
            watch(RoundEnded(number, example_view().analysis, left_s))
    assert out.getvalue().splitlines() == ["1 round completed, about 12 s left, or less", "2 rounds completed"]


@pytest.mark.parametrize(("coming", "most", "told"), [(4, 30, True), (6, 30, False), (5, 5, False), (0, 30, False)])
def test_a_budget_with_room_for_too_few_rounds_is_told_as_soon_as_that_is_known(
    coming: int, most: int, told: bool
) -> None:
    """Six tell something; who asked for five, or where nothing is open any more, lacks none."""
    out, view = io.StringIO(), example_view()
    plan = evolve(view.plan, stopping=evolve(view.plan.stopping, minimum_rounds=5, maximum_rounds=most))
    with ProgressView(Console(file=out, width=80), clock=iter(range(0, 1000, 10)).__next__) as watch:
        watch(MeasuringStarted(plan, 120.0))
        for number in range(4):
            watch(RoundEnded(number, view.analysis, 15.0, coming))
    lines = [line for line in out.getvalue().splitlines() if "slower than planned" in line]
    assert lines == told * [
        "2 rounds completed, about 15 s left, or less; slower than planned: about 4 rounds fit into the budget, and "
        "fewer than 6 tell no difference, however large; take a larger --budget, or fewer stacks"
    ]


def test_builds_beside_launches_are_told_beside_them() -> None:
    view, out = example_view(hostile=False), io.StringIO()
    launch, stack = Launch(0, 0, view.plan.stacks[0], 2, (0,), 1), view.plan.stacks[1]
    console = Console(file=out, width=120, height=40, color_system=None)
    watch = ProgressView(console, kernels=view.kernels, clock=lambda: 5.0)

    def drawn_after(event: Event) -> str:
        watch(event)
        console.print(watch._draw())
        return out.getvalue().splitlines()[-1].strip()

    building = f"building the worker for {stack}"
    assert drawn_after(BuildStarted(stack)) == building
    assert drawn_after(MeasuringStarted(view.plan, 30.0)) == f"measuring; {building}"
    measuring = f"round 1: {launch.stack} on 2 ranks (1 of 4)"
    assert drawn_after(LaunchStarted(launch, 1, 4)) == f"{measuring}; {building}"
    assert drawn_after(LaunchEnded(LaunchRecord(launch, "ok"))) == f"waiting for the next worker; {building}"
    watch(BuildEnded(Build(stack, ("w",), None)))
    assert drawn_after(LaunchStarted(launch, 1, 4)) == measuring


@pytest.mark.parametrize("height", [8, 24, 60])
def test_the_running_table_fits_the_screen(height: int) -> None:
    view, out = example_view(stacks=6), io.StringIO()
    console = Console(file=out, width=80, height=height)
    console.print(run_terminal.draw_running_table(view.plan, view.analysis, view.kernels, (80, height)))
    assert len(out.getvalue().splitlines()) <= height + 1
