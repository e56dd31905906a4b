"""Reading TOML tables that people wrote: typed values out, every mistake collected with its line and key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from msgauge import units
from msgauge.errors import StudyError, UsageError, hint_nearest

Value = TypeVar("Value")


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """The document that a text is.

    Raises:
        StudyError: it is no TOML, or tables stand in tables deeper than anything reads.
    """
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise StudyError(f"not TOML: {error}", where=where, remedy="correct it at the place named") from error


class Mistakes:
    """The mistakes found so far in one TOML text."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()
        self.found: list[tuple[int, str]] = []

    def add(self, table: str, key: str, what: str) -> None:
        """Note a mistake at a key of a table (``stopping``, ``measure[2]``; '' is the top)."""
        line = self._line(table, key)
        place = ".".join(part for part in (table, key) if part)
        self.found.append((line, f"line {line}: {place}: {what}" if line else f"{place}: {what}"))

    def describe(self) -> str:
        """All of them, one a line, in the order of the file."""
        lines = [text for _, text in sorted(self.found, key=lambda mistake: mistake[0])]
        return lines[0] if len(lines) == 1 else f"{len(lines)} mistakes:\n    " + "\n    ".join(lines)

    def _line(self, table: str, key: str) -> int:
        """The line a key stands on, as well as a plain search can tell; the table's own line, or 0, otherwise."""
        inline = table.split(".")
        wanted, outer = inline[0], (inline[1] if len(inline) > 1 else key)
        current, counts, best = "", dict[str, int](), 0
        for number, raw in enumerate(self._lines, start=1):
            header = re.match(r"\s*(\[\[?)\s*([A-Za-z0-9_.\"-]+)\s*\]", raw)
            if header is not None:
                current = self._header(header[1], header[2], counts)
            if header is not None and current in (wanted, table):
                best = number
            elif current == table and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", raw):
                return number
            elif current == wanted and re.match(rf"\s*[\"']?{re.escape(outer)}[\"']?\s*[.=]", raw):
                best = number
        return best

    @staticmethod
    def _header(brackets: str, name: str, counts: dict[str, int]) -> str:
        outer, _, inner = name.replace('"', "").partition(".")
        if brackets == "[[":
            counts[outer] = counts.get(outer, 0) + 1
        place = f"{outer}[{counts[outer]}]" if outer in counts else outer
        return f"{place}.{inner}" if inner else place


