"""Draws docs/images/architecture.svg from the imports of the package: rooms as boxes, a room above all that it imports.

    python tests/house/architecture_picture.py docs/images/architecture.svg

An arrow that follows from others (a room imports what a room below it imports as well) is left out.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Mapping
from graphlib import TopologicalSorter
from html import escape
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "src" / "msgauge"
APART = {"__init__", "__main__", "workers"}
"""The package's own file; and programs that ranks run, which import nothing of the rest."""
WIDTH, ROW, BOX_WIDTH, BOX_HEIGHT = 1180, 74, 112, 30

Graph = Mapping[str, frozenset[str]]


def room_of(path: Path) -> str:
    """The first folder below the package, or the module that stands there by itself."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(path: Path) -> set[str]:
    """Dotted names below ``msgauge`` that a module imports, those in functions and those loaded by name included."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("msgauge."):
            names.add((node.module or "").removeprefix("msgauge."))
        elif isinstance(node, ast.ImportFrom) and node.module == "msgauge":
            names.update(alias.name for alias in node.names if not alias.name.startswith("__"))
        elif isinstance(node, ast.Import):
            names.update(n.name.removeprefix("msgauge.") for n in node.names if n.name.startswith("msgauge."))
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value.startswith("msgauge.commands.")
        ):
            names.add("commands")  # loaded by name when they are asked for
    return names


def rooms() -> Graph:
    """Each room with the rooms that it imports."""
    found: dict[str, set[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        room = room_of(path)
        if room not in APART:
            below = {name.split(".")[0] for name in imports_of(path)}
            found.setdefault(room, set()).update(below - {room} - APART)
    return {room: frozenset(below) for room, below in found.items()}


def divided_rooms() -> list[str]:
    """Rooms with rooms of their own in them."""
    return sorted({path.relative_to(PACKAGE).parts[0] for path in PACKAGE.glob("*/*/__init__.py")} - APART)


def rooms_within(room: str) -> Graph:
    """Each room within a room, and each module that stands there by itself, with the neighbours that it imports."""
    found: dict[str, set[str]] = {}
    for path in sorted((PACKAGE / room).rglob("*.py")):
        inner = path.relative_to(PACKAGE / room).parts[0].removesuffix(".py")
        below = {name.split(".")[1] for name in imports_of(path) if name.startswith(f"{room}.")}
        if inner not in APART:
            found.setdefault(inner, set()).update(below - {inner})
    return {inner: frozenset(below) for inner, below in found.items()}


def floors(graph: Graph) -> dict[str, int]:
    """The floor of each room: one above the highest room that it imports. Raises CycleError for rooms in a circle."""
    floor: dict[str, int] = {}
    for room in TopologicalSorter(graph).static_order():
        floor[room] = 1 + max((floor[below] for below in graph.get(room, ())), default=-1)
    return floor


def needed_arrows(graph: Graph) -> list[tuple[str, str]]:
    """The arrows that do not follow from others."""
    reach = {room: _reachable(graph, room) for room in graph}
    return sorted(
        (room, below)
        for room, direct in graph.items()
        for below in direct
        if not any(below in reach.get(other, ()) for other in direct if other != below)
    )


def draw(graph: Graph) -> str:
    """The picture as SVG text; the same for the same imports."""
    places = _places(floors(graph))
    height = ROW * (1 + max(floors(graph).values()))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif" font-size="13">',
        "<title>Rooms of msgauge: every arrow points from a room to one that it imports, further down</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    lines += [_arrow(places[room], places[below]) for room, below in needed_arrows(graph)]
    lines += [_box(room, *places[room]) for room in sorted(places)]
    return "\n".join([*lines, "</svg>", ""])


def _reachable(graph: Graph, room: str) -> set[str]:
    seen: set[str] = set()
    todo = list(graph.get(room, ()))
    while todo:
        one = todo.pop()
        if one not in seen:
            seen.add(one)
            todo.extend(graph.get(one, ()))
    return seen


def _places(floor: Mapping[str, int]) -> dict[str, tuple[float, float]]:
    """Centres of the boxes: floors from the top down, rooms of a floor side by side in the order of their names."""
    places = {}
    top = max(floor.values())
    for level in range(top + 1):
        here = sorted(room for room, at in floor.items() if at == level)
        for index, room in enumerate(here):
            shift = (level % 2 - 0.5) * BOX_WIDTH * 0.7
            places[room] = (WIDTH * (index + 1) / (len(here) + 1) + shift, ROW * (top - level + 0.5))
    return places


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    (x1, y1), (x2, y2) = start, end
    y1, y2 = y1 + BOX_HEIGHT / 2, y2 - BOX_HEIGHT / 2
    bend = (y2 - y1) / 2
    head = f"M{x2 - 3.5:.1f} {y2 - 7:.1f}L{x2:.1f} {y2:.1f}L{x2 + 3.5:.1f} {y2 - 7:.1f}"
    curve = f"M{x1:.1f} {y1:.1f}C{x1:.1f} {y1 + bend:.1f} {x2:.1f} {y2 - bend:.1f} {x2:.1f} {y2:.1f}{head}"
    return f'<path d="{curve}" fill="none" stroke="#7d8a99" stroke-width="1.1"/>'


def _box(room: str, x: float, y: float) -> str:
    name = f"{room}/" if (PACKAGE / room).is_dir() else room
    fill = "#dbe7f3" if name.endswith("/") else "#f4f1e8"
    return (
        f'<rect x="{x - BOX_WIDTH / 2:.1f}" y="{y - BOX_HEIGHT / 2:.1f}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" '
        f'rx="4" fill="{fill}" stroke="#44546a"/>'
        f'<text x="{x:.1f}" y="{y + 4.5:.1f}" text-anchor="middle" fill="#1a2330">{escape(name)}</text>'
    )


def main(arguments: Iterable[str]) -> int:
    """Write the picture to the file named."""
    (target,) = arguments
    Path(target).write_text(draw(rooms()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
