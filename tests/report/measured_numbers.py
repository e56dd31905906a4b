"""What pages of really measured runs say beside times: costs of messages, effects of one factor, stacks and machine.

Each function gives the texts that the JSON of the run bears there, as ``placed_numbers`` and ``stated_numbers`` do.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from page_layers import PLACES, RANKS, Said
from run_numbers import RunNumbers, leaves_of, ratio_of

from msgauge import units

SHOWN_WARNINGS = 8
"""Warnings of one kind before the others are counted."""


def cost_of_message(numbers: RunNumbers, said: Said, stack: str) -> Iterator[str]:
    """A place of the table of costs per message: by kernel, size, ranks and stack."""
    column = said.under[-1]
    for cost in numbers.documents["export"]["costs"]:
        if not _is_row(cost, said) or (column not in PLACES | RANKS and cost["stack"] != stack):
            continue
        yield from _place(cost, column)
        if column == "kernel":
            yield name_of(cost)
        if column == "CPU per message":
            yield units.format_time(cost["cpu_ns_per_event"])
        if column == "cores used":
            yield units.three_digits(cost["cores_used"])
        for name, key in (
            ("voluntary context switches per 1000", "voluntary_switches_per_event"),
            ("involuntary per 1000", "involuntary_switches_per_event"),
        ):
            if column == name:
                yield units.three_digits(1000 * cost[key])


def effect_of_factor(numbers: RunNumbers, said: Said) -> Iterator[str]:
    """A place of a table of two stacks that differ in one factor alone."""
    column = said.under[-1]
    for one in numbers.documents["export"]["factor_effects"]:
        if said.heading.endswith(f": {one['other']} vs {one['base']}") and _is_row(one, said):
            yield from _place(one, column)
            if column == "kernel":
                yield name_of(one)
            ratio, _, limits = ratio_of(one).partition(", ")
            yield from ({"ratio": (ratio,), "interval": (limits,)}).get(column, ())


def _is_row(one: Mapping[str, Any], said: Said) -> bool:
    """Whether a row of the JSON is the one that a place stands in, as far as this is said before its column."""
    places = name_of(one), units.format_size(one["size_bytes"]), units.format_count(one["ranks"], "process")
    return all(place == told for place, told in zip(places, said.under[1:-1], strict=False))


def name_of(one: Mapping[str, Any]) -> str:
    """``allreduce op=sum single``: a test by its kernel, options, and what is unusual of how it was measured."""
    options = (f"{name}={value}" for name, value in one["options"].items())
    way = [one["mode"]] * (one["mode"] != "batch") + [one["cache"]] * (one["cache"] != "hot")
    return " ".join([one["kernel"], *options, *way])


def _place(one: Mapping[str, Any], column: str) -> Iterator[str]:
    if column in PLACES:
        yield units.format_size(one["size_bytes"])
    if column in RANKS:
        yield str(one["ranks"])


def sentences_of_factors(numbers: RunNumbers) -> Iterator[str]:
    """How many verdicts of each kind stand under the heading of two such stacks."""
    pairs: dict[tuple[str, ...], list[str]] = {}
    for one in numbers.documents["export"]["factor_effects"]:
        key = one["factor"], one["other_value"], one["base_value"], one["other"], one["base"]
        pairs.setdefault(key, []).append(one["verdict"])
    for (factor, other, base, *_), words in pairs.items():
        counted = ", ".join(f"{word} in {count}" for word, count in Counter(words).most_common())
        yield f"{factor} {other} vs {base}: {counted} of {units.format_count(len(words), 'test')}"


def counts_of_more(numbers: RunNumbers) -> Iterator[str]:
    """``And 10 more.`` under warnings of one kind, as many as there may be: those of several stacks share a line."""
    kinds = Counter((one["code"], one["remedy"]) for one in numbers.documents["export"]["warnings"])
    for count in kinds.values():
        yield from (f"And {more} more." for more in range(1, count - SHOWN_WARNINGS + 1))


def spans_of_problems(numbers: RunNumbers) -> Iterator[str]:
    """The tests that a stack refused or failed in for one reason, by kernel: ``bcast, 8 B and 64 KiB, 2 ranks``."""
    export, cells = numbers.documents["export"], numbers.cells
    alike: dict[tuple[str, str], set[int]] = {}
    for one in (*export["refusals"], *export["failures"]):
        alike.setdefault((one["stack"], one["reason"]), set()).update({one["cell"]} & cells.keys())
    for found in alike.values():
        yield units.format_count(len(found), "cell")
        groups: dict[str, list[Mapping[str, Any]]] = {}
        for cell in sorted(found):
            options = [f"{name}={value}" for name, value in cells[cell]["options"]]
            usual = {"mode": "batch", "cache": "hot"}
            unusual = [f"{key}={cells[cell][key]}" for key, way in usual.items() if cells[cell][key] != way]
            groups.setdefault(" ".join([cells[cell]["kernel"], *options, *unusual]), []).append(cells[cell])
        for name, group in groups.items():
            told = [units.format_size(size) for size in sorted({one["size_bytes"] for one in group})]
            sizes = " and ".join(told) if len(told) < 3 else f"{len(told)} sizes from {told[0]} to {told[-1]}"
            ranks = sorted({one["ranks"] for one in group})
            of = f"{_list(ranks)} rank{'s' if ranks != [1] else ''}"
            yield f"{name}, {of}" if told == ["0 B"] else f"{name}, {sizes}, {of}"


def _list(ranks: Iterable[int]) -> str:
    *first, last = map(str, ranks)
    return f"{', '.join(first)} and {last}" if first else last


def texts_of_stack(numbers: RunNumbers, stack: str) -> Iterator[str]:
    """What stands in the card of a stack: its facts, the lines that built and launched it, and how it waits."""
    own = [one for one in numbers.documents["stacks"] if stack.startswith(f"{one['family']}@{one['version']}")]
    builds = [one for one in numbers.documents["builds"] if one["stack"] == stack]
    for text in leaves_of([own, builds]):
        yield from (text, *text.splitlines()) if isinstance(text, str) else ()
    commands = [one["command"] for one in (*builds, *numbers.records_of(stack)) if one["command"]]
    yield from map(_line_of, commands)
    for one in numbers.documents["export"]["stack_costs"]:
        if one["stack"] == stack and one["wait_mode"]:
            yield f"{one['wait_mode']} ({units.format_count(one['ranks'], 'rank')})"


def _line_of(command: Mapping[str, Any]) -> str:
    """A command as a line for a shell."""
    given = [f"{name}={shlex.quote(value)}" for name, value in command["environment"]]
    line = shlex.join(command["argv"])
    line = f"env {' '.join(given)} {line}" if given else line
    line = f"cd {shlex.quote(command['folder'])} && {line}" if command["folder"] else line
    return f"su {command['user']} -s /bin/sh -c {shlex.quote(line)}" if command["user"] else line


def facts_of_machine(numbers: RunNumbers) -> Iterator[str]:
    """Texts and numbers of the machine as the JSON has them."""
    machine = numbers.documents["machine"]
    leaves = [one for one in leaves_of(machine) if isinstance(one, str | int | float) and not isinstance(one, bool)]
    yield from map(str, leaves)
    yield from (units.format_amount(one) for one in leaves if not isinstance(one, str))
    yield from (", ".join(map(str, one)) for one in machine.values() if isinstance(one, list))
