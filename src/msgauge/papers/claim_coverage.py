"""Which cases a claim speaks of, and which of them nobody measured: what is not there is open, and is named.

A claim about all of its cases holds by none fewer, and one about any of them is refuted by none fewer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgauge.analysis.estimates.observations import Observation
from msgauge.model import Cell
from msgauge.papers.claim_cases import CasePlace, find_simulated, list_specs, name_processes, pair_stacks
from msgauge.papers.claim_statement import Claim
from msgauge.papers.number_selection import Case, Pick, display_name, list_needed
from msgauge.units import format_count, format_size

Planned = Mapping[str, Sequence[Cell]]
"""What each stack of a run is to measure."""
Systems = Mapping[str, Sequence[str]]


def list_places(
    claim: Claim, observed: Sequence[Observation], systems: Systems, planned: Planned | None = None
) -> list[CasePlace]:
    """Every case of a claim of kind ratio, difference or spread.

    Of a system that the claim names each stack counts in each case, measured or not. Where it names none, every stack
    counts for which the case is planned (or was measured, without ``planned``), and a case for which none is counts
    once. Stacks that are not on this computer are missing by name elsewhere.
    """
    simulated, found = find_simulated(observed), list[CasePlace]()
    for case in claim.cases:
        left = _list_stacks(claim.left, case, observed, systems, planned)
        if claim.kind == "spread" or claim.right.is_constant:
            places = [CasePlace(case, (spec,)) for spec in left]
        else:
            right = _list_stacks(claim.right, case, observed, systems, planned)
            places = [CasePlace(case, pair) for pair in pair_stacks(claim, left, right, simulated)]
        found += places or [CasePlace(case, ())]
    return found


def _list_stacks(
    pick: Pick, case: Case, observed: Sequence[Observation], systems: Systems, planned: Planned | None
) -> tuple[str, ...]:
    specs = list_specs(pick, observed, systems)
    if pick.system:
        return specs
    if planned is not None:
        return tuple(spec for spec in specs if all(list_needed(pick, case, planned.get(spec, ()))))
    return tuple(spec for spec in specs if all(list_needed(pick, case, [one for one in observed if one.stack == spec])))


def list_unmeasured(expected: Iterable[CasePlace], measured: Iterable[CasePlace]) -> list[CasePlace]:
    """Those of the expected cases that nobody measured, in their order."""
    known = set(measured)
    return [one for one in expected if one not in known]


def name_places(places: Sequence[CasePlace], expected: Sequence[CasePlace], systems: Systems) -> tuple[str, ...]:
    """Each of ``places`` by what tells it from the other cases: its stacks, size and processes."""
    return tuple(_name_place(one, expected, systems) for one in places)


def _name_place(place: CasePlace, expected: Sequence[CasePlace], systems: Systems) -> str:
    stacks = _name_stacks(place.stacks, systems) if len({one.stacks for one in expected}) > 1 else ""
    size = format_size(place.case.size_bytes) if len({one.case.size_bytes for one in expected}) > 1 else ""
    ranks = name_processes(place.case.ranks) if len({one.case.ranks for one in expected}) > 1 else ""
    return ", ".join(filter(None, [stacks, size, ranks]))


def describe_unmeasured(
    missing: Sequence[CasePlace], expected: Sequence[CasePlace], systems: Systems, how: str = "measured"
) -> str:
    """`` 3 of 6 cases were not measured: 50 and 200 processes.`` behind a sentence; '' where none is missing."""
    if not missing:
        return ""
    several = len({one.stacks for one in expected}) > 1
    parts = []
    for stacks in dict.fromkeys(one.stacks for one in missing):
        mine = [one.case for one in missing if one.stacks == stacks]
        where = _gather([one.case for one in expected if one.stacks == stacks], mine)
        parts.append(" at ".join(filter(None, [_name_stacks(stacks, systems) if several else "", where])))
    was = "was" if len(missing) == 1 else "were"
    return f" {len(missing)} of {format_count(len(expected), 'case')} {was} not {how}: {'; '.join(parts)}."


def _gather(every: Sequence[Case], missing: Sequence[Case]) -> str:
    """What is missing of the cases of some stacks, in few words; '' where all of them are."""
    if len(missing) == len(every):
        return ""
    sizes, ranks = sorted({one.size_bytes for one in missing}), sorted({one.ranks for one in missing})
    if all(one in missing for one in every if one.ranks in ranks):
        return f"{_enumerate(map(str, ranks))} process{'es' if ranks != [1] else ''}"
    if all(one in missing for one in every if one.size_bytes in sizes):
        return _enumerate(map(format_size, sizes))
    by_ranks = {count: [format_size(one.size_bytes) for one in missing if one.ranks == count] for count in ranks}
    return ", ".join(f"{_enumerate(names)} on {name_processes(count)}" for count, names in by_ranks.items())


def _enumerate(words: Iterable[str]) -> str:
    """``20, 40 and 50``."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _name_stacks(stacks: Sequence[str], systems: Systems) -> str:
    """``lam vs mpich``; a stack that is set against itself once; where there is none, that there is none."""
    roles = {spec: role for role, specs in reversed(list(systems.items())) for spec in specs}
    names = (display_name(spec, roles.get(spec, "")) for spec in dict.fromkeys(stacks))
    return " vs ".join(names) or "no stack"
