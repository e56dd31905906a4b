"""Why a run ended, as its folder tells it."""

from __future__ import annotations

import shlex
from pathlib import Path

from msgauge.errors import StoreError
from msgauge.model import Notice, StopReason
from msgauge.results.run_folder import RunFolder

UNKNOWN = "end-not-known"


def read_end(folder: RunFolder) -> tuple[StopReason, list[Notice]]:
    """Why measuring ended, as it was noted, and a warning where that was noted and nobody can read it any more.

    "interrupted" when nobody noted anything or no launch is left. What was noted of fewer rounds than there are is of
    an earlier end: the run went on, and nobody noted more.
    """
    if not folder.dataset.records:
        return StopReason.INTERRUPTED, []
    try:
        noted = folder.analysis()
    except StoreError as error:
        is_noted = (folder.path / "findings.json").exists()
        return StopReason.INTERRUPTED, [_warn_unknown(folder.path, error)] if is_noted else []
    return noted.stopped if noted.rounds == folder.dataset.rounds else StopReason.INTERRUPTED, []


def read_stop_reason(folder: RunFolder) -> StopReason:
    """The first of ``read_end``."""
    return read_end(folder)[0]


def _warn_unknown(run: Path, error: StoreError) -> Notice:
    command = shlex.join(["msgauge", "compare", "--resume", str(run)])
    what = f"why {run} ended is not known, and it is shown as one that was interrupted: findings.json is "
    remedy = f"take it from a backup, or see that the run is whole, which notes its end anew: {command}"
    return Notice(UNKNOWN, f"{what}{error.what}", remedy, (("command", command),))
