"""What versions of a stack have in common by name: two runs and histories follow a stack through its upgrades by it."""

from __future__ import annotations

import re

_SPEC = re.compile(r"(?P<family>[^@/\[]*)(?:@(?P<version>[^/\[]*))?(?P<origin>/[^\[]*)?(?P<variant>.*)")
_BELOW = re.compile(r"\+(?!(?:dfsg|ds|git|svn|hg|deb|repack|really|nmu)\b)([a-z]\w*)-")
"""The library that a stack stands on: ``4.1.2+openmpi-5.0.11``. Not how a distribution marks a version of its own."""


def leave_out_version(spec: str) -> str:
    """``mpich[shm]`` of ``mpich@5.0.2[shm]``, ``mpi4py+openmpi`` of ``mpi4py@4.1.2+openmpi-5.0.11``.

    Where it comes from stays: ``mpich/system`` of ``mpich@4.0.2/system``.
    """
    match = _SPEC.fullmatch(spec)
    return name_library(spec) + (match["origin"] or "") + match["variant"] if match else spec


def leave_out_origin(spec: str) -> str:
    """The same without where it comes from."""
    match = _SPEC.fullmatch(spec)
    return name_library(spec) + match["variant"] if match else spec


def name_library(spec: str) -> str:
    """The same without its variant either: ``mpich`` of ``mpich@5.0.2[shm]``."""
    family, lowest = name_family(spec), name_lowest(spec)
    return family if lowest == family else f"{family}+{lowest}"


def name_lowest(spec: str) -> str:
    """The library that carries the messages: ``openmpi`` of ``openmpi@5`` and of ``mpi4py@4.1.2+openmpi-5.0.11``."""
    match = _SPEC.fullmatch(spec)
    below = _BELOW.findall(match["version"] or "") if match else []
    return below[-1] if below else name_family(spec)


def name_family(spec: str) -> str:
    """The family alone: ``mpi4py`` of ``mpi4py@4.1.2+openmpi-5.0.11``."""
    match = _SPEC.fullmatch(spec)
    return match["family"] if match else spec
