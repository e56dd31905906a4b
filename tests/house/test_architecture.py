"""The rooms of the package: no circle, no way from the report to a plug-in, the picture in the docs true."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import architecture_picture as picture
import pytest
from architecture_picture import PACKAGE, imports_of, room_of

ROOT = PACKAGE.parents[1]
PYTHON = sorted(path for path in PACKAGE.rglob("*.py") if "workers" not in path.parts)
PLUG_INS = ("stacks", "discovery", "kernels", "config", "hosts", "execution", "build", "campaign", "pipeline")
TOP_LEVEL = 16
"""Modules that stand by themselves at the top: those that tell the story, and what all rooms use."""
SAME_MEANING = {
    "resource_usage",  # computed in analysis, shown as a table in report, a section of the page
    "factor_effects",
    "plan",  # the values, and the making of them
    "failures",
    "figures",
}
"""Names that stand in several rooms because they mean the same thing at different stages."""
NOUNS = {"finding", "setting", "timing", "encoding", "string", "heading", "rounding", "median_of_string"}
IRREGULAR = frozenset(
    {"told", "said", "meant", "seen", "shown", "drawn", "held", "known", "taken", "kept", "given", "made", "found"}
    | {"left", "spent", "burnt", "begun", "gone", "done", "written", "lost", "thrown", "grown", "chosen", "broken"}
    | {"spoken", "built", "sent", "felt"}
)
VERBS = {"remaining", "widening", "need", "embed", "feed", "bring", "speed", "seed", "exceed", "shed", "bleed"}


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


def test_rooms_stand_in_no_circle() -> None:
    assert picture.floors(picture.rooms())


@pytest.mark.parametrize("room", picture.divided_rooms())
def test_what_stands_within_a_room_stands_in_no_circle(room: str) -> None:
    assert picture.floors(picture.rooms_within(room))


def test_the_picture_of_the_rooms_is_true() -> None:
    shown = (ROOT / "docs" / "images" / "architecture.svg").read_text(encoding="utf-8")
    remedy = "run: python tests/house/architecture_picture.py docs/images/architecture.svg"
    assert shown == picture.draw(picture.rooms()), remedy


def test_every_room_is_told_of_in_the_architecture() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    missing = [
        room
        for room in picture.rooms()
        if f"`{room}/`" not in page and f"`{room}.py`" not in page and f"`{room}/" not in page
    ]
    assert not missing, f"docs/architecture.md says nothing of {missing}"


@pytest.mark.parametrize("room", ["stats", "models", "analysis", "report"])
def test_what_evaluates_a_run_reaches_no_plug_in(room: str) -> None:
    modules = {module_name(path): path for path in PYTHON}
    reached, todo = set(), [name for name, path in modules.items() if room_of(path) == room]
    while todo:
        name = todo.pop()
        if name in reached:
            continue
        reached.add(name)
        for known in imports_of(modules[name]):
            todo.extend(one for one in (known, f"{known}.__init__") if one in modules)
    found = sorted(name for name in reached if name.split(".")[0] in PLUG_INS)
    assert not found, f"{room} reaches {found}"


def test_the_top_floor_is_a_dozen_of_modules() -> None:
    alone = sorted(path.name for path in PACKAGE.glob("*.py") if not path.name.startswith("__"))
    assert len(alone) <= TOP_LEVEL, alone


def test_no_two_modules_share_a_name_in_different_meaning() -> None:
    places = defaultdict(list)
    for path in PYTHON:
        if path.name != "__init__.py" and path.parent.name not in ("commands", "sections"):
            places[path.stem].append(module_name(path))
    twice = {name: rooms for name, rooms in places.items() if len(rooms) > 1 and name not in SAME_MEANING}
    assert not twice


def test_no_two_public_classes_share_a_name() -> None:
    places = defaultdict(list)
    for path in PYTHON:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(module_name(path))
    twice = {name: rooms for name, rooms in places.items() if len(rooms) > 1}
    assert not twice


def is_participle(name: str) -> bool:
    """Whether a function is called by a participle: ``judged``, ``_told``, ``asked_study``."""
    first = name.strip("_").split("_")[0]
    if first in NOUNS or first in VERBS:
        return False
    return first in IRREGULAR or first.endswith(("ed", "ing"))


def test_functions_are_called_by_verbs_or_nouns_not_by_participles() -> None:
    found = []
    for path in PYTHON:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                not isinstance(node, ast.FunctionDef)
                or _is_property(node)
                or node.name.startswith(("is_", "_is_", "has_"))
            ):
                continue
            if is_participle(node.name):
                found.append(f"{module_name(path)}.{node.name}")
    assert not found


def test_participles_are_told_from_verbs() -> None:
    assert all(map(is_participle, ["judged", "_told", "_found", "waiting", "asked_study"]))
    assert not any(
        map(is_participle, ["judge", "read_frames", "find_settings", "run", "setting_value", "find_missing", "_feed"])
    )


@pytest.mark.parametrize("path", sorted((PACKAGE / "commands").glob("*.py")), ids=lambda path: path.stem)
def test_a_command_knows_no_other_command(path: Path) -> None:
    others = {name for name in imports_of(path) if name.split(".")[0] == "commands"}
    assert not others, f"what commands share stands in frontend/, not in {sorted(others)}"


def _is_property(node: ast.FunctionDef) -> bool:
    return any(isinstance(one, ast.Name) and one.id in ("property", "cached_property") for one in node.decorator_list)


TESTED_ELSEWHERE = {
    "campaign.py": "tests/unit/test_pipeline.py",
    "errors.py": "tests/unit/test_words.py",
    "evaluation.py": "tests/unit/test_pipeline.py",
    "hosts.py": "tests/unit/test_paths_and_hosts.py",
    "native": "tests/native",
    "paths.py": "tests/unit/test_paths_and_hosts.py",
    "platforms": "tests/conformance/test_simulated_papers.py",
    "schemas": "tests/unit/report",
    "studies": "tests/unit/test_study.py",
}
"""Rooms and modules at the top whose tests do not stand at the place of the same name, and why nobody would look there:
they are C++, data, or seen only through the module that uses them."""


def test_the_unit_tests_mirror_the_package() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if not path.name.startswith("__")}
    places = {
        room: f"tests/unit/test_{room}" if room.endswith(".py") else f"tests/unit/{room}"
        for room in rooms - TESTED_ELSEWHERE.keys()
    } | TESTED_ELSEWHERE
    missing = [f"{room}: {place}" for room, place in sorted(places.items()) if not (ROOT / place).exists()]
    assert not missing
    assert TESTED_ELSEWHERE.keys() <= rooms
    unit = ROOT / "tests" / "unit"
    of_no_room = [path.name for path in unit.iterdir() if path.is_dir() and path.name not in {*rooms, "__pycache__"}]
    assert not of_no_room
