"""The documents that msgauge runs again: one file each in ``studies/papers``, with the published numbers as data.

A file names the systems of the document and the stacks that stand for each, what is measured on which of them, the
published tables, the figures, and every claim with how it is judged. docs/reference/paper-file.md lists the keys.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from math import inf, nan
from pathlib import Path
from typing import Any, Literal, get_args

from attrs import evolve, frozen

from msgauge import units
from msgauge.advise.claims import Claim, Hold, Kind
from msgauge.advise.observed import Pick
from msgauge.advise.published import FACTORS, Column, Form, Plot, Row, Table
from msgauge.errors import MsgaugeError, StudyError
from msgauge.model import Kernel, Mode, Stack, Stopping
from msgauge.stacks import registry
from msgauge.stacks.choice import parse_expressions
from msgauge.study import Measure, Study
from msgauge.toml_tables import Mistakes
from msgauge.toml_tables import Table as Keys

FOLDER = Path(__file__).parent / "studies" / "papers"
NAMED = "named"
"""The role of stacks that the user names beside those of the document."""
LONGEST_S = 15 * 60.0


@frozen
class Asked:
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
    measures: tuple[Asked, ...]
    stopping: Stopping
    tables: tuple[Table, ...]
    plots: tuple[Plot, ...]
    claims: tuple[Claim, ...]
    notes: tuple[str, ...] = ()


def shipped_papers() -> tuple[str, ...]:
    """Names of the papers that come with msgauge."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def load_paper(name: str) -> Paper:
    """A shipped paper by its name.

    Raises:
        StudyError: no such paper, or one with mistakes (all of them listed).
    """
    if name not in shipped_papers():
        raise StudyError(f"there is no paper {name!r}", remedy=f"name one of {', '.join(shipped_papers())}")
    return parse_paper((FOLDER / f"{name}.toml").read_text(encoding="utf-8"), name)


def parse_paper(text: str, name: str) -> Paper:
    """The paper a TOML text describes.

    Raises:
        StudyError: with every mistake, one a line, each with its line and key.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StudyError(f"not TOML: {error}", where=name, remedy="correct it at the place named") from error
    mistakes = Mistakes(text)
    paper = _paper(Keys("", document, mistakes), name)
    if mistakes.found:
        raise StudyError(mistakes.listed(), where=name, remedy="correct them; see docs/reference/paper-file.md")
    return paper


# --- what of it can be run here --------------------------------------------------------------------------------


@frozen
class Ready:
    """A paper's study on this machine, and what of it is missing, by name and with the reason."""

    study: Study
    missing: tuple[str, ...]


def ready(paper: Paper, here: Sequence[Stack], kernels: Mapping[str, Kernel], named: Sequence[str] = ()) -> Ready:
    """The study of a paper with the stacks and kernels that are here; ``named``: further stacks of the user's.

    Raises:
        StackError: a stack that the user named is not here.
        StudyError: nothing of the paper can be run.
    """
    roles: dict[str, tuple[str, ...]] = {}
    missing: list[str] = []
    for role, expressions in paper.systems:
        roles[role] = tuple(spec for one in expressions for spec in _specs(one, here, role, missing))
    roles[NAMED] = tuple(stack.spec for stack in registry.select(here, named)) if named else ()
    measures: list[Measure] = []
    for asked in paper.measures:
        measure = _possible(asked.measure, kernels, missing)
        specs = tuple(dict.fromkeys(spec for role in _roles_of(asked, paper) for spec in roles[role]))
        if measure is not None and specs:
            measures.append(evolve(measure, stacks=specs))
    stacks = tuple(dict.fromkeys(spec for measure in measures for spec in measure.stacks))
    if not measures:
        raise StudyError(f"nothing of {paper.name} can be run: {'; '.join(missing)}", remedy="msgauge stacks")
    study = Study(paper.name, paper.title, stacks, tuple(measures), stopping=paper.stopping)
    return Ready(study, tuple(dict.fromkeys(missing)))


def _roles_of(asked: Asked, paper: Paper) -> tuple[str, ...]:
    """The systems of a measure; stacks that the user names join where real ones take part."""
    expressions = dict(paper.systems)
    real = any(not text.startswith("smpi") for role in asked.systems for text in expressions[role])
    return (*asked.systems, *((NAMED,) if real else ()))


