"""What stacks differ in, for ``--by``: stacks that are equal in all but one respect show what that one is worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from msgauge.errors import StackError, UsageError
from msgauge.model import Stack
from msgauge.stacks.choice import version_key

AXES = ("language", "transport", "version", "wait")
"""Those that ``--by`` takes; plug-ins may have more, which are kept equal."""
_FIRST = {"language": ("c++",), "transport": ("default", "shm"), "wait": ("default", "spin")}
"""Values that others are compared with, where a group has them; of versions it is the oldest."""


def checked_axis(word: str) -> str:
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


def spread(here: Sequence[Stack], chosen: Sequence[Stack], axis: str) -> tuple[Stack, ...]:
    """The chosen stacks, and all usable ones on this machine that differ from one of them in the axis alone.

    Raises:
        UsageError: none of the chosen has such a neighbour, so there is nothing to compare along the axis.
    """
    wanted = list(chosen)
    for candidate in (*here, *(varied for stack in here for varied in _varied(stack, axis))):
        known = {stack.spec for stack in wanted}
        if candidate.usable and candidate.spec not in known and any(_differ_in(axis, candidate, one) for one in chosen):
            wanted.append(candidate)
    if not pairs(wanted, axis):
        names = ", ".join(stack.spec for stack in chosen)
        raise UsageError(
            f"no stack here differs from {names} in its {axis} alone",
            remedy="name stacks that do, or install them; msgauge stacks lists what there is with its variants",
        )
    members = {stack.spec for pair in pairs(wanted, axis) for stack in pair}
    return tuple(stack for stack in wanted if stack.spec in members)


def _varied(stack: Stack, axis: str) -> Iterable[Stack]:
    """A stack under each of its variants on the axis."""
    from msgauge.stacks.registry import families  # late: who analyses needs no plug-ins

    family = families().get(stack.family)
    if family is None or not stack.usable or stack.variant:
        return
    for variant in family.variants():
        if variant.axis == axis:
            with suppress(StackError):
                yield family.with_variant(stack, (variant.word,))


def _differ_in(axis: str, one: Stack, other: Stack) -> bool:
    first, second = identity(one), identity(other)
    return all(first.get(name) == second.get(name) for name in (first.keys() | second.keys()) - {axis})


def _rank(stack: Stack, axis: str) -> tuple[object, ...]:
    if axis == "version":
        return (version_key(stack.version),)
    first = _FIRST.get(axis, ())
    value = value_on(stack, axis)
    return (first.index(value) if value in first else len(first), value)
