"""The report of a run for a terminal: findings, tables, warnings, failures, next steps.

Reads well at 80 columns, without colour and in a pipe. Names come from studies and machines, so nothing is markup.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator
from itertools import pairwise

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from msgauge import units
from msgauge.analysis.findings.topics import arrange_findings
from msgauge.model import Analysis, Kernel, Plan, StopReason
from msgauge.model.plan import more_rounds
from msgauge.report import failures, phrasing, secondary_series
from msgauge.report.failures import NotRun
from msgauge.report.figures.scaling import describe_efficiency
from msgauge.report.grid import Grid, lead, make_grids
from msgauge.report.phrasing import plain
from msgauge.report.terminal.console import make_console
from msgauge.report.terminal.decision_terminal import fold_name, longest_name, print_decision
from msgauge.report.text_table import make_open_table
from msgauge.report.view import RunView
from msgauge.results.incomplete_runs import UNFINISHED
from msgauge.stats import programs
from msgauge.stats.look_schedule import least_rounds

_SENTENCES = 5
_SHOWN = {"time": "", "bandwidth": "Bandwidth. ", "messages": "Messages per second. "}
_STYLES = {"best": "bold green", "failed": "red", "refused": "yellow"}


def print_report(view: RunView, console: Console | None = None) -> None:
    """Print the report of a run (to standard output unless told otherwise)."""
    console = console or make_console()
    for part in report(view, console.width):
        console.print(part, highlight=False, crop=False)


def print_warnings(view: RunView) -> None:
    """Print what a reader of other results of a run must know of it."""
    console = make_console()
    for part in _warnings(view):
        console.print(part, highlight=False)


def report(view: RunView, width: int = 80) -> Iterator[RenderableType]:
    """The parts of the report from top to bottom, laid out for ``width`` columns."""
    yield _headline(view)
    if view.analysis.summary is not None:
        yield from print_decision(view.analysis.summary, width, view.analysis.interval_level)
    yield from _findings(view)
    used: set[str] = set()
    for grid in make_grids(view.plan, view.analysis, view.kernels):
        if any(entry.estimate for entry in grid.entries):
            yield from _section(view, grid, width, used)
    yield from _legend(used, view.analysis.interval_level)
    yield from _warnings(view)
    yield from _failures(view)
    yield from _list_next_steps(view)


def draw_running_table(
    plan: Plan, analysis: Analysis, kernels: tuple[Kernel, ...], size: tuple[int, int]
) -> RenderableType:
    """The table so far, cut to ``size`` = (columns, lines): as many grids and evenly spread rows as fit."""
    width, lines = size
    parts: list[RenderableType] = []
    for grid in make_grids(plan, analysis, kernels):
        if lines < 6 or not any(entry.estimate for entry in grid.entries):
            continue
        rows = _spread(len(grid.rows), max(2, min(lines - 5, 8)))
        parts += [
            _heading(grid),
            _table(grid, _columns(grid, width)[0], rows, longest_name(width)),
        ]
        lines -= len(rows) + 5
    return Group(*parts)


def _headline(view: RunView) -> RenderableType:
    text = Text(f"msgauge {plain(view.analysis.study)}", style="bold")
    text.append(f"  {phrasing.describe_extent(view)}; {phrasing.describe_ending(view.analysis)}", style="not bold dim")
    where = phrasing.describe_hosts(view.plan.hosts, view.hosts)
    clocks = phrasing.describe_clocks(view.records)
    told = [view.plan.title, where, *([f"clocks of the hosts: {clocks}"] if clocks else [])]
    return Group(text, *(Text(plain(line), style="dim") for line in told if line), Text())


def _findings(view: RunView) -> Iterator[RenderableType]:
    arranged = arrange_findings(view.analysis.findings)
    for finding in arranged.decisive[:_SENTENCES]:
        yield _item("•", Text(plain(finding.sentence)))
    for topic in arranged.topics:
        yield _item("+", Text(plain(topic.sentence), style="dim"))
    rest = len(view.analysis.findings) - min(len(arranged.decisive), _SENTENCES)
    if rest:
        every = units.format_count(len(view.analysis.findings), "finding")
        yield _item("•", Text(f"{every} in all: the page (msgauge report).", style="dim"))
    if not view.analysis.findings:
        yield _item("•", Text("No comparable measurements."))
    yield Text()


def _section(view: RunView, grid: Grid, width: int, used: set[str]) -> Iterator[RenderableType]:
    """One grid under its heading, split into several tables where the stacks do not fit side by side."""
    yield _heading(grid)
    meaning = _SHOWN[grid.shown] + plain(grid.kernel.meaning)
    if meaning.strip():
        yield Text(meaning, style="dim")
    for stacks in _columns(grid, width):
        yield _table(grid, stacks, range(len(grid.rows)), longest_name(width))
    absent = [
        f"{plain(name)} ({_absence(grid, index)})" for index, name in enumerate(grid.stacks) if _empty(grid, index)
    ]
    if absent:
        yield Text(f"no result: {', '.join(absent)}", style="dim")
    yield from _describe_others(grid, view)
    yield Text()
    used.update(grid.shared, *(entry.flags for entry in grid.entries if entry.estimate))
    used.update(entry.standing for entry in grid.entries)


def _heading(grid: Grid) -> Text:
    """The title, with the flags that hold for every number of the table: its places do not repeat them."""
    title = Text(plain(grid.title), style="bold")
    note = phrasing.describe_heading(grid)
    title.append(f" ({note})" if note else "", style="not bold yellow")
    return title


def _describe_others(grid: Grid, view: RunView) -> Iterator[RenderableType]:
    """Efficiency of programs, stack by stack; for other kernels the other series of the stack that leads."""
    measured = [
        (one, worth)
        for entry in grid.entries
        if (one := entry.estimate) and (worth := programs.program(one)) is not None
    ]
    for one, worth in measured:
        efficiency = describe_efficiency(known) if (known := view.efficiencies.get(one.key)) else "not measured"
        cpu = f"CPU time of all ranks {units.format_ratio(worth.cpu_per_serial)} × the time of the serial program"
        calls = f"{units.format_percent(worth.communication)} of the time in calls"
        said = f"parallel efficiency {efficiency}; without intervals: {calls}, {cpu}"
        yield Text(f"{plain(worth.stack)}: {said}", style="dim")
    leading = [entry for row in grid.rows if (entry := lead(row)) is not None]
    if measured or not leading or leading[-1].estimate is None:
        return
    estimate = leading[-1].estimate
    names = secondary_series.list_others(grid.kernel, [estimate])
    others = [
        f"{name.replace('_', ' ')} {time}"
        for name, time in zip(names, secondary_series.times(estimate, names), strict=True)
    ]
    if others:
        size = f" at {units.format_size(estimate.size_bytes)}" if grid.kernel.sized else ""
        yield Text(f"other series, {plain(estimate.stack)}{size}: {', '.join(others)}", style="dim")


def _empty(grid: Grid, index: int) -> bool:
    return all(row[index].estimate is None for row in grid.rows)


def _absence(grid: Grid, index: int) -> str:
    """Why a stack has no number in a grid: ``failed``, ``refused``, what its times are, or ``not measured``."""
    entries = [row[index] for row in grid.rows]
    standings = {entry.standing for entry in entries}
    word = "failed" if "failed" in standings else "refused" if "refused" in standings else ""
    return word or next((entry.reason for entry in entries if entry.reason), "not measured")


def _columns(grid: Grid, width: int) -> list[list[int]]:
    """Indexes of the stacks of each table: all in one where they fit, else evenly split."""
    shown = [index for index in range(len(grid.stacks)) if not _empty(grid, index)]
    widths = {index: _width(grid, index, longest_name(width)) for index in shown}
    room = max(width - 10, *widths.values())
    tables = max(1, math.ceil(sum(widths.values()) / room))
    while tables < len(shown) and any(sum(widths[index] for index in part) > room for part in _parts(shown, tables)):
        tables += 1
    return _parts(shown, tables)


def _width(grid: Grid, index: int, longest: int) -> int:
    """Columns of the screen that a stack takes, with the gap behind it: two of padding and one of the box."""
    heading = [*fold_name(grid.stacks[index], longest), *phrasing.note_column(grid, index)]
    return max(len(text) for text in (*heading, *_cells(grid, index))) + 3


def _parts(shown: list[int], tables: int) -> list[list[int]]:
    edges = [round(index * len(shown) / tables) for index in range(tables + 1)]
    return [shown[start:end] for start, end in pairwise(edges)]


def _table(grid: Grid, stacks: list[int], rows: range | list[int], longest: int) -> Table:
    table = make_open_table()
    table.add_column(Text("size"), justify="right", no_wrap=True)
    columns = {index: _cells(grid, index) for index in stacks}
    for index in stacks:
        name = Text("\n".join(fold_name(grid.stacks[index], longest)))
        name.append("".join(f"\n{note}" for note in phrasing.note_column(grid, index)), style="not bold yellow")
        table.add_column(name, no_wrap=True, vertical="bottom")
    for number in rows:
        row = grid.rows[number]
        cells = [Text(columns[index][number], style=_STYLES.get(row[index].standing, "")) for index in stacks]
        table.add_row(Text(units.format_size(row[0].cell.size_bytes)), *cells)
    return table


def _cells(grid: Grid, index: int) -> list[str]:
    """The texts of one stack's column: mark, number right-aligned, interval left-aligned, letters of flags."""
    said = grid.shared.union(phrasing.note_column(grid, index))
    entries = [row[index] for row in grid.rows]
    parts = [phrasing.format_entry(entry, grid.shown) for entry in entries]
    middle = max(len(number) for number, _ in parts)
    side = max(len(interval) for _, interval in parts)
    return [
        f"{phrasing.STANDING_MARKS.get(entry.standing, '')} ".rjust(2)
        + f"{number:>{middle}} {interval:<{side}}{phrasing.format_marks(entry, said)}".rstrip()
        for entry, (number, interval) in zip(entries, parts, strict=True)
    ]


