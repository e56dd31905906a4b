"""How rounds of a collective began: at a time that its ranks had agreed on, or behind a barrier.

Ranks leave a barrier one after the other, which a time behind one holds beside the operation: times of both kinds are
not compared. Which it is a worker says of each test of a launch; of a worker that does not say it nothing is withdrawn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

BARRIER = "barrier"

Starts = Mapping[int, str]
"""``agreed`` or ``barrier``, by the round of each launch that says it."""


def list_unlike(*sides: Starts) -> list[int]:
    """The rounds in which two of these were started in different ways, in the order in which they are met."""
    told: defaultdict[int, set[str]] = defaultdict(set)
    for side in sides:
        for number, start in side.items():
            told[number].add(start)
    return [number for number, ways in told.items() if len(ways) > 1]
