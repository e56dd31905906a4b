"""How a test was measured, in the words that all who name tests use: two may differ in nothing else."""

from __future__ import annotations

from typing import Protocol


class Measured(Protocol):
    """A test, or what is said of one."""

    @property
    def mode(self) -> str: ...

    @property
    def cache(self) -> str: ...


def name_way(one: Measured) -> list[str]:
    """``single`` or ``cold``, where that is not as usual."""
    return [one.mode] * (one.mode != "batch") + [one.cache] * (one.cache != "hot")


def note_way(one: Measured) -> list[str]:
    """The same as titles and sentences say it."""
    return ["every operation timed"] * (one.mode == "single") + [f"{one.cache} cache"] * (one.cache != "hot")
