"""Which launches a run had, noted as they end: one whose folder is gone later is missed by name.

``launches.jsonl`` in the run folder has one line for each, appended when its record is published:

    {"number": 7, "round": 3, "stack": "openmpi@5.0.11", "ranks": 2}

It is written after the record, so that no crash leaves a note of a launch that never was: at worst a launch lacks its
note, or the last line is cut off, and who opens the run for writing next completes both. Runs of an older msgauge have
no notes, and nothing is missed in them until then. A launch whose hosts went away is not noted: it says nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from attrs import frozen

from msgauge.errors import StoreError
from msgauge.model import Launch, serialization
from msgauge.results.publishing import publish, store_errors

NAME = "launches.jsonl"


@frozen
class LaunchNote:
    """A launch that was whole: what tells it by name when its folder is gone."""

    number: int
    round: int
    stack: str
    ranks: int

    @classmethod
    def of(cls, launch: Launch) -> LaunchNote:
        """The note of a launch."""
        return cls(launch.number, launch.round, launch.stack, launch.ranks)


def append_note(run: Path, launch: Launch) -> None:
    """Note a launch that is whole. It need not reach the disk at once: a note that is lost is made up for.

    Raises:
        StoreError: the disk is full, or the file cannot be written.
    """
    path = run / NAME
    with store_errors(path), path.open("ab") as file:
        file.write(_line(LaunchNote.of(launch)))


def complete_notes(run: Path, whole: Iterable[Launch]) -> Mapping[int, LaunchNote]:
    """All notes by number, after those that launches on the disk lack were made, and a line cut off taken away.

    Raises:
        StoreError: the file is damaged, or cannot be written.
    """
    notes, is_cut_off = _read(run / NAME)
    lacking = {launch.number: LaunchNote.of(launch) for launch in whole if launch.number not in notes}
    notes |= lacking
    if lacking or is_cut_off:
        publish(run / NAME, b"".join(map(_line, notes.values())))
    return notes


def read_notes(run: Path) -> Mapping[int, LaunchNote]:
    """All notes by number; none in a run that an older msgauge made.

    Raises:
        StoreError: the file is damaged, or cannot be read.
    """
    return _read(run / NAME)[0]


def find_unnoted(run: Path, whole: Sequence[int]) -> tuple[list[int], list[int]]:
    """Of launches that are there, in order, those that have no note, and numbers below the last that are not there.

    None where the last one alone lacks its note: the run was killed just then. Without any note they tell nothing.

    Raises:
        StoreError: the file is damaged, or cannot be read.
    """
    if not (run / NAME).is_file():
        return [], []
    noted = read_notes(run)
    unnoted = [number for number in whole if number not in noted]
    if not unnoted or unnoted == [whole[-1]]:
        return [], []
    return unnoted, sorted({*range(whole[-1])} - {*whole} - noted.keys())


def _read(path: Path) -> tuple[dict[int, LaunchNote], bool]:
    """The notes, and whether something follows the last whole line."""
    try:
        *lines, rest = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return {}, False
    except OSError as error:
        what = f"cannot read the notes of launches: {error.strerror or error}"
        raise StoreError(what, where=str(path), remedy=_REMEDY) from error
    notes = [_note(line, f"{path}, line {number}") for number, line in enumerate(lines, start=1)]
    return {note.number: note for note in notes}, bool(rest)


def _note(line: bytes, where: str) -> LaunchNote:
    try:
        return serialization.from_plain(json.loads(line), LaunchNote, where=where)
    except (ValueError, RecursionError, StoreError) as error:
        raise StoreError("no note of a launch stands there", where=where, remedy=_REMEDY) from error


def _line(note: LaunchNote) -> bytes:
    return json.dumps(serialization.to_plain(note)).encode() + b"\n"


_REMEDY = "take it from a backup, or move it away: then nothing says which launches are missing"
