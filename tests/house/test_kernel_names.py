"""No kernel is named outside its header, its twins in other languages, studies and docs; exceptions state a reason.

Looked at is every string of the code but docstrings. A string that is a kernel's name counts; of a longer one each word
counts that could be nothing else, and of a list of words every one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from msgauge.kernels import load_kernels

SOURCES = Path(__file__).parents[2] / "src" / "msgauge"
OWN = ("workers", "studies", "native")
"""Rooms of the kernels themselves."""
OPERATIONS = "the word is that of an MPI operation or capability, not of a kernel"
EXCEPTIONS = {
    "models/guideline_terms.py": "a guideline is a statement about MPI operations, by their names",
    "plan.py": OPERATIONS,
    "stacks/openmpi.py": OPERATIONS,
    "stacks/mpich.py": OPERATIONS,
    "stacks/mpi4py.py": OPERATIONS,
    "stacks/mexmpi.py": OPERATIONS,
    "stacks/filempi.py": OPERATIONS + "; 'stream' is a protocol of filempi",
    "stacks/pvm.py": OPERATIONS,
    "model/plan.py": "a pattern of communication and the kernel that measures it have one name: reduce, stream",
    "diagnostics/system_probe.py": "the probe is a study of one kernel",
    "results/disturbances.py": "the sentinel's own ping-pong, which needs no library",
    "frontend/study_options.py": "an example in the help text",
}
ENGLISH = frozenset(
    {"barrier", "burst", "exchange", "gather", "get", "overlap", "put", "queue", "rate", "reduce", "scan", "scatter"}
)
"""Names that are words of a sentence too."""
WORDS_OF_THE_CODE = {
    "model/starts.py": "barrier",
    "frontend/purposes.py": "rate",
    "papers/figures.py": "rate",
    "papers/file.py": "rate",
    "papers/tables.py": "rate",
    "report/figures/line_chart.py": "rate",
    "report/sections/all_numbers.py": "rate",
}
"""Where a name alone is another thing: how rounds begin, a purpose, the form of a table, the series of a chart, a
column."""


def test_no_kernel_is_named_outside_its_header() -> None:
    names = frozenset(load_kernels())
    named = {}
    for place, path in _places():
        known = names - {WORDS_OF_THE_CODE.get(place, "")}
        if words := {name for text in _texts(path) for name in _names_in(text, known)}:
            named[place] = words
    assert not {place: words for place, words in named.items() if place not in EXCEPTIONS}
    assert not EXCEPTIONS.keys() - named.keys(), "an exception that is no longer needed"


def test_names_are_found_in_longer_strings_too() -> None:
    names = frozenset(load_kernels())
    assert _names_in("its trains (kernel prtt) were not measured", names) == {"prtt"}
    assert _names_in("send recv bcast scatter", names) == {"bcast", "scatter"}
    assert _names_in("launches scatter by 3 %", names) == set()
    assert _names_in("--cfg=smpi/wtime:0", names) == set()
    assert _names_in("cannot get ", names) == set()


def _places() -> Iterator[tuple[str, Path]]:
    for path in sorted(SOURCES.rglob("*.py")):
        place = path.relative_to(SOURCES).as_posix()
        if place.split("/")[0] not in OWN:
            yield place, path


def _names_in(text: str, names: frozenset[str]) -> set[str]:
    """The kernels that a string names."""
    words = re.findall(r"(?<![\w/.:=-])[a-z][a-z0-9-]*(?![\w/:=-])", text)
    found = set(words) & names
    is_list = len(words) == len(text.split()) > 2 and len(found) * 3 > len(words)
    return found if text in names or is_list else found - ENGLISH


def _texts(path: Path) -> Iterator[str]:
    """Every string of a file but its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.value
