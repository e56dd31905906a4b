"""Is this machine fit to be measured on? From facts to findings, each with its remedy. Pure: no file, no clock.

A *problem* makes numbers mislead, a *caution* makes them worse than they could be or true of this setting only. What
nobody could find out is *unknown*, never fine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from attrs import frozen

from msgauge import units
from msgauge.model import Pairs

Level = Literal["problem", "caution", "unknown", "fine"]
LEVELS: tuple[Level, ...] = ("problem", "caution", "unknown", "fine")
"""The gravest first."""

MARGIN = 0.03
"""Stacks closer than this are called equivalent, so a machine that is less steady cannot tell them apart."""
MIB = 1 << 20


@frozen
class Noise:
    """What one stack, measured twice as if it were two, looked like: the worst of its cells."""

    stack: str
    ratio: float
    low: float
    high: float
    launches: int
    scatter: float = 0.0
    """Relative half-width of the middle half of the launches of the least steady cell."""

    @property
    def floor(self) -> float:
        """How far from 1 the 95 % interval of a ratio that is truly 1 reaches: no difference below it can be seen."""
        return max(abs(self.high - 1.0), abs(1.0 - self.low), abs(self.ratio - 1.0))


@frozen
class Facts:
    """A machine as it stands, in base units. None: nobody could find out."""

    ranks: int = 2
    """The number of processes that is to be measured with."""
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
    """Processors' worth of time that other programs used while nothing of ours ran."""
    steal_now: float | None = None
    steal_since_boot: float | None = None
    cpu_quota: float | None = None
    autogroup: bool | None = None
    cgroup: str = ""
    """What the keeper got for its ranks: own, inherited: ..., none: ..."""
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
    """One finding: a stable code, how grave it is, a sentence, and what to do."""

    code: str
    level: Level
    message: str
    remedy: str = ""
    evidence: Pairs = ()


def examine(facts: Facts) -> tuple[Diagnosis, ...]:
    """All findings, the gravest first; every check says something, if only that nobody could find out."""
    found = [_checked(code, check, facts) for code, check in _CHECKS.items()]
    return tuple(sorted(found, key=lambda one: LEVELS.index(one.level)))


def exit_code(found: tuple[Diagnosis, ...], *, strict: bool = False) -> int:
    """0: fit; 1: a problem (with ``strict`` a caution too); 3: something that matters could not be found out."""
    levels = {one.level for one in found}
    if "problem" in levels or (strict and "caution" in levels):
        return 1
    return 3 if "unknown" in levels else 0


Said = tuple[Level, str, str]


def _checked(code: str, check: Callable[[Facts], Said], facts: Facts) -> Diagnosis:
    level, message, remedy = check(facts)
    return Diagnosis(code, level, message, remedy, tuple(_evidence(code, facts)))


def _clocksource(facts: Facts) -> Said:
    source = facts.clocksource
    if not source:
        return _unknown("which clock the kernel reads", "read /sys/devices/system/clocksource as root")
    cost = facts.timer_cost_ns
    costs = f"; a look at it costs {units.format_time(cost)}" if cost else ""
    if source in ("hpet", "acpi_pm", "jiffies", "refined-jiffies") or (cost or 0.0) > 500.0:
        remedy = "boot with clocksource=tsc tsc=reliable if the processor's counter is invariant"
        return "problem", f"the kernel reads time from {source}, by a slow device{costs}", remedy
    if source == "tsc" or (cost is not None and cost < 100.0):
        return "fine", f"the kernel reads time from {source}{costs}", ""
    return (
        "caution",
        f"the kernel reads time from {source}{costs}",
        "where the host allows it, boot with clocksource=tsc",
    )


def _tsc(facts: Facts) -> Said:
    if facts.invariant_tsc is None:
        return _unknown("whether the time stamp counter is invariant", "look for constant_tsc in /proc/cpuinfo")
    if facts.invariant_tsc:
        return "fine", "the time stamp counter runs at one rate on all processors", ""
    return "caution", "the time stamp counter is not invariant, so --clock tsc is refused", "use --clock monotonic"


def _governor(facts: Facts) -> Said:
    if facts.governors is None:
        return _unknown("the frequency governor", "look into /sys/devices/system/cpu/cpu0/cpufreq")
    if not facts.governors:
        return "fine", "this system does not change the frequency of its processors", ""
    if set(facts.governors) == {"performance"}:
        return "fine", "the frequency governor is performance", ""
    named = ", ".join(facts.governors)
    return "caution", f"the frequency governor is {named}: speed follows load", "cpupower frequency-set -g performance"


def _turbo(facts: Facts) -> Said:
    if facts.turbo is None:
        return "fine", "no turbo that this system could switch", ""
    if not facts.turbo:
        return "fine", "turbo is off", ""
    remedy = "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo, or 0 > /sys/devices/system/cpu/cpufreq/boost"
    return "caution", "turbo is on: one busy core runs faster than many", remedy


