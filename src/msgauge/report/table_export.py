"""The tables of a run in Markdown and LaTeX: every number with its ratio to the base and its verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite

from attrs import frozen

from msgauge import units
from msgauge.analysis.findings.caveats import describe_caveats, map_slow_launches
from msgauge.model import Analysis, Comparison, Kernel, Plan
from msgauge.report.decision_table import STANDINGS, DecisionCell, explain_numbers, list_headings, list_rows
from msgauge.report.grid import Entry, Grid, make_grids
from msgauge.report.phrasing import format_entry, plain

_Key = tuple[str, int]
"""A stack and the number of a cell."""
_LONGEST = 60
"""Letters of a text that a column of a table in LaTeX is as wide as."""
_CORRECTED = (
    "Each interval is of its own number; verdicts are corrected for all pairs of stacks in all tests, those of means "
    "for all pairs of means, so that an interval without 1 may be undecided."
)


@frozen
class ExportTable:
    """A caption, headings, and rows of text; all numbers carry their units."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    """What the numbers are; it stands below the table."""


def make_tables(plan: Plan, analysis: Analysis, kernels: Sequence[Kernel]) -> tuple[ExportTable, ...]:
    """The decision, then a table for each kernel, number of ranks and set of options, as the page has them."""
    compared = {(one.other, one.cell): one for one in analysis.comparisons}
    slow = map_slow_launches(analysis.estimates)
    words = {key: one.verdict + describe_caveats([one], slow, analysis.interval_level) for key, one in compared.items()}
    grids = make_grids(plan, analysis, kernels)
    tables = [
        _grid_table(grid, compared, words, units.format_level(analysis.interval_level))
        for grid in grids
        if any(entry.estimate for entry in grid.entries)
    ]
    return (*_decision_table(analysis), *tables)


def write_markdown(tables: Iterable[ExportTable]) -> str:
    """Pipe tables, each below its caption in bold."""
    parts = []
    for table in tables:
        lines = [f"**{_markdown(table.caption)}**", ""]
        rows = [[_markdown(word) for word in row] for row in (table.columns, *table.rows)]
        lines += [f"| {' | '.join(rows[0])} |", f"|{'---|' * len(table.columns)}"]
        lines += [f"| {' | '.join(row)} |" for row in rows[1:]]
        parts.append("\n".join([*lines, *(["", _markdown(table.note)] if table.note else [])]) + "\n")
    return "\n".join(parts)


def write_latex(tables: Iterable[ExportTable]) -> str:
    """``table`` environments with booktabs rules; every special character escaped, so that any name compiles."""
    parts = ["% \\usepackage{booktabs}"]
    for table in tables:
        lines = [
            "\\begin{table}\\small",
            f"\\caption{{{_latex(table.caption)}}}",
            f"\\begin{{tabular}}{{{_latex_columns(table)}}}",
            "\\toprule",
        ]
        lines += [f"{' & '.join(map(_latex_heading, table.columns))} \\\\", "\\midrule"]
        lines += [f"{' & '.join(map(_latex, row))} \\\\" for row in table.rows]
        lines += ["\\bottomrule", "\\end{tabular}", *([f"\\par {_latex(table.note)}"] if table.note else [])]
        parts.append("\n".join([*lines, "\\end{table}"]))
    return "\n\n".join(parts) + "\n"


def _decision_table(analysis: Analysis) -> Iterator[ExportTable]:
    decision = analysis.summary
    if decision is None:
        return
    headings = tuple(f"{title} ({where})" for title, where in list_headings(decision))
    rows = tuple((row.stack, *map(_join_cell, row.cells)) for row in list_rows(decision))
    note = f"{explain_numbers(decision, analysis.interval_level)} {_CORRECTED}"
    yield ExportTable(f"{analysis.study}: the stacks compared", ("Stack", *headings), rows, note)


def _join_cell(cell: DecisionCell) -> str:
    """``* 345 ns ±2%``, or a mean: ``1.10 (1.03 to 1.16), undecided``."""
    if cell.mark is not None:
        word = "" if cell.word in STANDINGS else cell.word
        return " ".join(part for part in (cell.mark, cell.number, cell.interval, word) if part)
    limits = f" ({cell.interval})" if cell.interval else ""
    return ", ".join(part for part in (cell.number + limits, cell.word) if part)


def _grid_table(grid: Grid, compared: Mapping[_Key, Comparison], words: Mapping[_Key, str], level: str) -> ExportTable:
    """``words``: the verdict of each comparison, with what the medians hide of it."""
    columns = ("Size", "Stack", "Median", "±", "Ratio", f"{level} interval", "Verdict")
    rows = tuple(
        _row(entry, grid, compared.get((entry.stack, entry.cell.id)), words.get((entry.stack, entry.cell.id), ""))
        for row in grid.rows
        for entry in row
        if entry.estimate is not None
    )
    bases = dict.fromkeys(one.base for one in compared.values() if one.cell in {row[0].cell.id for row in grid.rows})
    caption = grid.title + (f"; ratio of times to {' or '.join(bases)}" if bases else "")
    return ExportTable(caption, columns, rows, f"{level} intervals. {_CORRECTED}" if bases else "")


def _row(entry: Entry, grid: Grid, one: Comparison | None, verdict: str) -> tuple[str, ...]:
    number, interval = format_entry(entry, grid.shown)
    words = (units.format_size(entry.cell.size_bytes), entry.stack, number, interval.removeprefix("±"))
    if one is None or not one.ratio > 0:
        return (*words, "", "", "")
    known = isfinite(one.ratio_low) and isfinite(one.ratio_high)
    ratio, limits = units.format_estimate(one.ratio, one.ratio_low, one.ratio_high)
    return (*words, ratio, limits if known else "", verdict)


def _markdown(text: str) -> str:
    """A cell that ends no column, makes no link and no markup."""
    text = plain(text).replace("\n", " ").replace("\\", "\\\\")
    for character in "|*_`<>[]":
        text = text.replace(character, f"\\{character}")
    return text


_LATEX = {
    "\\": "\\textbackslash{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "µ": "$\\mu$",
    "±": "$\\pm$",
    "×": "$\\times$",
    "–": "--",
    ">": "$>$",
    "<": "$<$",
}


def _latex_columns(table: ExportTable) -> str:
    """As wide as their texts, but for those that would not fit a page beside the others, which have several lines."""
    longest = [max((len(row[at]) for row in table.rows), default=0) for at in range(len(table.columns))]
    return "".join("p{4cm}" if length > _LONGEST else "l" for length in longest)


def _latex_heading(text: str) -> str:
    """``latency (pingpong, 8 B)`` in two lines, so that six columns fit a page."""
    title, opening, where = text.partition(" (")
    lines = [title, where.removesuffix(")")] if opening else [title]
    return f"\\shortstack[l]{{{_latex(lines[0])}\\\\{_latex(lines[1])}}}" if len(lines) > 1 else _latex(title)


def _latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in plain(text).replace("\n", " "))
