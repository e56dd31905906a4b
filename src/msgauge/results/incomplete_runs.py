"""Warnings of a run that is not whole: launches whose folders are gone, by name, and that nothing was measured.

Whoever reads numbers of such a run may take them for all of it.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgauge.model import Notice
from msgauge.results.launch_notes import LaunchNote
from msgauge.results.run_folder import RunFolder

MISSING = "missing-launches"
NOTHING = "nothing-measured"
COMMAND = "command"
"""The evidence that holds the command line which measures what the run lacks."""
_MOST_NAMED = 5


def warn_incomplete(folder: RunFolder, *, has_times: bool) -> list[Notice]:
    """What a run lacks; nothing where it is whole. ``has_times``: whether anything at all was measured.

    Raises:
        StoreError: the notes of launches, or records, are damaged.
    """
    missing, run = folder.find_missing(), str(folder.path)
    found = _warn_missing(run, missing) if missing else []
    if not has_times:
        found.append(_warn_nothing(run, is_tried=bool(folder.dataset.records) and not missing))
    return found


def warn_missing_in(runs: Iterable[str]) -> tuple[Notice, ...]:
    """The launches that are missing from several run folders, a notice for each run, in their order.

    Raises:
        StoreError: the notes of launches of one are damaged.
    """
    found = ((run, RunFolder.open(Path(run)).find_missing()) for run in runs)
    return tuple(one for run, missing in found if missing for one in _warn_missing(run, missing))


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


def _warn_nothing(run: str, *, is_tried: bool) -> Notice:
    """``is_tried``: launches were made and delivered no time, which resuming would not mend."""
    if not is_tried:
        command = _resume(run)
        return Notice(NOTHING, f"nothing was measured in {run}", f"measure it: {command}", ((COMMAND, command),))
    command = shlex.join(["msgauge", "compare", str(Path(run) / "study.toml")])
    return Notice(
        NOTHING,
        f"nothing was measured in {run}: no launch delivered a time",
        f"read under failures and refusals what kept them from it, mend it, and measure anew: {command}",
        ((COMMAND, command),),
    )


def _resume(run: str) -> str:
    return shlex.join(["msgauge", "compare", "--resume", run])
