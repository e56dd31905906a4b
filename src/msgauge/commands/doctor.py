"""``msgauge doctor``: whether this machine is suitable for measurements, and what to change if not."""

from __future__ import annotations

import socket
import textwrap
from typing import Annotated, Any

from cyclopts import Parameter

from msgauge.diagnostics import system_probe
from msgauge.diagnostics.checks import LEVELS, Diagnosis, Facts, examine, exit_code
from msgauge.errors import UsageError
from msgauge.hosts import this_host
from msgauge.report import json_output
from msgauge.report.progress import ProgressView

_MARKS = {"problem": "×", "caution": "!", "unknown": "?", "fine": "✓"}


def doctor(
    *,
    ranks: Annotated[int, Parameter(help="Number of processes of the planned measurement.")] = 0,
    stack: Annotated[str, Parameter(help="Stack of the trial launches.")] = "tcp",
    quick: Annotated[bool, Parameter(help="No trial launches: noise and binding are reported as unknown.")] = False,
    strict: Annotated[bool, Parameter(help="Treat a caution as a problem.")] = False,
    json: Annotated[bool, Parameter(help="Print as JSON.")] = False,
) -> int:
    """Check whether this machine is suitable for measurements; problems with remedies."""
    if not 0 <= ranks <= 100_000:
        raise UsageError(f"--ranks {ranks} is not between 1 and 100000", remedy="write for example --ranks 4")
    facts = system_probe.probe_system(ranks or this_host().cores)
    if not quick:
        with ProgressView() as watch:
            facts = system_probe.run_trial(facts, stack, watch)
    found = examine(facts)
    code = exit_code(found, strict=strict)
    print(json_output.text(_as_json(facts, found, code)) if json else _as_text(found, code))
    return code


def _as_json(facts: Facts, found: tuple[Diagnosis, ...], code: int) -> dict[str, Any]:
    """Schema ``doctor``."""
    noise = facts.noise
    return {
        "host": socket.gethostname(),
        "suitable": {0: "yes", 1: "no"}.get(code, "unknown"),
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
            "smallest_detectable_difference": noise.floor,
            "launch_spread": noise.scatter,
        },
    }


def _as_text(found: tuple[Diagnosis, ...], code: int) -> str:
    verdict = {0: "This machine is suitable for measurements.", 1: "This machine is not suitable for measurements."}
    counts = {level: sum(one.level == level for one in found) for level in LEVELS}
    several = {"problem": "problems", "caution": "cautions"}
    summary = ", ".join(f"{n} {level if n == 1 else several.get(level, level)}" for level, n in counts.items() if n)
    lines = [f"{verdict.get(code, 'Some checks could not be made.')} ({summary})", ""]
    for one in found:
        lines += textwrap.wrap(f"{_MARKS[one.level]} {one.code}: {one.message}", 100, subsequent_indent="    ")
        if one.remedy and one.level != "fine":
            lines += textwrap.wrap(f"remedy: {one.remedy}", 100, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)
