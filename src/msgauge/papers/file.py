"""Reading the file of a document: its systems, experiments, published numbers, figures and claims, as frozen values.

A file names the systems of the document and the stacks that stand for each, what is measured on which of them, the
published tables, the figures, and every claim with how it is judged. docs/reference/paper-file.md lists the keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import inf, nan
from typing import Any, get_args

from attrs import frozen

from msgauge import units
from msgauge.errors import MsgaugeError, StudyError
from msgauge.model import Mode, Stopping
from msgauge.model.stack_expression import parse_expressions
from msgauge.papers.case_levels import Hold
from msgauge.papers.claim_statement import Claim, Direction, Kind
from msgauge.papers.figures import Across, Line, Plot
from msgauge.papers.number_selection import Pick
from msgauge.papers.qualitative_tables import QualitativeRow, QualitativeTable
from msgauge.papers.tables import FACTORS, Column, Form, Row, Statistic, Table
from msgauge.study import Measure
from msgauge.toml_reader import Mistakes, parse_toml
from msgauge.toml_reader import TomlTable as Keys

LONGEST_S = 15 * 60.0
BUILDING_S = 60.0
"""What of it is kept for building workers, for the launch that runs when the time is over, and for the page."""


@frozen
class Request:
    """One ``[[measure]]`` of a paper: a measure of a study, of the systems that take part."""

    measure: Measure
    systems: tuple[str, ...]


@frozen
class Paper:
    """A document: what it compared, how that is run here, and what it published and claimed."""

    name: str
    title: str
    source: str
    about: str
    systems: tuple[tuple[str, tuple[str, ...]], ...]
    """Role, and the expressions of the stacks that stand for it, all of which are measured."""
    measures: tuple[Request, ...]
    stopping: Stopping
    tables: tuple[Table, ...]
    words: tuple[QualitativeTable, ...]
    plots: tuple[Plot, ...]
    claims: tuple[Claim, ...]
    notes: tuple[str, ...] = ()
    simulated: tuple[str, ...] = ()
    """Roles of simulated platforms: stacks that the user names are not measured with them."""
    network: str = ""
    """What joined the computers of the document, by the name of an emulated network; empty where none stands for it."""
    hosts: int = 0
    """On how many computers it can be run again."""
    networked: tuple[str, ...] = ()
    """Roles of systems that sent over that network: on hosts they are measured there and on this computer too."""

    @property
    def emulation(self) -> str:
        """What ``--hosts`` is told for the network of the document; '' where there is none."""
        return f"lab:{self.hosts}@{self.network}" if self.network else ""

    def is_real(self, roles: Iterable[str]) -> bool:
        """Whether one of these roles is no simulated platform."""
        return any(role not in self.simulated for role in roles)


def parse_paper(text: str, name: str) -> Paper:
    """The paper a TOML text describes.

    Raises:
        StudyError: with every mistake, one a line, each with its line and key.
    """
    document, mistakes = parse_toml(text, name), Mistakes(text)
    paper = _paper(Keys("", document, mistakes), name)
    if mistakes.found:
        raise StudyError(mistakes.describe(), where=name, remedy="correct them; see docs/reference/paper-file.md")
    return paper


def _paper(keys: Keys, name: str) -> Paper:
    systems = _systems(keys.table("systems"))
    roles = tuple(role for role, _ in systems)
    paper = Paper(
        name=name,
        title=keys.text("title", name),
        source=keys.text("source", ""),
        about=keys.text("about", ""),
        systems=systems,
        measures=tuple(_parse_request(one, roles) for one in keys.tables("measure")),
        stopping=_parse_stopping(keys.table("stopping")),
        tables=tuple(_table(one, roles) for one in keys.tables("table")),
        words=tuple(_words(one, roles) for one in keys.tables("words")),
        plots=tuple(_plot(one, roles) for one in keys.tables("figure")),
        claims=tuple(_claim(one, roles) for one in keys.tables("claim")),
        notes=keys.words("notes", ()),
        simulated=_parse_roles(keys, "simulated", roles),
        network=keys.text("network", ""),
        hosts=keys.integer("hosts", 2, 2, 1000),
        networked=_parse_roles(keys, "networked", roles),
    )
    keys.refuse_the_rest()
    return paper


def _systems(keys: Keys) -> tuple[tuple[str, tuple[str, ...]], ...]:
    found = tuple((role, keys.words(role, ())) for role in keys.names())
    for role, expressions in found:
        try:
            parse_expressions(expressions)
        except MsgaugeError as error:
            keys.mistake(role, error.what)
    return found


def _parse_roles(keys: Keys, key: str, roles: Sequence[str]) -> tuple[str, ...]:
    found = keys.words(key, ())
    for role in found:
        if role not in roles:
            keys.unknown(key, role, roles, "system")
    return found


def _parse_stopping(keys: Keys) -> Stopping:
    usual = Stopping(
        budget_s=LONGEST_S - BUILDING_S, minimum_rounds=5, maximum_rounds=10, deadline_s=LONGEST_S - BUILDING_S
    )
    stopping = Stopping(
        budget_s=min(keys.duration_s("budget", usual.budget_s, 0.1), LONGEST_S),
        minimum_rounds=keys.integer("minimum_rounds", usual.minimum_rounds, 1, 100),
        maximum_rounds=keys.integer("maximum_rounds", usual.maximum_rounds, 1, 100),
        ratio_precision=usual.ratio_precision,
        cell_precision=usual.cell_precision,
        cell_budget_s=keys.duration_s("cell_budget", usual.cell_budget_s, 1e-4),
        launch_limit_s=keys.duration_s("launch_limit", usual.launch_limit_s, 0.1),
        deadline_s=min(keys.duration_s("deadline", usual.deadline_s, 0.1), LONGEST_S),
        shared_core_budget_s=keys.duration_s("shared_core_budget", usual.shared_core_budget_s, 0.0),
    )
    keys.refuse_the_rest()
    return stopping


def _parse_request(keys: Keys, roles: Sequence[str]) -> Request:
    options = keys.table("options")
    modes: tuple[Mode, ...] = get_args(Mode)
    measure = Measure(
        kernel=keys.text("kernel", ""),
        sizes=keys.sizes("sizes") or (0,),
        ranks=tuple(sorted(set(keys.integers("ranks", (2,), 1, 100_000)))),
        options=tuple((name, options.words(name, ())) for name in options.names()),
        mode=modes[modes.index("single")] if keys.choice("mode", "batch", modes) == "single" else "batch",
    )
    systems = _parse_known(keys, "systems", keys.words("systems", tuple(roles)), roles)
    keys.refuse_the_rest()
    return Request(measure, systems)


def _parse_known(keys: Keys, key: str, names: tuple[str, ...], roles: Sequence[str]) -> tuple[str, ...]:
    for name in names:
        if name and name not in roles:
            keys.unknown(key, name, roles, "system")
    return tuple(name for name in names if name in roles)


def _table(keys: Keys, roles: Sequence[str]) -> Table:
    columns = tuple(_column(one, roles) for one in keys.tables("column"))
    form, unit = keys.choice("form", "time", get_args(Form)), keys.text("unit", "us")
    statistic = keys.choice("statistic", "median", get_args(Statistic))
    rows = tuple(_row(one, (form, unit, statistic), roles, len(columns)) for one in keys.tables("row"))
    table = Table(keys.text("title", ""), columns, rows, keys.text("note", ""))
    keys.refuse_the_rest()
    return table


def _column(keys: Keys, roles: Sequence[str]) -> Column:
    column = Column(keys.text("name", ""), keys.text("system", ""), keys.text("simulated", ""))
    _parse_known(keys, "system", (column.system,), roles)
    _parse_known(keys, "simulated", (column.simulated,), roles)
    keys.refuse_the_rest()
    return column


def _row(keys: Keys, usual: tuple[str, str, str], roles: Sequence[str], columns: int) -> Row:
    form, unit = keys.choice("form", usual[0], get_args(Form)), keys.choice("unit", usual[1], tuple(FACTORS))
    statistics: tuple[Statistic, ...] = get_args(Statistic)
    statistic = keys.choice("statistic", usual[2], statistics)
    published = tuple(float(value) for value in keys.numbers("published"))
    if published and len(published) != columns:
        keys.mistake("published", f"{len(published)} values for {columns} columns; write nan where there is none")
    pick = _pick(keys.table("of"), roles)
    if statistic != "median" and (pick.less or pick.alone):
        keys.mistake(
            "of",
            f"less and alone are taken round by round, of medians, and have no {statistic} of all samples; "
            'write statistic = "median", or leave them out',
        )
    row = Row(
        keys.text("label", ""),
        pick,
        "rate" if form == "rate" else "time",
        unit,
        statistics[statistics.index(statistic)],
        published,
        keys.integers("calibration", (), 1, max(columns, 1)),
    )
    keys.refuse_the_rest()
    return row


def _words(keys: Keys, roles: Sequence[str]) -> QualitativeTable:
    columns = tuple(_column(one, roles) for one in keys.tables("column"))
    rows = tuple(_word_row(one, roles, len(columns)) for one in keys.tables("row"))
    table = QualitativeTable(keys.text("title", ""), columns, rows, keys.text("note", ""))
    keys.refuse_the_rest()
    return table


def _word_row(keys: Keys, roles: Sequence[str], columns: int) -> QualitativeRow:
    published, stated = keys.lines("published"), keys.lines("stated")
    for key, texts in (("published", published), ("stated", stated)):
        if texts and len(texts) != columns:
            keys.mistake(key, f'{len(texts)} texts for {columns} columns; write "" where there is none')
    form, unit = keys.choice("form", "time", get_args(Form)), keys.choice("unit", "us", tuple(FACTORS))
    pick = _pick(keys.table("of"), roles)
    row = Row("", pick, "rate" if form == "rate" else "time", unit) if pick.kernel else None
    found = QualitativeRow(keys.text("label", ""), published, stated, row, keys.flag("coverage", False))
    keys.refuse_the_rest()
    return found


def _plot(keys: Keys, roles: Sequence[str]) -> Plot:
    across = _word(keys, "across", get_args(Across))
    form = keys.choice("form", "time", get_args(Form))
    plot = Plot(
        title=keys.text("title", ""),
        picks=tuple(_pick(one, roles) for one in keys.tables("of")),
        across=across,
        form="rate" if form == "rate" else "time",
        systems=_parse_known(keys, "systems", keys.words("systems", tuple(roles)), roles),
        efficiency=keys.flag("efficiency", False),
        published=tuple(_line(one) for one in keys.tables("published")),
    )
    if any(one.less or one.alone for one in plot.picks):
        keys.mistake("of", "a figure draws times as measured; leave out less and alone, or write efficiency = true")
    keys.refuse_the_rest()
    return plot


def _line(keys: Keys) -> Line:
    """A published line: x and y in the unit named, as ns or bytes per second."""
    factor = FACTORS[keys.choice("unit", "us", tuple(FACTORS))]
    x, y = keys.numbers("x"), keys.numbers("y")
    if len(x) != len(y):
        keys.mistake("y", f"{len(y)} values for {len(x)} places")
    points = tuple((a, b * factor, b * factor, b * factor) for a, b in zip(x, y, strict=False))
    line = Line(keys.text("name", ""), points, published=True)
    keys.refuse_the_rest()
    return line


def _word(keys: Keys, key: str, choices: tuple[Any, ...]) -> Any:
    return keys.choice(key, choices[0], choices)


def _claim(keys: Keys, roles: Sequence[str]) -> Claim:
    sizes, ranks, among = _parse_cases(keys)
    claim = Claim(
        text=keys.text("text", ""),
        where=keys.text("where", ""),
        kind=_word(keys, "kind", get_args(Kind)),
        left=_pick(keys.table("left"), roles),
        right=_pick(keys.table("right"), roles),
        sizes=sizes,
        ranks=ranks,
        among=among,
        low=keys.number("low", 0.0),
        high=keys.number("high", inf),
        hold=_word(keys, "hold", get_args(Hold)),
        fact=keys.text("fact", ""),
        expected=keys.flag("expected", True),
        direction=_word(keys, "direction", get_args(Direction)),
        question=keys.flag("question", False),
        note=keys.text("note", ""),
    )
    if claim.kind == "spread" and claim.left.less:
        keys.mistake("left", "a spread is of times, and what is left of one may be zero or less; leave out less")
    keys.refuse_the_rest()
    return claim


def _parse_cases(keys: Keys) -> tuple[tuple[int, ...], tuple[int, ...], frozenset[tuple[int, int]] | None]:
    """The sizes and the numbers of ranks of a claim, and those of its cases that ``cases`` lists in groups."""
    usual, groups = _parse_sizes_and_ranks(keys), keys.tables("cases")
    places = [place for one in groups for place in product(*_parse_sizes_and_ranks(one))]
    for one in groups:
        one.refuse_the_rest()
    if not groups:
        return *usual, None
    if {"sizes", "ranks"} & set(keys.names()):
        keys.mistake("cases", "stands in place of sizes and ranks")
    sizes, ranks = ({place[side] for place in places} for side in (0, 1))
    return tuple(sorted(sizes)), tuple(sorted(ranks)), frozenset(places)


def _parse_sizes_and_ranks(keys: Keys) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return keys.sizes("sizes") or (0,), keys.integers("ranks", (2,), 1, 100_000)


def _pick(keys: Keys, roles: Sequence[str]) -> Pick:
    options = keys.table("options")
    size = keys.text("size", "")
    ranks = keys.integer("ranks", 0, 0, 100_000)
    pick = Pick(
        system=keys.text("system", ""),
        kernel=keys.text("kernel", ""),
        size_bytes=int(units.parse_size(size)) if size else None,
        ranks=ranks or None,
        options=tuple((name, options.text(name, "")) for name in options.names()),
        series=keys.text("series", ""),
        times=keys.number("times", 1.0),
        constant_ns=keys.number("ns", nan),
        alone=keys.flag("alone", False),
        less=tuple(_pick(one, roles) for one in keys.tables("less")),
        name=keys.text("name", ""),
    )
    _parse_known(keys, "system", (pick.system,), roles)
    keys.refuse_the_rest()
    return pick
