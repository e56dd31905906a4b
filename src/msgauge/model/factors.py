"""What stacks differ in, for ``--by``: stacks that are equal in all but one respect show what that one is worth."""

from __future__ import annotations

from collections.abc import Sequence

from msgauge.errors import UsageError
from msgauge.model.stack import Stack
from msgauge.model.stack_expression import version_key

AXES = ("language", "map", "transport", "version", "wait")
"""Those that ``--by`` takes; plug-ins may have more, which are kept equal."""
_FIRST = {
    "language": ("c++",),
    "map": ("default", "node"),
    "transport": ("default", "shm"),
    "wait": ("default", "spin"),
}
"""Values that others are compared with, where a group has them; of versions it is the oldest."""
_NEVER_WRITTEN = ("library", "version")
"""Axes whose values no word in brackets gives."""
_UNSAID = ("wait", "default")
"""What no word gives either: ``bcast=default`` is an algorithm."""


def parse_axis(word: str) -> str:
    """The axis a person named.

    Raises:
        UsageError: there is no such axis.
    """
    if word and word not in AXES:
        raise UsageError(f"there is no axis {word!r}", remedy=f"write --by {', --by '.join(AXES)}")
    return word


def identity(stack: Stack) -> dict[str, str]:
    """All respects in which stacks can differ, and what this one is in each."""
    return {
        "library": stack.family,
        "version": stack.version,
        "origin": stack.origin.kind if stack.ambiguous else "",
        "time": "simulated" if stack.simulated else "real",
        **({"map": stack.map} if stack.map else {}),
        "words": ",".join(sorted(_words_on_no_axis(stack))),
        **dict(stack.axes),
    }


def value_on(stack: Stack, axis: str) -> str:
    """What a stack is on an axis."""
    return identity(stack).get(axis, "default")


def pairs(stacks: Sequence[Stack], axis: str) -> tuple[tuple[Stack, Stack], ...]:
    """(base, other) for all stacks that differ in the axis alone; each group of them has one base."""
    groups: dict[tuple[tuple[str, str], ...], list[Stack]] = {}
    for stack in stacks:
        rest = tuple(sorted((name, value) for name, value in identity(stack).items() if name != axis))
        groups.setdefault(rest, []).append(stack)
    found = []
    for group in groups.values():
        base = min(group, key=lambda stack: _rank(stack, axis))
        taken = {value_on(base, axis)}
        for other in group:
            value = value_on(other, axis)
            if value not in taken:
                taken.add(value)
                found.append((base, other))
    return tuple(found)


def differ_in_one(axis: str, one: Stack, other: Stack) -> bool:
    """Whether two stacks are equal in everything but, perhaps, one axis."""
    first, second = identity(one), identity(other)
    return all(first.get(name) == second.get(name) for name in (first.keys() | second.keys()) - {axis})


def _words_on_no_axis(stack: Stack) -> list[str]:
    """Settings, parameters and marks: what stands in brackets and is the value of no axis.

    A value is written as such (``tcp``), behind a name (``platform=gigabit``), or behind another value
    (``python-objects`` of ``objects``); it stands for one word, bare ones first.
    """
    values = [value for axis, value in stack.axes if axis not in _NEVER_WRITTEN and (axis, value) != _UNSAID]
    left = []
    for word in sorted(stack.variant, key=lambda word: "=" in word):
        text = word.rpartition("=")[2]
        found = next((value for value in values if value == text or value.endswith(f"-{text}")), None)
        if found is not None:
            values.remove(found)
        elif word != f"map={stack.map}":
            left.append(word)
    return left


def _rank(stack: Stack, axis: str) -> tuple[object, ...]:
    if axis == "version":
        return (version_key(stack.version),)
    first = _FIRST.get(axis, ())
    value = value_on(stack, axis)
    return (first.index(value) if value in first else len(first), value)
