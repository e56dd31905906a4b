"""Stacks of another language over an MPI: whatever concerns launching is left to the family of the MPI below."""

# ruff: noqa: ARG002  (a method of the interface takes what any family may need)
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager

from attrs import evolve

from msgauge.model import RSH_AGENT, Command, Setting, Stack
from msgauge.stacks.base.family import LaunchOptions, PlainFamily, Recipe, Runner, Variant
from msgauge.stacks.base.mpi_family import MpiFamily


class OverMpi(PlainFamily):
    """A family whose stacks are those of others, measured by a worker in its own language."""

    native = False
    needs = frozenset({RSH_AGENT})
    language = ""
    manner = ""
    """The word of its variant that is its own; others are as of the MPI below."""
    below: Mapping[str, MpiFamily]
    """The families that its stacks stand on, by name."""

    def list_variants_below(self, served: Sequence[MpiFamily]) -> Iterator[Variant]:
        """Transport and way of waiting, as the families below have them."""
        known = {variant.word: variant for family in served for variant in family.variants()}
        for one in known.values():
            if one.axis in {"transport", "wait"}:
                yield Variant(one.word, one.axis, "as of the MPI below, where it has it", one.promise)

    def with_variant(self, stack: Stack, words: tuple[str, ...]) -> Stack:
        below, family = self.find_below(stack)
        others = tuple(word for word in words if word != self.manner)
        varied = family.with_variant(below, others) if others else below
        axes = {**dict(stack.axes), **dict(varied.axes), "version": below.version}
        axes["language"] = f"{self.language}-{self.manner}" if self.manner in words else self.language
        return evolve(
            stack, variant=tuple(sorted(set(words))), environment=varied.environment, axes=tuple(axes.items())
        )

    def pmis(self, stack: Stack) -> tuple[str, ...]:
        below, family = self.find_below(stack)
        return family.pmis(below)

    def compile_command(self, stack: Stack, recipe: Recipe) -> Command | None:
        return None

    def launch_command(self, stack: Stack, program: Sequence[str], options: LaunchOptions) -> Command:
        below, family = self.find_below(stack)
        return family.launch_command(below, program, options)

    def session(self, stack: Stack, options: LaunchOptions, runner: Runner) -> AbstractContextManager[None]:
        below, family = self.find_below(stack)
        return family.session(below, options, runner)

    def settings(self, stack: Stack) -> Sequence[Setting]:
        below, family = self.find_below(stack)
        return family.settings(below)

    def find_below(self, stack: Stack) -> tuple[Stack, MpiFamily]:
        """The MPI that a stack stands on, with its environment, and its family."""
        axes = dict(stack.axes)
        family = self.below[axes["library"]]
        return evolve(stack, family=family.name, version=axes["version"], variant=(), language="c++"), family
