"""``msgauge doctor``: is this machine fit to be measured on, and what to do about it if not."""

from __future__ import annotations

import socket
import textwrap
from typing import Annotated, Any

from cyclopts import Parameter

from msgauge import answers, checkup
from msgauge.doctor import LEVELS, Diagnosis, Facts, examine, exit_code
from msgauge.errors import UsageError
from msgauge.hosts import this_host
from msgauge.report.live import Live

_MARKS = {"problem": "×", "caution": "!", "unknown": "?", "fine": "✓"}


def doctor(
    *,
    ranks: Annotated[int, Parameter(help="The number of processes that is to be measured with.")] = 0,
    stack: Annotated[str, Parameter(help="The stack of the trial launches.")] = "tcp",
    quick: Annotated[bool, Parameter(help="No trial launches: noise and binding stay unknown.")] = False,
    strict: Annotated[bool, Parameter(help="A caution counts as a problem.")] = False,
    json: Annotated[bool, Parameter(help="Print as JSON.")] = False,
) -> int:
    """Say what on this machine would spoil a measurement, each with its remedy."""
    if not 0 <= ranks <= 100_000:
        raise UsageError(f"--ranks {ranks} is no number of processes", remedy="write for example --ranks 4")
    facts = checkup.look(ranks or this_host().cores)
    if not quick:
        with Live() as watch:
            facts = checkup.examined(facts, stack, watch)
    found = examine(facts)
    code = exit_code(found, strict=strict)
    print(answers.text(_as_json(facts, found, code)) if json else _as_text(found, code))
    return code


def _as_json(facts: Facts, found: tuple[Diagnosis, ...], code: int) -> dict[str, Any]:
    """Schema ``doctor``."""
    noise = facts.noise
    return {
        "host": socket.gethostname(),
        "fit": {0: "yes", 1: "no"}.get(code, "unknown"),
        "ranks": facts.ranks,
        "findings": [
            {
                "code": one.code,
                "level": one.level,
                "message": one.message,
                "remedy": one.remedy,
                "evidence": dict(one.evidence),
            }
            for one in found
        ],
        "noise": None
        if noise is None
        else {
            "stack": noise.stack,
            "ratio": noise.ratio,
            "ratio_low": noise.low,
            "ratio_high": noise.high,
            "launches": noise.launches,
            "floor": noise.floor,
            "scatter": noise.scatter,
        },
    }


def _as_text(found: tuple[Diagnosis, ...], code: int) -> str:
    verdict = {0: "This machine is fit to be measured on.", 1: "This machine would spoil a measurement."}
    counts = {level: sum(one.level == level for one in found) for level in LEVELS}
    several = {"problem": "problems", "caution": "cautions"}
    told = ", ".join(f"{n} {level if n == 1 else several.get(level, level)}" for level, n in counts.items() if n)
    lines = [f"{verdict.get(code, 'Not all that matters could be found out.')} ({told})", ""]
    for one in found:
        lines += textwrap.wrap(f"{_MARKS[one.level]} {one.code}: {one.message}", 100, subsequent_indent="    ")
        if one.remedy and one.level != "fine":
            lines += textwrap.wrap(f"remedy: {one.remedy}", 100, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)
