"""A claim of a document: what is set against what, and which numbers would make it hold."""

from __future__ import annotations

from itertools import product
from math import inf
from typing import Literal

from attrs import field, frozen

from msgauge.papers.case_levels import FAMILY_ERROR, Hold
from msgauge.papers.number_selection import Case, Pick

Kind = Literal["ratio", "difference", "spread", "fact", "ran", "start-up", "rate-change"]
Direction = Literal["either", "slower", "faster"]


@frozen
class Claim:
    """A sentence of a document, and how it is judged. ``question``: the document left it open; it is answered.

    ``difference`` is left - right in time instead of left / right, for questions alone; ``ran`` tells which systems did
    the same as it stands. ``direction``: whether a rate change makes what comes after it slower or faster.
    ``error``: how often it may be said to hold though it does not, and the reverse. ``among``: its cases,
    (bytes, ranks), where it does not speak of every size on every number of ranks.
    """

    text: str
    where: str = ""
    kind: Kind = "ratio"
    left: Pick = field(factory=Pick)
    right: Pick = field(factory=Pick)
    sizes: tuple[int, ...] = (0,)
    ranks: tuple[int, ...] = (2,)
    among: frozenset[tuple[int, int]] | None = None
    low: float = 0.0
    high: float = inf
    hold: Hold = "all"
    fact: str = ""
    expected: bool = True
    direction: Direction = "either"
    question: bool = False
    note: str = ""
    error: float = FAMILY_ERROR

    @property
    def cases(self) -> tuple[Case, ...]:
        """All that it speaks of, by size, then by ranks."""
        every = product(self.sizes, self.ranks)
        return tuple(Case(*place) for place in every if self.among is None or place in self.among)
