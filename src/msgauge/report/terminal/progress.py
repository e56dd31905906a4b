"""Progress of a run: what is running, rounds completed, time left, the table so far.

On a terminal it is a display that redraws itself; elsewhere it is a few plain lines.
Everything goes to standard error, so that standard output stays the result.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

from rich.console import Console, Group, RenderableType
from rich.live import Live as Screen
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from msgauge import units
from msgauge.model import (
    Analysis,
    BuildEnded,
    BuildStarted,
    CellKey,
    ConditionsChanged,
    Event,
    HostsAwaited,
    HostsReturned,
    Kernel,
    LaunchEnded,
    LaunchStarted,
    LaunchStatus,
    MeasuringEnded,
    MeasuringStarted,
    Plan,
    RoundEnded,
    RoundsTorn,
)
from msgauge.report import phrasing
from msgauge.report.phrasing import plain
from msgauge.report.terminal import run_terminal
from msgauge.stats.look_schedule import least_rounds_at_end

_QUIET_S = 5.0
"""Seconds between two plain lines about rounds."""
_TELLING = 2
"""After so many rounds it is known how many the time has room for."""


class ProgressView:
    """Watches a run: a context manager that is called with each event; ``with ProgressView() as watch: ...``."""

    def __init__(
        self,
        console: Console | None = None,
        *,
        kernels: tuple[Kernel, ...] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._console = console or Console(stderr=True, highlight=False)
        self._state = _State(clock, kernels)
        self._screen: Screen | None = None
        self._spoke = -_QUIET_S
        self._clock = clock

    def __enter__(self) -> ProgressView:
        if self._console.is_terminal and not self._console.is_dumb_terminal:
            self._screen = Screen(
                console=self._console,
                get_renderable=self._draw,
                refresh_per_second=4,
                transient=True,
                redirect_stdout=False,
            )
            self._screen.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._screen is not None:
            self._screen.stop()
            self._screen = None

    def __call__(self, event: Event) -> None:
        """Take note of an event and show it."""
        self._state.take(event)
        line = _line(event, self._state)
        if line and self._worth(event):
            self._spoke = self._clock()
            self._console.print(Text(line), highlight=False, soft_wrap=True)

    def _worth(self, event: Event) -> bool:
        """Whether an event becomes a line that stays: on a terminal what the run can tell and what went wrong.

        Elsewhere the milestones too.
        """
        match event:
            case LaunchEnded() | MeasuringStarted() | HostsReturned() | RoundsTorn() | ConditionsChanged():
                return True
            case BuildEnded(build=build) if build.reason:
                return True
        if isinstance(event, RoundEnded) and self._state.shortage:
            return True
        if self._screen is not None:
            return False
        return not isinstance(event, RoundEnded) or self._clock() - self._spoke >= _QUIET_S

    def _draw(self) -> RenderableType:
        return self._state.draw(self._console.width, self._console.height)


class _State:
    """What is known of the run so far."""

    def __init__(self, clock: Callable[[], float], kernels: tuple[Kernel, ...]) -> None:
        self.clock = clock
        self.kernels = kernels
        self.doing = "preparing"
        self.building = ""
        """The stack whose worker comes next; '' when all are there."""
        self.plan: Plan | None = None
        self.analysis: Analysis | None = None
        self.rounds = 0
        self.built = 0
        self.failed = 0
        self.started = clock()
        self.end: float | None = None
        self.shortage = ""
        """What the last round showed, once: the time has room for too few of them."""

    def take(self, event: Event) -> None:
        """Let an event change what is known."""
        match event:
            case BuildStarted(stack=stack):
                self.building = plain(stack)
            case BuildEnded():
                self.built, self.building = self.built + 1, ""
            case MeasuringStarted(plan=plan, expected_s=expected_s):
                self.plan, self.started, self.end = plan, self.clock(), self.clock() + expected_s
                self.doing = "measuring"
            case HostsAwaited(names=names):
                self.doing = f"connecting again to {', '.join(names)}"
            case LaunchStarted(launch=launch, position=position, of=of):
                ranks = phrasing.counted(launch.ranks, "rank")
                self.doing = f"round {launch.round + 1}: {plain(launch.stack)} on {ranks} ({position} of {of})"
            case LaunchEnded(record=record):
                self.failed += record.status is not LaunchStatus.OK
                self.doing = "waiting for the next worker" if self.building else self.doing
            case RoundEnded(round=number, analysis=analysis, left_s=left_s, coming=coming):
                self.rounds, self.analysis, self.end = number + 1, analysis, self.clock() + left_s
                self.shortage = self._describe_shortage(coming)
            case MeasuringEnded(why=why):
                self.doing, self.end = f"done: {phrasing.describe_stop(why)}; analysing", self.clock()

    def _describe_shortage(self, coming: int) -> str:
        """That fewer rounds fit into the budget than any difference asks for, as soon as it is known; else ''."""
        if self.plan is None or self.rounds != _TELLING or len(self.plan.stacks) < 2:
            return ""
        needed = least_rounds_at_end(self.plan.stopping)
        if not 0 < coming < needed <= self.plan.stopping.maximum_rounds:
            return ""
        return (
            f"slower than planned: about {coming} rounds fit into the budget, and fewer than {needed} tell no "
            "difference, however large; take a larger --budget, or fewer stacks"
        )

    def draw(self, width: int, height: int) -> RenderableType:
        """The display: two lines of progress, then as much of the table as fits."""
        parts: list[RenderableType] = [
            self._progress(),
            Text(self._describe_doing(), style="cyan", no_wrap=True, overflow="ellipsis"),
        ]
        if self.plan is not None and self.analysis is not None:
            parts += [
                Text(),
                run_terminal.draw_running_table(self.plan, self.analysis, self.kernels, (width, height - 5)),
            ]
        return Group(*parts)

    def _describe_doing(self) -> str:
        """What runs: a launch, a build, or a launch and builds beside it."""
        if not self.building:
            return self.doing
        building = f"building the worker for {self.building}"
        return building if self.plan is None else f"{self.doing}; {building}"

    def _progress(self) -> RenderableType:
        if self.end is None or self.plan is None:
            return Text(f"{phrasing.counted(self.built, 'worker')} ready", style="bold")
        spent = self.clock() - self.started
        left = max(0.0, self.end - self.clock())
        row = Table.grid(padding=(0, 2, 0, 0))
        status = _describe_rounds(self.rounds, left)
        status += f", {phrasing.counted(self.failed, 'launch')} failed" if self.failed else ""
        row.add_row(ProgressBar(total=max(spent + left, 1e-9), completed=spent, width=24), Text(status))
        return row


def _describe_rounds(rounds: int, left_s: float) -> str:
    """``8 rounds completed, about 12 s left, or less``; the time only where there is any left."""
    done = f"{phrasing.counted(rounds, 'round')} completed"
    return f"{done}, about {units.format_duration(left_s)} left, or less" if left_s >= 0.05 else done


def _count_run(plan: Plan) -> int:
    """How many tests some stack runs."""
    not_run = {*(one.key for one in plan.refusals), *plan.left_out}
    return sum(any(CellKey(stack, cell.id) not in not_run for stack in plan.stacks) for cell in plan.cells)


def _line(event: Event, state: _State) -> str:
    """An event as one plain line; '' for those that are not worth one."""
    match event:
        case BuildEnded(build=build) if build.reason:
            return f"build of {plain(build.stack)} failed: {plain(build.reason)}"
        case BuildEnded(build=build):
            how = "from the cache" if build.cached else f"built in {units.format_duration(build.seconds)}"
            return f"worker for {plain(build.stack)}: {how}"
        case MeasuringStarted(plan=plan, expected_s=expected_s, prospects=prospects):
            stacks, tests = phrasing.counted(len(plan.stacks), "stack"), phrasing.counted(_count_run(plan), "test")
            lasting = f"measuring {stacks} in {tests}, about {units.format_duration(expected_s)}"
            return f"{lasting}; {prospects}" if prospects else lasting
        case ConditionsChanged(notice=notice):
            return f"warning: {plain(notice.message)}"
        case RoundsTorn(rounds=rounds, launches=launches):
            again = f"measuring {phrasing.counted(rounds, 'round')} anew that lack launches"
            aside = f"; {phrasing.counted(launches, 'launch')} of another time put aside" if launches else ""
            return again + aside
        case HostsReturned(names=names):
            return f"connected again to {', '.join(names)}"
        case LaunchEnded(record=record) if record.status is not LaunchStatus.OK:
            return (
                f"round {record.launch.round + 1}: {plain(record.launch.stack)} {record.status}: {plain(record.reason)}"
            )
        case RoundEnded(left_s=left_s):
            return "; ".join(filter(None, (_describe_rounds(state.rounds, left_s), state.shortage)))
        case MeasuringEnded(why=why):
            return f"measured {phrasing.counted(state.rounds, 'round')}: {phrasing.describe_stop(why)}"
        case _:
            return ""