def _smt(facts: Facts) -> Said:
    if facts.smt is None:
        return _unknown("whether cores are shared by threads (SMT)", "read /sys/devices/system/cpu/smt/active")
    if not facts.smt:
        return "fine", "each processor is a core of its own", ""
    remedy = "use no more ranks than physical cores, or echo off > /sys/devices/system/cpu/smt/control"
    return "caution", f"SMT is on: {facts.physical_cores} cores look like {facts.processors} processors", remedy


def _load(facts: Facts) -> Said:
    if facts.busy_by_others is None:
        return _unknown("how busy other programs are", "read /proc/stat")
    busy, share = facts.busy_by_others, facts.busy_by_others / max(1, facts.allowed or facts.processors or 1)
    told = f"other programs use {busy:.2f} processors' worth of time"
    remedy = "end them, or measure when they are done (top shows them)"
    if share > 0.10:
        return "problem", told, remedy
    return ("caution", told, remedy) if share > 0.02 else ("fine", told, "")


def _steal(facts: Facts) -> Said:
    if facts.steal_now is None:
        return _unknown("how much time the hypervisor takes", "read /proc/stat")
    now, since = facts.steal_now, facts.steal_since_boot or 0.0
    told = f"the hypervisor takes {units.format_percent(now)} of the time now, {units.format_percent(since)} since boot"
    remedy = "ask for dedicated processors, or measure when the host is quiet"
    if now > 0.01:
        return "problem", told, remedy
    return ("caution", told, remedy) if since > 0.01 else ("fine", told, "")


def _quota(facts: Facts) -> Said:
    if facts.cpu_quota is None:
        return "fine", "no cgroup limits processor time", ""
    told = f"a cgroup allows {facts.cpu_quota:g} processors' worth of time"
    needed = min(facts.ranks, facts.allowed or facts.ranks)
    if facts.cpu_quota < needed:
        remedy = (
            "lift cpu.max (cgroup 2) or cpu.cfs_quota_us, or docker's --cpus; ranks are stopped in mid-message else"
        )
        return "problem", f"{told}, and {needed} are needed", remedy
    return "caution", told, "lift it: ranks together with the launcher may use it up"


def _autogroup(facts: Facts) -> Said:
    if facts.autogroup is None:
        return _unknown("whether the scheduler groups by session", "read /proc/sys/kernel/sched_autogroup_enabled")
    if not facts.autogroup:
        return "fine", "the scheduler does not set session against session", ""
    if facts.cgroup.startswith(("own", "inherited")):
        return "fine", f"scheduler autogroups are on, but ranks stand in a cpu cgroup ({facts.cgroup}): exempt", ""
    why = f"and there is no cpu cgroup for the ranks ({facts.cgroup or 'not tried'})"
    remedy = "sysctl kernel.sched_autogroup_enabled=0, or run msgauge where it may make a cpu cgroup"
    level: Level = "problem" if _crowded(facts) else "caution"
    return level, f"scheduler autogroups are on {why}: with more ranks than cores sessions are compared", remedy


def _container(facts: Facts) -> Said:
    if facts.container is None:
        return "fine", "not in a container", ""
    remedy = "docker: --shm-size=1g --cpuset-cpus=... --cap-add SYS_PTRACE (single-copy messages), or measure outside"
    return (
        "caution",
        f"in a container ({facts.container}): its limits and its host's load are not all seen here",
        remedy,
    )


def _machine(facts: Facts) -> Said:
    if facts.hypervisor is None:
        return "fine", "on bare metal", ""
    named = "" if facts.hypervisor == "yes" else f" ({facts.hypervisor})"
    remedy = "take ratios, not absolute times, to other machines; bind the virtual processors to real ones if you can"
    return "caution", f"in a virtual machine{named}: wake-ups and clocks cost more than on metal", remedy


def _memory(facts: Facts) -> Said:
    if facts.memory_bytes is None or facts.memory_available_bytes is None:
        return _unknown("how much memory is free", "read /proc/meminfo")
    told = f"{units.format_amount(facts.memory_available_bytes)} of {units.format_amount(facts.memory_bytes)} are free"
    if facts.memory_available_bytes < 0.05 * facts.memory_bytes or facts.memory_available_bytes < 64 * MIB:
        return "problem", told, "end what uses memory, or measure smaller messages"
    return "fine", told, ""


def _swap(facts: Facts) -> Said:
    if facts.swap_used_bytes is None:
        return _unknown("how much is swapped out", "read /proc/meminfo")
    if facts.swap_used_bytes == 0:
        return "fine", "nothing is swapped out", ""
    told = f"{units.format_amount(facts.swap_used_bytes)} are swapped out and may come back in mid-measurement"
    return "caution", told, "swapoff -a"


