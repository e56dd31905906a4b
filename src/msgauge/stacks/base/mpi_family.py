"""What all MPI families share: they are found by their wrappers, compiled by them, and started by a launcher.

A family's own file holds its facts: words for variants, how ranks are placed, what its library calls itself.
"""

# ruff: noqa: ARG002  (a method of the interface takes what any family may need)
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve, frozen

from msgauge.config import Config
from msgauge.errors import StackError
from msgauge.hosts import Host
from msgauge.model import Command, Obtainable, Origin, Pairs, Stack
from msgauge.stacks.base import debian, fortran, managed
from msgauge.stacks.base.family import LaunchOptions, PlainFamily, Recipe, refuse_variant
from msgauge.stacks.base.installations import Installation, find_installations
from msgauge.stacks.base.transport_header import capabilities_of
from msgauge.stacks.base.tunables import match_setting
from msgauge.stacks.base.wrapper_identity import (
    Identity,
    compiler_identity,
    launcher_identity,
    longer_version,
    same_stack,
)

COMPILE_FLAGS = ("-std=c++20", "-O2", "-DOMPI_SKIP_MPICXX=1", "-DMPICH_SKIP_MPICXX=1")


@frozen
class Wheels:
    """The wheels that make a managed stack, all of one version; ``tested`` is the version known to work."""

    packages: tuple[str, ...]
    tested: str


class MpiFamily(PlainFamily):
    """Base of the MPI families; see ``family.Family`` for what each method is for."""

    name = ""
    title = ""
    native = True
    transport = "mpi"
    wheels: Wheels | None = None
    debian_packages: tuple[str, ...] = ()
    library_pattern = re.compile(r"$^")
    """Finds the version in the library's own version string."""
    fortran_defines: tuple[str, ...] = ()
    """What the worker in Fortran is to know of this family (``workers/fortran/binding.F90``)."""

    def variant_environment(self, stack: Stack, word: str) -> Pairs:
        """What a variant word sets."""
        raise NotImplementedError

    def setting_environment(self, name: str, value: str) -> Pairs:
        """What sets one of its ``settings``: the variable of that name, unless a family says otherwise."""
        return ((name, value),)

    def own_environment(self, place: Installation) -> Pairs:
        """What every call of this stack needs, beyond what its module or prefix says."""
        return place.environment

    def find(self, host: Host, config: Config) -> Iterator[Stack]:
        for place in find_installations(config):
            if place.problem:
                if place.family == self.name:
                    yield self._unusable(place, "unknown", place.problem)
                continue
            stack = self.recognise(place)
            if stack is not None:
                yield stack

    def recognise(self, place: Installation) -> Stack | None:
        """The stack at a place, if it is of this family; a launcher of another stack makes it unusable, by name."""
        environment = self.own_environment(place)
        compiler = compiler_identity(place.compiler, place.environment)
        if (place.family or compiler.family) != self.name:
            return None
        if not place.launcher:
            problem = f"{place.compiler} has no launcher (mpiexec, mpirun) beside it; install the run-time package too"
            return self._unusable(place, compiler.version or "unknown", problem)
        launcher = launcher_identity(place.launcher, environment)
        if not place.family and not same_stack(compiler, launcher):
            return self._unusable(place, compiler.version or "unknown", _reason_for_mix(place, compiler, launcher))
        return Stack(
            family=self.name,
            version=longer_version(compiler, launcher) or "unknown",
            origin=place.origin,
            compiler=place.compiler,
            launcher=place.launcher,
            environment=environment,
            axes=(*self._axes(), ("version", longer_version(compiler, launcher) or "unknown")),
        )

    def with_variant(self, stack: Stack, words: tuple[str, ...]) -> Stack:
        known = {variant.word: variant for variant in self.variants()}
        axes = dict(stack.axes)
        environment = dict(stack.environment)
        taken: dict[str, str] = {}
        for word in sorted(set(words)):
            setting = match_setting(stack.spec, word, self.settings(stack))
            if setting is not None:
                environment.update(self.setting_environment(*setting))
                continue
            if word not in known:
                raise refuse_variant(stack, word, tuple(known.values()))
            axis = known[word].axis
            if axis in taken:
                raise StackError(
                    f"{stack.spec}: {taken[axis]} and {word} exclude each other", remedy="keep one of them"
                )
            taken[axis] = axes[axis] = word
            if axis == "language":
                fortran.fortran_wrapper(stack)
            else:
                environment.update(self.variant_environment(stack, word))
        return evolve(
            stack,
            variant=tuple(sorted(set(words))),
            environment=tuple(environment.items()),
            language=taken.get("language", stack.language),
            axes=tuple(axes.items()),
        )

    def obtainable(self, host: Host) -> Sequence[Obtainable]:
        offers = []
        if self.wheels is not None:
            where = " ".join(self.wheels.packages)
            command = f"msgauge stacks install {self.name}@{self.wheels.tested}"
            offers.append(Obtainable(self.name, self.wheels.tested, Origin("managed", where), command))
        if self.debian_packages and debian.is_there():
            version = debian.version_on_offer(self.debian_packages[0])
            if version:
                command = f"msgauge stacks install {self.name}/system"
                origin = Origin("system", " ".join(self.debian_packages))
                offers.append(Obtainable(self.name, version, origin, command))
        return tuple(offers)

    def install(self, version: str, origin: str) -> None:
        if origin in {"", "managed"} and self.wheels is not None:
            managed.install(self.name, self.wheels.packages, version or self.wheels.tested)
        elif origin in {"", "system"} and self.debian_packages:
            debian.install(self.debian_packages)
        else:
            ways = [way for way, there in (("managed", self.wheels), ("system", self.debian_packages)) if there]
            raise StackError(
                f"{self.name} cannot be had as {origin!r}", remedy=f"known ways: {', '.join(ways) or 'none'}"
            )

    def kernels(self, stack: Stack) -> frozenset[str] | None:
        return fortran.fortran_kernels() if fortran.is_fortran(stack) else None

    def capabilities(self, stack: Stack) -> frozenset[str]:
        return capabilities_of(self.transport)

    def compile_command(self, stack: Stack, recipe: Recipe) -> Command | None:
        environment = self._wrapper_environment(stack)
        if fortran.is_fortran(stack):
            command = fortran.fortran_command(stack, recipe, self.compile_flags(stack), self.fortran_defines)
            return evolve(command, environment=environment)
        argv = (
            stack.compiler,
            *COMPILE_FLAGS,
            *self.compile_flags(stack),
            *(f"-D{define}" for define in recipe.defines),
            *(f"-I{folder}" for folder in recipe.include),
            *map(str, recipe.sources),
            "-o",
            str(recipe.output),
        )
        return Command(argv, environment)

    def _wrapper_environment(self, stack: Stack) -> Pairs:
        """The environment without what words in brackets set for ranks, so that all variants share one worker."""
        known = {variant.word: variant for variant in self.variants()}
        of_ranks: set[str] = set()
        for word in stack.variant:
            setting = match_setting(stack.spec, word, self.settings(stack))
            if setting is not None:
                of_ranks |= dict(self.setting_environment(*setting)).keys()
            elif word in known and known[word].axis != "language":
                of_ranks |= dict(self.variant_environment(stack, word)).keys()
        return tuple(pair for pair in stack.environment if pair[0] not in of_ranks)

    def compile_flags(self, stack: Stack) -> tuple[str, ...]:
        """Flags that only this family needs."""
        return ()

    def launch_command(self, stack: Stack, program: Sequence[str], options: LaunchOptions) -> Command:
        raise NotImplementedError

    def verify(self, stack: Stack, facts: Mapping[str, str]) -> str:
        said = facts.get("library", "")
        match = self.library_pattern.search(said)
        if match is None:
            return f"{stack.spec} runs another library: {said[:80]!r}; check LD_LIBRARY_PATH and the loaded modules"
        version = match.group(1)
        if not (version + ".").startswith(stack.version + ".") and not (stack.version + ".").startswith(version + "."):
            return f"{stack.spec} runs version {version} of its library; check LD_LIBRARY_PATH and the loaded modules"
        return ""

    def _axes(self) -> Pairs:
        return (("library", self.name), ("language", "c++"), ("transport", "default"), ("wait", "default"))

    def _unusable(self, place: Installation, version: str, reason: str) -> Stack:
        return Stack(
            family=self.name,
            version=version,
            origin=place.origin,
            compiler=place.compiler,
            launcher=place.launcher,
            environment=place.environment,
            usable=False,
            reason=reason,
        )


