"""What to use when, in at most five lines: which stack is the fastest from which size to which. Pure.

Every word rests on the marks of the tests: a stack is named for the sizes at which it alone may be the fastest; where
several may be, nothing is recommended and the line says so, or that every two of them are equivalent and any will do.
Between two sizes that were measured nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import TypeAlias

from attrs import frozen

from msgauge.analysis.findings.fastest import choose_advised, find_candidates, group_by_test
from msgauge.model import Cell, Estimate
from msgauge.model.measured_way import note_marks
from msgauge.units import format_count, format_size

MOST_LINES = 5
MOST_NAMED = 3
_MOST_KERNELS = 4
_MOST_GROUPS = 3
"""Of sizes with the same candidates; where there are more, candidates are counted and not named."""
AreAlike: TypeAlias = Callable[[Sequence[str], int], bool]
"""Whether every two of these stacks are equivalent in a cell: ``VerdictFamily.are_alike``."""


@frozen
class SizeChoice:
    """The stacks that may be the fastest at one size, in the order of the plan."""

    size_bytes: int
    stacks: tuple[str, ...]
    equivalent: bool = False
    """They are several, and the run has shown that any will do."""


@frozen
class _Row:
    """The choices of tests that differ in size alone, ascending."""

    kernel: str
    where: str
    choices: tuple[SizeChoice, ...]

    @property
    def text(self) -> str:
        return describe_choices(self.choices)


def advise_by_size(
    cells: Sequence[Cell],
    estimates: Sequence[Estimate],
    planned: Sequence[Cell],
    are_alike: AreAlike,
) -> tuple[str, ...]:
    """At most five lines, rows with most tests first; rows with the same advice share a line.

    ``estimates``: what was measured of these cells; a test with fewer than two stacks of a kind advises nothing.
    ``planned``: all cells of the run; a line names its sizes where the run has others, of which it says nothing.
    """
    lines = _join_alike(list(_rows(cells, choose_advised(estimates), planned, are_alike)))
    if len(lines) <= MOST_LINES:
        return tuple(lines)
    return (*lines[: MOST_LINES - 1], f"{len(lines) - MOST_LINES + 1} more lines in the tables: {_ALL}")


_ALL = "* marks what may be the fastest of each test"


def describe_choices(choices: Sequence[SizeChoice]) -> str:
    """``A up to 1 KiB and from 1 MiB, B at 64 KiB; equivalent at 8 KiB (A or B); not resolved at 256 KiB (A or B)``."""
    equal = [one for one in choices if one.equivalent]
    unresolved = [one for one in choices if len(one.stacks) != 1 and not one.equivalent]
    several = (
        _describe_several(word, them, whole=len(them) == len(choices))
        for word, them in (("equivalent", equal), ("not resolved", unresolved))
    )
    return "; ".join(filter(None, (_describe_best(choices), *several)))


def _describe_best(choices: Sequence[SizeChoice]) -> str:
    """Each stack with the sizes at which it alone may be the fastest; a stretch ends where it is not alone."""
    ends = choices[0].size_bytes, choices[-1].size_bytes
    stretches = []
    for stacks, group in groupby(choices, key=lambda one: one.stacks):
        if len(stacks) == 1:
            sizes = [one.size_bytes for one in group]
            stretches.append((stacks[0], _describe_stretch((sizes[0], sizes[-1]), ends)))
    return ", ".join(
        f"{stack} {' and '.join(where for _, where in mine)}".rstrip()
        for stack, mine in groupby(stretches, key=lambda one: one[0])
    )


def _describe_several(word: str, choices: Sequence[SizeChoice], *, whole: bool) -> str:
    """``not resolved at 8 B, 1 KiB (A or B), 64 KiB (B or C)``: no stack is named for a size that rules it out.

    ``whole``: these are all sizes of the row, which need no names where they are alike. '' for no sizes.
    """
    if not choices:
        return ""
    groups: dict[tuple[str, ...], list[SizeChoice]] = {}
    for one in choices:
        groups.setdefault(one.stacks, []).append(one)
    if len(groups) > _MOST_GROUPS:
        groups = {(): list(choices)}
    if whole and len(groups) == 1:
        return f"{word}: {_name_candidates(choices)}"
    named = (
        f"{', '.join(format_size(one.size_bytes) for one in mine)} ({_name_candidates(mine)})"
        for mine in groups.values()
    )
    return f"{word} at {', '.join(named)}"


def _rows(
    cells: Sequence[Cell],
    estimates: Sequence[Estimate],
    planned: Sequence[Cell],
    are_alike: AreAlike,
) -> Iterator[_Row]:
    """Rows in which something was compared, those with most tests first."""
    contests = {contest[0].cell: contest for contest in group_by_test(estimates)}
    rows: dict[tuple[object, ...], list[Cell]] = {}
    for cell in cells:
        if cell.id in contests:
            rows.setdefault(cell.row, []).append(cell)
    for row in sorted(rows.values(), key=len, reverse=True):
        first = row[0]
        notes = [format_count(first.ranks, "process"), *note_marks(first)]
        notes += _name_sizes(row, [cell for cell in planned if cell.row == first.row])
        choices = tuple(
            _choose(cell, contests[cell.id], are_alike) for cell in sorted(row, key=lambda cell: cell.size_bytes)
        )
        yield _Row(first.kernel, ", ".join(notes), choices)


def _name_sizes(row: Sequence[Cell], planned: Sequence[Cell]) -> list[str]:
    """The sizes that a line speaks of, in one text; none where they are all that the run has of this row."""
    if len(row) >= len(planned):
        return []
    sizes, all_sizes = sorted(cell.size_bytes for cell in row), sorted(cell.size_bytes for cell in planned)
    first = all_sizes.index(sizes[0])
    if all_sizes[first : first + len(sizes)] != sizes:
        return [f"{len(sizes)} of {format_count(len(all_sizes), 'size')}"]
    ends = dict.fromkeys(map(format_size, (sizes[0], sizes[-1])))
    return [" to ".join(ends)]


def _choose(cell: Cell, estimates: Sequence[Estimate], are_alike: AreAlike) -> SizeChoice:
    stacks = tuple(one.stack for one in find_candidates(estimates))
    return SizeChoice(cell.size_bytes, stacks, len(stacks) > 1 and are_alike(stacks, cell.id))


def _join_alike(rows: Sequence[_Row]) -> list[str]:
    groups: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        groups.setdefault((row.where, row.text), []).append(row.kernel)
    return [f"{_name_kernels(names)} ({where}): {text}." for (where, text), names in groups.items()]


def _name_kernels(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MOST_KERNELS])
    return f"{shown} and {len(names) - _MOST_KERNELS} more" if len(names) > _MOST_KERNELS else shown


def _describe_stretch(sizes: tuple[int, int], ends: tuple[int, int]) -> str:
    """``up to 1 KiB``: first and last of the stretch among those of the row; '' where tests have no sizes."""
    (first, last), (smallest, largest) = sizes, ends
    if first == last:
        return f"at {format_size(first)}" if largest else ""
    if sizes == ends:
        return "at every size"
    if first == smallest:
        return f"up to {format_size(last)}"
    if last == largest:
        return f"from {format_size(first)}"
    return f"from {format_size(first)} to {format_size(last)}"


def _count_candidates(counts: Sequence[int], names: int) -> str:
    """Of a size, not of all together: ``4``, ``up to 4`` where sizes differ, ``up to 3 of 5`` where none has all."""
    if min(counts) == names:
        return str(names)
    return f"up to {max(counts)}" + (f" of {names}" if max(counts) < names else "")


def _name_candidates(choices: Sequence[SizeChoice]) -> str:
    names = list(dict.fromkeys(stack for one in choices for stack in one.stacks))
    if not names:
        return "no verdict"
    if len(names) > MOST_NAMED or len({one.stacks for one in choices}) > 1:
        count = f"{_count_candidates([len(one.stacks) for one in choices], len(names))} stacks"
        alike = all(one.equivalent for one in choices)
        return f"those that may be the fastest, {count}" if alike else f"{count} may be the fastest"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
