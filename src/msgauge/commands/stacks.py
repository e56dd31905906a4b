"""``msgauge stacks``: stacks found and available; ``install`` installs a stack, ``prove`` tests it again."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter

from msgauge.config import load_config
from msgauge.discovery import registry
from msgauge.frontend.command_group import make_group
from msgauge.hosts import this_host
from msgauge.model import Obtainable, Stack
from msgauge.model.stack_expression import parse_expressions
from msgauge.report import json_output
from msgauge.stacks.base.families import families

stacks = make_group(
    "stacks",
    help="List the message-passing stacks of this machine, test them, or install more.",
)
JsonFlag = Annotated[bool, Parameter(help="Print as JSON.")]


@stacks.default
def show(*, json: JsonFlag = False) -> int:
    """List the stacks found, their origin, why one is not usable, and the stacks available for installation."""
    host = this_host()
    found = registry.discover(host, load_config())
    offers = registry.find_missing(registry.obtainable(host), found)
    if json:
        print(as_json(found, offers))
    else:
        print(as_text(found, offers))
    return 0 if any(stack.usable for stack in found) else 5


@stacks.command
def install(
    names: Annotated[tuple[str, ...], Parameter(help="NAME, NAME@VERSION or NAME/system.")],
    /,
    *,
    json: JsonFlag = False,
) -> int:
    """Install stacks: wheels into separate prefixes, Debian packages where root or sudo allow."""
    wanted = tuple(part for name in names for part in name.split(",") if part)
    for name in wanted:
        print(f"installing {name} ...", file=sys.stderr, flush=True)
        registry.install(name)
    registry.forget()
    host = this_host()
    asked = {one.family for one in parse_expressions(wanted)}
    found = [stack for stack in registry.discover(host, load_config(), sorted(asked)) if stack.family in asked]
    print(as_json(found, ()) if json else as_text(found, ()))
    usable = {stack.family for stack in found if stack.usable}
    return 0 if asked <= usable else 5


@stacks.command
def prove(
    names: Annotated[tuple[str, ...], Parameter(help="Stacks as listed; all by default.")] = (),
    /,
    *,
    json: JsonFlag = False,
) -> int:
    """Test stacks again: compile a hello of two ranks with the stack's wrapper, start it with its launcher."""
    host = this_host()
    found = registry.discover(host, load_config(), names)
    chosen = registry.select(found, names) if names else found
    proofs = [registry.prove(stack) for stack in chosen]
    print(as_json(proofs, ()) if json else as_text(proofs, ()))
    return 0 if all(stack.usable for stack in proofs) else 5


def as_json(found: Sequence[Stack], offers: Sequence[Obtainable]) -> str:
    """Stacks first, then those available (not usable, with the command that installs them)."""
    return json_output.text({"stacks": [*map(_plain, found), *map(_plain_offer, offers)]})


def as_text(found: Sequence[Stack], offers: Sequence[Obtainable]) -> str:
    """The list as text: usable stacks, unusable ones with the reason, available ones."""
    usable = [stack for stack in found if stack.usable]
    broken = [stack for stack in found if not stack.usable]
    width = max((len(stack.spec) for stack in found), default=0)
    lines = [f"{len(usable)} usable stack{'' if len(usable) == 1 else 's'}:"]
    lines += [f"  {stack.spec:<{width}}  {_where(stack)}  {_library(stack)}".rstrip() for stack in usable]
    if broken:
        lines += ["", "not usable:", *(f"  {stack.spec:<{width}}  {_where(stack)}: {stack.reason}" for stack in broken)]
    words = {name: _words(name) for name in dict.fromkeys(stack.family for stack in usable)}
    if any(words.values()):
        lines += ["", "variants, in brackets after a name, as in openmpi[tcp]:"]
        lines += [f"  {name:<{width}}  {', '.join(variants)}" for name, variants in words.items() if variants]
    if offers:
        lines += [
            "",
            "available for installation:",
            *(f"  {offer.spec}: {offer.command}" for offer in offers),
        ]
    return "\n".join(lines)


def _plain(stack: Stack) -> dict[str, Any]:
    known = families().get(stack.family)
    return {
        "spec": stack.spec,
        "family": stack.family,
        "version": stack.version,
        "origin": stack.origin.kind,
        "where": stack.origin.where,
        "usable": stack.usable,
        "reason": stack.reason,
        "simulated": stack.simulated,
        "library": stack.library,
        "compiler": stack.compiler,
        "launcher": stack.launcher,
        "user": stack.user,
        "variants": [variant.word for variant in known.variants()] if known else [],
        "command": "",
    }


def _plain_offer(offer: Obtainable) -> dict[str, Any]:
    stack = Stack(offer.family, offer.version, offer.origin, usable=False)
    reason = offer.reason or f"not installed; install it with: {offer.command}"
    return {**_plain(stack), "spec": offer.spec, "reason": reason, "command": offer.command}


def _words(family: str) -> list[str]:
    """The variants of a family; parameters that only want a number are left to its page of the documentation."""
    known = families().get(family)
    return [variant.word for variant in known.variants() if not variant.word.endswith("=")] if known else []


def _where(stack: Stack) -> str:
    return "simulated" if stack.simulated else f"{stack.origin.kind} {stack.origin.where}".strip()


def _library(stack: Stack) -> str:
    """The first line of the library's string, short."""
    words = " ".join(stack.library.partition("\n")[0].split())
    return f"({words[:60].partition(', package')[0]})" if words else ""
