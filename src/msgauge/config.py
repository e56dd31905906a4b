"""The user's configuration: ``config.toml`` -> Config, with every mistake reported at once.

run_as = "nobody"                  # user for stacks that refuse root (LAM)
search = ["managed", "system"]     # where to look for stacks; all of them when left out

[[prefix]]                         # a stack that stands somewhere of its own
path = "/opt/mvapich-3.0"
family = "mpich"                   # needed only where the wrapper does not say who it is
compiler = "bin/mpicxx"            # these two are found by themselves where they have the usual names
launcher = "bin/mpiexec"
environment = { LD_LIBRARY_PATH = "/opt/mvapich-3.0/lib" }
name = "mvapich"                   # an MPI that no family knows: it is measured as custom@mvapich-3.0
version = "3.0"
launch = ["{launcher}", "-n", "{ranks}", "{program}"]     # how its launcher is called; also {cores}
launch_on_hosts = ["{launcher}", "-n", "{ranks}", "-f", "{hosts}", "--rsh", "{agent}", "{program}"]  # also {interface}
library = "MVAPICH"                # a part of the library's own version string, as proof; any when left out
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, get_args

from attrs import frozen

from msgauge.errors import ConfigError
from msgauge.model import OriginKind, Pairs
from msgauge.paths import config_folder, expand_home

LAUNCH = ("{launcher}", "-n", "{ranks}", "{program}")
PLACEHOLDERS = ("{launcher}", "{ranks}", "{program}", "{cores}")
ON_HOSTS = (*PLACEHOLDERS, "{hosts}", "{agent}", "{interface}")
"""Also where ranks are to stand (``n1:2,n2:2``), a program called as rsh is, and the interface for messages."""
SEARCHABLE: tuple[str, ...] = tuple(kind for kind in get_args(OriginKind) if kind != "builtin")


@frozen
class Prefix:
    """A stack at a place the user names; empty fields are found out."""

    path: Path
    family: str = ""
    compiler: str = ""
    launcher: str = ""
    environment: Pairs = ()
    name: str = ""
    version: str = ""
    launch: tuple[str, ...] = ()
    launch_on_hosts: tuple[str, ...] = ()
    library: str = ""


@frozen
class Config:
    """What the user has settled for all runs."""

    run_as: str = "nobody"
    search: tuple[str, ...] = SEARCHABLE
    prefixes: tuple[Prefix, ...] = ()


def load_config(file: Path | None = None) -> Config:
    """The configuration in ``file`` (the user's own when left out); the defaults where there is none.

    Raises:
        ConfigError: the file cannot be read or has mistakes; all of them are listed.
    """
    file = file or config_folder() / "config.toml"
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return Config()
    except (OSError, UnicodeDecodeError) as problem:
        remedy = "correct it; it is text in UTF-8"
        raise ConfigError(f"cannot read the configuration: {problem}", where=str(file), remedy=remedy) from None
    return parse_config(text, where=str(file))


def parse_config(text: str, *, where: str = "config.toml") -> Config:
    """A Config from TOML text.

    Raises:
        ConfigError: with every mistake, one a line.
    """
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        raise ConfigError(f"not TOML: {problem}", where=where, remedy="correct the line named") from None
    mistakes: list[str] = []
    _unknown_keys(table, {"run_as", "search", "prefix"}, "", mistakes)
    config = Config(
        run_as=_user(table.get("run_as", "nobody"), mistakes),
        search=_search(table.get("search", list(SEARCHABLE)), mistakes),
        prefixes=_prefixes(table.get("prefix", []), mistakes),
    )
    if mistakes:
        raise ConfigError("\n".join(mistakes), where=where, remedy="correct the lines named; docs/reference/stacks/")
    return config


def _unknown_keys(table: dict[str, Any], known: set[str], place: str, mistakes: list[str]) -> None:
    for key in sorted(set(table) - known):
        mistakes.append(f"{place}{key}: unknown; known are {', '.join(sorted(known))}")


def _user(value: object, mistakes: list[str]) -> str:
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]{0,31}", value):
        return value
    mistakes.append(f"run_as: {value!r} is not the name of a user")
    return "nobody"


def _search(value: object, mistakes: list[str]) -> tuple[str, ...]:
    if isinstance(value, list) and all(kind in SEARCHABLE for kind in value):
        return tuple(dict.fromkeys(value))
    mistakes.append(f"search: {value!r} is not a list of some of {', '.join(SEARCHABLE)}")
    return SEARCHABLE


def _prefixes(value: object, mistakes: list[str]) -> tuple[Prefix, ...]:
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        mistakes.append("prefix: write each as a table [[prefix]]")
        return ()
    return tuple(_prefix(entry, f"prefix {number}: ", mistakes) for number, entry in enumerate(value, start=1))


def _prefix(entry: dict[str, Any], place: str, mistakes: list[str]) -> Prefix:
    texts = ("family", "compiler", "launcher", "name", "version", "library")
    _unknown_keys(entry, {"path", "environment", "launch", "launch_on_hosts", *texts}, place, mistakes)
    path = _absolute(entry.get("path", ""), place, mistakes)
    words = {name: entry.get(name, "") for name in texts}
    for name, word in words.items():
        if not isinstance(word, str):
            mistakes.append(f"{place}{name}: {word!r} is not text")
            words[name] = ""
    for name in ("name", "version"):
        if words[name] and not re.fullmatch(r"[a-z0-9][a-z0-9._]*", words[name]):
            mistakes.append(f"{place}{name}: {words[name]!r} has more than small letters, digits, . and _")
    return Prefix(
        path,
        **words,
        launch=_launch(entry.get("launch", []), f"{place}launch", PLACEHOLDERS, mistakes),
        launch_on_hosts=_launch_on_hosts(entry.get("launch_on_hosts", []), f"{place}launch_on_hosts", mistakes),
        environment=_environment(entry.get("environment", {}), place, mistakes),
    )


def _absolute(value: object, place: str, mistakes: list[str]) -> Path:
    """A path that may begin with ``~``, or ``~NAME`` where there is a user of that name."""
    path = expand_home(value) if isinstance(value, str) else Path()
    if path.is_absolute():
        return path
    mistakes.append(f"{place}path: {value!r} is not an absolute path")
    return Path("/")


def _launch(value: object, place: str, known: Sequence[str], mistakes: list[str]) -> tuple[str, ...]:
    """The words of a launch command; ``{program}`` stands by itself, for it becomes several words."""
    if value == []:
        return ()
    if not isinstance(value, list) or not all(isinstance(word, str) and word.split() == [word] for word in value):
        mistakes.append(f"{place}: {value!r} is not a list of words such as {list(LAUNCH)}")
        return ()
    for unknown in sorted(set(_placeholders(value)) - set(known)):
        mistakes.append(f"{place}: {unknown} is unknown; known are {', '.join(known)}")
    if "{program}" not in value or "{ranks}" not in _placeholders(value):
        mistakes.append(f"{place}: {value!r} needs {{ranks}}, and {{program}} as a word of its own")
    return tuple(value)


def _launch_on_hosts(value: object, place: str, mistakes: list[str]) -> tuple[str, ...]:
    words = _launch(value, place, ON_HOSTS, mistakes)
    lacking = {"{hosts}", "{agent}"} - set(_placeholders(words))
    if words and lacking:
        mistakes.append(f"{place}: {list(words)!r} needs {' and '.join(sorted(lacking))}")
    return words


def _placeholders(words: Iterable[str]) -> list[str]:
    return [found for word in words for found in re.findall(r"\{[^{}]*\}", word)]


def _environment(value: object, place: str, mistakes: list[str]) -> Pairs:
    pairs = value.items() if isinstance(value, dict) else [("", value)]
    good = []
    for name, text in pairs:
        if isinstance(text, str) and "\0" not in text and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            good.append((name, text))
        else:
            mistakes.append(f'{place}environment: {name!r} = {text!r} is not NAME = "text"')
    return tuple(sorted(good))
