"""The sentences and marks that terminal and page share."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence

from attrs import frozen

from msgauge import units
from msgauge.analysis.estimates.host_clocks import summarise_clocks
from msgauge.analysis.findings.undetectable import Undetectable
from msgauge.model import Analysis, HostSet, LaunchRecord, Notice
from msgauge.models.guidelines import NotJudged
from msgauge.report.grid import Entry, Flag, Grid, Shown, Standing, amounts, format_halfwidth
from msgauge.report.view import RunView
from msgauge.results.incomplete_runs import UNFINISHED
from msgauge.results.stop_reason import UNKNOWN as UNKNOWN_END

STANDING_MARKS: dict[Standing, str] = {"best": "*"}
STANDING_MEANINGS: dict[Standing, str] = {"best": "may be the fastest of the row: no other is resolved as faster"}
FLAG_MARKS: dict[Flag, str] = {
    "emulated": "e",
    "simulated": "s",
    "oversubscribed": "o",
    "non-stationary": "n",
    "clock-interval": "c",
}
FLAG_MEANINGS: dict[Flag, str] = {
    "emulated": "emulated: built from send and receive, as the stack has no such operation",
    "simulated": "simulated time, never compared with measured stacks",
    "oversubscribed": "oversubscribed: more ranks than cores; times of a polling library include the scheduler",
    "non-stationary": "non-stationary: no steady state within the time of the test",
    "clock-interval": "hosts' clocks: they leave more than a tenth of the time open",
}
counted = units.format_count
_ENDINGS = {
    "precision": "all that was still measured was decided, or as precise as requested",
    "budget": "the time budget had no room for another round",
    "deadline": "the deadline was reached",
    "rounds": "all rounds completed",
    "interrupted": "it was interrupted",
    "failures": "no stack could be started any more",
}


def describe_interval(level: float) -> str:
    """What stands behind a ``±``; ``level``: of the interval."""
    return f"larger half-width of the {units.format_level(level)} confidence interval of the median over launches"


def describe_stop(why: str) -> str:
    """Why measuring ended, as a clause."""
    return _ENDINGS.get(why, plain(why) or "reason not recorded")


def describe_ending(analysis: Analysis) -> str:
    """``stopped: all rounds completed``; of a run that has not ended, or whose end nobody knows, that."""
    codes = {one.code for one in analysis.warnings}
    if UNFINISHED in codes:
        return "still being measured"
    return f"stopped: {'why is not known' if UNKNOWN_END in codes else describe_stop(analysis.stopped)}"


def describe_extent(view: RunView) -> str:
    """``8 rounds, 32 launches, measured for 58 s``."""
    seconds = sum(record.seconds for record in view.records)
    parts = [counted(view.analysis.rounds, "round"), *([counted(len(view.records), "launch")] if view.records else [])]
    return ", ".join(parts + ([f"measured for {units.format_duration(seconds)}"] if seconds else []))


def describe_hosts(hosts: HostSet, facts: Mapping[str, str]) -> str:
    """``hosts lab:4@gigabit: ...; bare link ...``; '' for a run on the present computer alone."""
    if not hosts.names:
        return ""
    dealt = "one rank to each host in turn" if hosts.map == "node" else _describe_filling(hosts)
    bare = facts.get("bare_link", "")
    link = f"; bare link (minimal TCP program, 8 B half round trip and rate): {bare}" if bare else ""
    held = f" ({hosts.allocation})" if hosts.allocation else ""
    network = f", {hosts.network}" if hosts.network else ""
    return f"hosts {hosts.asked}{held}: {counted(len(hosts.names), 'host')}{network}, {dealt}{link}"


def describe_allocation(hosts: HostSet) -> str:
    """``inside Slurm job 7: ranks stand on its 4 hosts (n1, n2, n3, n4); ...``."""
    names = ", ".join(hosts.names[:8]) + (" ..." if len(hosts.names) > 8 else "")
    count = counted(len(hosts.names), "host")
    return f"inside {hosts.allocation}: ranks stand on its {count} ({names}); --hosts local keeps to this computer"


def describe_clocks(records: Sequence[LaunchRecord]) -> str:
    """``n2 ahead of n1 by 1.5 ms ±4 µs, drift +20 ±0.5 ppm; ...``; '' where all ranks read one clock."""
    first = next((one.placement[0].host for one in records if one.clocks and one.placement), "")
    return "; ".join(
        f"{one.host} {'ahead of' if one.offset_ns >= 0 else 'behind'} {first} by "
        f"{units.format_time(abs(one.offset_ns))} ±{units.format_time(one.offset_error_ns)}, "
        f"drift {one.drift_ppm:+.3g} ±{one.drift_error_ppm:.2g} ppm{' (uneven)' if one.uneven else ''}"
        for one in summarise_clocks(records)
    )


def _describe_filling(hosts: HostSet) -> str:
    if not hosts.takes:
        return f"{counted(hosts.slots, 'rank')} to a host"
    return f"{min(hosts.takes)} to {counted(max(hosts.takes), 'rank')} to a host"


FORMATS = {"time": units.format_time, "bandwidth": units.format_rate, "messages": units.format_message_rate}


def format_entry(entry: Entry, shown: Shown) -> tuple[str, str]:
    """The number with its unit, and its interval: ``("1.23 µs", "±2%")``; ``("–", "")`` where there is none."""
    if entry.estimate is None:
        return ({"failed": "failed", "refused": "refused"}.get(entry.standing, "–"), "")
    middle, low, high = amounts(entry, shown)
    return (FORMATS[shown](middle), format_halfwidth(middle, low, high))


def format_marks(entry: Entry, shared: Iterable[Flag]) -> str:
    """The letters of the flags that are not already said in the heading."""
    return "".join(FLAG_MARKS[flag] for flag in entry.flags if flag not in shared)


def column_notes(grid: Grid) -> dict[str, tuple[Flag, ...]]:
    """Flags that hold for a whole column (every entry of the stack) and not for the whole grid."""
    return {stack: note_column(grid, index) for index, stack in enumerate(grid.stacks)}


def note_column(grid: Grid, index: int) -> tuple[Flag, ...]:
    """Those of one column."""
    measured = [frozenset(row[index].flags) for row in grid.rows if row[index].estimate]
    every = frozenset.intersection(*measured) if measured else frozenset()
    return tuple(flag for flag in FLAG_MARKS if flag in every and flag not in grid.shared)


def describe_heading(grid: Grid) -> str:
    """What every number of the grid shares, as words: ``oversubscribed``."""
    return ", ".join(flag for flag in FLAG_MARKS if flag in grid.shared)


@frozen
class WarningGroup:
    """Warnings with the same code and remedy."""

    code: str
    messages: tuple[str, ...]
    remedy: str
    evidence: tuple[str, ...]


def group_warnings(view: RunView) -> tuple[WarningGroup, ...]:
    """Warnings with the same code and remedy in one group, in the order they first came."""
    found: dict[tuple[str, str], list[Notice]] = {}
    for warning in view.analysis.warnings:
        found.setdefault((warning.code, warning.remedy), []).append(warning)
    return tuple(
        WarningGroup(
            code,
            say_once([one.message for one in group], view.plan.stacks),
            remedy,
            tuple(dict.fromkeys(f"{name} {text}" for one in group for name, text in one.evidence)),
        )
        for (code, remedy), group in found.items()
    )


def say_once(messages: Iterable[str], stacks: Collection[str]) -> tuple[str, ...]:
    """What messages say of several stacks alike, said of the first, then for which others it holds.

    ``a has no bcast.`` and ``b has no bcast.`` become ``a has no bcast; the same holds for b.``
    """
    found: dict[str, list[str]] = {}
    for message in dict.fromkeys(messages):
        first, gap, rest = message.partition(" ")
        about, said = (first, gap + rest) if first in stacks else ("", message)
        found.setdefault(said, []).append(about)
    return tuple(
        f"{first}{said.rstrip('.')}; the same holds for {join_words(others)}." if others else f"{first}{said}"
        for said, (first, *others) in found.items()
    )


def join_words(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def plain(text: str) -> str:
    """Text that cannot steer a terminal: control and direction characters become � and tabs spaces."""
    known = text.replace("\t", " ")
    return "".join("�" if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co") and c != "\n" else c for c in known)


def fill_lines(parts: Iterable[str], most: int) -> list[str]:
    """Parts of a text in lines of at most so many letters, none broken: a longer one has a line of its own."""
    lines = [""]
    for part in parts:
        if lines[-1] and len(lines[-1]) + len(part) > most:
            lines.append("")
        lines[-1] += part
    return lines


def describe_untested(guidelines: Iterable[NotJudged], anomalies: Iterable[Undetectable]) -> list[str]:
    """Guidelines and anomalies that were not tested, and the measurement that is missing; stacks alike together."""
    groups: dict[tuple[str, int, str], list[str]] = {}
    for one in guidelines:
        groups.setdefault((one.guideline.name, one.ranks, one.missing), []).append(one.stack)
    untested = [
        f"Guideline not tested: {name}{f' on {ranks} ranks' if ranks else ''} ({', '.join(stacks)}); "
        f"missing measurement: {missing}."
        for (name, ranks, missing), stacks in groups.items()
    ]
    undetectable = [
        f"Anomaly not tested: {', '.join(one.kinds)} ({', '.join(one.stacks)}); missing measurement: {one.missing}."
        for one in anomalies
    ]
    return untested + undetectable
