"""What people call the facts of a machine, which a run keeps under short keys."""

from __future__ import annotations

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
