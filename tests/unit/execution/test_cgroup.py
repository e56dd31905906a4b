"""Claims about the cgroup that a launch gets, in an invented tree of cgroups."""

from __future__ import annotations

import os
from pathlib import Path

from msgauge.execution.cgroup import Cgroup


def cgroup_tree(root: Path, membership: str, mounts: str, handed_down: dict[str, str]) -> Path:
    for name, text in {"proc/self/cgroup": membership, "proc/self/mounts": mounts}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    for folder, controllers in handed_down.items():
        place = root / "sys/fs/cgroup" / folder
        place.mkdir(parents=True, exist_ok=True)
        (place / "cgroup.subtree_control").write_text(controllers)
    return root


UNIFIED = "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n"


def test_a_unified_tree_that_hands_cpu_down_gives_an_own_group(tmp_path: Path) -> None:
    root = cgroup_tree(tmp_path, "0::/\n", UNIFIED, {"": "cpuset cpu memory\n"})
    group = Cgroup(root)
    assert group.word == "own"
    assert group.path is not None and group.path.parent == root / "sys/fs/cgroup"
    assert (group.path / "cgroup.procs").read_text() == str(os.getpid())


def test_a_unified_group_of_a_session_is_inherited(tmp_path: Path) -> None:
    root = cgroup_tree(tmp_path, "0::/user.slice/scope\n", UNIFIED, {"": "cpu\n", "user.slice": "cpu memory\n"})
    assert Cgroup(root).word == "inherited: /user.slice/scope"


def test_a_unified_tree_without_cpu_says_why_there_is_none(tmp_path: Path) -> None:
    root = cgroup_tree(tmp_path, "0::/\n", UNIFIED, {"": "memory\n"})
    assert Cgroup(root).word.startswith("none: the cpu controller is not handed down")
    other = cgroup_tree(tmp_path / "b", "0::/\n", "", {})
    assert Cgroup(other).word == "none: cgroup2 is not mounted"
    assert Cgroup(tmp_path / "nothing").word == "none: this kernel has no cgroups"
