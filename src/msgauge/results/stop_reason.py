"""Why a run ended, as its folder tells it."""

from __future__ import annotations

from msgauge.errors import StoreError
from msgauge.model import StopReason
from msgauge.results.run_folder import RunFolder


def read_stop_reason(folder: RunFolder) -> StopReason:
    """Why measuring ended, as it was noted; "interrupted" when nobody noted anything or no launch is left."""
    if not folder.dataset.records:
        return StopReason.INTERRUPTED
    try:
        return folder.analysis().stopped
    except StoreError:
        return StopReason.INTERRUPTED
