"""Models of stacks as text: parameters of each segment, breakpoints and their causes, closure, predictions."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from math import isfinite
from pathlib import Path

from rich.table import Table
from rich.text import Text

from msgauge import units
from msgauge.analysis.stack_models.stack_model import BreakpointExplanation, Prediction, StackModel
from msgauge.model import Pattern
from msgauge.models.estimate import ParameterEstimate
from msgauge.models.loggp import Segment
from msgauge.models.segments import Breakpoint
from msgauge.report.terminal.console import make_console
from msgauge.report.text_table import make_open_table

LEGEND = """
L: latency; o_s, o_r: CPU overhead of sender and receiver per message; g: gap, minimum time between two messages;
G: time per additional byte; ±: half the 95 % interval. A jump or bend: as where a stack changes its protocol."""

NO_INTERVALS = "No parameter has an interval: too few launches were measured. Take more rounds."


def print_models(found: tuple[StackModel, ...], path: Path) -> None:
    """Print the models to standard output."""
    console = make_console()
    for one in found:
        console.print(Text(f"\n{one.stack}{' (simulated)' if one.simulated else ''}", style="bold"))
        if one.model is None:
            console.print(Text(f"no model: {one.reason}"))
            continue
        console.print(_parameters(one))
        for sentence in _describe_model(one):
            console.print(Text(sentence))
        if one.predictions:
            console.print(Text("\nPredicted from the parameters", style="bold"))
            console.print(_prediction_table(one))
            for note in dict.fromkeys(each.applies for each in one.predictions if each.applies):
                console.print(Text(f"* LogGP does not apply: {note}."))
    console.print(Text(LEGEND, style="dim"))
    console.print(Text(f"\npage: {path / 'report.html'}"))


def _parameters(one: StackModel) -> Table:
    drawn = make_open_table()
    for title in ("sizes", "L", "o_s", "o_r", "g", "G", "limited by"):
        drawn.add_column(title)
    for segment in one.model.segments if one.model else ():
        times = (segment.latency, segment.o_s, segment.o_r, segment.g)
        cells = (
            _span(segment),
            *(write_parameter(time, units.format_time) for time in times),
            write_parameter(segment.big_g, _ns_per_byte),
        )
        drawn.add_row(*(Text(cell) for cell in (*cells, segment.gap_set_by)))
    return drawn


def write_parameter(one: ParameterEstimate, say: Callable[[float], str]) -> str:
    """The value and half its interval in percent, or a dash where there is none."""
    if not one.known:
        return "–"
    half = (one.high - one.low) / 2
    if not isfinite(half) or not one.value:
        return say(one.value)
    percent = 100 * half / abs(one.value)
    return say(one.value) + (f" ±{percent:.0f}%" if percent <= 999 else " >±999%")


def describe_missing(one: StackModel) -> list[str]:
    """Why a parameter is not there, a sentence for each parameter and reason."""
    lines: dict[tuple[str, str], list[str]] = {}
    for segment in one.model.segments if one.model else ():
        named = {"L": segment.latency, "o_s": segment.o_s, "o_r": segment.o_r, "g": segment.g, "G": segment.big_g}
        for name, quantity in named.items():
            if not quantity.known:
                lines.setdefault((name, quantity.reason or "unknown"), []).append(_span(segment))
    return [f"{name} of {', '.join(spans)}: {reason}." for (name, reason), spans in lines.items()]


def rows(one: StackModel) -> list[tuple[tuple[str, str], ...]]:
    """One row a segment: sizes, L, o_s, o_r, g, G, what sets the pace; each the value and its interval."""
    return [_row(segment) for segment in one.model.segments] if one.model else []


def _row(segment: Segment) -> tuple[tuple[str, str], ...]:
    times = (segment.latency, segment.o_s, segment.o_r, segment.g)
    long = (_long(one, units.format_time, units.format_time) for one in times)
    slope = _long(segment.big_g, units.three_digits, _ns_per_byte)
    return ((_span(segment), ""), *long, slope, (segment.gap_set_by, ""))


def _span(segment: Segment) -> str:
    return f"{units.format_size(segment.first_bytes)} to {units.format_size(segment.end_bytes)}"


def _long(one: ParameterEstimate, low: Callable[[float], str], say: Callable[[float], str]) -> tuple[str, str]:
    """The value and its interval; ``low`` writes the lower end, which has no unit where both have the same always."""
    if not one.known:
        return "–", ""
    return say(one.value), f"{low(one.low)} to {say(one.high)}" if isfinite(one.low) else ""


def _ns_per_byte(value: float) -> str:
    return f"{units.three_digits(value)} ns/B"


def _describe_model(one: StackModel) -> list[str]:
    """Everything below the table: of the closures those that do not close, of fan-out the first and the last size."""
    lines = [*describe_missing(one), *sentences(one)]
    closes, count = one.closing
    lines += ["Those that are not:"] if closes < count else []
    lines += [
        f"  {kernel}, {span}: median error {median}, worst {worst}"
        for closed, (kernel, span, median, worst, word) in zip(one.closures, closures(one), strict=True)
        if word != "yes" and not closed.strict
    ]
    return lines + describe_strict_closure(one)


def _prediction_table(one: StackModel) -> Table:
    """Programs and fan-out; of the sizes of a fan-out the smallest and the largest, the page has all."""
    drawn = make_open_table()
    for title in ("what", "predicted", "measured", "error"):
        drawn.add_column(title, justify="left" if title == "what" else "right")
    for _, alike in groupby(one.predictions, key=lambda each: (each.kernel, each.ranks)):
        rows = list(alike)
        for each in rows if rows[0].pattern is not Pattern.FAN_OUT else dict.fromkeys((rows[0], rows[-1])):
            what, *numbers, note = _prediction(each)
            drawn.add_row(*(Text(cell) for cell in (what + " *" * bool(note), *numbers)))
    return drawn


def sentences(one: StackModel) -> list[str]:
    """Breakpoints, what they follow, and how many segments close, a sentence each."""
    points = one.segmentation.breakpoints if one.segmentation else ()
    lines = [NO_INTERVALS] if _lacks_intervals(one) else []
    lines += [_breakpoint(point) for point in points]
    lines += [sentence for explained in one.explained for sentence in describe_causes(explained)]
    closes, count = one.closing
    if count:
        lines.append(f"Closure: {closes} of {count} segments are predicted within 5 % of the measured time.")
    return lines


def _lacks_intervals(one: StackModel) -> bool:
    """Whether parameters are known and none has an interval, as of a single launch."""
    segments = one.model.segments if one.model else ()
    known = [p for s in segments for p in (s.latency, s.o_s, s.o_r, s.g, s.big_g) if p.known]
    return bool(known) and not any(isfinite(parameter.low) for parameter in known)


def describe_strict_closure(one: StackModel) -> list[str]:
    """How streams close without the pace that the trains have shown, a sentence; none where there are none."""
    closes, count = one.strictly_closing
    share = f"{closes} of {units.format_count(count, 'segment')} within 5 %"
    return (
        [f"Streams predicted from o_s, o_r, L, g and G alone, without measured message rates: {share}."]
        if count
        else []
    )


def closures(one: StackModel) -> list[tuple[str, ...]]:
    """Kernel, sizes, median error, worst error, whether it closes: a row for each kernel and segment."""
    return [
        (
            f"{closed.kernel}, LogGP parameters alone" if closed.strict else closed.kernel,
            f"{units.format_size(closed.first_bytes)} to {units.format_size(closed.last_bytes)}",
            units.format_percent(closed.median_error),
            units.format_percent(closed.worst_error),
            "yes" if closed.closes else "no",
        )
        for closed in one.closures
    ]


def predictions(one: StackModel) -> list[tuple[str, ...]]:
    """What, predicted, measured, error, and why LogGP does not apply: a row for each program and fan-out."""
    return [_prediction(predicted) for predicted in one.predictions]


def _prediction(predicted: Prediction) -> tuple[str, ...]:
    return (
        predicted.what,
        units.format_time(predicted.predicted_ns),
        units.format_time(predicted.measured_ns),
        units.format_percent(predicted.error),
        f"does not apply: {predicted.applies}" if predicted.applies else "",
    )


def _breakpoint(point: Breakpoint) -> str:
    place = units.format_amount(point.size_bytes.value)
    limits = f"{units.format_amount(point.size_bytes.low)} to {units.format_amount(point.size_bytes.high)}"
    more = f", {units.format_percent(abs(point.jump.value))} {'more' if point.jump.value > 0 else 'less'} time"
    step = more if point.kind == "jump" else ""
    return f"{point.kind} at {place} ({limits}){step}"


def describe_causes(explained: BreakpointExplanation) -> list[str]:
    """What each breakpoint was seen to follow when a setting was moved."""
    values = " and ".join(units.format_size(int(value)) for value in explained.values_bytes)
    if explained.reason:
        return [f"{explained.setting} ({values}): {explained.reason}"]
    words = {
        "setting": f"follows {explained.setting}: found at each value tried ({values})",
        "nothing": f"does not move with {explained.setting} ({values}): another cause",
        "unexplained": f"is not explained by {explained.setting} ({values})",
    }
    lines = [
        f"The {one.breakpoint.kind} at {units.format_amount(one.breakpoint.size_bytes.value)} {words[one.follows]}."
        for one in explained.causes
    ]
    if not any(one.follows == "setting" for one in explained.causes):
        lines.append(f"No breakpoint follows {explained.setting} ({values}).")
    return lines
