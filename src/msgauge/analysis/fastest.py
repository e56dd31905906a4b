"""Which stacks may be the fastest of a test, by its marks, and of which of them advice speaks. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgauge.model import Estimate


def find_candidates(contest: Iterable[Estimate]) -> list[Estimate]:
    """All that may be the fastest among the estimates of one test."""
    return [one for one in contest if one.place is not None and one.place.may_be_fastest]


def find_winner(contest: Iterable[Estimate]) -> Estimate | None:
    """The one that alone may be the fastest of a test; None where several may be, or nothing was compared."""
    candidates = find_candidates(contest)
    return candidates[0] if len(candidates) == 1 else None


def choose_advised(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Of the kind that advice is about: measured before simulated, across hosts before within this computer."""
    measured = [one for one in estimates if not one.simulated] or list(estimates)
    return [one for one in measured if not one.local] or measured


def group_by_test(estimates: Iterable[Estimate]) -> list[list[Estimate]]:
    """The stacks of each test that are compared with each other: those of one kind that have a place, two at least."""
    found: dict[tuple[int, bool, bool], list[Estimate]] = {}
    for one in estimates:
        if one.place is not None:
            found.setdefault((one.cell, one.simulated, one.local), []).append(one)
    return [contest for contest in found.values() if len(contest) > 1]
