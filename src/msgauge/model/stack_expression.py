"""The little language that names stacks: ``family[@version][/origin][[words]]``, ``family@all``, ``all``.

``all`` is every usable one, simulated platforms included (no verdict holds them against measured stacks); what msgauge
brings for tests alone (``fake``) is left out unless it is named. Nothing named is one of each family that measures.

expression = "all" | family ["@" version] ["/" origin] ["[" word {"," word} "]"] ["?"]

A question mark says: if it is here. What is not is told, and the rest goes on.
word       = letter {letter | digit | "_" | "-"} ["=" value]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from attrs import frozen

from msgauge.errors import StackError, UsageError, hint_nearest
from msgauge.model import Stack

PREFERENCE = ("prefix", "managed", "module", "spack", "system", "builtin")

_EXPRESSION = re.compile(
    r"(?P<family>[a-z0-9][a-z0-9_-]*)"
    r"(?:@(?P<version>[A-Za-z0-9][A-Za-z0-9._+-]*))?"
    r"(?:/(?P<origin>[a-z]+))?"
    r"(?:\[(?P<words>[A-Za-z][A-Za-z0-9_-]*(?:=[A-Za-z0-9._:+/%~-]+)?"
    r"(?:,[A-Za-z][A-Za-z0-9_-]*(?:=[A-Za-z0-9._:+/%~-]+)?)*)\])?"
    r"(?P<optional>\?)?"
)

_PLACES = {"dev": 0, "a": 1, "alpha": 1, "b": 2, "beta": 2, "pre": 3, "rc": 4}
"""Words of versions that come before the release itself, in their order."""
_END, _OTHER = 5, 6


@frozen
class StackExpression:
    """One expression taken apart; empty parts leave the choice open."""

    family: str
    version: str = ""
    origin: str = ""
    words: tuple[str, ...] = ()
    optional: bool = False
    """Only if it is here."""


def parse_expressions(expressions: Sequence[str]) -> tuple[StackExpression, ...]:
    """Expressions, each possibly a list with commas between them, taken apart.

    Raises:
        UsageError: with every one that cannot be read; or one gives a setting two values.
    """
    texts = [text for expression in expressions for text in split_list(expression)]
    matches = [(text, _EXPRESSION.fullmatch(_lower_family(text))) for text in texts]
    mistakes = [repr(text) for text, match in matches if match is None]
    if mistakes:
        remedy = "write NAME, NAME@VERSION, NAME@VERSION/ORIGIN or NAME[WORD,...], as `msgauge stacks` lists them"
        raise UsageError(f"not the name of a stack: {', '.join(mistakes)}", remedy=remedy)
    return tuple(_make_wanted(match) for _, match in matches if match is not None)


def _lower_family(text: str) -> str:
    """Families have small letters, whatever people type: ``OpenMPI@5`` is ``openmpi@5``."""
    return re.sub(r"^[^@\[?]*", lambda name: name[0].lower(), text)


def split_list(text: str) -> list[str]:
    """``a,b[c,d]`` -> ``a``, ``b[c,d]``: commas inside brackets belong to the variant."""
    parts = re.findall(r"(?:[^,\[\]]|\[[^\[\]]*\]|[\[\]])+", text)
    return [part.strip() for part in parts if part.strip()]


def choose(stacks: Sequence[Stack], wanted: StackExpression, known: Mapping[str, Sequence[str]]) -> tuple[Stack, ...]:
    """The usable stacks that are wanted, preferred ones first; ``known``: families, and what else each is called.

    Raises:
        StackError: there is none.
    """
    if wanted.family in {"all", "each"}:
        real = [stack for stack in stacks if stack.usable and not stack.simulated]
        if not real:
            raise StackError("no usable stack on this machine", remedy="see `msgauge stacks`, then install one")
        if wanted.family == "each":
            return tuple(_first_of_each_family(real))
        return tuple(stack for stack in stacks if stack.usable and not _for_tests(stack))
    family = [stack for stack in stacks if stack.family == wanted.family]
    fitting = [stack for stack in family if _fits(stack, wanted)]
    usable = sorted((stack for stack in fitting if stack.usable), key=_preference)
    if not usable:
        raise _no_match_error(wanted, family, fitting, known)
    return tuple(usable) if wanted.version == "all" else (usable[0],)


def hint_family(word: str, known: Mapping[str, Sequence[str]]) -> str:
    """The family that was probably meant; '' when none is near. ``known``: families, and what else each is called."""
    return hint_nearest(word, known, {other: name for name, others in known.items() for other in others})


def _for_tests(stack: Stack) -> bool:
    return stack.simulated and stack.origin.kind == "builtin"


def version_key(version: str) -> tuple[tuple[int, int, str], ...]:
    """For sorting versions as people read them: 4.1.10 after 4.1.9, 5.0rc1 before 5.0, 5.0 before 5.0.1."""
    parts = re.findall(r"\d+|[A-Za-z]+", version)
    found = [(1, int(part), "") if part.isdigit() else (0, _PLACES.get(part.lower(), _OTHER), part) for part in parts]
    return (*found, (0, _END, ""))


def _make_wanted(match: re.Match[str]) -> StackExpression:
    words = (match["words"] or "").split(",") if match["words"] else []
    _refuse_two_values(match[0], words)
    optional = bool(match["optional"])
    return StackExpression(
        match["family"], match["version"] or "", match["origin"] or "", tuple(dict.fromkeys(words)), optional
    )


def _refuse_two_values(text: str, words: Sequence[str]) -> None:
    """Of two values of one setting nobody could tell which was measured."""
    names = Counter(word.partition("=")[0] for word in dict.fromkeys(words))
    for name, times in names.items():
        if times > 1:
            raise UsageError(f"{text} gives {name} {times} values", remedy=f"write {name} once in the brackets")


def _fits(stack: Stack, wanted: StackExpression) -> bool:
    version = wanted.version in {"", "all"} or _shortens(wanted.version, stack.version)
    return version and wanted.origin in {"", stack.origin.kind}


def _shortens(short: str, version: str) -> bool:
    """Is it the start of a version, or of what a stack stands on: ``4.1.2+openmpi-5.0.11`` is also ``openmpi-5``."""
    whole, _, below = version.partition("+")
    return any(re.match(re.escape(short) + r"(?:[.+-]|$)", text) for text in (version, whole, below) if text)


def _preference(stack: Stack) -> tuple[int, tuple[tuple[int, int, str], ...]]:
    inverse = tuple((-kind, -number, word) for kind, number, word in version_key(stack.version))
    return PREFERENCE.index(stack.origin.kind), inverse


def _first_of_each_family(stacks: Sequence[Stack]) -> list[Stack]:
    names = dict.fromkeys(stack.family for stack in stacks)
    return [min((s for s in stacks if s.family == name), key=_preference) for name in names]


def _no_match_error(
    wanted: StackExpression, family: Sequence[Stack], fitting: Sequence[Stack], known: Mapping[str, Sequence[str]]
) -> StackError:
    name = wanted.family + (f"@{wanted.version}" if wanted.version else "")
    name += f"/{wanted.origin}" if wanted.origin else ""
    if wanted.family not in known:
        near = hint_family(wanted.family, known)
        hint = f"did you mean {near}?" if near else f"known are {', '.join(known)}"
        return StackError(f"there is no family of stacks {wanted.family!r}", remedy=hint)
    if fitting:
        reasons = "; ".join(f"{stack.spec}: {stack.reason}" for stack in fitting)
        remedy = "mend that, or name another of 'msgauge stacks'; 'msgauge doctor' looks for compilers and limits"
        return StackError(f"{name} is not usable: {reasons}", remedy=remedy)
    usable = ", ".join(stack.spec for stack in family if stack.usable)
    there = f"there is {usable}" if usable else "there is none of this family"
    return StackError(f"{name} is not on this machine; {there}", remedy=f"msgauge stacks install {name}")
