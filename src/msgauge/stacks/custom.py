"""Any other MPI, named in config.toml: a wrapper, a launcher, and how the launcher is called. No Python is needed.

    [[prefix]]
    name = "mvapich"                  # then it is measured as custom@mvapich-3.0
    version = "3.0"
    path = "/opt/mvapich-3.0"
    launch = ["{launcher}", "-n", "{ranks}", "{program}"]

It reaches other hosts where its entry says how: ``launch_on_hosts``, with ``{hosts}`` and ``{agent}``.

A prefix without a name whose wrapper is of no family that msgauge knows is taken up too, under the name of its folder.
"""

# ruff: noqa: ARG002  (a method of the interface takes what any family may need)
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgauge.config import LAUNCH, Config, Prefix
from msgauge.errors import StackError
from msgauge.hosts import Host
from msgauge.model import RSH_AGENT, Command, Obtainable, Origin, Pairs, Stack
from msgauge.stacks.base.family import LaunchOptions, Recipe, Variant
from msgauge.stacks.base.fortran import FORTRAN, is_fortran
from msgauge.stacks.base.installations import can_run, pairs_in
from msgauge.stacks.base.mpi_family import COMPILE_FLAGS, MpiFamily, host_list
from msgauge.stacks.base.transport_header import capabilities_of
from msgauge.stacks.base.wrapper_identity import Signature, compiler_identity, signatures

TEMPLATE = "MSGAUGE_LAUNCH"
"""Carries the words of ``launch`` with the stack, and shows them with the command."""
TEMPLATE_ON_HOSTS = "MSGAUGE_LAUNCH_ON_HOSTS"
"""The same for ``launch_on_hosts``."""
LIBRARY = "MSGAUGE_LIBRARY"


class Custom(MpiFamily):
    """MPIs that no family knows; see ``family.Family`` for what each method is for."""

    name = "custom"
    title = "MPIs of your own (config.toml)"
    signature = Signature("mvapich", "MVAPICH", wrapper=r"^\S+ for MVAPICH\S* version (\d[\w.+-]*)")
    """An MPI that no family is for, told apart from the one that its tools descend from."""
    needs = frozenset({RSH_AGENT})

    def needs_of(self, stack: Stack) -> frozenset[str]:
        if TEMPLATE_ON_HOSTS in dict(stack.environment):
            return self.needs
        return frozenset({"launch_on_hosts in its entry of config.toml"})

    def variants(self) -> Sequence[Variant]:
        return (FORTRAN,)

    def find(self, host: Host, config: Config) -> Iterator[Stack]:
        for prefix in config.prefixes:
            if prefix.name or not _has_family(prefix):
                yield _stack(prefix)

    def obtainable(self, host: Host) -> Sequence[Obtainable]:
        return ()

    def install(self, version: str, origin: str) -> None:
        raise StackError("custom stacks stand already where they are", remedy="name one as [[prefix]] in config.toml")

    def variant_environment(self, stack: Stack, word: str) -> Pairs:
        return ()

    def capabilities(self, stack: Stack) -> frozenset[str]:
        """As for every MPI; without what came with MPI-3 where the hello said that it is older."""
        old = re.match(r"MPI [12]\.", stack.library)
        return capabilities_of(self.transport, without="MPI3") if old else capabilities_of(self.transport)

    def compile_command(self, stack: Stack, recipe: Recipe) -> Command | None:
        """By the C++ wrapper; where there is only one for C, it is told that the source is C++."""
        if is_fortran(stack) or not _is_for_c(stack.compiler):
            return super().compile_command(stack, recipe)
        argv = (
            stack.compiler,
            *COMPILE_FLAGS,
            *(f"-D{define}" for define in recipe.defines),
            *(f"-I{folder}" for folder in recipe.include),
            *("-x", "c++", *(str(source) for source in recipe.sources if source.suffix == ".cpp"), "-x", "none"),
            *(str(source) for source in recipe.sources if source.suffix != ".cpp"),
            *("-o", str(recipe.output), "-lstdc++", "-lm"),
        )
        return Command(argv, stack.environment)

    def launch_command(self, stack: Stack, program: Sequence[str], options: LaunchOptions) -> Command:
        environment = dict(stack.environment)
        known = {"launcher": stack.launcher, "ranks": str(options.ranks), "cores": str(options.cores)}
        template = environment.get(TEMPLATE, "").split() or list(LAUNCH)
        if reach := options.reach:
            known |= {"hosts": host_list(options), "agent": reach.agent, "interface": reach.interface}
            template = environment[TEMPLATE_ON_HOSTS].split()
        argv: list[str] = []
        for word in template:
            argv += program if word == "{program}" else [_substitute(word, known)]
        return Command(tuple(argv), stack.environment, folder=str(options.folder))

    def verify(self, stack: Stack, facts: Mapping[str, str]) -> str:
        said, wanted = facts.get("library", ""), dict(stack.environment).get(LIBRARY, "")
        if wanted in said:
            return ""
        remedy = "correct its library in config.toml, or LD_LIBRARY_PATH"
        return f"{stack.spec} runs another library: {said[:80]!r} has no {wanted!r} in it; {remedy}"


