"""Whether a machine is suitable for measurements: facts to findings, each with its remedy. Pure: no file, no clock.

A *problem* makes results misleading; a *caution* makes them less precise, or valid for this setting only. What could
not be determined is *unknown*, never fine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from attrs import frozen

from msgauge import units
from msgauge.diagnostics.noise import Noise
from msgauge.model import Binding, CgroupKind, Pairs
from msgauge.stats.pairwise import MARGIN

Level = Literal["problem", "caution", "unknown", "fine"]
LEVELS: tuple[Level, ...] = ("problem", "caution", "unknown", "fine")
"""The most severe first."""

MIB = 1 << 20


@frozen
class Facts:
    """The state of a machine, in base units. None: could not be determined."""

    ranks: int = 2
    """Number of processes of the planned measurement."""
    processors: int | None = None
    allowed: int | None = None
    """Processors that msgauge may use."""
    physical_cores: int | None = None
    smt: bool | None = None
    clocksource: str | None = None
    invariant_tsc: bool | None = None
    timer_cost_ns: float | None = None
    governors: tuple[str, ...] | None = None
    turbo: bool | None = None
    busy_by_others: float | None = None
    """CPUs used by other programs while msgauge was idle."""
    steal_now: float | None = None
    steal_since_boot: float | None = None
    cpu_quota: float | None = None
    autogroup: bool | None = None
    cgroup: CgroupKind | None = None
    cgroup_detail: str = ""
    """What the keeper got for its ranks (None: not tried), and which one or why there is none."""
    container: str | None = None
    hypervisor: str | None = None
    memory_bytes: int | None = None
    memory_available_bytes: int | None = None
    swap_used_bytes: int | None = None
    shared_memory_free_bytes: int | None = None
    transparent_huge_pages: str | None = None
    receive_buffer_bytes: int | None = None
    """Largest that TCP gives a socket by itself."""
    send_buffer_bytes: int | None = None
    open_files: int | None = None
    binding: str = ""
    """What the masks of real ranks were, while there was a core for each."""
    noise: Noise | None = None
    trial: str = ""
    """Why there was no trial launch, or what went wrong in it; '' when it went well."""


@frozen
class Diagnosis:
    """One finding: a stable code, its severity, a sentence, and a remedy."""

    code: str
    level: Level
    message: str
    remedy: str = ""
    evidence: Pairs = ()


def examine(facts: Facts) -> tuple[Diagnosis, ...]:
    """All findings, the most severe first; every check gives one, if only that its fact is unknown."""
    found = [_run_check(code, check, facts) for code, check in _CHECKS.items()]
    return tuple(sorted(found, key=lambda one: LEVELS.index(one.level)))


def exit_code(found: tuple[Diagnosis, ...], *, strict: bool = False) -> int:
    """0: suitable; 1: a problem (with ``strict`` also a caution); 3: a fact is unknown."""
    levels = {one.level for one in found}
    if "problem" in levels or (strict and "caution" in levels):
        return 1
    return 3 if "unknown" in levels else 0


CheckResult = tuple[Level, str, str]


def _run_check(code: str, check: Callable[[Facts], CheckResult], facts: Facts) -> Diagnosis:
    level, message, remedy = check(facts)
    return Diagnosis(code, level, message, remedy, tuple(_evidence(code, facts)))


def _clocksource(facts: Facts) -> CheckResult:
    source = facts.clocksource
    if not source:
        return _unknown("the clock source of the kernel", "read /sys/devices/system/clocksource as root")
    cost = facts.timer_cost_ns
    overhead = f"; clock-read overhead {units.format_time(cost)}" if cost else ""
    if source in ("hpet", "acpi_pm", "jiffies", "refined-jiffies") or (cost or 0.0) > 500.0:
        remedy = "boot with clocksource=tsc tsc=reliable if the processor's counter is invariant"
        return "problem", f"the clock source is {source}, a slow device{overhead}", remedy
    if source == "tsc" or (cost is not None and cost < 100.0):
        return "fine", f"the clock source is {source}{overhead}", ""
    return (
        "caution",
        f"the clock source is {source}{overhead}",
        "where the host allows it, boot with clocksource=tsc",
    )


def _tsc(facts: Facts) -> CheckResult:
    if facts.invariant_tsc is None:
        return _unknown("whether the time stamp counter is invariant", "look for constant_tsc in /proc/cpuinfo")
    if facts.invariant_tsc:
        return "fine", "the time stamp counter is invariant", ""
    return "caution", "the time stamp counter is not invariant, so --clock tsc is refused", "use --clock monotonic"


def _governor(facts: Facts) -> CheckResult:
    if facts.governors is None:
        return _unknown("the frequency governor", "look into /sys/devices/system/cpu/cpu0/cpufreq")
    if not facts.governors:
        return "fine", "no frequency scaling on this system", ""
    if set(facts.governors) == {"performance"}:
        return "fine", "the frequency governor is performance", ""
    named = ", ".join(facts.governors)
    return (
        "caution",
        f"the frequency governor is {named}: clock frequency depends on load",
        "cpupower frequency-set -g performance",
    )


def _turbo(facts: Facts) -> CheckResult:
    if facts.turbo is None:
        return "fine", "no turbo mode that the system controls", ""
    if not facts.turbo:
        return "fine", "turbo is off", ""
    remedy = "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo, or 0 > /sys/devices/system/cpu/cpufreq/boost"
    return "caution", "turbo is on: clock frequency depends on the number of busy cores", remedy


def _smt(facts: Facts) -> CheckResult:
    if facts.smt is None:
        return _unknown("whether SMT is on", "read /sys/devices/system/cpu/smt/active")
    if not facts.smt:
        return "fine", "each processor is a physical core", ""
    remedy = "use no more ranks than physical cores, or echo off > /sys/devices/system/cpu/smt/control"
    return "caution", f"SMT is on: {facts.physical_cores} physical cores show as {facts.processors} processors", remedy


def _load(facts: Facts) -> CheckResult:
    if facts.busy_by_others is None:
        return _unknown("the load by other programs", "read /proc/stat")
    busy, share = facts.busy_by_others, facts.busy_by_others / max(1, facts.allowed or facts.processors or 1)
    text = f"other programs use {busy:.2f} CPUs"
    remedy = "end them ('top' lists them), or measure later"
    if share > 0.10:
        return "problem", text, remedy
    return ("caution", text, remedy) if share > 0.02 else ("fine", text, "")


def _steal(facts: Facts) -> CheckResult:
    if facts.steal_now is None:
        return _unknown("the steal time of the hypervisor", "read /proc/stat")
    now, since = facts.steal_now, facts.steal_since_boot or 0.0
    text = f"steal time is {units.format_percent(now)} now, {units.format_percent(since)} since boot"
    remedy = "use dedicated processors, or measure when the host is idle"
    if now > 0.01:
        return "problem", text, remedy
    return ("caution", text, remedy) if since > 0.01 else ("fine", text, "")


def _quota(facts: Facts) -> CheckResult:
    if facts.cpu_quota is None:
        return "fine", "no CPU quota", ""
    text = f"CPU quota of {facts.cpu_quota:g} CPUs"
    needed = min(facts.ranks, facts.allowed or facts.ranks)
    if facts.cpu_quota < needed:
        remedy = "raise cpu.max (cgroup 2), cpu.cfs_quota_us or docker's --cpus; else ranks are throttled"
        return "problem", f"{text}, and {needed} are needed", remedy
    return "caution", text, "raise it: ranks and launcher together may exceed it"


def _autogroup(facts: Facts) -> CheckResult:
    if facts.autogroup is None:
        return _unknown("whether scheduler autogroups are on", "read /proc/sys/kernel/sched_autogroup_enabled")
    if not facts.autogroup:
        return "fine", "scheduler autogroups are off", ""
    if facts.cgroup in {CgroupKind.OWN, CgroupKind.INHERITED}:
        which = ", ".join(filter(None, (facts.cgroup, facts.cgroup_detail)))
        return "fine", f"scheduler autogroups are on, but ranks are in a cpu cgroup ({which}) and exempt", ""
    why = f"and there is no cpu cgroup for the ranks ({facts.cgroup_detail or 'not tried'})"
    remedy = "sysctl kernel.sched_autogroup_enabled=0, or run msgauge where it can create a cpu cgroup"
    level: Level = "problem" if _is_oversubscribed(facts) else "caution"
    return level, f"scheduler autogroups are on {why}: when oversubscribed, sessions compete instead of ranks", remedy


def _container(facts: Facts) -> CheckResult:
    if facts.container is None:
        return "fine", "not in a container", ""
    remedy = "docker: --shm-size=1g --cpuset-cpus=... --cap-add SYS_PTRACE (single-copy messages), or measure outside"
    return (
        "caution",
        f"in a container ({facts.container}): limits and load of the host are not all visible",
        remedy,
    )


def _machine(facts: Facts) -> CheckResult:
    if facts.hypervisor is None:
        return "fine", "on bare metal", ""
    named = "" if facts.hypervisor == "yes" else f" ({facts.hypervisor})"
    remedy = "transfer ratios, not absolute times, to other machines; pin virtual CPUs to physical ones if possible"
    return "caution", f"in a virtual machine{named}: higher overhead of wake-ups and clock reads", remedy


def _memory(facts: Facts) -> CheckResult:
    if facts.memory_bytes is None or facts.memory_available_bytes is None:
        return _unknown("the free memory", "read /proc/meminfo")
    text = f"{units.format_amount(facts.memory_available_bytes)} of {units.format_amount(facts.memory_bytes)} available"
    if facts.memory_available_bytes < 0.05 * facts.memory_bytes or facts.memory_available_bytes < 64 * MIB:
        return "problem", text, "end programs that use memory, or measure smaller messages"
    return "fine", text, ""


def _swap(facts: Facts) -> CheckResult:
    if facts.swap_used_bytes is None:
        return _unknown("the use of swap", "read /proc/meminfo")
    if facts.swap_used_bytes == 0:
        return "fine", "swap is not in use", ""
    text = f"{units.format_amount(facts.swap_used_bytes)} in swap may be read back during a measurement"
    return "caution", text, "swapoff -a"


def _check_shared_memory(facts: Facts) -> CheckResult:
    if facts.shared_memory_free_bytes is None:
        return _unknown("the free space of /dev/shm", "df /dev/shm")
    text = f"/dev/shm has {units.format_amount(facts.shared_memory_free_bytes)} free"
    remedy = "mount -o remount,size=1g /dev/shm, or docker's --shm-size=1g"
    if facts.shared_memory_free_bytes <= 64 * MIB:
        return "problem", f"{text}: libraries fail or switch to a slower data path", remedy
    return ("caution", text, remedy) if facts.shared_memory_free_bytes < 512 * MIB else ("fine", text, "")


def _huge_pages(facts: Facts) -> CheckResult:
    word = facts.transparent_huge_pages
    if word is None:
        return _unknown("the use of transparent huge pages", "read /sys/kernel/mm/transparent_hugepage/enabled")
    if word == "always":
        remedy = "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"
        return "caution", "transparent huge pages: always; large buffers vary between launches", remedy
    return "fine", f"transparent huge pages: {word}", ""


def _socket_buffers(facts: Facts) -> CheckResult:
    sizes = facts.receive_buffer_bytes, facts.send_buffer_bytes
    if sizes[0] is None or sizes[1] is None:
        return _unknown("the limits of socket buffers", "read /proc/sys/net/ipv4/tcp_rmem and tcp_wmem")
    text = f"TCP buffers grow to {units.format_amount(sizes[0])} (receive), {units.format_amount(sizes[1])} (send)"
    if min(sizes[0], sizes[1]) < MIB:
        remedy = "sysctl net.ipv4.tcp_rmem='4096 131072 6291456' net.ipv4.tcp_wmem='4096 16384 4194304'"
        return "caution", f"{text}: they limit the bandwidth of large messages", remedy
    return "fine", text, ""


def _open_files(facts: Facts) -> CheckResult:
    if facts.open_files is None:
        return _unknown("the limit of open files", "ulimit -n")
    needed = 64 + 8 * facts.ranks
    text = f"a process may open {facts.open_files} files"
    if facts.open_files < needed:
        return "problem", f"{text}; {facts.ranks} ranks may need {needed}", f"ulimit -n {needed}"
    return "fine", text, ""


def _check_oversubscription(facts: Facts) -> CheckResult:
    if facts.allowed is None:
        return _unknown("the number of processors allowed", "taskset -p $$")
    text = f"{facts.ranks} {'rank' if facts.ranks == 1 else 'ranks'} on {facts.allowed} processors"
    if _is_oversubscribed(facts):
        remedy = "read such tests as tests of the waiting policy, or use --ranks up to the number of processors"
        return (
            "caution",
            f"{text}: oversubscribed; times of a library that waits by spinning include the scheduler",
            remedy,
        )
    if facts.processors is not None and facts.allowed < facts.processors:
        return (
            "caution",
            f"{text}; msgauge may use {facts.allowed} of {facts.processors}",
            "taskset -c, or docker's cpuset",
        )
    return "fine", text, ""


def _check_binding(facts: Facts) -> CheckResult:
    if facts.trial:
        return _unknown("the binding of ranks", facts.trial)
    if facts.binding == Binding.CORE_EACH:
        return "fine", "in the trial launches each rank was bound to a core of its own", ""
    if _is_oversubscribed(facts):
        return "fine", "oversubscribed: ranks are not bound", ""
    if facts.binding in ("", Binding.UNKNOWN):
        return _unknown("the binding of ranks", "run msgauge doctor without --quick")
    remedy = "check whether a container or batch system forbids sched_setaffinity or sets its own mask"
    return "caution", f"one core per rank was requested; found: {facts.binding}", remedy


def _noise(facts: Facts) -> CheckResult:
    noise = facts.noise
    if noise is None:
        return _unknown("the noise level", facts.trial or "run msgauge doctor without --quick")
    text = noise.sentence
    remedy = "see the other findings; it falls with the square root of the number of rounds"
    if noise.floor > 5 * MARGIN:
        return "problem", text, remedy
    return ("caution", text, remedy) if noise.floor > MARGIN else ("fine", text, "")


def _is_oversubscribed(facts: Facts) -> bool:
    return facts.allowed is not None and facts.ranks > facts.allowed


def _unknown(what: str, remedy: str) -> CheckResult:
    return "unknown", f"could not determine {what}", remedy


_CHECKS: dict[str, Callable[[Facts], CheckResult]] = {
    "load": _load,
    "steal": _steal,
    "cpu-quota": _quota,
    "noise": _noise,
    "binding": _check_binding,
    "autogroup": _autogroup,
    "oversubscription": _check_oversubscription,
    "clocksource": _clocksource,
    "tsc": _tsc,
    "governor": _governor,
    "turbo": _turbo,
    "smt": _smt,
    "container": _container,
    "virtual-machine": _machine,
    "memory": _memory,
    "swap": _swap,
    "shared-memory": _check_shared_memory,
    "huge-pages": _huge_pages,
    "socket-buffers": _socket_buffers,
    "open-files": _open_files,
}
_RESTS_ON = {
    "load": "busy_by_others",
    "steal": "steal_now steal_since_boot",
    "cpu-quota": "cpu_quota",
    "autogroup": "autogroup cgroup",
    "oversubscription": "ranks allowed processors",
    "clocksource": "clocksource timer_cost_ns",
    "governor": "governors",
    "shared-memory": "shared_memory_free_bytes",
    "socket-buffers": "receive_buffer_bytes send_buffer_bytes",
    "open-files": "open_files ranks",
}


def _evidence(code: str, facts: Facts) -> Iterator[tuple[str, str]]:
    """The facts that a finding rests on, as text."""
    for name in _RESTS_ON.get(code, "").split():
        value = getattr(facts, name)
        if value is not None:
            yield name, ", ".join(value) if isinstance(value, tuple) else str(value)
