"""The kernels there are, as their headers state them: facts read without compiling anything.

A kernel is one header with one ``Facts`` block (docs/reference/wire-protocol.md). Shipped ones stand in
``native/kernels``; more folders come from ``MSGAUGE_KERNELS`` (colons between, as in PATH).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

from attrs import evolve

from msgauge import kernel_options
from msgauge.errors import ConfigError
from msgauge.model import Kernel, Option
from msgauge.model.kernel_arithmetic import is_arithmetic
from msgauge.model.plan import Headline, KernelKind, Pattern
from msgauge.paths import native_folder

_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")


def load_kernels() -> dict[str, Kernel]:
    """Every kernel of all folders, by name, in the order of their names.

    Raises:
        ConfigError: a folder that is not there, a header that states no facts or wrong ones, or a name taken twice.
    """
    found: dict[str, tuple[Kernel, Path]] = {}
    for header in (header for folder in kernel_folders() for header in _headers(folder)):
        kernel = parse_facts(header.read_text(encoding="utf-8", errors="replace"), where=str(header))
        if header.parent == native_folder() / "kernels":
            kernel = _add_shared_meanings(kernel)
        if kernel.name in found:
            raise ConfigError(
                f"kernel {kernel.name!r} is there twice: also in {found[kernel.name][1]}",
                where=str(header),
                remedy="give one of them another .name",
            )
        found[kernel.name] = (kernel, header)
    return {name: found[name][0] for name in sorted(found)}


def kernel_folders() -> tuple[Path, ...]:
    """The folders kernels are taken from: the shipped one, and those of the environment; each once."""
    named = [Path(part) for part in os.environ.get("MSGAUGE_KERNELS", "").split(os.pathsep) if part]
    return tuple(dict.fromkeys((native_folder() / "kernels", *named)))


@lru_cache(maxsize=1024)
def parse_facts(text: str, *, where: str) -> Kernel:
    """The kernel a header's text describes; a command wants the kernels several times, and reads each text once.

    Raises:
        ConfigError: with the line of the mistake.
    """
    body, line = _block(text, where)
    facts = dict(_entries(body, line, where))
    known = _READERS.keys()
    for key, (_, at) in facts.items():
        if key not in known:
            raise _mistake(f"unknown fact .{key}", f"{where}:{at}", f"the facts are {' '.join(known)}")
    for key in ("name", "title", "meaning", "source"):
        if not facts.get(key, ("", 0))[0].strip():
            raise _mistake(f"the fact .{key} is missing or empty", f"{where}:{line}", f'add .{key} = "...",')
    values: dict[str, Any] = {key: _READERS[key](value, f"{where}:{at}") for key, (value, at) in facts.items()}
    meanings = values.pop("option_meanings", {})
    return _explain_options(Kernel(**values), meanings, f"{where}:{facts.get('option_meanings', ('', line))[1]}")


def _explain_options(kernel: Kernel, meanings: Mapping[str, str], where: str) -> Kernel:
    """The kernel with what its header says of its options."""
    unknown = meanings.keys() - {option.name for option in kernel.options}
    if unknown:
        raise _mistake(f"{min(unknown)!r} is no option of this kernel", where, "explain the options of .options alone")
    return evolve(kernel, options=tuple(evolve(one, what=meanings.get(one.name, "")) for one in kernel.options))


def _add_shared_meanings(kernel: Kernel) -> Kernel:
    """A shipped kernel with what its options of shared names do, where its header does not say otherwise."""
    shared = kernel_options.SHARED
    options = tuple(evolve(one, what=one.what or shared.get(one.name, "")) for one in kernel.options)
    return evolve(kernel, options=options)


def _headers(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise ConfigError(f"there is no folder of kernels {str(folder)!r}", remedy="correct MSGAUGE_KERNELS")
    return sorted(path for path in folder.glob("*.hpp") if path.is_file())


_BLOCK = re.compile(r"\bFacts\s+facts\s*(?:=\s*)?(?:Facts\s*)?\{")
_TOKEN = re.compile(r'\s+|//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|[A-Za-z0-9_.]+|[=,{};]', re.DOTALL)


def _block(text: str, where: str) -> tuple[str, int]:
    """The text between the braces of the facts, and the line it begins on."""
    start = _BLOCK.search(text)
    remedy = "state them as docs/reference/wire-protocol.md shows: inline constexpr Facts facts{ ... };"
    if start is None:
        raise _mistake("this header states no facts", where, remedy)
    line = text.count("\n", 0, start.end()) + 1
    position = start.end()
    while position < len(text) and text[position] != "}":
        token = _TOKEN.match(text, position)
        if token is None:
            raise _mistake("cannot read the facts", f"{where}:{text.count(chr(10), 0, position) + 1}", remedy)
        position = token.end()
    if position >= len(text):
        raise _mistake("the facts are never closed", f"{where}:{line}", remedy)
    return text[start.end() : position], line


def _entries(body: str, line: int, where: str) -> Iterator[tuple[str, tuple[str, int]]]:
    """(key, (value, line)) of every ``.key = value,``; adjacent string literals are joined."""
    statement: list[str] = []
    begun = line
    seen: set[str] = set()
    for token in [*_TOKEN.findall(body), ","]:
        if not token.isspace() and not token.startswith(("//", "/*")) and token != ",":
            begun = begun if statement else line
            statement.append(token)
        if token == "," and statement:
            key, value = _entry(statement, f"{where}:{begun}")
            if key in seen:
                raise _mistake(f"the fact .{key} is stated twice", f"{where}:{begun}", "keep one of them")
            seen.add(key)
            yield key, (value, begun)
            statement = []
        line += token.count("\n")


def _entry(tokens: list[str], where: str) -> tuple[str, str]:
    remedy = "write '.key = value,' with a number, true, false or string literals as value"
    if len(tokens) < 3 or not tokens[0].startswith(".") or tokens[1] != "=":
        raise _mistake(f"cannot read {' '.join(tokens)!r}", where, remedy)
    values = tokens[2:]
    if all(value.startswith('"') for value in values):
        return tokens[0][1:], "".join(_literal(value) for value in values)
    if len(values) != 1 or values[0].startswith('"'):
        raise _mistake(f"cannot read the value {' '.join(values)!r} of {tokens[0]}", where, remedy)
    return tokens[0][1:], values[0]


def _literal(token: str) -> str:
    """The text of a C++ string literal with the plain escapes."""
    return re.sub(r"\\(.)", lambda match: {"n": "\n", "t": "\t"}.get(match[1], match[1]), token[1:-1])


def _name(value: str, where: str) -> str:
    if _NAME.fullmatch(value) is None:
        raise _mistake(f"{value!r} is not a name", where, "use small letters, digits and '-', a letter first")
    return value


def _text(value: str, where: str) -> str:  # noqa: ARG001 -- every reader takes the place
    return value


def _aliases(value: str, where: str) -> tuple[str, ...]:
    words = tuple(value.split())
    for word in words:
        if re.fullmatch(r"[a-z][a-z0-9_-]*", word) is None:
            raise _mistake(f"{word!r} is not another name", where, "use small letters, digits, '-' and '_'")
    return words


def _words(value: str, where: str) -> tuple[str, ...]:
    words = tuple(value.split())
    for word in words:
        if re.fullmatch(r"[a-z][a-z0-9_]*", word) is None:
            raise _mistake(f"{word!r} is not a word", where, "use small letters, digits and '_' between spaces")
    return words


def _series(value: str, where: str) -> tuple[str, ...]:
    words = _words(value, where)
    if not words:
        raise _mistake("a kernel has at least one series", where, 'write .series = "time",')
    return words


def _count(value: str, where: str) -> int:
    if re.fullmatch(r"[0-9]{1,7}", value) is None:
        raise _mistake(f"{value!r} is not a count", where, "write a whole number")
    return int(value)


def _flag(value: str, where: str) -> bool:
    if value not in ("true", "false"):
        raise _mistake(f"{value!r} is neither true nor false", where, "write true or false")
    return value == "true"


def _options(value: str, where: str) -> tuple[Option, ...]:
    found = []
    for item in value.split():
        name, _, choices = item.partition("=")
        words = tuple(choices.split("|"))
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", name) or not all(re.fullmatch(r"[A-Za-z0-9._-]+", w) for w in words):
            raise _mistake(f"cannot read the option {item!r}", where, "write name=default|other|...")
        found.append(Option(name=name, choices=words))
    return tuple(found)


def _option_meanings(value: str, where: str) -> dict[str, str]:
    remedy = r"write a line 'name: meaning\n' for each option"
    found: dict[str, str] = {}
    for line in value.splitlines():
        name, colon, meaning = line.partition(":")
        if not colon or not meaning.strip() or name in found:
            raise _mistake(f"cannot read {line!r} of option_meanings", where, remedy)
        found[name] = meaning.strip()
    return found


def _one_of(words: tuple[str, ...]) -> Callable[[str, str], str]:
    """A reader of one of these words."""

    def read(value: str, where: str) -> str:
        if value not in words:
            known = ", ".join(word or '""' for word in words)
            raise _mistake(f"{value!r} is not among {known}", where, "take one of them")
        return value

    return read


def _member_of(kind: type[StrEnum]) -> Callable[[str, str], StrEnum]:
    """A reader of the values of an enumeration."""
    read = _one_of(tuple(kind))
    return lambda value, where: kind(read(value, where))


def _arithmetic(value: str, where: str) -> str:
    """The expression unchanged, once it is known to be arithmetic in ``bytes`` and ``ranks`` and nothing else."""
    remedy = "write arithmetic with + - * / // and parentheses in bytes and ranks"
    if not is_arithmetic(value):
        raise _mistake(f"cannot read bytes_moved {value[:200]!r}", where, remedy)
    return value


def _mistake(what: str, where: str, remedy: str) -> ConfigError:
    return ConfigError(what, where=where, remedy=remedy)


_READERS = {
    "name": _name,
    "title": _text,
    "meaning": _text,
    "source": _text,
    "minimum_ranks": _count,
    "maximum_ranks": _count,
    "bytes_moved": _arithmetic,
    "needs": _words,
    "options": _options,
    "option_meanings": _option_meanings,
    "sized": _flag,
    "collective": _flag,
    "unit": _name,
    "series": _series,
    "kind": _member_of(KernelKind),
    "pattern": _member_of(Pattern),
    "headline": _one_of(get_args(Headline)),
    "aliases": _aliases,
}
