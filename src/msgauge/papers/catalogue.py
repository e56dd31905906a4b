"""The documents that msgauge runs again: those that come with it, and what of each can be run on a machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from attrs import evolve, frozen

from msgauge.errors import MsgaugeError, StudyError, hint_nearest
from msgauge.model import Kernel, Stack
from msgauge.model.stack_expression import choose, parse_expressions
from msgauge.papers.file import LONGEST_S, Paper, Request, parse_paper
from msgauge.study import Measure, Study

__all__ = [
    "FOLDER",
    "LONGEST_S",
    "NAMED",
    "Paper",
    "RunnablePaper",
    "list_shipped_papers",
    "load_paper",
    "make_runnable",
    "only",
    "parse_paper",
]

FOLDER = Path(__file__).parents[1] / "studies" / "papers"
NAMED = "named"
"""The role of stacks that the user names beside those of the document."""
Select = Callable[[Sequence[str]], Sequence[Stack]]


def list_shipped_papers() -> tuple[str, ...]:
    """Names of the papers that come with msgauge."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def load_paper(name: str) -> Paper:
    """A shipped paper by its name.

    Raises:
        StudyError: no such paper, or one with mistakes (all of them listed).
    """
    if name not in list_shipped_papers():
        near = hint_nearest(name, list_shipped_papers())
        hint = f"did you mean {near!r}? Else name" if near else "name"
        raise StudyError(f"unknown paper {name!r}", remedy=f"{hint} one of {', '.join(list_shipped_papers())}")
    return parse_paper((FOLDER / f"{name}.toml").read_text(encoding="utf-8"), name)


# --- what of it can be run here --------------------------------------------------------------------------------


@frozen
class RunnablePaper:
    """A paper's study on this machine, and what of it is missing, by name and with the reason."""

    study: Study
    missing: tuple[str, ...]


def only(paper: Paper, roles: Sequence[str]) -> Paper:
    """The paper with nothing but these of its systems measured; its tables and claims stay as they are.

    Raises:
        StudyError: a role that the paper has not.
    """
    known = [role for role, _ in paper.systems]
    strange = [role for role in roles if role not in known]
    if strange:
        what = f"{paper.name} has no system {', '.join(strange)}"
        raise StudyError(what, remedy=f"name some of {', '.join(known)}")
    return restrict(paper, roles)


def restrict(paper: Paper, roles: Sequence[str]) -> Paper:
    """The same, for roles that were asked for once, and of which the paper may have lost some since."""
    measures = tuple(
        evolve(asked, systems=kept) for asked in paper.measures if (kept := _filter_systems(asked.systems, roles))
    )
    return evolve(paper, systems=tuple(one for one in paper.systems if one[0] in roles), measures=measures)


def _filter_systems(systems: Sequence[str], roles: Sequence[str]) -> tuple[str, ...]:
    return tuple(role for role in systems if role in roles)


def make_runnable(
    paper: Paper, select: Select, kernels: Mapping[str, Kernel], named: Sequence[str] = ()
) -> RunnablePaper:
    """The study of a paper with the stacks and kernels that are here; ``named``: further stacks of the user's.

    ``select`` gives the stacks of this machine that expressions name, and raises StackError where there are none.

    Raises:
        StackError: a stack that the user named is not here.
        StudyError: nothing of the paper can be run.
    """
    roles: dict[str, tuple[str, ...]] = {}
    missing: list[str] = []
    for role, expressions in paper.systems:
        roles[role] = tuple(spec for one in expressions for spec in _specs(one, select, role, missing))
    roles[NAMED] = tuple(stack.spec for stack in select(named)) if named else ()
    measures: list[Measure] = []
    for asked in paper.measures:
        measure = _possible(asked.measure, kernels, missing)
        specs = tuple(dict.fromkeys(spec for role in _roles_of(asked, paper) for spec in roles[role]))
        if measure is not None and specs:
            measures.append(evolve(measure, stacks=specs))
    stacks = tuple(dict.fromkeys(spec for measure in measures for spec in measure.stacks))
    if not measures:
        raise StudyError(f"nothing of {paper.name} can be run: {'; '.join(missing)}", remedy="msgauge stacks")
    systems = tuple(role for role, _ in paper.systems)
    study = Study(paper.name, paper.title, stacks, tuple(measures), stopping=paper.stopping, systems=systems)
    return RunnablePaper(study, tuple(dict.fromkeys(missing)))


def _roles_of(asked: Request, paper: Paper) -> tuple[str, ...]:
    """The systems of a measure; stacks that the user names join where real ones take part."""
    return (*asked.systems, *((NAMED,) if paper.is_real(asked.systems) else ()))


def _specs(expression: str, select: Select, role: str, missing: list[str]) -> tuple[str, ...]:
    try:
        return tuple(stack.spec for stack in select((expression,)))
    except MsgaugeError as error:
        missing.append(f"{role} ({expression}): {error.what}")
        return ()


def _possible(measure: Measure, kernels: Mapping[str, Kernel], missing: list[str]) -> Measure | None:
    """The measure with the choices this msgauge has; None when it has no such kernel."""
    kernel = kernels.get(measure.kernel)
    if kernel is None:
        missing.append(f"kernel {measure.kernel}: not in this version of msgauge")
        return None
    known = {option.name: option.choices for option in kernel.options}
    lacking = [f"{n}={one}" for n, choices in measure.options for one in choices if one not in known.get(n, ())]
    missing += [f"kernel {kernel.name}: no option {one} in this version of msgauge" for one in lacking]
    kept = tuple((n, tuple(one for one in choices if one in known.get(n, ()))) for n, choices in measure.options)
    if any(choices and not left for (_, choices), (_, left) in zip(measure.options, kept, strict=True)):
        return None
    return evolve(measure, options=kept, sizes=measure.sizes if kernel.sized else (0,))


def systems_of(paper: Paper, stacks: Sequence[Stack]) -> dict[str, tuple[str, ...]]:
    """Role to specs among the stacks of a run; those that stand for no role have the role ``named``."""
    roles = {
        role: tuple(dict.fromkeys(spec for one in expressions for spec in _match_specs(one, stacks)))
        for role, expressions in paper.systems
    }
    taken = {spec for specs in roles.values() for spec in specs}
    return {**roles, NAMED: tuple(stack.spec for stack in stacks if stack.spec not in taken)}


def find_missing(paper: Paper, stacks: Sequence[Stack], kernels: Sequence[str]) -> tuple[str, ...]:
    """What of a paper a run does not hold, by name; ``kernels``: those of its cells."""
    systems = systems_of(paper, stacks)
    absent = [f"{role} ({', '.join(expressions)})" for role, expressions in paper.systems if not systems[role]]
    wanted = dict.fromkeys(asked.measure.kernel for asked in paper.measures)
    return (*absent, *(f"kernel {kernel}" for kernel in wanted if kernel not in kernels))


def _match_specs(expression: str, stacks: Sequence[Stack]) -> tuple[str, ...]:
    """Among the stacks of a run those that the expression chose, as it chose them among all."""
    (wanted,) = parse_expressions((expression,))
    varied = [one for one in stacks if one.family == wanted.family and set(one.variant) == set(wanted.words)]
    try:
        return tuple(stack.spec for stack in choose(varied, wanted, {wanted.family: ()}))
    except MsgaugeError:
        return ()