def _spread(count: int, room: int) -> list[int]:
    """At most ``room`` indexes below ``count``, evenly spread, first and last among them."""
    if count <= room:
        return list(range(count))
    return sorted({round(index * (count - 1) / (room - 1)) for index in range(room)})


def _legend(used: set[str], level: float) -> Iterator[RenderableType]:
    """Meaning of the marks that are on the screen."""
    standings = [
        (mark, phrasing.STANDING_MEANINGS[key]) for key, mark in phrasing.STANDING_MARKS.items() if key in used
    ]
    flags = [(mark, phrasing.FLAG_MEANINGS[key]) for key, mark in phrasing.FLAG_MARKS.items() if key in used]
    if not standings and not flags:
        return
    for mark, meaning in [
        *standings,
        *flags,
        ("±", phrasing.describe_interval(level)),
    ]:
        yield _item(mark, Text(meaning, style="dim"))
    yield Text()


def _warnings(view: RunView) -> Iterator[RenderableType]:
    groups = phrasing.group_warnings(view)
    if not groups:
        return
    yield Text("Warnings", style="bold yellow")
    for group in groups:
        text = Text("; ".join(plain(message).rstrip(".") for message in group.messages[:3]))
        text.append(f"; and {len(group.messages) - 3} more." if len(group.messages) > 3 else ".")
        if group.remedy:
            text.append(f"\nremedy: {plain(group.remedy)}", style="italic")
        yield _item("!", text)
    yield Text()


