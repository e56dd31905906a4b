"""A stack of another package: one file and one transport header, found by its entry point, run by msgauge compare."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOY = Path(__file__).with_name("toy") / "toy_stack"
MSGAUGE = str(Path(sys.executable).with_name("msgauge"))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder as a package installer leaves it: the package ``toy_stack`` and its entry point."""
    site = tmp_path / "site"
    shutil.copytree(TOY, site / "toy_stack", ignore=shutil.ignore_patterns("__pycache__"))
    register(site, "toy-stack", "toy = toy_stack")
    return site


def register(site: Path, package: str, entry: str) -> None:
    info = site / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[msgauge.stacks]\n{entry}\n")


def msgauge(site: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "config").mkdir(exist_ok=True)
    (folder / "config" / "config.toml").write_text("search = []\n")  # the MPIs of this machine do not matter here
    environment = {**os.environ, "PYTHONPATH": str(site), "MSGAUGE_CONFIG": str(folder / "config")}
    return subprocess.run(
        [MSGAUGE, *words], env=environment, cwd=folder, capture_output=True, text=True, timeout=240, check=False
    )


def test_a_stack_from_outside_is_one_file_and_one_header(site: Path, tmp_path: Path) -> None:
    files = [path.relative_to(site).as_posix() for path in (site / "toy_stack").rglob("*") if path.is_file()]
    assert sorted(files) == ["toy_stack/__init__.py", "toy_stack/headers/transports/toy.hpp"]
    words = ["--stacks", "toy", "--kernels", "pingpong,bcast", "--sizes", "8,64KiB", "--budget", "2s", "--json"]
    done = msgauge(site, tmp_path, "compare", "quick", *words)
    assert done.returncode == 0, done.stderr[-2000:]
    estimates = json.loads(done.stdout)["estimates"]
    measured = {(one["kernel"], one["size_bytes"]): one for one in estimates}
    assert set(measured) == {("pingpong", 8), ("pingpong", 65536), ("bcast", 8), ("bcast", 65536)}
    assert all(one["stack"] == "toy@1" and one["median_ns"] > 0 for one in measured.values())
    assert measured["bcast", 8]["emulated"], "the toy has no broadcast of its own"
    assert not measured["pingpong", 8]["emulated"]


def test_a_plug_in_that_cannot_be_loaded_is_named_and_hides_nothing(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "torn").mkdir(parents=True)
    (site / "torn" / "__init__.py").write_text('raise RuntimeError("half an update")\n')
    register(site, "torn-stack", "torn = torn")
    done = msgauge(site, tmp_path, "stacks", "--json")
    assert done.returncode == 0, done.stderr[-2000:]
    stacks = {stack["family"]: stack for stack in json.loads(done.stdout)["stacks"]}
    assert not stacks["torn"]["usable"]
    assert "half an update" in stacks["torn"]["reason"]
    assert "update or uninstall" in stacks["torn"]["reason"]
    assert stacks["tcp"]["usable"], "the other stacks stand"


def test_a_plug_in_that_fails_while_looking_is_named(site: Path, tmp_path: Path) -> None:
    file = site / "toy_stack" / "__init__.py"
    looks = '    def find(self, host, config):\n        raise OSError("no such bus")\n\n'
    file.write_text(file.read_text().replace("    def launch_command", looks + "    def launch_command"))
    done = msgauge(site, tmp_path, "compare", "quick", "--stacks", "toy")
    assert done.returncode != 0
    assert "no such bus" in done.stderr
    assert "Traceback" not in done.stderr
