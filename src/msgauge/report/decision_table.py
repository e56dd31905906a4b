"""The table of the decision as texts, for terminal and page: a row for each stack."""

from __future__ import annotations

from attrs import frozen

from msgauge import units
from msgauge.model import KeyResult, KeyTest, MeanRatio, StackSummary, Summary
from msgauge.model.measured_way import note_marks
from msgauge.model.summary import Rank
from msgauge.report.grid import format_halfwidth
from msgauge.report.phrasing import FLAG_MARKS, FORMATS, counted

STANDINGS = {"fastest": "*", "may be fastest": "*", "slower": "", "": ""}
"""The star of all tables; one in a column is that of the fastest. Simulated stacks have none beside measured ones."""


@frozen
class DecisionCell:
    """One number of a row: its mark (None in a column without marks), itself, its interval, standing or verdict."""

    mark: str | None = ""
    number: str = "–"
    interval: str = ""
    word: str = ""


@frozen
class DecisionRow:
    """One stack: its results in the order of the headings, and its mean."""

    stack: str
    simulated: bool
    cells: tuple[DecisionCell, ...]


def list_headings(summary: Summary) -> tuple[tuple[str, str], ...]:
    """Title of each column and what it was measured at: ``("latency", "pingpong, 8 B")``."""
    tests = tuple((test.title, _describe_test(test)) for test in summary.key_tests)
    return (*tests, (describe_mean(summary), _relative_to(summary))) if _has_means(summary) else tests


def explain_numbers(summary: Summary, level: float = 0.95) -> str:
    """What the numbers are, in a sentence or two; ``level``: of their intervals."""
    interval = f"{units.format_level(level)} interval"
    starred = any(cell.mark for row in list_rows(summary) for cell in row.cells)
    said = "* may be the fastest (one star in a column: it is); " * starred + f"± {interval}"
    if _has_means(summary):
        said += (
            f"; mean: geometric mean of the ratios of times, below 1 is faster, with its {interval} by itself and a "
            "verdict that is corrected for all pairs"
        )
        if summary.left_out:
            said += f", without {counted(summary.left_out, 'test')} of which the base has no result"
    flags = {flag for row in summary.stacks for one in row.results if one for flag in one.flags}
    return f"{'; '.join([said, *(f'{mark} {flag}' for flag, mark in FLAG_MARKS.items() if flag in flags)])}."


def describe_mean(summary: Summary) -> str:
    """What the last column is: ``mean of 12 tests``, ``mean for latency, 3 tests``."""
    number = counted(summary.tests, "test")
    return f"mean for {summary.purpose}, {number}" if summary.purpose else f"mean of {number}"


def list_rows(summary: Summary) -> tuple[DecisionRow, ...]:
    """The rows as they are shown, the lowest mean first."""
    return tuple(
        DecisionRow(row.stack, row.simulated, (*_show_results(summary, row), *_mean(summary, row)))
        for row in summary.stacks
    )


def _show_results(summary: Summary, row: StackSummary) -> list[DecisionCell]:
    measured = [one.results for one in summary.stacks if not one.simulated]
    beside = [row.simulated and any(results[at] for results in measured) for at in range(len(summary.key_tests))]
    return [_show_result(*each) for each in zip(summary.key_tests, row.results, beside, strict=True)]


def _show_result(test: KeyTest, one: KeyResult | None, is_apart: bool) -> DecisionCell:
    """``is_apart``: simulated where others were measured, with which it is not compared; it has no mark then."""
    if one is None:
        return DecisionCell(word="no result")
    flags = "".join(FLAG_MARKS[flag] for flag in FLAG_MARKS if flag in one.flags)
    interval = format_halfwidth(one.median, one.low, one.high) + flags
    standing: Rank = "" if is_apart else one.standing
    return DecisionCell(STANDINGS[standing], FORMATS[test.shown](one.median), interval, standing)


def _mean(summary: Summary, row: StackSummary) -> list[DecisionCell]:
    if not _has_means(summary):
        return []
    if row.stack == row.base:
        return [DecisionCell(None, "base")]
    return [_show_mean(row.mean, summary)]


def _show_mean(mean: MeanRatio | None, summary: Summary) -> DecisionCell:
    if mean is None:
        return DecisionCell(None, word="not paired")
    ratio, limits = units.format_estimate(mean.ratio, mean.ratio_low, mean.ratio_high)
    part = f"{mean.tests} of {counted(summary.tests, 'test')}, " if mean.tests != summary.tests else ""
    word = f"{part}{mean.verdict or 'not judged'}"
    return DecisionCell(None, ratio, limits, word)


def _has_means(summary: Summary) -> bool:
    return any(row.mean is not None for row in summary.stacks)


def _relative_to(summary: Summary) -> str:
    bases = list(dict.fromkeys(row.base for row in summary.stacks if row.mean is not None))
    return f"time over {' or '.join(bases)}"


def _describe_test(test: KeyTest) -> str:
    size = f", {units.format_size(test.size_bytes)}" if test.size_bytes else ""
    ranks = f", {counted(test.ranks, 'rank')}" if test.ranks != 2 else ""
    return ", ".join([f"{test.kernel}{size}{ranks}", *note_marks(test)])
