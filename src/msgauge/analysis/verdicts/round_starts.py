"""Two stacks are not compared where rounds of a collective began in different ways (``model.starts``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import nan

import numpy as np
from attrs import evolve

from msgauge.analysis.verdicts.pair_table import PairTable
from msgauge.model import CellKey
from msgauge.model.starts import BARRIER, Starts, list_unlike
from msgauge.results.dataset import CellSamples, Series
from msgauge.stats.pairwise import UNDECIDED


def read_starts(one: CellSamples) -> Starts:
    """How the rounds of a test were started in each launch of a stack."""
    told = zip(one.compared.rounds, one.frames, strict=True)
    return {number: start for number, frame in told if (start := frame.attribute("start"))}


def part_by_start(one: Series) -> Iterator[tuple[bool, Series]]:
    """A series as it is or, where only some launches began behind a barrier, in two; whether each of them did."""
    behind = [frame.attribute("start") == BARRIER for frame in one.frames]
    if len(ways := dict.fromkeys(behind)) == 1:
        yield behind[0], one
        return
    for way in ways:
        yield way, one.of_launches([place for place, was in enumerate(behind) if was == way])


def find_unlike(cells: Mapping[CellKey, CellSamples], stacks: Sequence[str], columns: Sequence[int]) -> np.ndarray:
    """Whether two stacks have such rounds in a cell; bool (stacks, stacks, columns), both halves alike."""
    unlike = np.zeros((len(stacks), len(stacks), len(columns)), dtype=bool)
    for column, cell in enumerate(columns):
        keys = {row: CellKey(stack, cell) for row, stack in enumerate(stacks)}
        told = {row: read_starts(cells[key]) for row, key in keys.items() if key in cells}
        if len({start for starts in told.values() for start in starts.values()}) > 1:
            for one, other in combinations(told, 2):
                both = [one, other], [other, one]
                unlike[(*both, column)] = bool(list_unlike(told[one], told[other]))
    return unlike


def withdraw_unlike(table: PairTable, unlike: np.ndarray) -> PairTable:
    """Undecided and without limits is what was started in different ways; ``unlike``: bool (pairs, columns)."""
    if not unlike.any():
        return table
    judged = table.judged
    low, high = (np.where(unlike, nan, limit) for limit in (judged.low, judged.high))
    word = np.where(unlike, UNDECIDED, judged.word)
    return evolve(table, judged=evolve(judged, low=low, high=high, word=word))


def describe_unlike(base: str, other: str, starts: tuple[Starts, Starts]) -> str:
    """The reason of a verdict that was withdrawn, in a clause; ``starts``: of both, which differ in some round."""
    one, two = starts
    unlike = list_unlike(one, two)
    behind = {base if one[number] == BARRIER else other for number in unlike}
    first, second = ("one", "the other") if len(behind) > 1 else (base, other) if base in behind else (other, base)
    shared = len(one.keys() & two.keys())
    some = f"in {len(unlike)} of {shared} rounds " if len(unlike) < shared else ""
    return (
        f"{some}{first} was started behind a barrier, {second} from an agreed start: the times are of different things"
    )
