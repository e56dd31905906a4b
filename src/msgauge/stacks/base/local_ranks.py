"""What the transports share whose ranks ``execution/local_launcher.py`` starts: binding, and how ranks wait."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import evolve

from msgauge.errors import StackError
from msgauge.model import Command, Promise, Stack, WaitMode
from msgauge.stacks.base.builtin_transport import OwnTransport
from msgauge.stacks.base.family import LaunchOptions, Variant, refuse_variant
from msgauge.stacks.base.tunables import match_setting

LAUNCHER = Path(__file__).parents[2] / "execution" / "local_launcher.py"
WAITS = {
    "spin": "ranks spin, and yield the processor now and then",
    "yield": "ranks yield the processor after each look",
    "block": "ranks sleep in the kernel at once",
}
_SHOWN = {
    "spin": (WaitMode.SPINS, WaitMode.YIELDS),  # a loop of ours, which gives the processor away now and then
    "yield": (WaitMode.YIELDS,),
    "block": (WaitMode.SLEEPS,),
}
WAIT_VARIANTS = tuple(Variant(word, "wait", what, Promise(wait_modes=_SHOWN[word])) for word, what in WAITS.items())


class LocalRanks(OwnTransport):
    """Processes of this computer. By default ranks spin while there is a core for each, else they yield, then sleep."""

    def variants(self) -> Sequence[Variant]:
        return WAIT_VARIANTS

    def with_variant(self, stack: Stack, words: tuple[str, ...]) -> Stack:
        known = {variant.word: variant for variant in self.variants()}
        chosen: dict[str, str] = {}
        settings: dict[str, tuple[str, str]] = {}
        for word in words:
            setting = match_setting(stack.spec, word, self.settings(stack))
            if setting is not None:
                settings[word] = setting
                continue
            if word not in known:
                raise refuse_variant(stack, word, tuple(known.values()))
            axis = known[word].axis
            if chosen.setdefault(axis, word) != word:
                remedy = f"take one of {chosen[axis]} and {word}"
                raise StackError(f"two variants of {axis} at once", where=stack.spec, remedy=remedy)
        environment = (
            *(pair for word in chosen.values() for pair in self.variant_environment(word)),
            *(pair for setting in settings.values() for pair in self.setting_environment(*setting)),
        )
        axes = {**dict(stack.axes), **{axis: word.rpartition("=")[2] for axis, word in chosen.items()}}
        return evolve(
            stack,
            variant=tuple(sorted({*chosen.values(), *settings})),
            environment=(*stack.environment, *environment),
            axes=tuple(axes.items()),
        )

    def variant_environment(self, word: str) -> tuple[tuple[str, str], ...]:
        """What a word sets."""
        return (("MSGAUGE_WAIT", word),)

    def setting_environment(self, name: str, value: str) -> tuple[tuple[str, str], ...]:
        """What sets one of its ``settings``: the variable of that name, unless a family says otherwise."""
        return ((name, value),)

    def launch_command(self, stack: Stack, program: Sequence[str], options: LaunchOptions) -> Command:
        ranks, cores = str(options.ranks), str(options.cores)
        away: tuple[str, ...] = ()
        if options.reach:
            names = ",".join(name for name, _ in stack.environment)
            away = ("--hosts", ",".join(options.layout), "--agent", options.reach.agent, "--export", names)
        argv = (sys.executable, "-I", str(LAUNCHER), "-n", ranks, "--cores", cores, *away, "--", *program)
        return Command(argv, stack.environment, folder=str(options.folder))

    def verify(self, stack: Stack, facts: Mapping[str, str]) -> str:
        return self.verify_settings(stack, facts) or super().verify(stack, facts)

    def verify_settings(self, stack: Stack, facts: Mapping[str, str]) -> str:
        """What the ranks say that they do otherwise than the words in brackets; '' when they agree."""
        for name, asked in self.settings_to_prove(stack).items():
            used = facts.get(f"uses_{name}", "nothing that it tells")
            if used != asked:
                return f"{stack.spec} has {name} {used!r} where {asked!r} was asked; report it as a fault of msgauge"
        return ""

    def settings_to_prove(self, stack: Stack) -> Mapping[str, str]:
        """What the ranks of a stack must say that they do, by name (``settings()`` of its transport's header)."""
        wait = dict(stack.axes).get("wait", "")
        return {"wait": wait} if wait in WAITS else {}
