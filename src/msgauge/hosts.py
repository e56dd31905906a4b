"""Hosts and hostfiles, in every dialect: ``h:4``, ``h slots=4``, ``h cpu=4``, ``h*4``, and plain names."""

from __future__ import annotations

import os
import re
import socket

from attrs import frozen

from msgauge.errors import UsageError


@frozen
class Host:
    """A computer that ranks may run on; ``cores`` counts the processors this process may use there."""

    name: str
    cores: int
    local: bool = True


def this_host() -> Host:
    """The present computer, with the cores of this process's affinity mask."""
    return Host(name=socket.gethostname(), cores=len(os.sched_getaffinity(0)))


_LINE = re.compile(
    r"^(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)"
    r"(?:(?::|\*|\s+(?:slots|cpu|sp|max_slots)\s*=\s*)(?P<cores>[0-9]{1,6}))?\s*$"
)


def parse_hostfile(text: str, *, where: str = "hostfile") -> tuple[Host, ...]:
    """Hosts of a hostfile in any of the dialects; repeated hosts add up their cores.

    Raises:
        UsageError: with every line that could not be read.
    """
    cores: dict[str, int] = {}
    mistakes = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.split("#", 1)[0].strip()
        if not line:
            continue
        match = _LINE.match(line)
        if match is None:
            mistakes.append(f"line {number}: cannot read {line!r}")
            continue
        cores[match["name"]] = cores.get(match["name"], 0) + int(match["cores"] or 1)
    if mistakes:
        raise UsageError(
            "; ".join(mistakes), where=where, remedy="write one host a line: 'h', 'h:4', 'h slots=4' or 'h cpu=4'"
        )
    local = {"localhost", "127.0.0.1", socket.gethostname()}
    return tuple(Host(name=name, cores=count, local=name in local) for name, count in cores.items())
