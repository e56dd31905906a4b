"""The stack families there are, and what they state together of what is left behind and in the environment."""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from importlib.metadata import entry_points

from msgauge import stacks as stacks_package
from msgauge.model import Origin, Stack, Traces
from msgauge.stacks.base.family import Family

GROUP = "msgauge.stacks"


def families() -> dict[str, Family]:
    """Every family by name: the modules of ``stacks`` that hold a ``FAMILY``, then entry points of other packages."""
    return _all_families()[0]


def list_broken_plugins() -> tuple[Stack, ...]:
    """A stack that says why for each plug-in that cannot be loaded."""
    return _all_families()[1]


@lru_cache(maxsize=1)
def _all_families() -> tuple[dict[str, Family], tuple[Stack, ...]]:
    found: dict[str, Family] = {}
    broken = []
    for module in pkgutil.iter_modules(stacks_package.__path__):
        family = getattr(importlib.import_module(f"{stacks_package.__name__}.{module.name}"), "FAMILY", None)
        if family is not None:
            found[family.name] = family
    for entry in entry_points(group=GROUP):
        try:
            loaded = entry.load()
            family = getattr(loaded, "FAMILY", loaded)
            found.setdefault(str(family.name), family)
        except Exception as problem:  # a plug-in of another package must not take all other stacks with it
            remedy = "update or uninstall the package it came with"
            broken.append(
                make_broken_stack(entry.name, f"the plug-in {entry.value} cannot be loaded: {problem!r}; {remedy}")
            )
    return found, tuple(broken)


def make_broken_stack(name: str, reason: str) -> Stack:
    """A stack that cannot be used, and why."""
    return Stack(family=name, version="unknown", origin=Origin("builtin"), usable=False, reason=reason)


def collect_traces() -> Traces:
    """What processes of any family leave behind: a stack may run on top of another's library."""
    found = Traces()
    for family in families().values():
        found = found.join(family.traces)
    return found


def collect_variables() -> tuple[str, ...]:
    """How the names of all environment variables begin that the families' launchers and libraries obey."""
    return tuple(dict.fromkeys(prefix for family in families().values() for prefix in family.variables))
