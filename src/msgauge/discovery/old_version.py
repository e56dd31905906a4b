"""The old version of a stack for ``compare --against``: from an earlier run, from a prefix, or by its name.

It is measured as ``SPEC[old]`` beside the new one, so that two builds of one version have different names.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from attrs import evolve, frozen

from msgauge.config import Config, Prefix
from msgauge.discovery import registry
from msgauge.discovery.old_run import make_signature, split_place, take_from_run
from msgauge.errors import MsgaugeError, StackError, UsageError
from msgauge.hosts import Host
from msgauge.model import Stack, VariantMark
from msgauge.model.stack_expression import parse_expressions
from msgauge.paths import expand_home
from msgauge.results.run_folder import RunFolder
from msgauge.results.run_folders import PLAN, find_readable_runs, is_run_folder, was_run_folder
from msgauge.stacks.base.families import families


@frozen
class Versions:
    """A stack and its old version, proved and marked."""

    new: Stack
    old: Stack
    doubt: str = ""
    """Why the old one may be another installation than the one that a run measured; '' where there is no doubt."""


def find_versions(against: str, chosen: Sequence[Stack], here: Sequence[Stack], host: Host, config: Config) -> Versions:
    """The new stack, one of ``chosen``, and its old version.

    ``against``: the folder of a run, with ``:SPEC`` behind it where one of its stacks is meant; the prefix of an
    installation; or an expression that names a stack of ``here``.

    Raises:
        UsageError: no such folder; several of ``chosen`` have an old version there; old and new are the same.
        StackError: the old version is not there, or not usable, or another installation has taken its place.
    """
    place, named = _read_place(against)
    found, errors = [], list[MsgaugeError]()
    for new in chosen:
        try:
            old, doubt = _find_old(place, named, new, host, config) if place else (_select(here, against), "")
            found.append(Versions(new, _check(new, old, against), doubt))
        except (StackError, UsageError) as error:
            errors.append(error)
    if len(found) == 1:
        return found[0]
    if not found:
        raise errors[0]
    names = ", ".join(one.new.spec for one in found)
    raise UsageError(
        f"--against compares one stack with its old version, and there are {names}",
        remedy=f"name one of them: --stacks {found[0].new.spec}",
    )


def refuse_others(new: Stack, named: Sequence[str], here: Sequence[Stack], against: str) -> None:
    """Refuse expressions that name other stacks than the ``new`` one: ``--against`` would leave these unmeasured.

    Raises:
        UsageError: it says which. Stacks that are wanted if they are here, or among all, are no reason.
    """
    others = []
    for word in named:
        optional = parse_expressions((word,))[0].optional
        if not optional and new.spec not in {stack.spec for stack in registry.select(here, (word,))}:
            others.append(word)
    if others:
        raise UsageError(
            f"--against {against} has an old version of {new.spec} alone, so {', '.join(others)} would not be measured",
            remedy=f"name that alone: --stacks {new.spec}",
        )


def tell_taken(against: str) -> str:
    """What is taken for a word that may mean a folder or a stack, in a sentence; '' where it is plain."""
    place, _ = split_place(against)
    if not place or _is_path(place) or _find_family(place) not in families() or not expand_home(place).is_dir():
        return ""
    return f"--against {against} is the folder of that name here, not a stack: run elsewhere to name the stack"


def _read_place(against: str) -> tuple[Path | None, str]:
    """The folder that is meant, and the stack of a run that is named behind it; None for the name of a stack."""
    named_place, named = split_place(against)
    place = expand_home(named_place)
    if place.is_dir():
        return place.absolute(), named
    if _is_path(against):
        remedy = "name a run folder, the prefix of an installation, or a stack, NAME@VERSION"
        raise UsageError(f"--against {against}: there is no such folder", remedy=remedy)
    return None, ""


def _is_path(against: str) -> bool:
    """Whether a word can only be meant as a path; ``openmpi/prefix`` is a stack and where it comes from."""
    if against.startswith(("/", ".", "~")) or against.endswith("/"):
        return True
    return "/" in against and _find_family(against) not in families()


def _find_family(word: str) -> str:
    """The family that a word names where it is meant as a stack."""
    return re.split(r"[@\[/]", word, maxsplit=1)[0].strip().lower()


def _select(here: Sequence[Stack], against: str) -> Stack:
    return registry.select(here, (against,))[0]


def _find_old(place: Path, named: str, new: Stack, host: Host, config: Config) -> tuple[Stack, str]:
    """The old stack from a folder, and why it may be another one; it raises as ``find_versions`` does."""
    if is_run_folder(place):
        return take_from_run(RunFolder.open(place), new, named)
    if was_run_folder(place):
        what = f"--against {place}: this run cannot be read, for its {PLAN} is gone"
        raise UsageError(what, remedy="take it from a backup, or name the prefix of the old installation")
    if runs := find_readable_runs(place):
        what = f"--against {place}: this is a folder of runs, and one run is compared with"
        raise UsageError(what, remedy=f"name the run that you mean, e.g. --against {shlex.quote(str(runs[-1]))}")
    return _from_prefix(place, new, host, config), ""


def _from_prefix(place: Path, new: Stack, host: Host, config: Config) -> Stack:
    """The stack of the same family at a prefix, under the same words as the new one.

    Raises:
        StackError: there is none, or it is not usable.
    """
    entry = next((prefix for prefix in config.prefixes if prefix.path.absolute() == place), Prefix(place))
    narrow = evolve(config, search=("prefix",), prefixes=(entry,))
    family = families()[new.family]
    there = [stack for stack in family.find(host, narrow) if stack.origin.where == str(entry.path)]
    if not there:
        raise StackError(
            f"there is no {new.family} at {place}",
            remedy=f"name a prefix that has bin/mpicxx and bin/mpiexec of {family.title}, or the folder of a run",
        )
    plain = next((stack for stack in there if stack.usable), there[0])
    words = new.family_words
    return family.with_variant(plain, words) if words and plain.usable else plain


def _check(new: Stack, old: Stack, against: str) -> Stack:
    """The old stack proved and marked; what is the very same as the new one is refused by name."""
    if old.family != new.family:
        remedy = f"name both in one comparison instead: --stacks {new.spec},{old.spec}"
        raise UsageError(f"{old.spec} is no version of {new.spec}", remedy=remedy)
    if make_signature(new) == make_signature(old):
        place = old.origin.where if old.origin.kind != "builtin" else "it comes with msgauge"
        raise UsageError(
            f"old and new are the same: {new.spec} ({place}); an installation that was replaced since is gone",
            where=f"--against {against}",
            remedy="keep the old build in a prefix of its own and name that: --against PREFIX; "
            "--again compares a stack with itself",
        )
    proved = registry.prove_once(old) if old.usable else old
    if not proved.usable:
        raise StackError(f"the old version {old.spec} is not usable: {proved.reason}", remedy="name another one")
    return proved.with_mark(VariantMark.OLD)
