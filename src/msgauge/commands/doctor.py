"""``msgauge doctor``: whether this machine is suitable for measurements, and what to change if not."""

from __future__ import annotations

import socket
import textwrap
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from msgauge import pipeline
from msgauge.config import load_config
from msgauge.diagnostics import system_probe
from msgauge.diagnostics.checks import LEVELS, Diagnosis, Facts, examine, exit_code
from msgauge.diagnostics.host_checks import examine_hosts
from msgauge.diagnostics.port_survey import survey_ports
from msgauge.discovery import registry
from msgauge.errors import UsageError
from msgauge.execution.host_survey import HostFacts, survey_hosts
from msgauge.frontend.study_options import StudyOptions, make_study
from msgauge.frontend.whole_numbers import Whole
from msgauge.hosts import this_host
from msgauge.kernels import load_kernels
from msgauge.launchers.known_launchers import launcher_of
from msgauge.model.plan import MOST_RANKS
from msgauge.model.stack_expression import hint_family, parse_expressions
from msgauge.report import json_output
from msgauge.report.terminal.progress import ProgressView

_MARKS = {"problem": "×", "caution": "!", "unknown": "?", "fine": "✓"}


def doctor(
    *,
    ranks: Annotated[Whole | None, Parameter(help="Number of processes of the planned measurement.")] = None,
    stack: Annotated[str, Parameter(help="Stack of the trial launches.")] = "tcp",
    quick: Annotated[bool, Parameter(help="No trial launches: noise and binding are reported as unknown.")] = False,
    hosts: Annotated[str, Parameter(help="Examine these hosts instead, e.g. n1,n2 (by ssh) or lab:4.")] = "",
    hostfile: Annotated[str, Parameter(help="A file that lists them.")] = "",
    ssh_config: Annotated[str, Parameter(help="What 'ssh -F' is told; your own configuration by default.")] = "",
    strict: Annotated[bool, Parameter(help="Treat a caution as a problem.")] = False,
    json: Annotated[bool, Parameter(help="Print as JSON.")] = False,
) -> int:
    """Check whether this machine is suitable for measurements; problems with remedies."""
    if ranks is not None and not 1 <= ranks <= MOST_RANKS:
        raise UsageError(f"--ranks {ranks} is not between 1 and {MOST_RANKS}", remedy="write for example --ranks 4")
    if hosts or hostfile:
        return _examine_hosts(StudyOptions(hosts=hosts, hostfile=hostfile, ssh_config=ssh_config), strict, json)
    _refuse_unknown(stack)
    facts = system_probe.probe_system(ranks or this_host().cores)
    if not quick:
        with ProgressView() as watch:
            facts = system_probe.run_trial(facts, stack, watch)
    found = examine(facts)
    code = exit_code(found, strict=strict)
    print(json_output.text(_as_json(facts, found, code)) if json else _as_text(found, code))
    return code


def _refuse_unknown(stack: str) -> None:
    """Refuse a name that no family has; what cannot be used here is a finding as any other."""
    known = registry.list_families(registry.discover(this_host(), load_config(), [stack]))
    wanted = parse_expressions([stack])[0].family
    if wanted not in (*known, "all"):
        near = hint_family(wanted, known)
        remedy = f"did you mean {near}?" if near else f"known are {', '.join(sorted(known))}"
        raise UsageError(f"there is no family of stacks {wanted!r}", remedy=remedy)


def _examine_hosts(options: StudyOptions, strict: bool, json: bool) -> int:
    """What differs between hosts, and which stacks stand on all of them."""
    wanted = pipeline.find_hosts(make_study("quick", options, load_kernels()))
    if not wanted.names:
        raise UsageError("this computer alone is no list of hosts", remedy="call msgauge doctor without --hosts")
    with launcher_of(wanted).open(wanted, ()) as access:
        here = [one for one in registry.discover(this_host(), load_config()) if one.usable and not one.simulated]
        usable = [one for one in here if not pipeline.offer_of(one, wanted).confined]
        stacks = {one.spec: (one.launcher,) for one in usable if Path(one.launcher).is_absolute()}
        told = survey_hosts(access, sorted({file for files in stacks.values() for file in files}))
        ports = survey_ports(access)
    found = examine_hosts(told, stacks, ports)
    code = exit_code(found, strict=strict)
    print(json_output.text(_hosts_as_json(told, found, code)) if json else _as_text(found, code, "These hosts are"))
    return code


def _hosts_as_json(told: Sequence[HostFacts], found: tuple[Diagnosis, ...], code: int) -> dict[str, Any]:
    """Schema ``doctor``, with the facts of each host."""
    hosts = [
        {
            "name": one.name,
            "answers": not one.silence,
            "reason": one.silence,
            "clock_ahead_ns": one.clock_ahead_ns,
            "clock_error_ns": one.clock_error_ns,
            "facts": dict(one.said),
        }
        for one in told
    ]
    return _verdict(len(told), found, code) | {"hosts": hosts, "noise": None}


def _as_json(facts: Facts, found: tuple[Diagnosis, ...], code: int) -> dict[str, Any]:
    """Schema ``doctor``."""
    noise = facts.noise
    return _verdict(facts.ranks, found, code) | {
        "noise": None
        if noise is None
        else {
            "stack": noise.stack,
            "ratio": noise.ratio,
            "ratio_low": noise.low,
            "ratio_high": noise.high,
            "launches": noise.launches,
            "smallest_detectable_difference": noise.detectable if isfinite(noise.detectable) else None,
            "launch_spread": noise.scatter,
        },
    }


def _verdict(ranks: int, found: tuple[Diagnosis, ...], code: int) -> dict[str, Any]:
    return {
        "host": socket.gethostname(),
        "suitable": {0: "yes", 1: "no"}.get(code, "unknown"),
        "ranks": ranks,
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
    }


def _as_text(found: tuple[Diagnosis, ...], code: int, subject: str = "This machine is") -> str:
    verdict = {0: f"{subject} suitable for measurements.", 1: f"{subject} not suitable for measurements."}
    counts = {level: sum(one.level == level for one in found) for level in LEVELS}
    several = {"problem": "problems", "caution": "cautions"}
    summary = ", ".join(f"{n} {level if n == 1 else several.get(level, level)}" for level, n in counts.items() if n)
    lines = [f"{verdict.get(code, 'Some checks could not be made.')} ({summary})", ""]
    for one in found:
        lines += textwrap.wrap(f"{_MARKS[one.level]} {one.code}: {one.message}", 100, subsequent_indent="    ")
        if one.remedy and one.level != "fine":
            lines += textwrap.wrap(f"remedy: {one.remedy}", 100, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)
