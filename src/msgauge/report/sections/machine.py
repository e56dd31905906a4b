"""The machine that was measured, as it described itself at the start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 70
title = "The machine"
brief = True


def applies(view: RunView) -> bool:
    """Whether the run kept its machine's facts."""
    return bool(view.machine)


def render(view: RunView) -> Markup:
    """All facts, nested ones under their joined names."""
    return fill("machine.html", facts=list(_flat(view.machine)))


def _flat(facts: Mapping[str, object], above: str = "") -> Iterator[tuple[str, str]]:
    for name, value in facts.items():
        label = f"{above} {name}".strip().replace("_", " ")
        if isinstance(value, Mapping):
            yield from _flat(value, label)
        elif value not in (None, "", [], ()):
            yield label, _format_value(value)


def _format_value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(_format_value(item) for item in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_format_value(item)}" for name, item in value.items())
    return str(value)
