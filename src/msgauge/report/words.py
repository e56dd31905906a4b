"""The sentences and marks that terminal and page share, so that both say the same thing in the same words."""

from __future__ import annotations

import shlex
import unicodedata
from collections.abc import Iterable

from attrs import frozen

from msgauge import units
from msgauge.advise.unlooked import NotLookedFor
from msgauge.model import Command, Finding, Warning
from msgauge.models.guidelines import NotJudged
from msgauge.report.grid import Entry, Flag, Grid, Shown, Standing, amounts, halfwidth
from msgauge.report.view import RunView

STANDING_MARKS: dict[Standing, str] = {"fastest": "*", "equal": "=", "level": "~"}
STANDING_MEANINGS: dict[Standing, str] = {
    "fastest": "the fastest stack of the row",
    "equal": "equivalent to the fastest: the same within 3 %",
    "level": "not resolved from the fastest: these data cannot tell them apart",
}
FLAG_MARKS: dict[Flag, str] = {"emulated": "e", "simulated": "s", "oversubscribed": "o", "unsettled": "u"}
FLAG_MEANINGS: dict[Flag, str] = {
    "emulated": "emulated: built from send and receive, because the stack lacks the operation",
    "simulated": "simulated: not a time of this machine, and in no verdict with measured ones",
    "oversubscribed": "oversubscribed: more ranks than cores, so a library that polls measures the scheduler",
    "unsettled": "unsettled: the time still drifted when the cell's budget ended",
}
counted = units.counted
_ENDINGS = {
    "precision": "every comparison was precise enough",
    "budget": "the time budget was used up",
    "deadline": "its deadline had come",
    "rounds": "the last round was done",
    "interrupted": "it was interrupted",
    "failures": "no stack was left to start",
}


def ending(why: str) -> str:
    """Why measuring ended, to be said after ``stopped because``."""
    return _ENDINGS.get(why, plain(why) or "the reason was not recorded")


def span(view: RunView) -> str:
    """``8 rounds, 32 launches, 58 s of measuring``."""
    seconds = sum(record.seconds for record in view.records)
    parts = [counted(view.analysis.rounds, "round"), *([counted(len(view.records), "launch")] if view.records else [])]
    return ", ".join(parts + ([f"{units.format_duration(seconds)} of measuring"] if seconds else []))


def findings(view: RunView) -> tuple[Finding, ...]:
    """What matters most first."""
    return tuple(sorted(view.analysis.findings, key=lambda finding: -finding.weight))


_FORMATS = {"time": units.format_time, "bandwidth": units.format_rate, "messages": units.format_message_rate}


def value(entry: Entry, shown: Shown) -> tuple[str, str]:
    """The number with its unit, and its interval: ``("1.23 µs", "±2%")``; ``("–", "")`` where there is none."""
    if entry.estimate is None:
        return ({"failed": "failed", "refused": "refused"}.get(entry.standing, "–"), "")
    middle, low, high = amounts(entry, shown)
    return (_FORMATS[shown](middle), halfwidth(middle, low, high))


def marks(entry: Entry, shared: Iterable[Flag]) -> str:
    """The letters of the flags that are not already said in the heading."""
    return "".join(FLAG_MARKS[flag] for flag in entry.flags if flag not in shared)


def column_notes(grid: Grid) -> dict[str, tuple[Flag, ...]]:
    """Flags that hold for a whole column (every entry of the stack) and not for the whole grid."""
    notes: dict[str, tuple[Flag, ...]] = {}
    for index, stack in enumerate(grid.stacks):
        measured = [frozenset(row[index].flags) for row in grid.rows if row[index].estimate]
        every = frozenset.intersection(*measured) if measured else frozenset()
        notes[stack] = tuple(flag for flag in FLAG_MARKS if flag in every and flag not in grid.shared)
    return notes


def heading_notes(grid: Grid) -> str:
    """What every number of the grid shares, as words: ``oversubscribed``."""
    return ", ".join(flag for flag in FLAG_MARKS if flag in grid.shared)


@frozen
class WarningGroup:
    """Warnings of one code and remedy, told together."""

    code: str
    messages: tuple[str, ...]
    remedy: str
    evidence: tuple[str, ...]


def warning_groups(warnings: Iterable[Warning]) -> tuple[WarningGroup, ...]:
    """Warnings with the same code and remedy in one group, in the order they first came."""
    found: dict[tuple[str, str], list[Warning]] = {}
    for warning in warnings:
        found.setdefault((warning.code, warning.remedy), []).append(warning)
    return tuple(
        WarningGroup(
            code,
            tuple(dict.fromkeys(one.message for one in group)),
            remedy,
            tuple(dict.fromkeys(f"{name} {text}" for one in group for name, text in one.evidence)),
        )
        for (code, remedy), group in found.items()
    )


def command_line(command: Command) -> str:
    """A command as it can be pasted into a shell, with the environment it adds and the user it runs as."""
    words = [f"{name}={shlex.quote(text)}" for name, text in command.environment]
    words += [shlex.quote(word) for word in command.argv]
    text = " ".join(words)
    if command.folder:
        text = f"cd {shlex.quote(command.folder)} && {text}"
    return f"su {shlex.quote(command.user)} -s /bin/sh -c {shlex.quote(text)}" if command.user else text


def plain(text: str) -> str:
    """Text that cannot steer a terminal: control and direction characters become replacement characters."""
    return "".join("�" if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co") and c != "\n" else c for c in text)


def of_silence(silent: Iterable[NotJudged], unlooked: Iterable[NotLookedFor]) -> list[str]:
    """What nothing is said about, and what was not measured for it; stacks that lack the same stand together."""
    groups: dict[tuple[str, int, str], list[str]] = {}
    for one in silent:
        groups.setdefault((one.guideline.name, one.ranks, one.missing), []).append(one.stack)
    told = [
        f"Not judged: {name}{f' on {ranks} ranks' if ranks else ''} ({', '.join(stacks)}): not measured: {missing}."
        for (name, ranks, missing), stacks in groups.items()
    ]
    looked = [
        f"Not looked for: {', '.join(one.kinds)} ({', '.join(one.stacks)}): not measured: {one.missing}."
        for one in unlooked
    ]
    return told + looked