def _specs(expression: str, here: Sequence[Stack], role: str, missing: list[str]) -> tuple[str, ...]:
    try:
        return tuple(stack.spec for stack in registry.select(here, (expression,)))
    except MsgaugeError as error:
        missing.append(f"{role} ({expression}): {error.what}")
        return ()


def _possible(measure: Measure, kernels: Mapping[str, Kernel], missing: list[str]) -> Measure | None:
    """The measure with the choices this msgauge has; None when it has no such kernel."""
    kernel = kernels.get(measure.kernel)
    if kernel is None:
        missing.append(f"kernel {measure.kernel}: this msgauge has none of that name")
        return None
    known = {option.name: option.choices for option in kernel.options}
    lacking = [f"{n}={one}" for n, choices in measure.options for one in choices if one not in known.get(n, ())]
    missing += [f"kernel {kernel.name}: it has no option {one}" for one in lacking]
    kept = tuple((n, tuple(one for one in choices if one in known.get(n, ()))) for n, choices in measure.options)
    if any(choices and not left for (_, choices), (_, left) in zip(measure.options, kept, strict=True)):
        return None
    return evolve(measure, options=kept, sizes=measure.sizes if kernel.sized else (0,))


def systems_of(paper: Paper, stacks: Sequence[Stack]) -> dict[str, tuple[str, ...]]:
    """Role to specs among the stacks of a run; those that stand for no role have the role ``named``."""
    roles = {
        role: tuple(stack.spec for one in expressions for stack in stacks if _means(one, stack))
        for role, expressions in paper.systems
    }
    taken = {spec for specs in roles.values() for spec in specs}
    return {**roles, NAMED: tuple(stack.spec for stack in stacks if stack.spec not in taken)}


def missing_of(paper: Paper, stacks: Sequence[Stack], kernels: Sequence[str]) -> tuple[str, ...]:
    """What of a paper a run does not hold, by name; ``kernels``: those of its cells."""
    systems = systems_of(paper, stacks)
    absent = [f"{role} ({', '.join(expressions)})" for role, expressions in paper.systems if not systems[role]]
    wanted = dict.fromkeys(asked.measure.kernel for asked in paper.measures)
    return (*absent, *(f"kernel {kernel}" for kernel in wanted if kernel not in kernels))


def _means(expression: str, stack: Stack) -> bool:
    (wanted,) = parse_expressions((expression,))
    version = wanted.version in {"", "all"} or f"{stack.version}.".startswith(f"{wanted.version}.")
    return (
        wanted.family == stack.family
        and version
        and wanted.origin in {"", stack.origin.kind}
        and set(wanted.words) == set(stack.variant)
    )


# --- reading the file -------------------------------------------------------------------------------------------


