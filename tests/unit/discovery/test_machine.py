"""Claims about the machine's description: complete here, silent where a file is missing, never an error."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from msgauge.discovery import machine


def test_this_machine_is_described_in_json() -> None:
    facts = machine.describe()
    assert json.loads(json.dumps(facts)) == facts
    assert facts["allowed_processors"] == sorted(os.sched_getaffinity(0))
    assert isinstance(facts["memory_bytes"], int) and facts["memory_bytes"] > 1 << 26
    assert facts["cpu_model"] and facts["clocksource"]


def test_a_machine_that_tells_nothing_is_described_by_gaps(tmp_path: Path) -> None:
    facts = machine.describe(tmp_path)
    assert facts["clocksource"] is None and facts["load"] is None and facts["memory_bytes"] is None
    assert facts.keys() == machine.describe().keys()


def put(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_quota_and_memory_limit_of_a_unified_cgroup_are_found(tmp_path: Path) -> None:
    put(tmp_path, proc__self__cgroup="0::/box\n")
    for name, text in (("cpu.max", "150000 100000\n"), ("memory.max", "1073741824\n")):
        path = tmp_path / "sys/fs/cgroup/box" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    facts = machine.describe(tmp_path)
    assert (facts["cpu_quota"], facts["memory_limit_bytes"]) == (1.5, 1 << 30)
    assert machine.find_free_memory(tmp_path) == 1 << 30


@pytest.mark.parametrize(("kibibytes", "free"), [(1 << 18, 1 << 28), (1 << 21, 1 << 30)])
def test_free_memory_is_what_the_computer_and_the_cgroup_leave(tmp_path: Path, kibibytes: int, free: int) -> None:
    put(
        tmp_path, proc__self__cgroup="0::/box\n", proc__meminfo=f"MemTotal: 99999999 kB\nMemAvailable: {kibibytes} kB\n"
    )
    (tmp_path / "sys/fs/cgroup/box").mkdir(parents=True)
    (tmp_path / "sys/fs/cgroup/box/memory.max").write_text("1073741824\n")
    assert machine.find_free_memory(tmp_path) == free


def test_free_memory_that_nobody_tells_is_not_known(tmp_path: Path) -> None:
    assert machine.find_free_memory(tmp_path) == 0
    assert machine.find_free_memory() > 1 << 26


def test_siblings_count_as_one_core(tmp_path: Path) -> None:
    for cpu, siblings in enumerate(["0,2", "1,3", "0,2", "1,3"]):
        path = tmp_path / f"sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list"
        path.parent.mkdir(parents=True)
        path.write_text(siblings + "\n")
    assert machine.describe(tmp_path)["physical_cores"] == 2


def test_steal_is_the_share_of_all_time(tmp_path: Path) -> None:
    put(tmp_path, proc__stat="cpu  50 0 20 100 10 0 0 20 0 0\ncpu0 1 2 3\n")
    assert machine.describe(tmp_path)["steal"] == pytest.approx(0.1)


FILES = ["proc/cpuinfo", "proc/stat", "proc/loadavg", "proc/meminfo", "proc/self/cgroup", "sys/fs/cgroup/cpu.max"]


@given(name=st.sampled_from(FILES), text=st.text(max_size=80))
@example(name="proc/loadavg", text="INFINITY nan 0")
@example(name="proc/stat", text=f"cpu 0 0 0 0 0 0 0 {10**400}")
@example(name="sys/fs/cgroup/cpu.max", text="1 0")
def test_no_content_of_any_file_is_an_error(tmp_path_factory: pytest.TempPathFactory, name: str, text: str) -> None:
    root = tmp_path_factory.mktemp("root")
    path = root / name
    path.parent.mkdir(parents=True)
    path.write_text(text, errors="replace")
    json.dumps(machine.describe(root), allow_nan=False)
