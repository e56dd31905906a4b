"""What stacks share that are a library of the system and a transport of ours: found by asking the compiler for them."""

# ruff: noqa: ARG002  (a method of the interface takes what any family may need)
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from attrs import evolve

from msgauge.config import Config
from msgauge.errors import StackError
from msgauge.hosts import Host
from msgauge.model import Command, Obtainable, Origin, Stack
from msgauge.stacks.base import debian
from msgauge.stacks.base.builtin_transport import system_compiler
from msgauge.stacks.base.family import Recipe
from msgauge.stacks.base.local_ranks import LocalRanks
from msgauge.stacks.base.tool_query import ask


class SystemLibrary(LocalRanks):
    """A family whose facts are a header, libraries to link with, and the packages that bring both."""

    header = ""
    version_macros: tuple[str, ...] = ()
    """Macros of the header whose values, joined by dots, are the version."""
    libraries: tuple[str, ...] = ()
    """To link with, in this order, without ``lib`` and ``-l``."""
    debian_packages: tuple[str, ...] = ()
    library_pattern = re.compile(r"^(\S+)")
    """The version in what the worker's hello says of its library."""

    def find(self, host: Host, config: Config) -> Iterator[Stack]:
        compiler, reason = system_compiler()
        macros = {} if reason else header_macros(compiler, self.header)
        reason = reason or self._reason_if_missing(compiler, macros) or self.lacks(host)
        yield Stack(
            family=self.name,
            version=".".join(macros.get(name, "0").strip('"') for name in self.version_macros) if macros else "unknown",
            origin=Origin("system", self.debian_packages[-1]),
            compiler=compiler,
            axes=(("library", self.name), ("language", "c++"), ("transport", "default"), ("wait", "default")),
            usable=not reason,
            reason=reason,
        )

    def lacks(self, host: Host) -> str:
        """Why the library cannot be used although it can be linked with; empty when it can."""
        return ""

    def obtainable(self, host: Host) -> Sequence[Obtainable]:
        version = debian.version_on_offer(self.debian_packages[-1]) if debian.is_there() else ""
        origin = Origin("system", " ".join(self.debian_packages))
        return (Obtainable(self.name, version, origin, f"msgauge stacks install {self.name}"),) if version else ()

    def install(self, version: str, origin: str) -> None:
        if origin not in {"", "system"}:
            raise StackError(f"{self.name} cannot be had as {origin!r}", remedy="known ways: system")
        debian.install(self.debian_packages)
        header_macros.cache_clear()

    def compile_command(self, stack: Stack, recipe: Recipe) -> Command | None:
        command = super().compile_command(stack, recipe)
        assert command is not None
        return evolve(command, argv=(*command.argv, *(f"-l{name}" for name in self.libraries)))

    def verify(self, stack: Stack, facts: Mapping[str, str]) -> str:
        said = facts.get("library", "")
        match = self.library_pattern.search(said)
        if match is None or not (match.group(1) + ".").startswith(stack.version + "."):
            return f"{stack.spec} runs another library than its header is of: {said[:80]!r}; check LD_LIBRARY_PATH"
        return self.verify_settings(stack, facts)  # the library names itself, not msgauge

    def _reason_if_missing(self, compiler: str, macros: Mapping[str, str]) -> str:
        remedy = f"install {' and '.join(self.debian_packages)} (Debian), or set CPATH and LIBRARY_PATH to where it is"
        if not macros:
            return f"{compiler} finds no {self.header}; {remedy}"
        lost = [name for name in self.libraries if not has_library(compiler, name)]
        return f"{compiler} finds no library {', '.join(lost)} to link with; {remedy}" if lost else ""


@lru_cache(maxsize=16)
def header_macros(compiler: str, header: str) -> dict[str, str]:
    """All macros that stand once a header is included; empty when the compiler cannot find it."""
    answer = ask([compiler, "-x", "c++", "-dM", "-E", "-include", header, "/dev/null"])
    return dict(re.findall(r"^#define (\w+) (.*)$", answer.text, re.MULTILINE)) if answer.good else {}


def has_library(compiler: str, name: str) -> bool:
    """Would ``-lNAME`` find something?"""
    return any(
        Path(ask([compiler, f"-print-file-name=lib{name}{end}"]).text.strip()).is_absolute() for end in (".so", ".a")
    )