def _paper(keys: Keys, name: str) -> Paper:
    systems = _systems(keys.table("systems"))
    roles = tuple(role for role, _ in systems)
    paper = Paper(
        name=name,
        title=keys.text("title", name),
        source=keys.text("source", ""),
        about=keys.text("about", ""),
        systems=systems,
        measures=tuple(_asked(one, roles) for one in keys.tables("measure")),
        stopping=_stopping(keys.table("stopping")),
        tables=tuple(_table(one, roles) for one in keys.tables("table")),
        plots=tuple(_plot(one, roles) for one in keys.tables("figure")),
        claims=tuple(_claim(one, roles) for one in keys.tables("claim")),
        notes=keys.words("notes", ()),
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


def _stopping(keys: Keys) -> Stopping:
    usual = Stopping(budget_s=LONGEST_S - 60, minimum_rounds=5, maximum_rounds=10)
    stopping = Stopping(
        budget_s=min(keys.duration_s("budget", usual.budget_s, 0.1), LONGEST_S),
        minimum_rounds=keys.integer("minimum_rounds", usual.minimum_rounds, 1, 100),
        maximum_rounds=keys.integer("maximum_rounds", usual.maximum_rounds, 1, 100),
        ratio_precision=usual.ratio_precision,
        cell_precision=usual.cell_precision,
        cell_budget_s=keys.duration_s("cell_budget", usual.cell_budget_s, 1e-4),
        launch_limit_s=keys.duration_s("launch_limit", usual.launch_limit_s, 0.1),
    )
    keys.refuse_the_rest()
    return stopping


def _asked(keys: Keys, roles: Sequence[str]) -> Asked:
    options = keys.table("options")
    modes: tuple[Mode, ...] = get_args(Mode)
    measure = Measure(
        kernel=keys.text("kernel", ""),
        sizes=keys.sizes("sizes") or (0,),
        ranks=tuple(sorted(set(keys.integers("ranks", (2,), 1, 100_000)))),
        options=tuple((name, options.words(name, ())) for name in options.names()),
        mode=modes[modes.index("single")] if keys.choice("mode", "batch", modes) == "single" else "batch",
    )
    systems = _known(keys, "systems", keys.words("systems", tuple(roles)), roles)
    keys.refuse_the_rest()
    return Asked(measure, systems)


def _known(keys: Keys, key: str, names: tuple[str, ...], roles: Sequence[str]) -> tuple[str, ...]:
    for name in names:
        if name and name not in roles:
            keys.unknown(key, name, roles, "system")
    return tuple(name for name in names if name in roles)


def _table(keys: Keys, roles: Sequence[str]) -> Table:
    columns = tuple(_column(one, roles) for one in keys.tables("column"))
    form, unit = keys.choice("form", "time", get_args(Form)), keys.text("unit", "us")
    statistic = keys.choice("statistic", "median", ("median", "minimum"))
    rows = tuple(_row(one, (form, unit, statistic), roles, len(columns)) for one in keys.tables("row"))
    table = Table(keys.text("title", ""), columns, rows, keys.text("note", ""))
    keys.refuse_the_rest()
    return table


def _column(keys: Keys, roles: Sequence[str]) -> Column:
    column = Column(keys.text("name", ""), keys.text("system", ""), keys.text("simulated", ""))
    _known(keys, "system", (column.system,), roles)
    _known(keys, "simulated", (column.simulated,), roles)
    keys.refuse_the_rest()
    return column


def _row(keys: Keys, usual: tuple[str, str, str], roles: Sequence[str], columns: int) -> Row:
    form, unit = keys.choice("form", usual[0], get_args(Form)), keys.choice("unit", usual[1], tuple(FACTORS))
    statistic = keys.choice("statistic", usual[2], ("median", "minimum"))
    published = tuple(float(value) for value in keys.numbers("published"))
    if published and len(published) != columns:
        keys.mistake("published", f"{len(published)} values for {columns} columns; write nan where there is none")
    row = Row(
        keys.text("label", ""),
        _pick(keys.table("of"), roles),
        "rate" if form == "rate" else "time",
        unit,
        "minimum" if statistic == "minimum" else "median",
        published,
    )
    keys.refuse_the_rest()
    return row


def _plot(keys: Keys, roles: Sequence[str]) -> Plot:
    across: tuple[Literal["size", "ranks", "step"], ...] = ("size", "ranks", "step")
    plot = Plot(
        title=keys.text("title", ""),
        pick=_pick(keys.table("of"), roles),
        across=across[across.index(_word(keys, "across", across))],
        form="rate" if keys.choice("form", "time", get_args(Form)) == "rate" else "time",
        systems=_known(keys, "systems", keys.words("systems", tuple(roles)), roles),
        efficiency=keys.flag("efficiency", False),
    )
    keys.refuse_the_rest()
    return plot


def _word(keys: Keys, key: str, choices: tuple[Any, ...]) -> Any:
    return keys.choice(key, choices[0], choices)


def _claim(keys: Keys, roles: Sequence[str]) -> Claim:
    claim = Claim(
        text=keys.text("text", ""),
        where=keys.text("where", ""),
        kind=_word(keys, "kind", get_args(Kind)),
        left=_pick(keys.table("left"), roles),
        right=_pick(keys.table("right"), roles),
        sizes=keys.sizes("sizes") or (0,),
        ranks=keys.integers("ranks", (2,), 1, 100_000),
        low=keys.number("low", 0.0),
        high=keys.number("high", inf),
        hold=_word(keys, "hold", get_args(Hold)),
        fact=keys.text("fact", ""),
        expected=keys.flag("expected", True),
        question=keys.flag("question", False),
        note=keys.text("note", ""),
    )
    keys.refuse_the_rest()
    return claim


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
    )
    _known(keys, "system", (pick.system,), roles)
    keys.refuse_the_rest()
    return pick
