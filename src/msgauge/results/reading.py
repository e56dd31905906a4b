"""What goes wrong when a run is read is told with its place and a remedy."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgauge.errors import StoreError
from msgauge.model import serialization

_REMEDIES = {
    errno.EACCES: "let this user read it",
    errno.EPERM: "let this user read it",
    errno.ENAMETOOLONG: "name a folder that is there",
}


@contextmanager
def read_errors(path: Path) -> Iterator[None]:
    """Turns an OSError into a StoreError that says what to do."""
    try:
        yield
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        remedy = _REMEDIES.get(error.errno or 0, serialization.REMEDY)
        raise StoreError(f"cannot read: {why}", where=str(path), remedy=remedy) from error
