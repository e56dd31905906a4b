"""The house rules of docs/explanation/house-style.md, enforced on every file of the package."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from msgauge import errors
from msgauge.errors import MsgaugeError

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "msgauge"
PYTHON = sorted(PACKAGE.rglob("*.py"))
NATIVE = sorted([*PACKAGE.rglob("*.hpp"), *PACKAGE.rglob("*.cpp"), *PACKAGE.rglob("*.c")])
LONGEST_FUNCTION = 50
LONGEST_FILE = 400
MOST_PARAMETERS = 5
PROGRAMS = {"keeper.py", "local_launcher.py", "host_keeper.py", "agent.py", "service.py", "ssh_server.py", "network.py"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def name_of(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def functions(path: Path) -> list[Function]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, Function)]


def lines_of(function: Function) -> int:
    """Lines of code of a function: its docstring does not count."""
    docstring = ast.get_docstring(function, clean=False)
    body = function.body[1:] if docstring is not None else function.body
    if not body:
        return 0
    return (function.end_lineno or function.lineno) - body[0].lineno + 1


def test_there_is_a_package_to_judge() -> None:
    assert len(PYTHON) > 20
    assert len(NATIVE) > 8


@pytest.mark.parametrize("path", PYTHON, ids=name_of)
def test_functions_are_short(path: Path) -> None:
    long = [f"{f.name} ({lines_of(f)} lines)" for f in functions(path) if lines_of(f) > LONGEST_FUNCTION]
    assert not long, f"longer than {LONGEST_FUNCTION} lines: {long}"


@pytest.mark.parametrize("path", PYTHON + NATIVE, ids=name_of)
def test_files_are_short(path: Path) -> None:
    count = len(path.read_text(encoding="utf-8").splitlines())
    assert count <= LONGEST_FILE, f"{count} lines"


@pytest.mark.parametrize("path", PYTHON, ids=name_of)
def test_functions_take_few_parameters(path: Path) -> None:
    if path.parent.name == "commands":
        return  # a command's parameters are the user's options
    many = []
    for function in functions(path):
        positional = [*function.args.posonlyargs, *function.args.args]
        named = [a.arg for a in positional if a.arg not in {"self", "cls"}]
        if len(named) > MOST_PARAMETERS:
            many.append(f"{function.name}({', '.join(named)})")
    assert not many, f"more than {MOST_PARAMETERS} positional parameters: {many}"


@pytest.mark.parametrize("path", PYTHON + NATIVE, ids=name_of)
def test_no_room_is_a_drawer_for_everything(path: Path) -> None:
    assert path.stem not in {"utils", "util", "helpers", "helper", "common", "misc", "tools"}


@pytest.mark.parametrize("path", PYTHON, ids=name_of)
def test_public_functions_say_what_they_are_for(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent = [
        node.name
        for node in tree.body
        if isinstance(node, (*Function.__args__, ast.ClassDef))  # type: ignore[attr-defined]
        and not node.name.startswith("_")
        and ast.get_docstring(node) is None
    ]
    assert not silent, f"no docstring: {silent}"
    if tree.body:
        assert ast.get_docstring(tree) is not None or path.stat().st_size < 2, "the module says nothing about itself"


@pytest.mark.parametrize("path", PYTHON, ids=name_of)
def test_only_commands_and_report_print(path: Path) -> None:
    room = path.relative_to(PACKAGE).parts[0]
    if room in {"commands", "report", "workers", "cli.py"} or path.name in PROGRAMS:
        return  # workers, the local launcher and the keeper are programs of their own
    tree = ast.parse(path.read_text(encoding="utf-8"))
    prints = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert not prints, f"prints at lines {prints}"


@pytest.mark.parametrize("path", PYTHON, ids=name_of)
def test_only_cli_exits(path: Path) -> None:
    room = path.relative_to(PACKAGE).parts[0]
    if room in {"workers", "cli.py", "__main__.py"} or path.name in PROGRAMS:
        return
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\bsys\.exit\(|\bos\._exit\(|\braise SystemExit", text)


LAYERS = {
    "errors.py": "",
    "paths.py": "errors",
    "hosts.py": "",
    "units.py": "errors",
    "toml_reader.py": "errors units",
    "config.py": "errors model paths",
    "kernel_options.py": "",
    "model": "errors model",
    "stats": "model stats",
    "models": "errors model models stats units",
    "kernels.py": "errors kernel_options model paths",
    "study.py": "errors model toml_reader units",
    "results": "errors model results",
    "analysis": "analysis errors model models results stats units",
    "papers": "analysis errors model models papers results stats study toml_reader units",
    "rounds": "analysis model papers results rounds stats units",
    "plan.py": "errors hosts model rounds study units",
    "stacks": "config errors hosts model paths stacks units",
    "execution": "errors execution model paths results stacks units",
    "lab": "errors execution lab units",
    "host_lists.py": "errors",
    "ssh": "errors execution host_lists lab model ssh",
    "slurm": "errors execution lab model slurm",
    "launchers": "errors execution host_lists lab launchers model slurm ssh units",
    "discovery": "config discovery errors execution hosts kernels model paths plan results stacks",
    "build.py": "errors execution kernels model paths stacks",
    "campaign.py": "analysis errors execution hosts model plan results rounds stacks",
    "evaluation.py": "analysis errors model papers plan report results rounds units",
    "pipeline.py": (
        "build campaign config discovery errors evaluation execution hosts kernels launchers model papers plan results "
        "stacks stats study"
    ),
    "report": "analysis errors model models papers report results stats units",
    "diagnostics": "diagnostics discovery errors execution model pipeline results stats study units",
    "frontend": (
        "analysis build config discovery errors frontend host_lists hosts kernels launchers model paths pipeline plan "
        "report results rounds stacks study units"
    ),
    "commands": (
        "analysis config diagnostics discovery errors evaluation execution frontend hosts kernels lab launchers model "
        "models papers paths pipeline report results rounds stacks study units"
    ),
    "cli.py": "errors frontend",
    "__main__.py": "cli",
    "workers": "workers",
    "__init__.py": "",
}
"""What each room knows, from the lowest up; every room and every module at the top stands here."""


@pytest.mark.parametrize("path", PYTHON, ids=name_of)
def test_layers_know_only_those_below(path: Path) -> None:
    room = path.relative_to(PACKAGE).parts[0]
    allowed = set(LAYERS[room].split())
    known = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("msgauge."):
            known.add((node.module or "").split(".")[1])
        elif isinstance(node, ast.ImportFrom) and node.module == "msgauge":
            known.update(alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            known.update(alias.name.split(".")[1] for alias in node.names if alias.name.startswith("msgauge."))
    assert known <= allowed | {"__version__"}, f"{room} must not know {sorted(known - allowed)}"


@pytest.mark.parametrize("room", ["stats", "models"])
def test_pure_rooms_touch_no_file_and_no_clock(room: str) -> None:
    impure = re.compile(r"^\s*(?:import|from) (?:os|io|time|pathlib|subprocess|socket|random|logging)\b", re.MULTILINE)
    for path in sorted((PACKAGE / room).rglob("*.py")):
        found = impure.findall(path.read_text(encoding="utf-8"))
        assert not found, f"{name_of(path)}: {found}"


GENERATED = {"mexmpi_names.m", "examples.m"}
"""A list that a generator writes, and the table of examples that it reads."""
OCTAVE = sorted(
    path for folder in (PACKAGE, ROOT / "matlab") for path in folder.rglob("*.m") if path.name not in GENERATED
)


def octave_functions(text: str) -> list[tuple[str, int]]:
    """Name and lines of code of each function of an .m file, without the comment at its head."""
    found, name, body = [], "", list[str]()
    for line in text.splitlines():
        if line.startswith("function"):
            name, body = line, []
        elif line == "end" and name:
            code = [k for k, inside in enumerate(body) if inside.strip() and not inside.strip().startswith("%")]
            found.append((name, len(body) - code[0] if code else 0))
            name = ""
        else:
            body.append(line)
    assert not name, f"no end in column 1: {name}"
    return found


@pytest.mark.parametrize("path", OCTAVE, ids=lambda path: path.name)
def test_octave_functions_and_files_are_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    long = [f"{name} ({lines} lines)" for name, lines in octave_functions(text) if lines > LONGEST_FUNCTION]
    assert not long, f"longer than {LONGEST_FUNCTION} lines: {long}"
    assert len(text.splitlines()) <= LONGEST_FILE


WITHOUT_REMEDY = {
    ("campaign", "LaunchError"),  # of a session, whose error ends in one
    ("session", "LaunchError"),
    ("tunables", "UsageError"),  # parts of a sentence that gets one
    ("mpi4py", "StackError"),  # shipped files that are not what they were
    ("fortran", "StackError"),
}


def test_every_error_that_is_raised_has_a_remedy() -> None:
    names = {name for name, one in vars(errors).items() if isinstance(one, type) and issubclass(one, MsgaugeError)}
    found = {
        (path.stem, node.func.id)
        for path in PYTHON
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
        if not any(one.arg == "remedy" for one in node.keywords)
    }
    assert found == WITHOUT_REMEDY
