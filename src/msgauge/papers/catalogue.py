"""The documents that msgauge runs again: those that come with it, and what of each can be run on a machine."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path

from attrs import evolve, field, frozen

from msgauge.errors import MsgaugeError, StudyError, hint_nearest
from msgauge.model import Kernel, Stack, VariantMark
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


def limit_ranks(paper: Paper, ranks: Collection[int]) -> Paper:
    """The paper measured on these numbers of processes alone.

    Raises:
        StudyError: it is run on none of them.
    """
    kept = [(asked, tuple(count for count in asked.measure.ranks if count in ranks)) for asked in paper.measures]
    if not any(counts for _, counts in kept):
        known = sorted({count for asked in paper.measures for count in asked.measure.ranks})
        what = f"{paper.name} is not run on {', '.join(map(str, sorted(ranks)))} processes"
        raise StudyError(what, remedy=f"name some of {', '.join(map(str, known))}")
    measures = (evolve(asked, measure=evolve(asked.measure, ranks=counts)) for asked, counts in kept if counts)
    return evolve(paper, measures=tuple(measures))


def restrict(paper: Paper, roles: Sequence[str]) -> Paper:
    """The same, for roles that were asked for once, and of which the paper may have lost some since."""
    measures = tuple(
        evolve(asked, systems=kept) for asked in paper.measures if (kept := _filter_systems(asked.systems, roles))
    )
    return evolve(paper, systems=tuple(one for one in paper.systems if one[0] in roles), measures=measures)


def _filter_systems(systems: Sequence[str], roles: Sequence[str]) -> tuple[str, ...]:
    return tuple(role for role in systems if role in roles)


def make_runnable(
    paper: Paper,
    select: Select,
    kernels: Mapping[str, Kernel],
    named: Sequence[str] = (),
    *,
    on_hosts: bool = False,
) -> RunnablePaper:
    """The study of a paper with the stacks and kernels that are here; ``named``: further stacks of the user's.

    ``select`` gives the stacks of this machine that expressions name, and raises StackError where there are none.
    ``on_hosts``: systems that sent over a network are measured on the hosts of the run and, marked ``local``, here;
    all others stay here.

    Raises:
        StackError: a stack that the user named is not here.
        StudyError: nothing of the paper can be run.
    """
    roles: dict[str, tuple[str, ...]] = {}
    missing: list[str] = []
    for role, expressions in paper.systems:
        found = [stack for one in expressions for stack in _find_stacks(one, select, role, missing)]
        roles[role] = _place_stacks(found, away=role in paper.networked) if on_hosts else _specs(found)
    mine = select(named) if named else ()
    roles[NAMED] = _place_stacks(mine, away=True) if on_hosts else _specs(mine)
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


def _specs(stacks: Iterable[Stack]) -> tuple[str, ...]:
    return tuple(stack.spec for stack in stacks)


def _place_stacks(stacks: Iterable[Stack], *, away: bool) -> tuple[str, ...]:
    """The stacks as they are measured in a run on hosts: there and here where they sent over a network, else here."""
    real = [(stack.spec, *(() if stack.stays else (stack.with_mark(VariantMark.LOCAL).spec,))) for stack in stacks]
    return tuple(spec for specs in real for spec in (specs if away else specs[-1:]))


def _find_stacks(expression: str, select: Select, role: str, missing: list[str]) -> tuple[Stack, ...]:
    try:
        return tuple(select((expression,)))
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


Roles = dict[str, tuple[str, ...]]


@frozen
class PlacedSystems:
    """The stacks of each role in a run, by where their messages went; simulated ones are of both."""

    here: Roles
    """On this computer."""
    across: Roles
    """Across the hosts of the run; empty where it had none."""
    unmarked: Mapping[str, str] = field(factory=dict)
    """What a stack of this computer is called on the hosts."""

    @property
    def every(self) -> Roles:
        """All of them, those across hosts first."""
        return {role: tuple(dict.fromkeys((*self.across.get(role, ()), *specs))) for role, specs in self.here.items()}


def systems_of(paper: Paper, stacks: Sequence[Stack], *, on_hosts: bool = False) -> PlacedSystems:
    """Role to specs among the stacks of a run; those that stand for no role have the role ``named``."""
    if not on_hosts:
        return PlacedSystems(_find_roles(paper, stacks), {})
    away = [stack for stack in stacks if not stack.has_mark(VariantMark.LOCAL)]
    marked = {evolve(one, variant=_remove_mark(one)): one.spec for one in stacks if one.has_mark(VariantMark.LOCAL)}
    marked |= {stack: stack.spec for stack in stacks if stack.simulated}
    here = _find_roles(paper, list(marked))
    specs = {stack.spec: spec for stack, spec in marked.items()}
    local = {role: tuple(specs[spec] for spec in found) for role, found in here.items()}
    return PlacedSystems(local, _find_roles(paper, away), {spec: plain for plain, spec in specs.items()})


def _remove_mark(stack: Stack) -> tuple[str, ...]:
    return tuple(word for word in stack.variant if word != VariantMark.LOCAL)


def _find_roles(paper: Paper, stacks: Sequence[Stack]) -> Roles:
    roles = {
        role: tuple(dict.fromkeys(spec for one in expressions for spec in _match_specs(one, stacks)))
        for role, expressions in paper.systems
    }
    taken = {spec for specs in roles.values() for spec in specs}
    return {**roles, NAMED: tuple(stack.spec for stack in stacks if stack.spec not in taken)}


def find_missing(paper: Paper, systems: Mapping[str, Sequence[str]], kernels: Sequence[str]) -> tuple[str, ...]:
    """What of a paper a run does not hold, by name. ``systems``: its stacks by role; ``kernels``: of its cells."""
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
