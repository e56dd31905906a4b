"""The present computer alone: what every run without ``--hosts`` uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from msgauge.errors import UsageError
from msgauge.execution.host_access import PresentComputer
from msgauge.model import HostMap, HostSet


class Local:
    """Ranks of the present computer."""

    name = "local"
    offers: frozenset[str] = frozenset()

    def is_around(self) -> bool:
        """Never: it is what is left where none is."""
        return False

    def read(self, words: str, mapping: HostMap) -> HostSet:
        if words:
            raise UsageError(f"'local' takes no words, not {words!r}", remedy="leave --hosts out")
        return HostSet(asked="", map=mapping)

    @contextmanager
    def open(self, hosts: HostSet, users: Sequence[str]) -> Iterator[PresentComputer]:  # noqa: ARG002
        yield PresentComputer()


LAUNCHER = Local()
