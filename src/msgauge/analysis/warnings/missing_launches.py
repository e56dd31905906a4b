"""A warning that names the launches whose folders are gone from a run: no number rests on them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgauge.model import Notice
from msgauge.results.launch_notes import LaunchNote
from msgauge.results.run_folder import RunFolder
from msgauge.units import format_count

_MOST_NAMED = 5


def warn_missing(run: str, missing: Sequence[LaunchNote]) -> list[Notice]:
    """One notice for a run, none where nothing is missing.

    ``run``: the folder, as a command line names it.
    """
    if not missing:
        return []
    named = ", ".join(f"{one.number:04d} of {one.stack}" for one in missing[:_MOST_NAMED])
    more = f" and {len(missing) - _MOST_NAMED} more" if len(missing) > _MOST_NAMED else ""
    return [
        Notice(
            "missing-launches",
            f"{format_count(len(missing), 'launch')} of {run} {'is' if len(missing) == 1 else 'are'} missing, and no "
            f"number rests on {'it' if len(missing) == 1 else 'them'}: {named}{more}",
            f"put what was moved away back into launches/, or measure it again: {resume_command(run)}",
            tuple((f"{one.number:04d}", f"{one.stack} on {format_count(one.ranks, 'rank')}") for one in missing),
        )
    ]


def warn_missing_in(runs: Iterable[str]) -> tuple[Notice, ...]:
    """The notices of several run folders, in their order.

    Raises:
        StoreError: the notes of launches of one are damaged.
    """
    return tuple(one for run in runs for one in warn_missing(run, RunFolder.open(Path(run)).find_missing()))


def resume_command(run: str) -> str:
    """The command line that measures what a run lacks."""
    return shlex.join(["msgauge", "compare", "--resume", run])
