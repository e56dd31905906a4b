"""Facts for ``checks``: from the system's files, from its load during a second, and from trial launches."""

from __future__ import annotations

import os
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from attrs import evolve, frozen

from msgauge import pipeline
from msgauge.diagnostics.checks import Facts
from msgauge.diagnostics.noise import Noise, find_detectable
from msgauge.discovery import machine
from msgauge.errors import MsgaugeError
from msgauge.execution.supervisor import Supervisor
from msgauge.model import Analysis, Binding, CgroupKind, Event, LaunchRecord, LaunchStatus, Stopping
from msgauge.study import Measure, Study

WATCH_S = 1.0
TRIAL_ROUNDS = 8
TRIAL_SIZES = (8, 65_536)
_ROOT = Path("/")
Value = TypeVar("Value")


@frozen
class TrialResult:
    """Result of the trial launches, an A/A comparison of one stack."""

    noise: Noise | None = None
    binding: str = ""
    timer_cost_ns: float | None = None
    problem: str = ""


def probe_system(ranks: int, root: Path = _ROOT) -> Facts:
    """Facts that need no launch; takes a second to measure the load by other programs."""
    facts = machine.describe(root)
    busy, stolen = _watch_load(root)
    huge, (cgroup, cgroup_detail) = facts.get("huge_pages"), _cgroup()
    return Facts(
        ranks=ranks,
        processors=_of(facts, "processors", int),
        allowed=len(allowed) if isinstance(allowed := facts.get("allowed_processors"), list) else None,
        physical_cores=_of(facts, "physical_cores", int),
        smt=_of(facts, "smt", bool),
        clocksource=_of(facts, "clocksource", str),
        invariant_tsc=_of(facts, "invariant_tsc", bool),
        governors=tuple(named) if isinstance(named := facts.get("governors"), list) else None,
        turbo=_of(facts, "turbo", bool),
        busy_by_others=busy,
        steal_now=stolen,
        steal_since_boot=_of(facts, "steal", float),
        cpu_quota=_of(facts, "cpu_quota", float),
        autogroup=_of(facts, "autogroup", bool),
        cgroup=cgroup,
        cgroup_detail=cgroup_detail,
        container=_of(facts, "container", str),
        hypervisor=_of(facts, "hypervisor", str),
        memory_bytes=_of(facts, "memory_bytes", int),
        memory_available_bytes=_of(facts, "memory_available_bytes", int),
        swap_used_bytes=_of(facts, "swap_used_bytes", int),
        shared_memory_free_bytes=_of(facts, "shared_memory_free_bytes", int),
        transparent_huge_pages=_of(huge, "transparent", str) if isinstance(huge, Mapping) else None,
        receive_buffer_bytes=_largest_buffer(root, "tcp_rmem"),
        send_buffer_bytes=_largest_buffer(root, "tcp_wmem"),
        open_files=_open_files(),
    )


def run_trial(facts: Facts, stack: str, watch: Callable[[Event], None]) -> Facts:
    """The facts completed by trial launches: an A/A comparison of ``stack``."""
    trial = _trial(stack, min(facts.ranks, facts.allowed or 2), watch)
    return evolve(
        facts,
        noise=trial.noise,
        binding=trial.binding,
        timer_cost_ns=trial.timer_cost_ns,
        trial=trial.problem,
    )


def _trial(stack: str, ranks: int, watch: Callable[[Event], None]) -> TrialResult:
    if ranks < 2:
        return TrialResult(problem="a trial launch needs two processors; allow one more")
    with tempfile.TemporaryDirectory(prefix="msgauge-doctor-") as folder:
        try:
            result = pipeline.run(_study(stack, ranks), Path(folder), watch)
            records = result.folder.dataset.records
        except MsgaugeError as error:
            return TrialResult(problem=f"the trial launches failed: {' '.join(str(error).split())}")
        return judge_trial(result.analysis, records)


def judge_trial(analysis: Analysis, records: Sequence[LaunchRecord]) -> TrialResult:
    """The result of the trial launches."""
    good = [record for record in records if record.status is LaunchStatus.OK]
    known = [one for one in analysis.comparisons if np.isfinite([one.ratio, one.ratio_low, one.ratio_high]).all()]
    if not good or not known:
        reasons = "; ".join(dict.fromkeys(record.reason for record in records if record.reason))
        return TrialResult(problem=f"the trial launches gave no result ({reasons or 'no reason'}); try another --stack")
    spread = _scatter(analysis)
    noises = [
        Noise(
            one.base.replace("[again]", ""),
            one.ratio,
            one.ratio_low,
            one.ratio_high,
            one.rounds,
            spread,
            find_detectable(analysis, one),
            len(known),
        )
        for one in known
    ]
    bindings = Counter(dict(record.condition).get("binding", Binding.UNKNOWN) for record in good)
    return TrialResult(
        max(noises, key=lambda noise: noise.floor),
        ", ".join(bindings),
        float(np.median([record.timer_cost_ns for record in good])),
    )


def _scatter(analysis: Analysis) -> float:
    spreads = [
        float(np.subtract(*np.percentile(one.launch_medians_ns, (75, 25)))) / 2 / one.median_ns
        for one in analysis.estimates
        if one.launch_medians_ns and one.median_ns > 0
    ]
    return max(spreads, default=0.0)


def _study(stack: str, ranks: int) -> Study:
    stopping = Stopping(budget_s=60.0, minimum_rounds=TRIAL_ROUNDS, maximum_rounds=TRIAL_ROUNDS, cell_budget_s=0.03)
    measure = Measure(kernel="pingpong", sizes=TRIAL_SIZES)
    return Study(name="doctor", stacks=(stack,), measures=(measure,), ranks=(ranks,), stopping=stopping, again=True)


def _of(facts: Mapping[str, Any], name: str, kind: type[Value]) -> Value | None:
    """A fact if it is of that kind; an empty string is none."""
    value = facts.get(name)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    return value if isinstance(value, kind) and value != "" else None


def _watch_load(root: Path) -> tuple[float | None, float | None]:
    """Processors' worth of time that others used while we slept, and the share of time that was stolen."""
    before, own = _ticks(root), time.process_time()
    time.sleep(WATCH_S)
    after, own = _ticks(root), time.process_time() - own
    if before is None or after is None:
        return None, None
    spent = [new - old for new, old in zip(after, before, strict=False)]
    whole = max(1, sum(spent))
    idle = spent[3] + spent[4]
    processors = whole / os.sysconf("SC_CLK_TCK") / WATCH_S
    busy = (whole - idle - spent[7]) / whole * processors - own / WATCH_S
    return round(max(0.0, busy), 3), round(spent[7] / whole, 4)


def _ticks(root: Path) -> list[int] | None:
    """user nice system idle iowait irq softirq steal, of all processors together."""
    try:
        words = (root / "proc/stat").read_text().split("\n", 1)[0].split()[1:9]
        return [int(word) for word in words] if len(words) == 8 else None
    except (OSError, ValueError):
        return None


def _cgroup() -> tuple[CgroupKind, str]:
    """What a keeper gets for its ranks: the kind, and which one or why none."""
    keeper = Supervisor()
    try:
        condition = dict(keeper.condition)
        return CgroupKind(condition["cgroup"]), condition["cgroup_detail"]
    finally:
        keeper.close()


def _largest_buffer(root: Path, name: str) -> int | None:
    try:
        return int((root / "proc/sys/net/ipv4" / name).read_text().split()[2])
    except (OSError, ValueError, IndexError):
        return None


def _open_files() -> int:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return 1 << 30 if hard == resource.RLIM_INFINITY else hard
