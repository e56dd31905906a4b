"""What people call the facts of a machine, which a run keeps under short keys; which of them times rest on."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from msgauge.model.stack import Pairs

CONDITIONS = (
    "host",
    "system",
    "cpu_model",
    "allowed_processors",
    "smt",
    "clocksource",
    "governors",
    "memory_bytes",
    "hypervisor",
)
"""Facts of a machine that make two of them different ones, or one in another state."""


@frozen
class Resumption:
    """A run was resumed: when, as ISO 8601 in UTC, and the ``CONDITIONS`` then, as text, those that were known."""

    began: str
    conditions: Pairs = ()


_NAMES = {
    "host": "name of the host",
    "system": "operating system",
    "cpu_model": "processor model",
    "processors": "number of processors",
    "physical_cores": "number of physical cores",
    "allowed_processors": "processors that may be used",
    "smt": "simultaneous multithreading",
    "clocksource": "clock source",
    "governors": "frequency governor",
    "memory_bytes": "memory",
    "hypervisor": "hypervisor",
}


def name_fact(key: str) -> str:
    """``processor model`` for ``cpu_model``; of a key that has no name of its own its words."""
    return _NAMES.get(key, key.replace("_", " "))


def list_conditions(facts: Mapping[str, object]) -> Pairs:
    """Those of the ``CONDITIONS`` that the facts of ``machine.describe()`` state."""
    passing = {"host"} if facts.get("container") else set()  # a container's name is new each time
    return tuple((name, str(facts[name])) for name in CONDITIONS if name in facts and name not in passing)
