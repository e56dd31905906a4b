"""Why a run ended, as its folder tells it."""

from __future__ import annotations

from msgauge.errors import StoreError
from msgauge.model import StopReason
from msgauge.results.run_folder import RunFolder


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
