"""Launch medians of all stacks and tests side by side, as what is told of launches looks at them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from msgauge.model import CellKey, Estimate

Found = TypeVar("Found")


def look_at_launches(
    estimates: Sequence[Estimate], look: Callable[[np.ndarray], Mapping[tuple[int, int], Found]]
) -> dict[CellKey, Found]:
    """What ``look`` finds in a table of launch medians, ns, shape (stacks, cells, rounds), nan where missing.

    Stacks that are simulated, or that stayed on the present computer, have tables of their own: they share no machine.
    """
    groups: dict[tuple[bool, bool], list[Estimate]] = {}
    for one in estimates:
        groups.setdefault((one.simulated, one.local), []).append(one)
    found: dict[CellKey, Found] = {}
    for group in groups.values():
        stacks, cells = _index(one.stack for one in group), _index(one.cell for one in group)
        rounds = _index(sorted({number for one in group for number in one.rounds}))
        times = np.full((len(stacks), len(cells), len(rounds)), np.nan)
        for one in group:
            places = [rounds[number] for number in one.rounds]
            times[stacks[one.stack], cells[one.cell], places] = one.launch_medians_ns
        seen = look(times)
        found |= {one.key: seen[at] for one in group if (at := (stacks[one.stack], cells[one.cell])) in seen}
    return found


def _index(values: Iterable[Any]) -> dict[Any, int]:
    """The place of each value, in the order in which they come first."""
    return {value: place for place, value in enumerate(dict.fromkeys(values))}
