"""The computers that ranks run on."""

from __future__ import annotations

import os
import socket

from attrs import frozen


@frozen
class Host:
    """A computer that ranks may run on; ``cores`` counts the processors this process may use there."""

    name: str
    cores: int
    local: bool = True


def this_host() -> Host:
    """The present computer, with the cores of this process's affinity mask."""
    return Host(name=socket.gethostname(), cores=len(os.sched_getaffinity(0)))
