"""What msgauge's own transports share: they come with it, and need only the system's C++ compiler."""

# ruff: noqa: ARG002  (a method of the interface takes what any family may need)
from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from attrs import evolve

from msgauge.config import Config
from msgauge.errors import StackError
from msgauge.hosts import Host
from msgauge.model import Command, Obtainable, Origin, Stack
from msgauge.stacks.base.family import LaunchOptions, PlainFamily, Recipe, refuse_variant
from msgauge.stacks.base.tool_query import ask
from msgauge.stacks.base.transport_header import capabilities_of

OLDEST_GCC = 10


class OwnTransport(PlainFamily):
    """Base of the built-in families; see ``family.Family`` for what each method is for."""

    name = ""
    title = ""
    native = True
    transport = ""
    headers: Path | None = None
    """The folder that holds ``transports/NAME.hpp`` where that is not a shipped one: of a plug-in from elsewhere."""
    simulated = False

    def find(self, host: Host, config: Config) -> Iterator[Stack]:
        compiler, reason = system_compiler()
        yield Stack(
            family=self.name,
            version="1",
            origin=Origin("builtin", "msgauge"),
            compiler=compiler,
            axes=(("library", self.name), ("language", "c++"), ("transport", self.name), ("wait", "default")),
            simulated=self.simulated,
            usable=not reason,
            reason=reason,
        )

    def with_variant(self, stack: Stack, words: tuple[str, ...]) -> Stack:
        if words:
            raise refuse_variant(stack, words[0], self.variants())
        return evolve(stack, variant=())

    def obtainable(self, host: Host) -> Sequence[Obtainable]:
        return ()

    def install(self, version: str, origin: str) -> None:
        _, reason = system_compiler()
        if reason:
            raise StackError(f"{self.name} comes with msgauge but cannot be compiled: {reason}", remedy="install g++")

    def kernels(self, stack: Stack) -> frozenset[str] | None:
        return None

    def capabilities(self, stack: Stack) -> frozenset[str]:
        return capabilities_of(self.transport, headers=self.headers)

    def compile_command(self, stack: Stack, recipe: Recipe) -> Command | None:
        argv = (
            stack.compiler,
            "-std=c++20",
            "-O2",
            "-pthread",
            *(f"-D{define}" for define in recipe.defines),
            *(f"-I{folder}" for folder in (*recipe.include, *filter(None, [self.headers]))),
            *map(str, recipe.sources),
            "-o",
            str(recipe.output),
        )
        return Command(argv)  # without the environment of ranks, so that all variants share one worker

    def launch_command(self, stack: Stack, program: Sequence[str], options: LaunchOptions) -> Command:
        raise NotImplementedError

    def verify(self, stack: Stack, facts: Mapping[str, str]) -> str:
        said = facts.get("library", "")
        return "" if said.startswith(f"msgauge {self.name}") else f"{stack.spec} runs another transport: {said!r}"


def system_compiler() -> tuple[str, str]:
    """The C++20 compiler of this system (``CXX``, g++, c++, clang++), and why there is none or an empty string."""
    return _compiler(os.environ.get("CXX", ""), os.environ.get("PATH", ""))


@lru_cache(maxsize=8)
def _compiler(named: str, path: str) -> tuple[str, str]:
    candidates = [
        found for name in (named, "g++", "c++", "clang++") if name and (found := shutil.which(name, path=path))
    ]
    if not candidates:
        return "", "there is no C++ compiler on PATH; install g++ 10 or later"
    versions = []
    for candidate in candidates:
        version = ask([candidate, "-dumpversion"]).text.strip()
        major = re.match(r"\d+", version)
        if major and int(major.group()) >= OLDEST_GCC:
            return candidate, ""
        versions.append(f"{candidate} {version}")
    listed = ", ".join(versions)
    return candidates[0], f"no C++ compiler here knows C++20 ({listed}); install g++ {OLDEST_GCC} or later"