def _substitute(word: str, known: Mapping[str, str]) -> str:
    for name, value in known.items():
        word = word.replace(f"{{{name}}}", value)
    return word


def _list_families() -> set[str]:
    """The families that know their own wrappers."""
    return signatures().keys() - {FAMILY.signature.family}


def _has_family(prefix: Prefix) -> bool:
    """Is it for one of the families that know their own? An entry that names its family always is."""
    if prefix.family:
        return prefix.family in _list_families()
    compiler, _ = _tools(prefix)
    return not can_run(compiler) or compiler_identity(compiler, prefix.environment).family in _list_families()


def _stack(prefix: Prefix) -> Stack:
    compiler, launcher = _tools(prefix)
    identity = compiler_identity(compiler, prefix.environment) if can_run(compiler) else None
    name = prefix.name or re.sub(r"[^a-z0-9.]+", "-", prefix.path.name.lower()).strip("-") or "mpi"
    version = prefix.version or (identity.version if identity else "")
    missing = [what for what, path in (("wrapper", compiler), ("launcher", launcher)) if not can_run(path)]
    return Stack(
        family="custom",
        version=f"{name}-{version}" if version and not name.endswith(version) else name,
        origin=Origin("prefix", str(prefix.path)),
        compiler=compiler,
        launcher=launcher,
        environment=_environment(prefix),
        axes=(
            ("library", name),
            ("language", "c++"),
            ("transport", "default"),
            ("wait", "default"),
            ("version", version or "unknown"),
        ),
        usable=not missing,
        reason=_reason_if_missing(prefix, missing) if missing else "",
    )


def _reason_if_missing(prefix: Prefix, missing: Sequence[str]) -> str:
    known = ", ".join(signatures()[name].title for name in sorted(_list_families()))
    return (
        f"the configured prefix {prefix.path} has no {' and no '.join(missing)} that can be run; name compiler and "
        f"launcher in its entry in config.toml (a family other than {known} needs both under bin, or named)"
    )


def _environment(prefix: Prefix) -> Pairs:
    added = {**dict(prefix.environment)}
    if prefix.launch:
        added[TEMPLATE] = " ".join(prefix.launch)
    if prefix.launch_on_hosts:
        added[TEMPLATE_ON_HOSTS] = " ".join(prefix.launch_on_hosts)
    if prefix.library:
        added[LIBRARY] = prefix.library
    return tuple(added.items())


def _tools(prefix: Prefix) -> tuple[str, str]:
    """Wrapper and launcher: those that are named, else the usual names under bin, a C++ wrapper before one for C."""
    folder = prefix.path / "bin"
    pair = next(iter(pairs_in(folder)), ("", ""))
    compiler = str(prefix.path / prefix.compiler) if prefix.compiler else pair[0] or str(folder / "mpicc")
    named = str(prefix.path / prefix.launcher) if prefix.launcher else pair[1]
    usual = (str(folder / name) for name in ("mpiexec", "mpirun"))
    return compiler, named or next((path for path in usual if can_run(path)), str(folder / "mpiexec"))


def _is_for_c(compiler: str) -> bool:
    return bool(re.match(r"(?:mpi)?g?cc\b", Path(compiler).name))


FAMILY = Custom()
