"""Why a run ended, as its folder tells it."""

from __future__ import annotations

import shlex

from msgauge.errors import StoreError
from msgauge.model import Notice, StopReason
from msgauge.results.run_folder import RunFolder

UNKNOWN = "end-not-known"


def warn_unknown_end(folder: RunFolder) -> list[Notice]:
    """A run that was analysed, and nobody can read any more why it ended: it is taken for one that was interrupted."""
    if not folder.dataset.records or not (folder.path / "findings.json").exists():
        return []
    try:
        folder.analysis()
    except StoreError as error:
        command = shlex.join(["msgauge", "compare", "--resume", str(folder.path)])
        what = f"why {folder.path} ended is not known, and it is shown as one that was interrupted: findings.json is "
        remedy = f"take it from a backup, or see that the run is whole, which notes its end anew: {command}"
        return [Notice(UNKNOWN, f"{what}{error.what}", remedy, (("command", command),))]
    return []


def read_stop_reason(folder: RunFolder) -> StopReason:
    """Why measuring ended, as it was noted; "interrupted" when nobody noted anything or no launch is left.

    What was noted of fewer rounds than there are is of an earlier end: the run went on, and nobody noted more.
    """
    if not folder.dataset.records:
        return StopReason.INTERRUPTED
    try:
        noted = folder.analysis()
    except StoreError:
        return StopReason.INTERRUPTED
    return noted.stopped if noted.rounds == folder.dataset.rounds else StopReason.INTERRUPTED
