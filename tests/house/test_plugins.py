"""N + M: no stack is named outside its own file, and who reads a run imports no plug-in."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "msgauge"
FAMILIES = sorted(path.stem for path in (PACKAGE / "stacks").glob("[a-z]*.py"))
ALSO_WORDS = {"custom", "fake", "shm", "tcp", "unix"}
"""Families whose names are words of the field too; what they are called in code is held by the quoted form."""

NAMED_BY_RIGHT = {
    "stacks/base/environment_modules.py": "names of modules at computing centres, where families are looked for",
    "stacks/base/spack.py": "names of Spack's packages, where families are looked for",
    "commands/doctor.py": "the default of an option that the user may set: what trial launches are made on",
    "models/export.py": "writes the input of a simulator, which is also a stack; no stack is launched by it",
    "workers/python/job.py": "the worker of this one family",
    "workers/octave/worker_hello.m": "the worker of this one family",
    "model/launch.py": "'tcp' is what carried messages, a word of the field",
    "model/factors.py": "'shm' is a transport, a word of the field",
    "execution/systemv.py": "'shm' is a table of the kernel's",
    "frontend/study_options.py": "an example in the help of an option",
    "commands/model.py": "examples in help, and the simulator that reads what the command writes",
    "commands/stacks.py": "an example in what the command prints",
}


def named_in(path: Path) -> set[str]:
    """The families that the code of a file names; of those that are words of the field only what stands in quotes.

    Comments and docstrings may give examples.
    """
    text = code_of(path).replace("/dev/shm", "")
    quoted = {name for name in FAMILIES if re.search(rf"[\"'(|,/]{re.escape(name)}[\"'@)\[|,]", text)}
    plain = set(FAMILIES) - ALSO_WORDS
    return quoted | {name for name in plain if re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text)}


def code_of(path: Path) -> str:
    """The text without comments and, in Python, without docstrings and texts of help."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return re.sub(r"//[^\n]*|^\s*[!%#][^\n]*", "", text, flags=re.MULTILINE)
    kept = []
    before = tokenize.NEWLINE
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        alone = token.type == tokenize.STRING and before in (
            tokenize.NEWLINE,
            tokenize.NL,
            tokenize.INDENT,
            tokenize.DEDENT,
        )
        if token.type != tokenize.COMMENT and not alone:
            kept.append(token.string)
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            before = token.type
    return " ".join(kept)


def sources() -> list[Path]:
    """All code but the families' own files and the transports that they bring."""
    found = [path for kind in ("*.py", "*.hpp", "*.cpp", "*.F90", "*.m") for path in PACKAGE.rglob(kind)]
    own = {PACKAGE / "stacks" / f"{name}.py" for name in FAMILIES}
    return sorted(p for p in found if p not in own and "transports" not in p.parts and "studies" not in p.parts)


def test_there_are_families_to_look_for() -> None:
    assert len(FAMILIES) >= 15
    assert set(FAMILIES) >= ALSO_WORDS
    assert len(sources()) > 200


def test_no_stack_is_named_outside_its_own_file() -> None:
    found = {str(p.relative_to(PACKAGE)): sorted(named) for p in sources() if (named := named_in(p))}
    assert {path: named for path, named in found.items() if path not in NAMED_BY_RIGHT} == {}


def test_every_exception_is_still_needed() -> None:
    assert [path for path in NAMED_BY_RIGHT if not named_in(PACKAGE / path)] == []


PLUG_INS = {"stacks", "discovery", "kernels", "config", "hosts", "build", "execution"}
READS_RUNS = ("analysis", "papers", "models", "report", "results", "stats", "model")


@pytest.mark.parametrize("room", READS_RUNS)
def test_who_reads_a_run_imports_no_plug_in_and_reads_no_environment(room: str) -> None:
    """What is needed of kernels and stacks was written into the run folder when the run was planned."""
    for path in sorted((PACKAGE / room).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        found = {name for name in modules_in(text) if name.split(".")[0] in PLUG_INS}
        assert not found, f"{path}: {found}"
        assert "os.environ" not in text and "os.getenv" not in text, path


def modules_in(text: str) -> set[str]:
    """What a module imports of msgauge, as room.module where it says so: ``results.wire``."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name.removeprefix("msgauge.") for alias in node.names if alias.name.startswith("msgauge.")}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "msgauge":
            parts = (node.module or "").split(".")[1:]
            found |= {".".join(parts)} if len(parts) > 1 else {".".join([*parts, alias.name]) for alias in node.names}
    return found


def test_every_method_of_a_family_is_called() -> None:
    """One that nobody calls is what is left of an interface that has changed: what it checked is checked no more."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    methods = {
        (name, one.name)
        for name in FAMILIES
        for family in ast.parse((PACKAGE / "stacks" / f"{name}.py").read_text(encoding="utf-8")).body
        if isinstance(family, ast.ClassDef)
        for one in family.body
        if isinstance(one, ast.FunctionDef)
    }
    assert len(methods) > 80
    assert not sorted(one for one in methods if not one[1].startswith("__") and f".{one[1]}" not in text)
