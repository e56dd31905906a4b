"""Further stacks of this machine for ``--by``: those that differ from the chosen ones in one factor alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from msgauge.errors import StackError, UsageError
from msgauge.model import Stack
from msgauge.model.factors import differ_in_one, pairs
from msgauge.stacks.base.families import families


def spread(here: Sequence[Stack], chosen: Sequence[Stack], axis: str) -> tuple[Stack, ...]:
    """The chosen stacks, and all usable ones on this machine that differ from one of them in the axis alone.

    What was chosen stays, also what differs from nothing in the axis alone: it is measured and compared as usual.

    Raises:
        UsageError: none of the chosen has such a neighbour, so there is nothing to compare along the axis.
    """
    wanted = list(chosen)
    for candidate in (*here, *(varied for stack in here for varied in _expand_variants(stack, axis))):
        known = {stack.spec for stack in wanted}
        if (
            candidate.usable
            and candidate.spec not in known
            and any(differ_in_one(axis, candidate, one) for one in chosen)
        ):
            wanted.append(candidate)
    if not pairs(wanted, axis):
        names = ", ".join(stack.spec for stack in chosen)
        raise UsageError(
            f"no stack here differs from {names} in its {axis} alone",
            remedy="name stacks that do, or install them; msgauge stacks lists what there is with its variants",
        )
    members = {stack.spec for stack in chosen} | {stack.spec for pair in pairs(wanted, axis) for stack in pair}
    return tuple(stack for stack in wanted if stack.spec in members)


def _expand_variants(stack: Stack, axis: str) -> Iterable[Stack]:
    """A stack under each of its variants on the axis."""
    family = families().get(stack.family)
    if family is None or not stack.usable or stack.variant:
        return
    for variant in family.variants():
        if variant.axis == axis:
            with suppress(StackError):
                yield family.with_variant(stack, (variant.word,))
