"""What is committed speaks of the project alone: no path of a machine, no package index's address."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
MACHINE_PATHS = re.compile(r"(?<![\w.])/(?:work|root)/\w|/opt/wheels|/tmp/probe")
INDEXES = re.compile(r"py" + r"pi\.org|files\.python" + r"hosted|deb\.deb" + r"ian\.org|crates\.io/")


def committed_text() -> list[tuple[str, str]]:
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    texts = []
    for name in filter(None, names):
        path = ROOT / name
        if not path.is_file() or path == Path(__file__):
            continue
        try:
            texts.append((name, path.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue
    return texts


def test_no_path_of_a_machine_is_committed() -> None:
    found = [(name, m.group()) for name, text in committed_text() for m in MACHINE_PATHS.finditer(text)]
    assert not found


def test_no_package_index_is_named() -> None:
    found = [(name, m.group()) for name, text in committed_text() for m in INDEXES.finditer(text)]
    assert not found


def test_every_dependency_has_its_reason() -> None:
    reasons = (ROOT / "docs/explanation/dependencies.md").read_text(encoding="utf-8")
    block = re.search(r"^dependencies = \[(.*?)^\]", (ROOT / "pyproject.toml").read_text(), re.DOTALL | re.MULTILINE)
    assert block is not None
    for name in re.findall(r'"([A-Za-z0-9-]+)', block.group(1)):
        assert name.removesuffix("-python") in reasons or name in reasons, f"{name} stands without a reason"


def test_the_lock_covers_every_dependency() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    block = re.search(r"^dependencies = \[(.*?)^\]", (ROOT / "pyproject.toml").read_text(), re.DOTALL | re.MULTILINE)
    assert block is not None
    for name in re.findall(r'"([A-Za-z0-9-]+)', block.group(1)):
        assert re.search(rf"^{name}==", lock, re.MULTILINE), f"{name} is not locked: run make lock"
