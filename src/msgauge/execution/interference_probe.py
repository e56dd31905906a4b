"""The sentinel: probes of the bare machine around every launch, which tell a slow library from a slow machine.

What they say is kept as it is; ``results/disturbances.py`` tells from all of a run where the machine changed.
"""

from __future__ import annotations

from pathlib import Path

from msgauge.execution.own_program import compile_program
from msgauge.model import Pairs

LIMIT_S = 5.0


def compile_sentinel() -> Path | None:
    """The sentinel's program, compiled once per version and machine; None where there is no system compiler."""
    return compile_program("sentinel")


def parse_sentinel(text: str) -> Pairs:
    """The probes of one run, as ``loop_ns``, ``loop_min_ns`` ...; empty when it said nothing readable."""
    for words in (line.split() for line in text.splitlines()):
        if words[:1] == ["msgauge-sentinel"]:
            pairs = (word.partition("=") for word in words[1:])
            return tuple((name, value) for name, _, value in pairs if _positive(value))
    return ()


def _positive(text: str) -> bool:
    try:
        return 0.0 < float(text) < 1e15
    except ValueError:
        return False