def _failures(view: RunView) -> Iterator[RenderableType]:
    failed, refused = failures.failures(view), failures.refusals(view)
    for heading, style, mark, groups in (("Failed", "bold red", "×", failed), ("Not run", "bold", "–", refused)):
        if groups:
            yield Text(heading, style=style)
        for one in groups:
            yield _item(mark, Text.assemble((plain(one.stack), "bold"), f"{_where(one)}: {plain(one.reason)}"))
    if failed or refused:
        yield Text()


def _where(one: NotRun) -> str:
    """`` (bcast: 3 tests)``: which tests, in short; nothing for a whole stack."""
    if not one.cells:
        return ""
    if len(one.spans) == 1:
        return f" ({plain(one.spans[0])})"
    names = ", ".join(one.kernels[:3]) + (f" and {len(one.kernels) - 3} more" if len(one.kernels) > 3 else "")
    return f" ({plain(names)}: {phrasing.counted(len(one.cells), 'test')})"


def _list_next_steps(view: RunView) -> Iterator[RenderableType]:
    folder = plain(view.folder or view.name)
    steps = [("page with all figures", f"msgauge report {shlex.quote(folder)}")]
    if any(estimate.series for estimate in view.analysis.estimates):
        steps += [("other series", f"msgauge show {shlex.quote(folder)} --series")]
    steps += [("figures as files", f"msgauge figures {shlex.quote(folder)}")]
    is_whole = all(one.code != UNFINISHED for one in view.analysis.warnings)
    is_spent = not least_rounds(view.plan.stopping, view.analysis.rounds)
    if is_whole and not is_spent and any(one.verdict == "undecided" for one in view.analysis.comparisons):
        steps += [("more rounds", f"msgauge compare --resume {shlex.quote(folder)}{_ask_rounds(view)}")]
    yield Text.assemble("Run folder ", (folder, "bold"))
    for what, command in steps:  # whole, so that it can be copied: a terminal breaks what is longer than a line itself
        yield Group(Text.assemble((f"  {what:<22}", "dim"), (command, "cyan"), no_wrap=True, overflow="ignore"))


def _ask_rounds(view: RunView) -> str:
    """A run that came to its end measures nothing more within its limits: twice the rounds are asked for."""
    if view.analysis.stopped is StopReason.INTERRUPTED or not view.analysis.rounds:
        return ""
    return f" --rounds {more_rounds(view.analysis.rounds)}"


def _item(mark: str, text: Text) -> RenderableType:
    """A text with a hanging mark in front of it."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column()
    grid.add_row(Text(mark), text)
    return Padding(grid, (0, 0, 0, 1))
