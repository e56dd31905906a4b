"""The page on reports lists the codes of all warnings, and no others."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import msgauge

ROOT = Path(__file__).parents[2]


def test_every_code_of_a_warning_is_listed_with_what_it_says() -> None:
    page = (ROOT / "docs/reference/report.md").read_text(encoding="utf-8")
    section = page.partition("### Warnings")[2].partition("\n## ")[0]
    listed = [
        code
        for row in section.splitlines()
        if row.startswith("| `")
        for code in re.findall("`([a-z-]+)`", row.split("|")[1])
    ]
    assert len(set(listed)) == len(listed)
    assert set(listed) == set(_codes())


def _codes() -> Iterator[str]:
    """The first argument of each ``Notice``, a word or the name of a constant of its module."""
    for path in Path(msgauge.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        constants = {
            target.id: node.value.value
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Notice":
                first = node.args[0]
                assert isinstance(first, ast.Constant | ast.Name), ast.unparse(first)
                yield str(first.value if isinstance(first, ast.Constant) else constants[first.id])
