"""The samples of one launch, as its worker left them: where they are damaged or gone since then, it is told."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from msgauge.errors import StoreError, WireError
from msgauge.model import Cell, LaunchRecord, LaunchStatus, Samples, serialization
from msgauge.results import wire

SAMPLES = "samples.bin"
"""The file in the folder of a launch."""
_MEASURE_AGAIN = (
    "take it from a backup, or move the folder of this launch out of launches/: what else was measured can be read "
    "then, and 'msgauge run --resume RUN' measures this launch again"
)


def load_samples(path: Path) -> bytes:
    """What a launch left in its ``samples.bin``; nothing where there is none.

    Raises:
        StoreError: it cannot be read.
    """
    try:
        return wire.read_content(path)
    except OSError as error:
        what = f"cannot read the samples: {error.strerror or error}"
        raise StoreError(what, where=str(path), remedy=f"let this user read it, or {_MEASURE_AGAIN}") from error


def digest_samples(content: bytes) -> str:
    """What tells the samples of a launch from damaged ones; '' where it left none."""
    return hashlib.sha256(content).hexdigest() if content else ""


def parse_samples(content: bytes, path: Path, record: LaunchRecord) -> list[Samples]:
    """The frames in that file of a launch; of one that did not go well those before the first garbage.

    Raises:
        StoreError: the launch went well, and they are damaged or cut off; or they are not as their launch left them.
    """
    number = record.launch.number
    if record.status is LaunchStatus.OK:
        frames = _whole_frames(content, path, number)
    else:
        frames = wire.intact_frames(content, where=str(path), launch=number)
    if record.samples_digest and digest_samples(content) != record.samples_digest:
        what = "damaged samples: they are not those that the launch left"
        raise StoreError(what, where=str(path), remedy=_MEASURE_AGAIN)
    return frames


def _whole_frames(content: bytes, path: Path, number: int) -> list[Samples]:
    try:
        frames = list(wire.frames_of(content, where=str(path), launch=number))
    except WireError as error:
        raise StoreError(f"damaged samples: {error}", where=str(path), remedy=_MEASURE_AGAIN) from error
    if not wire.has_end(frames):  # its tests would be missing from every table, and nothing would say why
        what = "damaged samples: the launch went well, but its last samples are gone"
        raise StoreError(what, where=str(path), remedy=_MEASURE_AGAIN)
    return frames


def check_tests(frames: list[Samples], record: LaunchRecord, cells: Mapping[int, Cell], path: Path) -> list[Samples]:
    """The same frames, whose worker says with them of which tests they are; believed of launches that went well.

    Raises:
        StoreError: of another kernel or size than the plan says, which has been changed since.
    """
    for frame in frames if record.status is LaunchStatus.OK else ():
        cell = cells.get(frame.cell)
        if cell is not None:
            planned = cell.kernel, str(cell.size_bytes)
            said = frame.attribute("kernel", planned[0]), frame.attribute("bytes", planned[1])
            if said != planned:
                what = "samples of another test: the plan says {} of {} bytes, and they are of {} of {} bytes"
                raise StoreError(what.format(*planned, *said), where=str(path), remedy=serialization.REMEDY)
    return frames
