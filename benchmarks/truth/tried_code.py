"""Which code a simulation tries, and a digest of it: figures that another code gave are told apart by it.

What counts is what its function reaches by the names that stand in it: definitions, what these name, and so on through
all modules. A change beside them, such as a new function in the same file, leaves its figures as they are.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from attrs import frozen
from benchmarks.truth.simulation import Simulation

import msgauge

PLACES = {"msgauge": Path(msgauge.__file__).parents[1], "benchmarks": Path(__file__).parents[2]}
JUDGING = ("msgauge.stats.", "msgauge.analysis.", "msgauge.models.", "msgauge.papers.")
"""What turns measured times into what is said of them; the rest carries them there."""
ASIDE = "benchmarks.truth.former"
"""What msgauge did once is tried for comparison alone."""
_WHOLE = ""
"""In place of a name: all of a module."""
_ALWAYS = (ast.Expr, ast.If, ast.For, ast.While, ast.With, ast.Try, ast.AugAssign)

Definition = tuple[str, str]
"""A module and a name in it."""


@frozen
class Module:
    """A file by its names: the statements at its top that bind each, and those that run whatever is asked of it."""

    lines: tuple[str, ...]
    bound: dict[str, tuple[ast.stmt, ...]]
    always: tuple[ast.stmt, ...]

    def statements(self, definition: str) -> tuple[ast.stmt, ...]:
        """Those that bind a name, none where it has none; those that always run where no name is given."""
        return self.always if definition == _WHOLE else self.bound.get(definition, ())

    def code(self, statement: ast.stmt) -> str:
        """A statement as it stands, decorators too."""
        decorators = getattr(statement, "decorator_list", [])
        first = min([statement.lineno, *(one.lineno for one in decorators)])
        return "\n".join(line for line in self.lines[first - 1 : statement.end_lineno] if line)


def digest_of(simulation: Simulation) -> str:
    """Twelve digits of the code that judges in this simulation; empty where none does."""
    return _digest(simulation.function.__module__, simulation.function.__name__)


@cache
def tried_definitions(module: str, function: str) -> tuple[Definition, ...]:
    """What a function reaches in the modules of ``JUDGING``, in alphabetical order."""
    seen: set[Definition] = set()
    left = [(module, function)]
    while left:
        one = left.pop()
        if one not in seen and one[0] != ASIDE and _read(one[0]) is not None:
            seen.add(one)
            left += _reached(*one)
    return tuple(sorted(one for one in seen if one[0].startswith(JUDGING)))


def read_code(text: str) -> str:
    """A module without its docstrings, its lines of comment and its empty lines: what can change a figure."""
    return "\n".join(line for line in _blank(text) if line)


def _blank(text: str) -> tuple[str, ...]:
    """Its lines; empty are those of docstrings and comments."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines[node.lineno - 1 : node.end_lineno] = [""] * ((node.end_lineno or node.lineno) - node.lineno + 1)
    return tuple("" if line.lstrip().startswith("#") or not line.strip() else line for line in lines)


@cache
def _digest(module: str, function: str) -> str:
    names = tried_definitions(module, function)
    code = sorted(filter(None, ("\n".join(_code_of(*one)) for one in names)))  # in whatever file: a move changes none
    return hashlib.sha256("\n\n".join(code).encode()).hexdigest()[:12] if names else ""


def _code_of(name: str, definition: str) -> Iterator[str]:
    module = _read(name)
    if module is not None:
        for one in module.statements(definition):
            if not isinstance(one, ast.Import | ast.ImportFrom) and (code := module.code(one)):
                yield code  # not where a name comes from, which changes no figure


def _reached(name: str, definition: str) -> Iterator[Definition]:
    """What a definition names, one step far."""
    module = _read(name)
    if module is None:
        return
    yield name, _WHOLE
    for one in module.statements(definition):
        if isinstance(one, ast.Import | ast.ImportFrom):
            yield from (place for bound, place in _imported(one) if bound == definition)
        else:
            yield from _named(name, module, one)


def _named(name: str, module: Module, statement: ast.stmt) -> Iterator[Definition]:
    """Definitions of this module and of others that stand in a statement.

    Of a module that is imported within it, or handed on as such, all names count, for it may be asked for any.
    """
    asked = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            asked.add(node.value)
            yield from ((place, node.attr) for place, whole in _places(module, node.value.id) if whole == _WHOLE)
        elif isinstance(node, ast.Name) and node.id in module.bound:
            yield name, node.id
            if node not in asked:
                yield from (one for place in _places(module, node.id) for one in _all_of(*place))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (one for _, place in _imported(node) for one in _all_of(*place))


def _places(module: Module, name: str) -> Iterator[Definition]:
    """What a name of a module is, where an import binds it."""
    yield from (place for one in module.bound.get(name, ()) for bound, place in _imported(one) if bound == name)


def _all_of(name: str, definition: str) -> Iterator[Definition]:
    """A definition, or all of a module where none is named."""
    module = _read(name)
    yield name, definition
    if module is not None and definition == _WHOLE:
        yield from ((name, one) for one in module.bound)


def _imported(node: ast.AST) -> Iterator[tuple[str, Definition]]:
    """The name that an import binds, and what that is: a definition elsewhere, or a module as such."""
    if isinstance(node, ast.Import):
        yield from ((one.asname or one.name.partition(".")[0], (one.name, _WHOLE)) for one in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        for one in node.names:
            inner = f"{node.module}.{one.name}"
            place = (inner, _WHOLE) if _find(inner) is not None else (node.module, one.name)
            yield one.asname or one.name, place


@cache
def _read(name: str) -> Module | None:
    """A module of msgauge or of these benchmarks; None for others."""
    path = _find(name)
    if path is None:
        return None
    text = path.read_text(encoding="utf-8")
    bound: dict[str, tuple[ast.stmt, ...]] = {}
    always: list[ast.stmt] = []
    for one in ast.parse(text).body:
        if isinstance(one, _ALWAYS):
            always.append(one)
        for each in _binds(one):
            bound[each] = (*bound.get(each, ()), one)
    return Module(_blank(text), bound, tuple(always))


def _binds(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        yield statement.name
    elif isinstance(statement, ast.Import | ast.ImportFrom):
        yield from (one.asname or one.name.partition(".")[0] for one in statement.names)
    elif isinstance(statement, ast.Assign | ast.AnnAssign):
        names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
        yield from (node.id for node in names if isinstance(node.ctx, ast.Store))


@cache
def _find(name: str) -> Path | None:
    """The file of a module of msgauge or of these benchmarks; None for others."""
    place = PLACES.get(name.partition(".")[0])
    if place is None:
        return None
    stem = place.joinpath(*name.split("."))
    return next((path for path in (stem.with_suffix(".py"), stem / "__init__.py") if path.is_file()), None)