def _shared_memory(facts: Facts) -> Said:
    if facts.shared_memory_free_bytes is None:
        return _unknown("how much room /dev/shm has", "df /dev/shm")
    told = f"/dev/shm has room for {units.format_amount(facts.shared_memory_free_bytes)}"
    remedy = "mount -o remount,size=1g /dev/shm, or docker's --shm-size=1g"
    if facts.shared_memory_free_bytes <= 64 * MIB:
        return "problem", f"{told}: libraries fail or change their way there", remedy
    return ("caution", told, remedy) if facts.shared_memory_free_bytes < 512 * MIB else ("fine", told, "")


def _huge_pages(facts: Facts) -> Said:
    word = facts.transparent_huge_pages
    if word is None:
        return _unknown("the use of huge pages", "read /sys/kernel/mm/transparent_hugepage/enabled")
    if word == "always":
        remedy = "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"
        return "caution", "huge pages are handed out always: large buffers differ from launch to launch", remedy
    return "fine", f"transparent huge pages: {word}", ""


def _socket_buffers(facts: Facts) -> Said:
    sizes = facts.receive_buffer_bytes, facts.send_buffer_bytes
    if sizes[0] is None or sizes[1] is None:
        return _unknown("the limits of socket buffers", "read /proc/sys/net/ipv4/tcp_rmem and tcp_wmem")
    told = f"TCP buffers grow to {units.format_amount(sizes[0])} (receive), {units.format_amount(sizes[1])} (send)"
    if min(sizes[0], sizes[1]) < MIB:
        remedy = "sysctl net.ipv4.tcp_rmem='4096 131072 6291456' net.ipv4.tcp_wmem='4096 16384 4194304'"
        return "caution", f"{told}: large messages over TCP stop and go", remedy
    return "fine", told, ""


def _open_files(facts: Facts) -> Said:
    if facts.open_files is None:
        return _unknown("the limit of open files", "ulimit -n")
    needed = 64 + 8 * facts.ranks
    told = f"a process may open {facts.open_files} files"
    if facts.open_files < needed:
        return "problem", f"{told}; {facts.ranks} ranks may need {needed}", f"ulimit -n {needed}"
    return "fine", told, ""


def _crowd(facts: Facts) -> Said:
    if facts.allowed is None:
        return _unknown("how many processors may be used", "taskset -p $$")
    told = f"{facts.ranks} {'rank' if facts.ranks == 1 else 'ranks'} on {facts.allowed} processors"
    if _crowded(facts):
        remedy = "read such cells as a test of the waiting policy; give --ranks no more than there are processors"
        return "caution", f"{told}: a library that waits by spinning is measured together with the scheduler", remedy
    if facts.processors is not None and facts.allowed < facts.processors:
        return (
            "caution",
            f"{told}; msgauge may use {facts.allowed} of {facts.processors}",
            "taskset -c, or docker's cpuset",
        )
    return "fine", told, ""


def _binding(facts: Facts) -> Said:
    if facts.trial:
        return _unknown("how ranks are really bound", facts.trial)
    if facts.binding == "one core each":
        return "fine", "each rank of the trial launches really had a core of its own", ""
    if _crowded(facts):
        return "fine", "ranks are left unbound, as there are more of them than processors", ""
    if facts.binding in ("", "unknown"):
        return _unknown("how ranks are really bound", "run msgauge doctor without --quick")
    remedy = "see whether a container or batch system forbids sched_setaffinity, or sets a mask of its own"
    return "caution", f"ranks were to have a core each; what they had: {facts.binding}", remedy


def _noise(facts: Facts) -> Said:
    noise = facts.noise
    if noise is None:
        return _unknown("how much noise there is", facts.trial or "run msgauge doctor without --quick")
    told = (
        f"{noise.stack} against itself looked {units.format_ratio(noise.ratio)} [{noise.low:.3f}, {noise.high:.3f}] in "
        f"{noise.launches} launches each: differences below {units.format_percent(noise.floor)} cannot be seen so soon"
    )
    remedy = "see the other findings; more rounds narrow it as their square root"
    if noise.floor > 5 * MARGIN:
        return "problem", told, remedy
    return ("caution", told, remedy) if noise.floor > MARGIN else ("fine", told, "")


def _crowded(facts: Facts) -> bool:
    return facts.allowed is not None and facts.ranks > facts.allowed


def _unknown(what: str, remedy: str) -> Said:
    return "unknown", f"nobody could find out {what}", remedy


_CHECKS: dict[str, Callable[[Facts], Said]] = {
    "load": _load,
    "steal": _steal,
    "cpu-quota": _quota,
    "noise": _noise,
    "binding": _binding,
    "autogroup": _autogroup,
    "oversubscription": _crowd,
    "clocksource": _clocksource,
    "tsc": _tsc,
    "governor": _governor,
    "turbo": _turbo,
    "smt": _smt,
    "container": _container,
    "virtual-machine": _machine,
    "memory": _memory,
    "swap": _swap,
    "shared-memory": _shared_memory,
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
