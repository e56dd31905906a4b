"""Who is behind this compiler wrapper, and behind this launcher? Both are asked; names on the disk prove nothing."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from attrs import frozen

from msgauge.model import Pairs
from msgauge.stacks.ask import ask

TITLES = {"openmpi": "Open MPI", "mpich": "MPICH", "intelmpi": "Intel MPI", "lam": "LAM/MPI", "mvapich": "MVAPICH"}


@frozen
class Identity:
    """Family and version a tool says it is of; ``family`` is empty when it does not say."""

    family: str
    version: str = ""
    said: str = ""

    def __str__(self) -> str:
        return f"{TITLES.get(self.family, self.family or 'unknown')} {self.version}".strip()


@lru_cache(maxsize=256)
def compiler_identity(path: str, environment: Pairs = ()) -> Identity:
    """Whose compiler wrapper this is."""
    surroundings = dict(environment)
    said = ask([path, "--showme:version"], environment=surroundings).text
    identity = read_compiler(said)
    if identity.family == "lam":
        return _version_of_lam(Path(path), identity)
    if identity.family:
        return identity
    return read_compiler(ask([path, "-v"], environment=surroundings).text)


@lru_cache(maxsize=256)
def launcher_identity(path: str, environment: Pairs = ()) -> Identity:
    """Whose launcher this is."""
    return read_launcher(ask([path, "--version"], environment=dict(environment)).text)


_COMPILERS = (
    ("openmpi", re.compile(r"^\S+: Open MPI v?(\d[\w.+-]*)", re.MULTILINE)),
    ("mvapich", re.compile(r"^\S+ for MVAPICH\S* version (\d[\w.+-]*)", re.MULTILINE)),
    ("mpich", re.compile(r"^\S+ for MPICH version (\d[\w.+-]*)", re.MULTILINE)),
    ("intelmpi", re.compile(r"^\S+ for the Intel\(R\) MPI Library (\d[\w.+-]*)", re.MULTILINE)),
    ("lam", re.compile(r"\s-llam(?:\s|$)()", re.MULTILINE)),
)
_LAUNCHERS = (
    ("openmpi", re.compile(r"^\S+ \((?:OpenRTE|Open MPI|PRRTE)\) v?(\d[\w.+-]*)", re.MULTILINE)),
    ("intelmpi", re.compile(r"^Intel\(R\) MPI Library.*?Version (\d[\w.+-]*)", re.MULTILINE)),
    ("mpich", re.compile(r"^HYDRA build details:\s+Version:\s+(\d[\w.+-]*)", re.MULTILINE)),
    ("lam", re.compile(r"\bLAM\b.*?(?:(\d+\.\d[\w.]*)|$)", re.MULTILINE)),
)


def read_compiler(text: str) -> Identity:
    """Identity from what ``--showme:version`` or ``-v`` printed."""
    return _first_match(_COMPILERS, text)


def read_launcher(text: str) -> Identity:
    """Identity from what ``--version`` printed; LAM's launcher says no version when it refuses root."""
    return _first_match(_LAUNCHERS, text)


def _first_match(patterns: tuple[tuple[str, re.Pattern[str]], ...], text: str) -> Identity:
    for family, pattern in patterns:
        match = pattern.search(text)
        if match:
            return Identity(family, match.group(1) or "", text[:2000])
    return Identity("", "", text[:2000])


def _version_of_lam(wrapper: Path, identity: Identity) -> Identity:
    said = ask([str(wrapper.parent / "laminfo"), "-version", "lam", "full"]).text
    match = re.search(r"LAM/MPI:\s*(\d[\w.+-]*)", said)
    return Identity("lam", match.group(1) if match else "", identity.said + said[:2000])


def same_stack(compiler: Identity, launcher: Identity) -> bool:
    """Do the two belong together? A version that one of them shortens (2021.18, 2021.18.1) is the same version."""
    if compiler.family != launcher.family:
        return False
    short, long = sorted((compiler.version, launcher.version), key=len)
    return long == short or long.startswith(short + ".") or not short


def longer_version(compiler: Identity, launcher: Identity) -> str:
    """The more exact of the two versions."""
    return max(compiler.version, launcher.version, key=len)
