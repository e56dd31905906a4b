"""What versions of a stack have in common by name: two runs and histories follow a stack through its upgrades by it."""

from __future__ import annotations

import re

_SPEC = re.compile(
    r"(?P<family>[^@/\[]*)(?:@[^+/\[]*(?:\+(?P<below>[a-z]\w*)-[^/\[]*|\+[^/\[]*)?)?(?P<origin>/[^\[]*)?(?P<variant>.*)"
)


def leave_out_version(spec: str) -> str:
    """``mpich[shm]`` of ``mpich@5.0.2[shm]``, ``mpi4py+openmpi`` of ``mpi4py@4.1.2+openmpi-5.0.11``.

    Where it comes from stays: ``mpich/system`` of ``mpich@4.0.2/system``.
    """
    return _name(spec, "family", "below", "origin", "variant")


def leave_out_origin(spec: str) -> str:
    """The same without where it comes from."""
    return _name(spec, "family", "below", "variant")


def name_library(spec: str) -> str:
    """The same without its variant either: ``mpich`` of ``mpich@5.0.2[shm]``."""
    return _name(spec, "family", "below")


def name_family(spec: str) -> str:
    """The family alone: ``mpi4py`` of ``mpi4py@4.1.2+openmpi-5.0.11``."""
    return _name(spec, "family")


def _name(spec: str, *parts: str) -> str:
    match = _SPEC.fullmatch(spec)
    if match is None:
        return spec
    found = match.groupdict(default="") | {"below": f"+{match['below']}" if match["below"] else ""}
    return "".join(found[part] for part in parts)
