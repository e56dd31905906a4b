"""All families, and all stacks of this machine: found, proved, told apart and chosen by name."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from attrs import evolve

from msgauge.config import Config
from msgauge.discovery.proof import prove_stack
from msgauge.errors import StackError
from msgauge.hosts import Host
from msgauge.model import Obtainable, Stack, VariantMark
from msgauge.model.stack_expression import StackExpression, choose, hint_family, parse_expressions
from msgauge.stacks.base import debian
from msgauge.stacks.base.environment_modules import mpi_modules
from msgauge.stacks.base.families import families, list_broken_plugins, make_broken_stack
from msgauge.stacks.base.family import Family
from msgauge.stacks.base.wrapper_identity import compiler_identity, launcher_identity


def discover(host: Host, config: Config, named: Sequence[str] = ()) -> tuple[Stack, ...]:
    """Every stack on the host without variants, usable or not (then with the reason); proofs are remembered.

    ``named``: expressions; where each of them names a family, no other family is looked for, for that means to start
    some dozens of wrappers and launchers. Never raises for what is wrong with a stack. The order is that of families
    and, in a family, of preference.

    Raises:
        UsageError: an expression cannot be read.
    """
    sought, broken = _list_sought(named), list_broken_plugins()
    found = [*(stack for family in sought for stack in _find(family, host, config)), *broken]
    with ThreadPoolExecutor(max_workers=max(1, min(4, host.cores))) as pool:
        judged = tuple(pool.map(lambda stack: prove_once(stack) if stack.usable else stack, found))
    return disambiguate(judged)


def _list_sought(named: Sequence[str]) -> Sequence[Family]:
    """The families that expressions name; all where nothing is named, or ``all``, or a name that none of them has."""
    known = families()
    wanted = {one.family for one in parse_expressions(named)}
    narrow = wanted and wanted <= known.keys()
    return [family for name, family in known.items() if not narrow or name in wanted]


def prove_once(stack: Stack) -> Stack:
    """The stack with its library's string from a remembered or a new proof."""
    return _prove_guarded(stack, afresh=False)


def prove(stack: Stack) -> Stack:
    """The stack with the result of a new proof, whatever is remembered."""
    return _prove_guarded(evolve(stack, usable=True, reason=""), afresh=True)


def select(stacks: Sequence[Stack], expressions: Sequence[str]) -> tuple[Stack, ...]:
    """The stacks that expressions name, in their order, each once.

    ``openmpi`` (the preferred usable one), ``openmpi@4``, ``openmpi@4.1.4/system``, ``openmpi@all``,
    ``openmpi@5.0.11[tcp]``, ``openmpi[tcp,yield]``, ``all``. Nothing named: the preferred one of each family.
    ``openmpi?`` is left out when it is not here; ``absent`` says so.

    Raises:
        StackError: nothing usable fits, with what there is and how to get it.
    """
    wanted = parse_expressions(expressions)
    chosen: dict[str, Stack] = {}
    reasons = []
    for one in wanted or (StackExpression("each"),):
        try:
            found = _filter_fitting(stacks, one)
        except StackError as error:
            if not one.optional or one.family not in list_families(stacks):
                raise
            reasons.append(error.what)
            continue
        for varied in found:
            chosen.setdefault(varied.spec, varied)
    if not chosen:
        raise StackError(f"not one of these stacks is here: {'; '.join(reasons)}", remedy="see `msgauge stacks`")
    return tuple(chosen.values())


def absent(stacks: Sequence[Stack], expressions: Sequence[str]) -> tuple[tuple[str, str, str], ...]:
    """What was wanted if it is here, and is not: the name, the reason, the remedy."""
    missing_ones = []
    for one in parse_expressions(expressions):
        try:
            _filter_fitting(stacks, one)
        except StackError as error:
            missing_ones.append((one.family, error.what, error.remedy))
    return tuple(missing_ones)


def _filter_fitting(stacks: Sequence[Stack], wanted: StackExpression) -> list[Stack]:
    return [_make_variant(stack, wanted.words) for stack in choose(stacks, wanted, list_families(stacks))]


def list_families(stacks: Sequence[Stack]) -> dict[str, tuple[str, ...]]:
    """Families, and what else each is called: those of plug-ins, and those of stacks from the configuration."""
    return dict.fromkeys((stack.family for stack in stacks), ()) | _name_families()