class TomlTable:
    """One table of a TOML document; each reader takes a key, checks it, and gives the usual value after a mistake."""

    def __init__(self, name: str, content: Mapping[str, Any], mistakes: Mistakes) -> None:
        self._name = name
        self._content = content
        self._mistakes = mistakes
        self._read: list[str] = []

    def text(self, key: str, usual: str) -> str:
        """A string."""
        return self._read_typed(key, usual, str, "text in quotes")

    def flag(self, key: str, usual: bool) -> bool:
        """true or false."""
        return self._read_typed(key, usual, bool, "true or false")

    def integer(self, key: str, usual: int, low: int, high: int) -> int:
        """A whole number between two bounds, both allowed."""
        value = self._read_typed(key, usual, int, "a whole number")
        if low <= value <= high or key not in self._content:
            return value
        self.mistake(key, f"{value} is not between {low} and {high}")
        return usual

    def choice(self, key: str, usual: str, choices: Sequence[str]) -> str:
        """One of a few words."""
        value = self.text(key, usual)
        if value in choices:
            return value
        self.unknown(key, value, choices, "choice")
        return usual

    def duration_s(self, key: str, usual: float, low: float) -> float:
        """Seconds: a number, or text such as "50ms"."""
        value = self._quantity(key, usual, units.parse_duration_s)
        if value >= low:
            return value
        self.mistake(key, f"{value:g} s is less than {low:g} s")
        return usual

    def ratio(self, key: str, usual: float) -> float:
        """A relative amount between 0 and 1, both excluded: a number, or text such as "2%"."""
        value = self._quantity(key, usual, units.parse_ratio)
        if 0 < value < 1:
            return value
        self.mistake(key, f"{value:g} is not between 0 and 1 (or 0% and 100%)")
        return usual

    def words(self, key: str, usual: tuple[str, ...]) -> tuple[str, ...]:
        """A list of strings; one string alone is a list of one."""
        value = self._take(key, usual)
        words = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list | tuple) else None
        if words is None or not all(isinstance(word, str) and word for word in words) or self._is_empty(key, words):
            self.mistake(key, "write a list of words in quotes")
            return usual
        return words

    def lines(self, key: str) -> tuple[str, ...]:
        """A list of texts, some of which may be empty; empty when the key is not there."""
        value = self._take(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.mistake(key, 'write a list of texts in quotes; "" where there is none')
            return ()
        return tuple(value)

    def integers(self, key: str, usual: tuple[int, ...], low: int, high: int) -> tuple[int, ...]:
        """A list of whole numbers between two bounds; one number alone is a list of one."""
        value = self._take(key, usual)
        numbers = tuple(value) if isinstance(value, list | tuple) else (value,)
        if not all(type(number) is int and low <= number <= high for number in numbers) or self._is_empty(key, numbers):
            self.mistake(key, f"write a list of whole numbers between {low} and {high}")
            return usual
        return numbers

    def _is_empty(self, key: str, items: Sequence[object]) -> bool:
        """Whether a list that stands there has nothing: passed over, it would have other things measured than meant."""
        return key in self._content and not items

    def names(self) -> tuple[str, ...]:
        """The keys that stand in it, in the order of the file."""
        return tuple(self._content)

    def number(self, key: str, usual: float) -> float:
        """A number, whole or not; inf and nan are TOML's own."""
        value = self._take(key, usual)
        if type(value) in (int, float):
            return float(value)
        self.mistake(key, f"write a number, not {value!r}")
        return usual

    def numbers(self, key: str) -> tuple[float, ...]:
        """A list of numbers; empty when the key is not there."""
        value = self._take(key, [])
        if not isinstance(value, list) or not all(type(item) in (int, float) for item in value):
            self.mistake(key, "write a list of numbers; nan where there is none")
            return ()
        return tuple(float(item) for item in value)

    def sizes(self, key: str) -> tuple[int, ...]:
        """Sizes: a number, text such as "8B..4MiB x2", or a list of either; empty when the key is not there."""
        value = self._take(key, [])
        items = value if isinstance(value, list) else [value]
        if self._is_empty(key, items):
            self.mistake(key, 'write sizes such as "8B..4MiB x2", or leave it out')
        sizes: set[int] = set()
        for item in items:
            try:
                sizes.update(
                    units.parse_sizes(str(item)) if isinstance(item, str) or type(item) is int else _refuse(item)
                )
            except UsageError as error:
                self.mistake(key, f"{error.what}: {error.remedy}")
        return tuple(sorted(sizes))

    def table(self, key: str) -> TomlTable:
        """A table within; an empty one when it is not there."""
        value = self._take(key, {})
        if not isinstance(value, dict):
            self.mistake(key, "is a table: write its keys below it or in { }")
            value = {}
        return TomlTable(".".join(part for part in (self._name, key) if part), value, self._mistakes)

    def tables(self, key: str) -> list[TomlTable]:
        """An array of tables, ``[[key]]``."""
        value = self._take(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self.mistake(key, f"write it as [[{key}]] with its keys below")
            return []
        return [TomlTable(f"{key}[{number}]", item, self._mistakes) for number, item in enumerate(value, start=1)]

    def refuse_the_rest(self) -> None:
        """Every key that nobody asked for is a mistake."""
        for key in self._content:
            if key not in self._read:
                self.unknown(key, key, self._read, "key")

    def unknown(self, key: str, word: str, known: Sequence[str], kind: str) -> None:
        """Note a word that is not known, with the one that was probably meant."""
        near = hint_nearest(word, known)
        hint = f"did you mean {near!r}?" if near else f"known: {', '.join(known) or 'none'}"
        self.mistake(key, f"unknown {kind} {word!r}; {hint}")

    def mistake(self, key: str, what: str) -> None:
        """Note a mistake at a key of this table."""
        self._mistakes.add(self._name, key, what)

    def _take(self, key: str, usual: Any) -> Any:
        self._read.append(key)
        return self._content.get(key, usual)

    def _read_typed(self, key: str, usual: Value, kind: type[Value], what: str) -> Value:
        value = self._take(key, usual)
        if type(value) is kind:
            return value
        self.mistake(key, f"write {what}, not {value!r}")
        return usual

    def _quantity(self, key: str, usual: float, parse: Callable[[str], float]) -> float:
        value = self._take(key, usual)
        if type(value) in (int, float):
            return float(value)
        try:
            return parse(value) if isinstance(value, str) else _refuse(value)
        except UsageError as error:
            self.mistake(key, f"{error.what}: {error.remedy}")
            return usual


def _refuse(value: object) -> Any:
    raise UsageError(f"{value!r} is neither a number nor text", remedy="write it in quotes with its unit")
