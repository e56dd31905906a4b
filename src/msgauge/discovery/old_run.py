"""The old version of a stack as an earlier run measured it: which of its stacks is meant, and whether it stands yet."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence

from attrs import evolve

from msgauge.discovery import registry
from msgauge.errors import StackError, UsageError
from msgauge.model import Build, Stack
from msgauge.paths import expand_home
from msgauge.results.run_folder import RunFolder
from msgauge.results.run_folders import is_run_folder
from msgauge.stacks.base.build_identity import find_changed, is_of_the_system, names_libraries

_MOST_NAMED = 3


def split_place(against: str) -> tuple[str, str]:
    """``RUN:SPEC`` as the run folder and the stack of it; any other word as it is, and no stack."""
    for place, letter in enumerate(against):
        if letter == ":" and against[:place] and is_run_folder(expand_home(against[:place])):
            return against[:place], against[place + 1 :]
    return against, ""


def take_from_run(folder: RunFolder, new: Stack, named: str = "") -> tuple[Stack, str]:
    """The stack that an earlier run measured, with the paths it had then; and why it may be another one by now, or ''.

    ``named``: its spec in that run; else the one that is like the ``new`` one.

    Raises:
        StackError: the run had none of this family, or it is not there any more, or another stands there now.
        UsageError: it had several, none of which is like the new one; or none of the name.
    """
    recorded = _choose(folder, new, named)
    old = without_marks(recorded)
    gone = [path for path in (old.compiler, old.launcher) if path and shutil.which(path) is None]
    if gone:
        raise StackError(
            f"the old installation of {old.spec} is not there any more: {', '.join(gone)} cannot be run",
            where=str(folder.path),
            remedy=f"install it again (msgauge stacks install {old.family}@{old.version}) and name that: "
            f"--against {old.family}@{old.version}, or name where the old build stands now: --against PREFIX",
        )
    built = next((one for one in folder.builds if one.stack == recorded.spec), Build(recorded.spec, (), None))
    return old, _find_doubt(old, built, str(folder.path))


def name_stack(run: str, stacks: Sequence[Stack], old: Stack, new: Stack) -> str:
    """What ``--against`` takes for the ``old`` one of the ``stacks`` of a run, beside a ``new`` one."""
    alone = _list_alike(stacks, new)
    return run if len(alone) == 1 and make_signature(alone[0]) == make_signature(old) else f"{run}:{old.spec}"


def make_signature(stack: Stack) -> tuple[object, ...]:
    """What a stack runs, by its files and settings; its version is only what it calls itself."""
    tools = tuple(os.path.realpath(path) if path else "" for path in (stack.compiler, stack.launcher))
    variant = stack.family_words
    place = "" if any(tools) else stack.origin.where
    return stack.family, tools, sorted(stack.environment), variant, stack.language, place


def without_marks(stack: Stack) -> Stack:
    """The stack under the words that its family knows."""
    return evolve(stack, variant=stack.family_words)


def _choose(folder: RunFolder, new: Stack, named: str) -> Stack:
    """The one that is meant, as the run has it."""
    where, all_named = str(folder.path), ", ".join(stack.spec for stack in folder.stacks)
    if named:
        for stack in folder.stacks:
            if stack.spec == named:
                return stack
        raise UsageError(
            f"the old run measured no {named!r}: it has {all_named}",
            where=where,
            remedy="name one of these behind RUN:",
        )
    candidates = _list_alike(folder.stacks, new)
    if not candidates:
        raise StackError(
            f"the old run measured no {new.family}: it has {all_named}",
            where=where,
            remedy="name the new version of one of these with --stacks, or another run or prefix",
        )
    if len(candidates) > 1:
        listed = ", ".join(f"{stack.spec} ({stack.origin.where})" for stack in candidates)
        or_prefix = ", or its prefix" if candidates[0].origin.kind == "prefix" else ""
        raise UsageError(
            f"the old run measured several of them: {listed}",
            where=where,
            remedy=f"name the one you mean: --against {shlex.quote(f'{where}:{candidates[0].spec}')}{or_prefix}",
        )
    return candidates[0]


def _list_alike(stacks: Sequence[Stack], new: Stack) -> list[Stack]:
    """Those of the family of the new one, each installation once; those of its words alone where there are any."""
    alike: dict[tuple[object, ...], Stack] = {}
    for stack in stacks:
        if stack.family == new.family:
            alike.setdefault((without_marks(stack).spec, str(make_signature(stack))), stack)
    same_words = [stack for stack in alike.values() if stack.family_words == new.family_words]
    return same_words if len(alike) > 1 and same_words else list(alike.values())


def _find_doubt(old: Stack, built: Build, run: str) -> str:
    """Why what stands at the paths of an old stack may be another one by now; '' where it is the same to the byte.

    Raises:
        StackError: it is another one.
    """
    if old.origin.kind == "builtin":
        return ""
    changed = find_changed(built.installation)
    own = [path for path in changed if not is_of_the_system(path)]
    if own:
        raise _make_replaced_error(old, f"{_name_some(own)} changed since", run)
    if names_libraries(built.installation, old) and not changed:
        return ""
    proved = registry.prove(old)
    said, says = (" ".join(one.library.split())[:80] for one in (old, proved))
    if proved.usable and said and says and said != says:
        raise _make_replaced_error(old, f"its library says {says!r} now, and said {said!r}", run)
    if changed:
        return f"{_name_some(changed)} of this system changed since"
    return "that run did not note the files of its library, and what the library says of its version is the same"


def _make_replaced_error(old: Stack, why: str, run: str) -> StackError:
    place = f" at {old.origin.where}" if old.origin.kind in ("prefix", "managed") else ""
    return StackError(
        f"another installation stands{place} where the old run measured {old.spec}: {why}",
        where=run,
        remedy="name where the old build stands now: --against PREFIX; to set what was measured then beside the new "
        f"version, run that and see msgauge diff {run} NEW",
    )


def _name_some(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - _MOST_NAMED} more" if len(paths) > _MOST_NAMED else ""
    return f"{', '.join(paths[:_MOST_NAMED])}{more}"
