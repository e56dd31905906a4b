"""Models of stacks as text: parameters of each segment, breakpoints with what they follow, closure, predictions."""

from __future__ import annotations

from math import isfinite
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from msgauge import units
from msgauge.advise.stack_model import Explained, StackModel
from msgauge.models.loggp import Segment
from msgauge.models.quantity import Quantity
from msgauge.models.segments import Breakpoint


def show(found: tuple[StackModel, ...], path: Path) -> None:
    """Print the models to standard output."""
    console = Console(highlight=False)
    for one in found:
        console.print(Text(f"\n{one.stack}{' (simulated)' if one.simulated else ''}", style="bold"))
        if one.model is None:
            console.print(Text(f"no model: {one.reason}"))
            continue
        console.print(_parameters(one))
        for sentence in sentences(one):
            console.print(Text(sentence))
    console.print(Text(f"\npage: {path / 'report.html'}"))


def _parameters(one: StackModel) -> Table:
    drawn = Table()
    for title in ("sizes", "L", "o_s", "o_r", "g", "G", "pace set by"):
        drawn.add_column(title)
    for row in rows(one):
        drawn.add_row(*(Text(place) for place in row))
    return drawn


def rows(one: StackModel) -> list[tuple[str, ...]]:
    """One row a segment: sizes, L, o_s, o_r, g, G, what sets the pace."""
    return [_row(segment) for segment in one.model.segments] if one.model else []


def _row(segment: Segment) -> tuple[str, ...]:
    sizes = f"{units.format_size(segment.first_bytes)} to {units.format_size(segment.last_bytes)}"
    times = (segment.latency, segment.o_s, segment.o_r, segment.g)
    return (sizes, *(_time(one) for one in times), _per_byte(segment.big_g), segment.gap_set_by)


def _time(one: Quantity) -> str:
    if one.reason or not isfinite(one.value):
        return one.reason.partition(":")[0] + (f": {one.reason.split()[2]}" if "overlap" in one.reason else "")
    limits = f" ({units.format_time(one.low)} to {units.format_time(one.high)})" if isfinite(one.low) else ""
    return units.format_time(one.value) + limits


def _per_byte(one: Quantity) -> str:
    if one.reason or not isfinite(one.value):
        return one.reason.partition(":")[0]
    limits = f" ({units.three_digits(one.low)} to {units.three_digits(one.high)})" if isfinite(one.low) else ""
    return f"{units.three_digits(one.value)} ns/B{limits}"


def sentences(one: StackModel) -> list[str]:
    """Breakpoints, what they follow, closure and predictions, a sentence each."""
    points = one.segmentation.breakpoints if one.segmentation else ()
    told = [_breakpoint(point) for point in points]
    told += [sentence for explained in one.explained for sentence in causes(explained)]
    closes, count = one.closing
    if count:
        told.append(
            f"Closure: {closes} of {count} predictions of a kernel in a segment are within 5 % of the measured."
        )
    for closed in one.closures:
        span = f"{units.format_size(closed.first_bytes)} to {units.format_size(closed.last_bytes)}"
        told.append(
            f"  {closed.kernel}, {span}: median error {units.format_percent(closed.median_error)}, "
            f"worst {units.format_percent(closed.worst_error)}"
        )
    for predicted in one.predictions:
        times = (units.format_time(predicted.predicted_ns), units.format_time(predicted.measured_ns))
        numbers = f"{times[0]} predicted, {times[1]} measured"
        note = f" (does not apply: {predicted.applies})" if predicted.applies else ""
        told.append(f"  {predicted.what}: {numbers}, error {units.format_percent(predicted.error)}{note}")
    return told


def _breakpoint(point: Breakpoint) -> str:
    place = units.format_amount(point.size_bytes.value)
    limits = f"{units.format_amount(point.size_bytes.low)} to {units.format_amount(point.size_bytes.high)}"
    step = f", {units.format_percent(point.jump.value)} more time" if point.kind == "jump" else ""
    return f"{point.kind} at {place} ({limits}){step}"


def causes(explained: Explained) -> list[str]:
    """What each breakpoint was seen to follow when a setting was moved."""
    values = " and ".join(units.format_amount(value) for value in explained.values_bytes)
    words = {
        "setting": f"follows {explained.setting}: it was there at both values tried ({values})",
        "nothing": f"stays where it is when {explained.setting} is moved ({values}): another cause",
        "unexplained": f"is not explained by {explained.setting} ({values})",
    }
    return [
        f"The {one.breakpoint.kind} at {units.format_amount(one.breakpoint.size_bytes.value)} {words[one.follows]}."
        for one in explained.causes
    ]
