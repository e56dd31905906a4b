"""A warning where stacks compare otherwise since a run went on: what is said of them mixes both parts. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from msgauge.analysis.verdicts.parted import PartedPair
from msgauge.analysis.warnings.test_names import name_test
from msgauge.model import Cell, Notice
from msgauge.units import format_count, format_ratio

_NAMED = 20


def warn_parted(found: Iterable[PartedPair], cells: Mapping[int, Cell]) -> Iterator[Notice]:
    """One notice for each break, with the stack that most of the pairs have, and the pair that changed most."""
    by_break: dict[int, list[PartedPair]] = {}
    for one in found:
        by_break.setdefault(one.rounds, []).append(one)
    for rounds, pairs in sorted(by_break.items()):
        stack, count = Counter(name for one in pairs for name in (one.base, one.other)).most_common(1)[0]
        whose = f", {count} of them with {stack}" if len(pairs) > 1 else ""
        pairs.sort(key=lambda one: max(one.after / one.before, one.before / one.after), reverse=True)
        yield Notice(
            "sittings-differ",
            f"{format_count(len(pairs), 'comparison')} changed when the run went on after {rounds} rounds{whose}; "
            f"the most {_name(pairs[0], cells)}: {_tell(pairs[0])}. What is said of these holds for both parts mixed, "
            "and by its median none of them is called equivalent",
            "measure what matters anew, in a run of its own that does not stop between",
            tuple((_name(one, cells), _tell(one)) for one in pairs[:_NAMED]),
        )


def _name(one: PartedPair, cells: Mapping[int, Cell]) -> str:
    return f"{one.other} vs {one.base} in {name_test(cells[one.cell])}"


def _tell(one: PartedPair) -> str:
    return f"ratio {format_ratio(one.before)} before and {format_ratio(one.after)} since"
