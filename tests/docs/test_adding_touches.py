"""A stack is one file, a kernel is one header: adding either touches that, its docs page, and what is generated."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOY = ROOT / "tests" / "conformance" / "toy" / "toy_stack"
GENERATORS = (
    ("msgauge.discovery.capability_matrix", "docs/reference/coverage.md"),
    ("msgauge.discovery.kernel_index", "docs/reference/kernels"),
)
HELD_BY = (
    "tests/docs/test_stack_pages.py",
    "tests/docs/test_kernel_pages.py",
    "tests/docs/test_coverage_page.py",
    "tests/house/test_plugins.py",
    "tests/unit/test_kernel_options.py::test_every_option_is_explained_with_each_of_its_words",
    "tests/unit/test_study.py::test_the_study_complete_leaves_no_kernel_out",
)
STACK_PAGE = """# toy

Socket pairs of one parent. Comes with msgauge. One host only.

Traps: none known.
"""
KERNEL_PAGE = """# nudge

**Timed.** Rank 0 sends to rank 1 and waits for nothing.
**The number.** Time of one send, ns.
**Not.** No latency: nobody says when it arrived.
**Source.** A test.
**Others.** OMB and IMB have no such benchmark.
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is under version control and matters to plug-ins."""
    tree = tmp_path_factory.mktemp("tree")
    for folder in ("src", "docs", "tests", "matlab"):
        shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / file, tree / file)
    return tree


def test_adding_a_stack_touches_its_file_its_header_its_page_and_what_is_made(tree: Path) -> None:
    before = contents(tree)
    package = tree / "src" / "msgauge"
    text = (TOY / "__init__.py").read_text()
    (package / "stacks" / "toy.py").write_text(text.replace('    headers = Path(__file__).parent / "headers"\n', ""))
    shutil.copy(TOY / "headers" / "transports" / "toy.hpp", package / "native" / "transports" / "toy.hpp")
    (tree / "docs" / "reference" / "stacks" / "toy.md").write_text(STACK_PAGE)
    generate_and_test(tree)
    assert changed(before, tree) == {
        "src/msgauge/stacks/toy.py",
        "src/msgauge/native/transports/toy.hpp",
        "docs/reference/stacks/toy.md",
        "docs/reference/coverage.md",
    }
    assert "| toy |" in (tree / "docs" / "reference" / "coverage.md").read_text()


def test_adding_a_kernel_touches_its_header_its_page_and_what_is_made(tree: Path) -> None:
    before = contents(tree)
    kernels = tree / "src" / "msgauge" / "native" / "kernels"
    text = (kernels / "one_way.hpp").read_text()
    (kernels / "nudge.hpp").write_text(
        text.replace("kernels::one_way", "kernels::nudge").replace('"one-way"', '"nudge"')
    )
    (tree / "docs" / "reference" / "kernels" / "nudge.md").write_text(KERNEL_PAGE + said_of_options(tree))
    generate_and_test(tree)
    assert changed(before, tree) == {
        "src/msgauge/native/kernels/nudge.hpp",
        "docs/reference/kernels/nudge.md",
        "docs/reference/kernels/README.md",
    }
    assert "[nudge](nudge.md)" in (tree / "docs" / "reference" / "kernels" / "README.md").read_text()


def said_of_options(tree: Path) -> str:
    """What the page of the kernel that the toy was made from says: options and series must be explained."""
    return (tree / "docs" / "reference" / "kernels" / "one-way.md").read_text()


def generate_and_test(tree: Path) -> None:
    """What the hands-on part of adding ends with: the generators, then the tests that hold pages and names."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    for module, target in GENERATORS:
        subprocess.run([sys.executable, "-m", module, target], cwd=tree, env=environment, check=True, timeout=120)
    words = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *HELD_BY]
    done = subprocess.run(words, cwd=tree, env=environment, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stdout[-3000:]


def contents(tree: Path) -> dict[str, str]:
    """Every file of the tree by a hash of what is in it."""
    files = (path for path in tree.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    kept = (path for path in files if not {".hypothesis", ".pytest_cache"} & set(path.parts))
    return {str(path.relative_to(tree)): hashlib.sha256(path.read_bytes()).hexdigest() for path in kept}


def changed(before: dict[str, str], tree: Path) -> set[str]:
    """Files that are new, gone or different."""
    after = contents(tree)
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
