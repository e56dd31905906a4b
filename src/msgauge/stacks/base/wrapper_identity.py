"""Who is behind this compiler wrapper, and behind this launcher? Both are asked; names on the disk prove nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

from attrs import frozen

from msgauge.model import Pairs
from msgauge.stacks.base.families import families
from msgauge.stacks.base.tool_query import ask


@frozen
class Signature:
    """By what its tools are known: patterns in what wrapper and launcher print, the version their first group."""

    family: str
    title: str
    wrapper: str
    launcher: str = r"(?!)"
    ask_version: Callable[[Path], tuple[str, str]] | None = None
    """For a wrapper that says no version: from its path to the version and what was said."""


@lru_cache(maxsize=1)
def signatures() -> dict[str, Signature]:
    """Those that families state, by name; those of plug-ins from elsewhere come last."""
    found: dict[str, Signature] = {}
    for family in families().values():
        signature = getattr(family, "signature", None)
        if signature is not None:
            found.setdefault(signature.family, signature)
    return found


@frozen
class Identity:
    """Family and version a tool says it is of; ``family`` is empty when it does not say."""

    family: str
    version: str = ""
    said: str = ""

    def __str__(self) -> str:
        signature = signatures().get(self.family)
        return f"{signature.title if signature else self.family or 'unknown'} {self.version}".strip()


@lru_cache(maxsize=256)
def compiler_identity(path: str, environment: Pairs = ()) -> Identity:
    """Whose compiler wrapper this is."""
    surroundings = dict(environment)
    said = ask([path, "--showme:version"], environment=surroundings).text
    identity = read_compiler(said)
    if identity.family:
        return _with_version(Path(path), identity)
    return read_compiler(ask([path, "-v"], environment=surroundings).text)


@lru_cache(maxsize=256)
def launcher_identity(path: str, environment: Pairs = ()) -> Identity:
    """Whose launcher this is."""
    return read_launcher(ask([path, "--version"], environment=dict(environment)).text)


def read_compiler(text: str) -> Identity:
    """Identity from what ``--showme:version`` or ``-v`` printed."""
    return _first_match({name: one.wrapper for name, one in signatures().items()}, text)


def read_launcher(text: str) -> Identity:
    """Identity from what ``--version`` printed; one that refuses to run may say no version."""
    return _first_match({name: one.launcher for name, one in signatures().items()}, text)


def _first_match(patterns: Mapping[str, str], text: str) -> Identity:
    for family, pattern in patterns.items():
        match = re.search(pattern, text, re.MULTILINE)
        if match:
            return Identity(family, match.group(1) or "", text[:2000])
    return Identity("", "", text[:2000])


def _with_version(wrapper: Path, identity: Identity) -> Identity:
    ask_version = signatures()[identity.family].ask_version
    if ask_version is None:
        return identity
    version, said = ask_version(wrapper)
    return Identity(identity.family, version, identity.said + said[:2000])


def same_stack(compiler: Identity, launcher: Identity) -> bool:
    """Do the two belong together? A version that one of them shortens (2021.18, 2021.18.1) is the same version."""
    if compiler.family != launcher.family:
        return False
    short, long = sorted((compiler.version, launcher.version), key=len)
    return long == short or long.startswith(short + ".") or not short


def longer_version(compiler: Identity, launcher: Identity) -> str:
    """The more exact of the two versions."""
    return max(compiler.version, launcher.version, key=len)
