"""What this computer is and how it stands just now: everything that could move a measurement. Never raises."""

from __future__ import annotations

import os
import platform
import re
import socket
from collections.abc import Callable
from math import isfinite
from pathlib import Path

from msgauge import __version__

_ROOT = Path("/")


def describe(root: Path = _ROOT) -> dict[str, object]:
    """Facts of the computer as JSON-able values; what cannot be found out is None.

    ``root`` is the folder that holds ``proc`` and ``sys``.
    """
    facts = {name: _try_read(find, root) for name, find in _FACTS.items()}
    return {"msgauge": __version__, **facts}


def find_free_memory(root: Path = _ROOT) -> int:
    """Bytes of memory that processes may still take, here and in this cgroup; 0 where that cannot be found out."""
    facts = (_try_read(find, root) for find in (_memory_free, _memory_limit))
    return min((fact for fact in facts if isinstance(fact, int) and fact > 0), default=0)


def _try_read(find: Callable[[Path], object], root: Path) -> object:
    """The fact, or None: a kernel without the file, a container without the right."""
    try:
        return find(root)
    except (OSError, ValueError, ArithmeticError, IndexError, KeyError, AttributeError):
        return None


def _host(_root: Path) -> str:
    return socket.gethostname()


def _system(_root: Path) -> str:
    return f"{platform.system()} {platform.release()} {platform.machine()}"


def _distribution(_root: Path) -> str:
    return platform.freedesktop_os_release().get("PRETTY_NAME", "")


def _cpu_model(root: Path) -> str:
    text = _text(root / "proc/cpuinfo")
    match = re.search(r"^(?:model name|Model|cpu model|Processor)\s*:\s*(.+)$", text, re.MULTILINE)
    return match[1].strip() if match else platform.processor() or platform.machine()


def _processors(_root: Path) -> int | None:
    return os.cpu_count()


def _list_allowed_cpus(_root: Path) -> list[int]:
    """The processors that this process may use."""
    return sorted(os.sched_getaffinity(0))


def _packages(root: Path) -> int:
    return len({_text(path) for path in _topologies(root, "physical_package_id")}) or 1


def _cores(root: Path) -> int | None:
    """Physical cores: processors that share one are counted once."""
    siblings = {_text(path) for path in _topologies(root, "thread_siblings_list")}
    return len(siblings) or None


def _topologies(root: Path, name: str) -> list[Path]:
    return list((root / "sys/devices/system/cpu").glob(f"cpu[0-9]*/topology/{name}"))


def _smt(root: Path) -> bool:
    return _text(root / "sys/devices/system/cpu/smt/active").strip() == "1"


def _clocksource(root: Path) -> str:
    return _text(root / "sys/devices/system/clocksource/clocksource0/current_clocksource").strip()


def _invariant_tsc(root: Path) -> bool:
    return {"constant_tsc", "nonstop_tsc"} <= _flags(root)


def _flags(root: Path) -> set[str]:
    match = re.search(r"^(?:flags|Features)\s*:\s*(.+)$", _text(root / "proc/cpuinfo"), re.MULTILINE)
    return set(match[1].split()) if match else set()


def _governors(root: Path) -> list[str]:
    places = (root / "sys/devices/system/cpu").glob("cpu[0-9]*/cpufreq/scaling_governor")
    return sorted({_text(path).strip() for path in places})


def _turbo(root: Path) -> bool | None:
    off = root / "sys/devices/system/cpu/intel_pstate/no_turbo"
    boost = root / "sys/devices/system/cpu/cpufreq/boost"
    if off.exists():
        return _text(off).strip() == "0"
    return _text(boost).strip() == "1" if boost.exists() else None


def _load(root: Path) -> list[float]:
    found = [float(word) for word in _text(root / "proc/loadavg").split()[:3]]
    if not all(map(isfinite, found)):
        raise ValueError("a load that is no number")
    return found


def _count_runnable(root: Path) -> int:
    """Threads that want a processor right now, this one included."""
    return int(_text(root / "proc/loadavg").split()[3].partition("/")[0])


def _steal(root: Path) -> float:
    """Share of all processor time since boot that the hypervisor gave to others."""
    ticks = [int(word) for word in _text(root / "proc/stat").split("\n", 1)[0].split()[1:9]]
    return round(ticks[7] / max(1, sum(ticks)), 6)


def _memory(root: Path) -> int:
    return _kibibytes(root, "MemTotal") * 1024


def _memory_free(root: Path) -> int:
    return _kibibytes(root, "MemAvailable") * 1024


def _swap_bytes_in_use(root: Path) -> int:
    return (_kibibytes(root, "SwapTotal") - _kibibytes(root, "SwapFree")) * 1024


