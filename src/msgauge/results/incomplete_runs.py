"""Warnings of a run that is not whole: it is still being measured, launches are gone, or nothing was measured.

Whoever reads numbers of such a run may take them for all of it.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgauge.model import Notice
from msgauge.results.launch_notes import NAME as NOTES
from msgauge.results.launch_notes import LaunchNote, find_unnoted
from msgauge.results.run_folder import RunFolder
from msgauge.results.run_folders import name_study
from msgauge.results.writer_lock import NAME as WRITER

MISSING = "missing-launches"
NOTHING = "nothing-measured"
UNFINISHED = "still-measured"
UNNOTED = "notes-lost"
COPIES = "copied-runs"
COMMAND = "command"
"""The evidence that holds the command line which measures what the run lacks."""
_MOST_NAMED = 5


def warn_incomplete(folder: RunFolder, *, has_times: bool) -> list[Notice]:
    """What a run lacks; nothing where it is whole. ``has_times``: whether anything at all was measured.

    Raises:
        StoreError: the notes of launches, or records, are damaged.
    """
    missing, run = folder.find_missing(), str(folder.path)
    found = [_warn_unfinished(run, folder.writer)] if folder.writer else []
    found += _warn_missing(run, missing) if missing else []
    unnoted, absent = ([], []) if folder.writer else find_unnoted(folder.path, folder.whole_launches())
    found += [_warn_unnoted(run, unnoted, absent)] if unnoted else []
    if not has_times and not folder.writer:
        found.append(_warn_nothing(run, is_tried=bool(folder.dataset.records) and not missing))
    return found


def warn_of_runs(runs: Sequence[tuple[str, str]]) -> tuple[Notice, ...]:
    """Copies among several run folders of which something was measured, and what each of them lacks, in their order.

    ``runs``: of each its folder, and what its copies have too.

    Raises:
        StoreError: the notes of launches of one are damaged.
    """
    lacking = [one for run, _ in runs for one in warn_incomplete(RunFolder.open(Path(run)), has_times=True)]
    return (*_warn_copies(runs), *lacking)


def _warn_copies(runs: Sequence[tuple[str, str]]) -> Iterator[Notice]:
    same: dict[str, list[str]] = {}
    for run, origin in runs:
        same.setdefault(origin or run, []).append(run)
    for copies in same.values():
        if len(copies) > 1:
            what = f"{', '.join(copies)} are copies of one run, which tell nothing of how much runs vary; of those of "
            what += "one version, or of a history that has other runs, the one with most launches counts"
            yield Notice(COPIES, what, "name one of them", tuple(("run", run) for run in copies))


def _warn_unfinished(run: str, writer: str) -> Notice:
    return Notice(
        UNFINISHED,
        f"{run} is still being measured by another msgauge ({writer}): this is what it had until now",
        f"read it again when that has ended; if it is surely gone, remove {Path(run) / WRITER}",
        (("writer", writer),),
    )


def _warn_missing(run: str, missing: Sequence[LaunchNote]) -> list[Notice]:
    named = ", ".join(f"{one.number:04d} of {one.stack}" for one in missing[:_MOST_NAMED])
    more = f" and {len(missing) - _MOST_NAMED} more" if len(missing) > _MOST_NAMED else ""
    command = _resume(run)
    each = ((f"{one.number:04d}", f"{one.stack}, ranks: {one.ranks}") for one in missing)
    return [
        Notice(
            MISSING,
            f"launches that {run} had are missing, and no number rests on them: {named}{more}",
            f"put what was moved away back into launches/, or measure them again: {command}",
            ((COMMAND, command), *each),
        )
    ]


def _warn_unnoted(run: str, unnoted: Sequence[int], absent: Sequence[int]) -> Notice:
    command, gone = _resume(run), ", ".join(f"{number:04d}" for number in absent[:_MOST_NAMED])
    more = f" and {len(absent) - _MOST_NAMED} more" if len(absent) > _MOST_NAMED else ""
    return Notice(
        UNNOTED,
        f"{Path(run) / NOTES} lacks the lines of {len(unnoted)} launches that are there: lines are lost, and of "
        "launches that are gone it may not tell" + (f"; {gone}{more} are not there" if absent else ""),
        f"put it back from a copy, or have the lines of what is there written anew: {command}",
        ((COMMAND, command), ("launches without a line", ", ".join(f"{number:04d}" for number in unnoted))),
    )


def _warn_nothing(run: str, *, is_tried: bool) -> Notice:
    """``is_tried``: launches were made and delivered no time, which resuming would not mend."""
    if not is_tried:
        command = _resume(run)
        return Notice(NOTHING, f"nothing was measured in {run}", f"measure it: {command}", ((COMMAND, command),))
    command = shlex.join(["msgauge", "compare", name_study(run)])
    return Notice(
        NOTHING,
        f"nothing was measured in {run}: no launch delivered a time",
        f"read under failures and refusals what kept them from it, mend it, and measure anew: {command}",
        ((COMMAND, command),),
    )


def _resume(run: str) -> str:
    return shlex.join(["msgauge", "compare", "--resume", run])
