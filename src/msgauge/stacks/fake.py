"""Simulated ranks in one process, by a LogGP clock: for tests and demonstrations. Header: native/transports/fake.hpp.

Its parameters are variant words: ``fake[L=2us,noise=0.05]``, ``fake[crash=7]``. Times take a unit (ns when left out).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import evolve

from msgauge.errors import StackError
from msgauge.model import Command, Setting, Stack
from msgauge.stacks.base.builtin_transport import OwnTransport
from msgauge.stacks.base.family import LaunchOptions, Variant

TIMES = (
    *("L", "o_s", "o_r", "g", "L2", "o_s2", "o_r2", "g2", "spike_ns", "clock", "poll", "delay_ns", "straggler_ns"),
    *("clock_offset", "uphill_ns"),
)
SIZES = ("eager",)
NUMBERS = (
    "G",
    "G2",
    "noise",
    "launch_noise",
    "round_noise",
    "mode",
    "mode_every",
    "spike_every",
    "clock_drift",
    "straggler",
    "straggler_every",
    "crash",
    "hang",
    "wrong_bytes",
    "wrong_size",
)
SLOW = "slow_"
"""Before the name of a kernel: a factor on all costs while it is measured."""
UNITS = {"": 1.0, "ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
MULTIPLES = {"": 1, "KiB": 1 << 10, "MiB": 1 << 20}
_WORD = re.compile(r"(?P<name>[A-Za-z_][A-Za-z0-9_]*)=(?P<number>\d+(?:\.\d+)?(?:e-?\d+)?)(?P<unit>[A-Za-z]*)")


class Fake(OwnTransport):
    """Deterministic: the same seed gives the same numbers, however busy the machine is."""

    name = "fake"
    title = "simulated ranks (LogGP)"
    other_names = ("simulated", "loggp")
    transport = "fake"
    simulated = True

    def variants(self) -> Sequence[Variant]:
        what = dict.fromkeys(TIMES, "time") | dict.fromkeys(SIZES, "size") | dict.fromkeys(NUMBERS, "number")
        return tuple(
            Variant(f"{name}=", "parameter", f"{kind}, see native/transports/fake_model.hpp")
            for name, kind in (*what.items(), (f"{SLOW}KERNEL", "number"))
        )

    def with_variant(self, stack: Stack, words: tuple[str, ...]) -> Stack:
        parameters = dict(_parameter(stack, word) for word in words)
        text = ",".join(f"{name}={value}" for name, value in sorted(parameters.items()))
        return evolve(stack, variant=tuple(sorted(set(words))), environment=(("MSGAUGE_FAKE", text),))

    def settings(self, stack: Stack) -> Sequence[Setting]:  # noqa: ARG002
        what = "largest message that is sent eagerly"
        return (Setting("eager", "bytes", "65536", what, "native/transports/fake_model.hpp", low=0, high=1 << 30),)

    def launch_command(self, stack: Stack, program: Sequence[str], options: LaunchOptions) -> Command:
        return Command((*program, "--ranks", str(options.ranks)), stack.environment, folder=str(options.folder))


def _parameter(stack: Stack, word: str) -> tuple[str, str]:
    """Name and value, in nanoseconds or bytes, of one word."""
    match = _WORD.fullmatch(word)
    name, unit = (match["name"], match["unit"]) if match else ("", "")
    if match and name in TIMES and unit in UNITS:
        return name, f"{float(match['number']) * UNITS[unit]:.12g}"
    if match and name in SIZES and unit in MULTIPLES:
        return name, str(int(float(match["number"]) * MULTIPLES[unit]))
    if match and (name in NUMBERS or name.startswith(SLOW)) and not unit:
        return name, match["number"]
    remedy = (
        f"write NAME=VALUE; times (L=2us): {' '.join(TIMES)}; sizes: {' '.join(SIZES)}; "
        f"numbers: {' '.join(NUMBERS)} {SLOW}KERNEL"
    )
    raise StackError(f"fake knows no parameter {word!r}", where=stack.spec, remedy=remedy)


FAMILY = Fake()