def _kibibytes(root: Path, name: str) -> int:
    match = re.search(rf"^{name}:\s*([0-9]+) kB$", _text(root / "proc/meminfo"), re.MULTILINE)
    return int(match[1]) if match else 0


def _free_shared_memory(_root: Path) -> int:
    """Bytes free in /dev/shm, where most libraries put the messages between processes."""
    seen = os.statvfs("/dev/shm")
    return seen.f_bavail * seen.f_frsize


def _huge_pages(root: Path) -> dict[str, object]:
    chosen = re.search(r"\[([a-z]+)\]", _text(root / "sys/kernel/mm/transparent_hugepage/enabled"))
    reserved = re.search(r"^HugePages_Total:\s*([0-9]+)", _text(root / "proc/meminfo"), re.MULTILINE)
    return {"transparent": chosen[1] if chosen else None, "reserved": int(reserved[1]) if reserved else 0}


def _cpu_quota(root: Path) -> float | None:
    """Processors' worth of time that a cgroup allows; None without a limit."""
    unified = _own_cgroup(root, "") / "cpu.max"
    if unified.exists():
        quota, period = _text(unified).split()
        return None if quota == "max" else int(quota) / int(period)
    quota_us = int(_text(_own_cgroup(root, "cpu") / "cpu.cfs_quota_us"))
    return None if quota_us < 0 else quota_us / int(_text(_own_cgroup(root, "cpu") / "cpu.cfs_period_us"))


def _memory_limit(root: Path) -> int | None:
    unified, old = _own_cgroup(root, "") / "memory.max", _own_cgroup(root, "memory") / "memory.limit_in_bytes"
    text = _text(unified if unified.exists() else old).strip()
    return None if text == "max" or int(text) >= 1 << 60 else int(text)


def _own_cgroup(root: Path, controller: str) -> Path:
    """The folder of this process's cgroup: of a v1 controller, or with '' the unified one."""
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, controllers, inside = line.split(":", 2)
        if controller in controllers.split(","):
            base = root / "sys/fs/cgroup" / controller
            here = base / inside.lstrip("/")
            return here if here.is_dir() else base
    return root / "sys/fs/cgroup" / controller


def _autogroup(root: Path) -> bool:
    """Whether the scheduler sets session against session (see the keeper)."""
    return _text(root / "proc/sys/kernel/sched_autogroup_enabled").strip() == "1"


def _hypervisor(root: Path) -> str | None:
    """The kind of virtual machine, "yes" when only the processor tells, None on bare metal."""
    named = root / "sys/class/dmi/id/sys_vendor"
    vendor = _text(named).strip() if named.exists() else ""
    known = ("QEMU", "VMware", "Xen", "innotek", "Microsoft", "Amazon EC2", "Google", "Parallels", "KVM")
    if any(word in vendor for word in known):
        return vendor
    return "yes" if "hypervisor" in _flags(root) else None


def _container(root: Path) -> str | None:
    if (root / ".dockerenv").exists():
        return "docker"
    if (root / "run/.containerenv").exists():
        return "podman"
    words = re.search(r"docker|lxc|kubepods|containerd|garden", _text(root / "proc/self/cgroup"))
    return words[0] if words else None


def _mitigations(root: Path) -> dict[str, str]:
    folder = root / "sys/devices/system/cpu/vulnerabilities"
    return {path.name: _text(path).strip() for path in sorted(folder.iterdir())} if folder.is_dir() else {}


def _list_isolated_cpus(root: Path) -> str:
    return _text(root / "sys/devices/system/cpu/isolated").strip()


def _text(path: Path) -> str:
    return path.read_text(errors="replace")


_FACTS: dict[str, Callable[[Path], object]] = {
    "host": _host,
    "system": _system,
    "distribution": _distribution,
    "cpu_model": _cpu_model,
    "processors": _processors,
    "allowed_processors": _list_allowed_cpus,
    "physical_cores": _cores,
    "packages": _packages,
    "smt": _smt,
    "isolated_processors": _list_isolated_cpus,
    "clocksource": _clocksource,
    "invariant_tsc": _invariant_tsc,
    "governors": _governors,
    "turbo": _turbo,
    "load": _load,
    "running_threads": _count_runnable,
    "steal": _steal,
    "memory_bytes": _memory,
    "memory_available_bytes": _memory_free,
    "swap_used_bytes": _swap_bytes_in_use,
    "shared_memory_free_bytes": _free_shared_memory,
    "huge_pages": _huge_pages,
    "cpu_quota": _cpu_quota,
    "memory_limit_bytes": _memory_limit,
    "autogroup": _autogroup,
    "hypervisor": _hypervisor,
    "container": _container,
    "mitigations": _mitigations,
}
