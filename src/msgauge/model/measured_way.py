"""How a test was measured, in the words that all who name tests use: two may differ in nothing else."""

from __future__ import annotations

from typing import Protocol

from msgauge.model.stack import Pairs


class MeasuredWay(Protocol):
    """A test, or what is said of one."""

    @property
    def mode(self) -> str: ...

    @property
    def cache(self) -> str: ...


class MeasuredTest(MeasuredWay, Protocol):
    """The same with the options of its kernel."""

    @property
    def options(self) -> Pairs: ...


def name_marks(one: MeasuredTest) -> list[str]:
    """``root=1`` and ``cold``: by what tests of one kernel, size and number of ranks differ."""
    return [*(f"{name}={value}" for name, value in one.options), *name_way(one)]


def name_way(one: MeasuredWay) -> list[str]:
    """``single`` or ``cold``, where that is not as usual."""
    return [one.mode] * (one.mode != "batch") + [one.cache] * (one.cache != "hot")


def note_way(one: MeasuredWay) -> list[str]:
    """The same as titles and sentences say it."""
    return ["every operation timed"] * (one.mode == "single") + [f"{one.cache} cache"] * (one.cache != "hot")


def note_marks(one: MeasuredTest) -> list[str]:
    """``root 1`` and ``cold cache``: ``name_marks`` as titles and sentences say them."""
    return [*(f"{name} {value}" for name, value in one.options), *note_way(one)]
