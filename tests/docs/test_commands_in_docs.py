"""Every command line in README.md and docs/ is run, in the order a reader would meet it.

Blocks fenced as ``console`` hold lines that begin with ``$ ``. ``msgauge`` lines are run for real, a document at a
time, each in a folder of its own; measuring is kept short by MSGAUGE_BUDGET_S. ``make`` lines must name a target that
exists. A word ``RUN`` stands for the newest run folder, ``RUN_A`` and ``RUN_B`` for the two newest.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^( *)```console\n(.*?)^\1```", re.DOTALL | re.MULTILINE)
ACCEPTED = {0, 4}  # 4: some cells failed, which a document may show on purpose


def commands_of(document: Path) -> list[str]:
    text = document.read_text(encoding="utf-8")
    lines = []
    for block in BLOCK.finditer(text):
        joined = re.sub(r"\\\n\s*", "", block.group(2))
        lines += [line.strip()[2:] for line in joined.splitlines() if line.strip().startswith("$ ")]
    return lines


WITH_COMMANDS = [document for document in DOCUMENTS if commands_of(document)]


def test_the_readme_shows_the_two_commands() -> None:
    shown = {line.partition("#")[0].strip() for line in commands_of(ROOT / "README.md")}
    assert {"make compare", "make test"} <= shown


@pytest.mark.timeout(600)
@pytest.mark.parametrize("document", WITH_COMMANDS, ids=lambda d: str(d.relative_to(ROOT)))
def test_the_commands_of_a_document_work(document: Path, tmp_path: Path) -> None:
    for line in commands_of(document):
        run(line, tmp_path)


def run(line: str, folder: Path) -> None:
    words = shlex.split(line, comments=True)
    if words[0] == "make":
        subprocess.run(["make", "-n", *words[1:]], cwd=ROOT, check=True, capture_output=True, timeout=60)
        return
    assert words[0] == "msgauge", f"a document shows a command that no test knows how to run: {line}"
    runs = sorted((folder / "runs").glob("*/"), key=lambda path: path.stat().st_mtime)
    words = [substitute(word, runs) for word in words[1:]]
    environment = {**os.environ, "MSGAUGE_BUDGET_S": "1", "NO_COLOR": "1", "COLUMNS": "100"}
    done = subprocess.run(
        [str(Path(sys.executable).parent / "msgauge"), *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if os.geteuid() != 0 and (words[0] == "lab" or any(word.startswith("lab:") for word in words)):
        assert done.returncode == 2, "only root can emulate hosts, and everybody else is told so"
        return
    verdicts = {1, 3} if words[0] in ("doctor", "map") else set()  # of the machine or cluster, not of the command
    assert done.returncode in ACCEPTED | verdicts, (
        f"$ {line}\nexit {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    )


def substitute(word: str, runs: list[Path]) -> str:
    """The newest run folder for RUN, and the two newest for RUN_A (older) and RUN_B."""
    places = {"RUN": -1, "RUN_B": -1, "RUN_A": -2}
    if word not in places:
        return word
    assert len(runs) >= -places[word], f"{word} stands in a document before there is such a run"
    return str(runs[places[word]])


def test_links_between_documents_lead_somewhere() -> None:
    broken = []
    for document in DOCUMENTS:
        for target in re.findall(r"\]\((?!https?://|#|mailto:)([^)#\s]+)", document.read_text(encoding="utf-8")):
            if not (document.parent / target).exists():
                broken.append(f"{document.relative_to(ROOT)} -> {target}")
    assert not broken
