"""The old version of a stack for ``compare --against``: from an earlier run, from a prefix, or by its name.

It is measured as ``SPEC[old]`` beside the new one, so that two builds of one version have different names.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from attrs import evolve

from msgauge.config import Config, Prefix
from msgauge.discovery import registry
from msgauge.errors import MsgaugeError, StackError, UsageError
from msgauge.hosts import Host
from msgauge.model import Stack, VariantMark
from msgauge.model.stack_expression import parse_expressions
from msgauge.paths import expand_home
from msgauge.results.run_folder import RunFolder
from msgauge.results.run_folders import is_run_folder
from msgauge.stacks.base.families import families


def find_versions(
    against: str, chosen: Sequence[Stack], here: Sequence[Stack], host: Host, config: Config
) -> tuple[Stack, Stack]:
    """The new stack, one of ``chosen``, and its old version, proved and marked.

    ``against``: the folder of a run, the prefix of an installation, or an expression that names a stack of ``here``.

    Raises:
        UsageError: no such folder; several of ``chosen`` have an old version there; old and new are the same.
        StackError: the old version is not there, or not usable.
    """
    place = _read_place(against)
    found, errors = [], list[MsgaugeError]()
    for new in chosen:
        try:
            old = _from_folder(place, new, host, config) if place else registry.select(here, (against,))[0]
            found.append((new, _check(new, old, against)))
        except (StackError, UsageError) as error:
            errors.append(error)
    if len(found) == 1:
        return found[0]
    if not found:
        raise errors[0]
    names = ", ".join(new.spec for new, _ in found)
    raise UsageError(
        f"--against compares one stack with its old version, and there are {names}",
        remedy=f"name one of them: --stacks {found[0][0].spec}",
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


def _read_place(against: str) -> Path | None:
    """The folder that is meant; None for the name of a stack."""
    place = expand_home(against)
    if place.is_dir():
        return place.absolute()
    if _is_path(against):
        remedy = "name a run folder, the prefix of an installation, or a stack, NAME@VERSION"
        raise UsageError(f"--against {against}: there is no such folder", remedy=remedy)
    return None


def _is_path(against: str) -> bool:
    """Whether a word can only be meant as a path; ``openmpi/prefix`` is a stack and where it comes from."""
    if against.startswith(("/", ".", "~")) or against.endswith("/"):
        return True
    family = re.split(r"[@\[/]", against, maxsplit=1)[0].strip().lower()
    return "/" in against and family not in families()


def _from_folder(place: Path, new: Stack, host: Host, config: Config) -> Stack:
    if is_run_folder(place):
        return _from_run(RunFolder.open(place), new)
    return _from_prefix(place, new, host, config)


def _from_run(folder: RunFolder, new: Stack) -> Stack:
    """The stack that an earlier run measured, with the paths it had then.

    Raises:
        StackError: the run had none of this family, or it is not there any more.
        UsageError: it had several, none of which is like the new one.
    """
    alike = [_without_marks(stack) for stack in folder.stacks if stack.family == new.family]
    alike = list({stack.spec: stack for stack in alike}.values())
    same_variant = [stack for stack in alike if stack.variant == new.variant]
    candidates = same_variant if len(alike) > 1 and same_variant else alike
    if not candidates:
        raise StackError(
            f"the old run measured no {new.family}: it has {', '.join(stack.spec for stack in folder.stacks)}",
            where=str(folder.path),
            remedy="name a run of the same stack, or the prefix of the old installation",
        )
    if len(candidates) > 1:
        named = ", ".join(stack.spec for stack in candidates)
        raise UsageError(f"the old run measured several of them: {named}", remedy="name the prefix of the one you mean")
    (old,) = candidates
    gone = [path for path in (old.compiler, old.launcher) if path and shutil.which(path) is None]
    if gone:
        raise StackError(
            f"the old installation of {old.spec} is not there any more: {', '.join(gone)} cannot be run",
            where=str(folder.path),
            remedy=f"install it again (msgauge stacks install {old.family}@{old.version}), or name where the old build "
            "stands now: --against PREFIX",
        )
    return old


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
    if _make_signature(new) == _make_signature(old):
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


def _without_marks(stack: Stack) -> Stack:
    return evolve(stack, variant=stack.family_words)


def _make_signature(stack: Stack) -> tuple[object, ...]:
    """What a stack runs, by its files and settings; its version is only what it calls itself."""
    tools = tuple(os.path.realpath(path) if path else "" for path in (stack.compiler, stack.launcher))
    variant = stack.family_words
    place = "" if any(tools) else stack.origin.where
    return stack.family, tools, sorted(stack.environment), variant, stack.language, place
