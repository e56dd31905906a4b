"""The machine that was measured, as it described itself at the start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from msgauge import units
from msgauge.model.machine_facts import name_fact
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 70
title = "The machine"
brief = True


def applies(view: RunView) -> bool:
    """Whether the run kept its machine's facts."""
    return bool(view.machine)


def render(view: RunView) -> Markup:
    """All facts, nested ones under their joined names; nested ones that say the same share a line.

    The printed summary leaves nested ones out.
    """
    return fill("machine.html", facts=list(_flat(view.machine)))


def _flat(facts: Mapping[str, object], above: str = "") -> Iterator[tuple[str, str, bool]]:
    """Name, text, and whether the fact is part of another one."""
    for name, value in facts.items():
        label = f"{above} {name}".replace("_", " ") if above else name_fact(name)
        if isinstance(value, Mapping):
            alike, others = _split_alike(value)
            yield from ((label, f"{text}: {', '.join(names)}", True) for text, names in alike.items())
            yield from _flat(others, label)
        elif value not in (None, "", [], ()):
            text = _format_amount(value) if name.endswith("bytes") else _format_value(value)
            yield label.removesuffix(" bytes"), text, bool(above)


def _split_alike(facts: Mapping[str, object]) -> tuple[dict[str, list[str]], dict[str, object]]:
    """The names of facts by the text that ``_MANY`` of them share, and the other facts."""
    shared: dict[str, list[str]] = {}
    for name, value in facts.items():
        if isinstance(value, str) and value:
            shared.setdefault(value, []).append(name.replace("_", " "))
    alike = {text: names for text, names in shared.items() if len(names) >= _MANY}
    return alike, {name: value for name, value in facts.items() if not (isinstance(value, str) and value in alike)}


_MANY = 3


def _format_amount(value: object) -> str:
    return units.format_amount(value) if isinstance(value, int) else _format_value(value)


def _format_value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        if _is_run(value):
            return f"{value[0]} to {value[-1]}"
        return ", ".join(_format_value(item) for item in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_format_value(item)}" for name, item in value.items())
    return str(value)


def _is_run(values: Sequence[object]) -> bool:
    """Whether these are the whole numbers from the first to the last, too many to be listed."""
    first, last = values[:1], values[-1:]
    if len(values) <= _MANY or not (isinstance(first[0], int) and isinstance(last[0], int)):
        return False
    return list(values) == list(range(first[0], last[0] + 1))
