"""Levels of detail of the page: 0 shows all; the page goes to the next level until it is small enough."""

from __future__ import annotations

from attrs import frozen

LEVELS = range(6)
"""All levels, the most detailed first."""


@frozen
class Omission:
    """What a section leaves out, as the page calls it, from level ``first`` up to (not including) ``end``."""

    what: str
    first: int
    end: int = LEVELS.stop

    def holds_at(self, level: int) -> bool:
        """Whether it is left out at this level."""
        return self.first <= level < self.end