def command_of_scheduler(stack: Stack, program: Sequence[str], options: LaunchOptions, own: Pairs, pmi: str) -> Command:
    """Ranks that the scheduler starts itself over a PMI; ``own``: what the library is told besides."""
    assert options.reach is not None
    blanks = {"pmi": pmi, "ranks": str(options.ranks), "layout": ",".join(options.layout)}
    words = (word.format(**blanks) if "{" in word else word for word in options.reach.start)
    given = dict(stack.environment)
    added = tuple((name, value) for name, value in own if name not in given)
    return Command((*words, *program), (*stack.environment, *added), folder=str(options.folder))


def choose_pmi(speaks: Sequence[str], options: LaunchOptions) -> str:
    """The PMI by which a scheduler starts ranks here; '' where the stack's own launcher does.

    Without one in common the stack's first is named, which the scheduler then refuses: such a launch is not planned.
    """
    if options.reach is None or not options.reach.start:
        return ""
    return next((one for one in speaks if one in options.reach.hosts.pmis), speaks[0])


def host_list(options: LaunchOptions) -> str:
    """``name:cores,...`` as Open MPI and hydra both read it; empty for the present computer alone.

    On other hosts the number is that of the ranks that a host takes before the next one's turn.
    """
    if options.reach:
        hosts = options.reach.hosts
        return ",".join(f"{name}:{hosts.slots_of(name)}" for name in dict.fromkeys(options.layout))
    if all(host.local for host in options.hosts):
        return ""
    return ",".join(f"{host.name}:{host.cores}" for host in options.hosts)


def _reason_for_mix(place: Installation, compiler: Identity, launcher: Identity) -> str:
    starter = str(launcher) if launcher.family else "of an unknown stack"
    effect = "every process would be rank 0 of 1" if compiler.family != launcher.family else "they do not fit together"
    return (
        f"mixed stacks: {place.compiler} is {compiler}, but {place.launcher} is {starter}: {effect}; "
        f"put the launcher of {compiler} first on PATH, or name the pair as a [[prefix]] in config.toml"
    )