def _name_families() -> dict[str, tuple[str, ...]]:
    return {name: tuple(getattr(family, "other_names", ())) for name, family in families().items()}


def obtainable(host: Host) -> tuple[Obtainable, ...]:
    """All that could be had on this host, there already or not."""
    known = families().values()
    debian.ask_about([package for family in known for package in getattr(family, "debian_packages", ())])
    return tuple(offer for family in known for offer in family.obtainable(host))


def find_missing(offers: Sequence[Obtainable], stacks: Sequence[Stack]) -> tuple[Obtainable, ...]:
    """The offers that are not among the stacks yet."""
    there = {(s.family, s.origin.kind) for s in stacks if s.usable}
    return tuple(offer for offer in offers if (offer.family, offer.origin.kind) not in there)


def forget() -> None:
    """Forget what tools and modules said, because something was installed since."""
    compiler_identity.cache_clear()
    launcher_identity.cache_clear()
    mpi_modules.cache_clear()


def install(name: str) -> None:
    """Get the stack that ``NAME[@VERSION][/ORIGIN]`` names.

    Raises:
        StackError: there is no such family, or it cannot be had.
        ToolError: a tool or a right is missing; the remedy is the command to run.
    """
    (wanted,) = parse_expressions([name]) or (StackExpression(""),)
    family = families().get(wanted.family)
    if family is None or wanted.words:
        near = hint_family(wanted.family, _name_families())
        hint = f"did you mean {near!r}? Else write" if near and family is None else "write"
        known = ", ".join(families())
        raise StackError(f"{name!r} is no stack to install", remedy=f"{hint} NAME or NAME@VERSION; known: {known}")
    family.install(wanted.version, wanted.origin)


def disambiguate(stacks: Sequence[Stack]) -> tuple[Stack, ...]:
    """Mark usable stacks that share family and version; of two from one kind of origin the first is taken."""
    kinds: dict[tuple[str, str], set[str]] = {}
    for stack in stacks:
        if stack.usable:
            kinds.setdefault((stack.family, stack.version), set()).add(stack.origin.kind)
    first: dict[tuple[str, str, str], Stack] = {}
    return tuple(_disambiguate(stack, len(kinds.get((stack.family, stack.version), ())) > 1, first) for stack in stacks)


def _disambiguate(stack: Stack, ambiguous: bool, first: dict[tuple[str, str, str], Stack]) -> Stack:
    if not stack.usable:
        return stack
    earlier = first.setdefault((stack.family, stack.version, stack.origin.kind), stack)
    if earlier is stack:
        return evolve(stack, ambiguous=ambiguous)
    return evolve(stack, usable=False, reason=_hidden(stack, earlier))


def _hidden(stack: Stack, earlier: Stack) -> str:
    return (
        f"the same version from the same kind of place as {earlier.compiler}, which is taken; to measure this one "
        f"instead, name {stack.origin.where} as a [[prefix]] in config.toml"
    )


def _find(family: Family, host: Host, config: Config) -> list[Stack]:
    try:
        return list(family.find(host, config))
    except Exception as problem:  # a plug-in of another package must not hide all other stacks
        return [
            make_broken_stack(family.name, f"its plug-in failed on the search: {problem!r}; report it to its author")
        ]


def _prove_guarded(stack: Stack, *, afresh: bool) -> Stack:
    try:
        return prove_stack(families()[stack.family], stack, afresh=afresh)
    except Exception as problem:
        return evolve(
            stack, usable=False, reason=f"the proof could not be made: {problem!r}; free the temporary folder"
        )


_ASKED_MARKS = (VariantMark.AGAIN, VariantMark.LOCAL, VariantMark.NODE, VariantMark.CORE)


def _make_variant(stack: Stack, words: tuple[str, ...]) -> Stack:
    """Variants of the family, and the marks that tell two of one stack apart in a run."""
    marks = tuple(mark for mark in _ASKED_MARKS if mark in words)
    own = tuple(word for word in words if word not in marks)
    varied = families()[stack.family].with_variant(stack, own) if own else stack
    for mark in marks:
        varied = varied.with_mark(mark)
    return varied
