"""Whether a run goes on where it began: times of two computers in one run would be mixed without a word."""

from __future__ import annotations

from collections.abc import Mapping

from msgauge.errors import UsageError
from msgauge.model.machine_facts import name_fact

_PROCESSORS = ("cpu_model", "processors", "physical_cores")
"""What times rest on, whatever the computer is called."""


def refuse_other_machine(before: Mapping[str, object], now: Mapping[str, object], run: str) -> None:
    """``before``, ``now``: the facts of ``machine.describe()``; what either does not state says nothing.

    Raises:
        UsageError: other processors, or a computer of another name; a container's name is new each time.
    """
    contained = before.get("container") or now.get("container")
    names = _PROCESSORS if contained else ("host", *_PROCESSORS)
    other = [
        f"{name_fact(name)} {before[name]} there, {now[name]} here"
        for name in names
        if before.get(name) is not None and now.get(name) is not None and before[name] != now[name]
    ]
    if other:
        what = f"{run} was measured on another computer: {'; '.join(other)}"
        remedy = f"go on there, or measure anew here and compare both: msgauge diff {run} NEW"
        raise UsageError(what, remedy=remedy)
