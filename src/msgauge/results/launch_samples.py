"""The samples of one launch, as its worker left them: of one that went well they are whole, or it is told."""

from __future__ import annotations

from pathlib import Path

from msgauge.errors import StoreError, WireError
from msgauge.model import LaunchRecord, LaunchStatus, Samples
from msgauge.results import wire

_MEASURE_AGAIN = (
    "take it from a backup, or move the folder of this launch out of launches/: what else was measured can be read "
    "then, and 'msgauge run --resume RUN' measures this launch again"
)


def read_samples(path: Path, record: LaunchRecord) -> list[Samples]:
    """The frames in ``samples.bin`` of a launch; of one that did not go well those that can be read.

    Raises:
        StoreError: the launch went well, and the file is damaged, cut off, or cannot be read.
    """
    if record.status is not LaunchStatus.OK:
        return wire.readable_frames(path, launch=record.launch.number)
    try:
        frames, ended = wire.read_frames(path, launch=record.launch.number)
    except WireError as error:
        raise StoreError(f"damaged samples: {error}", where=str(path), remedy=_MEASURE_AGAIN) from error
    except OSError as error:
        what = f"cannot read the samples: {error.strerror or error}"
        raise StoreError(what, where=str(path), remedy=f"let this user read it, or {_MEASURE_AGAIN}") from error
    if not ended:  # its tests would be missing from every table, and nothing would say why
        what = "damaged samples: the launch went well, but its last samples are gone"
        raise StoreError(what, where=str(path), remedy=_MEASURE_AGAIN)
    return frames
