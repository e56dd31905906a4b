"""Which code a simulation tries, and a digest of it: figures that another code gave are told apart by it."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from benchmarks.truth.simulation import Simulation

import msgauge

PLACES = {"msgauge": Path(msgauge.__file__).parents[1], "benchmarks": Path(__file__).parents[2]}
JUDGING = ("msgauge.stats.", "msgauge.analysis.", "msgauge.models.", "msgauge.papers.")
"""What turns measured times into what is said of them; the rest carries them there."""
ASIDE = "benchmarks.truth.former"
"""What msgauge did once is tried for comparison alone."""


def digest_of(simulation: Simulation) -> str:
    """Twelve digits of the modules that judge in this simulation; empty where none does."""
    return _digest(simulation.function.__module__)


@cache
def tried_modules(module: str) -> tuple[str, ...]:
    """Names of the modules of ``JUDGING`` that a module imports, those of its imports too, in alphabetical order."""
    seen: set[str] = set()
    left = [module]
    while left:
        name = left.pop()
        path = _find(name)
        if name in seen or name == ASIDE or path is None:
            continue
        seen.add(name)
        left += _imports(path)
    return tuple(sorted(name for name in seen if name.startswith(JUDGING)))


def read_code(text: str) -> str:
    """A module without its docstrings, its lines of comment and its empty lines: what can change a figure."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines[node.lineno - 1 : node.end_lineno] = [""] * ((node.end_lineno or node.lineno) - node.lineno + 1)
    return "\n".join(line for line in lines if line.strip() and not line.lstrip().startswith("#"))


@cache
def _digest(module: str) -> str:
    found = hashlib.sha256()
    names = tried_modules(module)
    for name in names:
        path = _find(name)
        found.update(f"{name}\n{read_code(path.read_text(encoding='utf-8'))}\n".encode() if path else b"")
    return found.hexdigest()[:12] if names else ""


def _find(name: str) -> Path | None:
    """The file of a module of msgauge or of these benchmarks; None for others."""
    place = PLACES.get(name.partition(".")[0])
    if place is None:
        return None
    stem = place.joinpath(*name.split("."))
    return next((path for path in (stem.with_suffix(".py"), stem / "__init__.py") if path.is_file()), None)


def _imports(path: Path) -> Iterator[str]:
    """Names that a file imports, also inside its functions; of ``from a import b`` both ``a`` and ``a.b``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{one.name}" for one in node.names)
