"""A run made elsewhere opens here byte for byte the same, though neither its stacks nor its kernels exist here."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from simulated_runs import only_builtin_stacks, only_run

from msgauge import cli

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-kernel.md"
PAPER = "arsc-t3d"
STUDY = """\
title = "Foreign"
stacks = ["fake[eager=2KiB]", "fake[eager=16KiB]"]
seed = 5
[stopping]
budget = "10 min"
minimum_rounds = 3
maximum_rounds = 3
cell_budget = "1 ms"
[[measure]]
kernel = "incast"
sizes = ["8", "4KiB"]
[[measure]]
kernel = "pingpong"
sizes = ["1", "1KiB", "2KiB", "3KiB", "8KiB", "24KiB", "64KiB"]
[[measure]]
kernel = "prtt"
sizes = ["1", "1KiB", "2KiB", "3KiB", "8KiB", "24KiB", "64KiB"]
"""
OPENED = (
    ("report", "RUN"),
    ("show", "RUN", "--costs", "--series", "--by", "transport"),
    ("show", "RUN", "--json"),
    ("figures", "RUN", "--formats", "svg"),
    ("advise", "RUN"),
    ("export", "RUN"),
    ("export", "RUN", "--format", "json"),
    ("export", "RUN", "--format", "parquet"),
)
BLOCKED = ("msgauge.stacks", "msgauge.discovery", "msgauge.kernels", "msgauge.config", "msgauge.hosts", "msgauge.build")
OLD_PROCESSOR = {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"}
READER = """\
import contextlib, io, json, sys
blocked = tuple(json.loads(sys.argv[1]))
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if any(name == one or name.startswith(one + ".") for one in blocked):
            raise ImportError(f"who opens a run imports the plug-in module {name}")
sys.meta_path.insert(0, Blocker())
from msgauge.cli import main
said = {}
for argv in json.loads(sys.argv[2]):
    with contextlib.redirect_stdout(io.StringIO()) as text:
        code = main(argv)
    said[" ".join(argv)] = text.getvalue()
    if code:
        sys.exit(f"{argv} ended with {code}")
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two folders that hold the same run: of a stack ``elsewhere`` and a kernel ``incast`` that nobody here knows.

    It was measured on the simulated stack, with a kernel header that is gone by now; its study bears a paper's name, so
    that a paper's tables and claims are drawn of it too.
    """
    place = tmp_path_factory.mktemp("foreign")
    with pytest.MonkeyPatch.context() as patch:
        only_builtin_stacks(place, patch)
        header = "".join(re.findall(r"^```cpp\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE))
        (place / "kernels").mkdir()
        (place / "kernels" / "incast.hpp").write_text(header)
        (place / f"{PAPER}.toml").write_text(STUDY)
        patch.setenv("MSGAUGE_KERNELS", str(place / "kernels"))
        assert cli.main(["compare", str(place / f"{PAPER}.toml"), "--runs", str(place / "here")]) == 0
    shutil.rmtree(place / "kernels")
    rename_family(only_run(place / "here"))
    shutil.copytree(place / "here", place / "there")
    return place / "here", place / "there"


def rename_family(run: Path) -> None:
    """As if the stack were of a family that this installation never had."""
    for path in [*run.glob("*.json"), *run.glob("launches/*/*.json")]:
        path.write_text(path.read_text().replace("fake", "elsewhere"))
    for derived in ("report.html", "samples.parquet", "findings.json", "models.json", "paper.json"):
        (run / derived).unlink(missing_ok=True)


def opened(folder: Path, blocked: tuple[str, ...], environment: dict[str, str]) -> dict[str, str | bytes]:
    """Everything that opening the run says and writes, by command and by file."""
    run = only_run(folder)
    commands = [[run.name if word == "RUN" else word for word in words] for words in OPENED]
    done = subprocess.run(
        [sys.executable, "-c", READER, json.dumps(blocked), json.dumps(commands)],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    said = json.loads(done.stdout.replace(str(folder), "FOLDER"))
    written = ("report.html", "findings.json", "models.json", "paper.json", "samples.parquet", "figures/*")
    files = sorted(path for pattern in written for path in run.glob(pattern))
    return said | {str(path.relative_to(run)): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def both(folders: tuple[Path, Path]) -> tuple[dict[str, str | bytes], dict[str, str | bytes]]:
    """What is said and written where the run was made, and where it is foreign: no plug-in, no PATH, no home.

    There the libraries for arrays take their loops for an old processor, which end in other last digits.
    """
    here, there = folders
    own = opened(here, (), {**os.environ, "NO_COLOR": "1", "COLUMNS": "100"})
    return own, opened(there, BLOCKED, OLD_PROCESSOR | {"PATH": "", "HOME": "", "NO_COLOR": "1", "COLUMNS": "100"})


@pytest.mark.timeout(600)
def test_a_run_of_stacks_and_kernels_that_do_not_exist_here_opens_byte_for_byte_the_same(
    both: tuple[dict[str, str | bytes], dict[str, str | bytes]],
) -> None:
    own, foreign = both
    assert own.keys() == foreign.keys()
    assert [name for name in own if own[name] != foreign[name]] == []
    assert {"report.html", "findings.json", "models.json", "paper.json", "samples.parquet"} <= own.keys()
    assert any(name.startswith("figures/") for name in own)


def test_what_the_foreign_plug_ins_stated_is_still_told(
    folders: tuple[Path, Path], both: tuple[dict[str, str | bytes], dict[str, str | bytes]]
) -> None:
    """Not only alike: the kernel's title and bandwidth, the family's settings and operations are there."""
    run = only_run(folders[1])
    facts = json.loads((run / "facts.json").read_text())["value"]
    assert [kernel["name"] for kernel in facts["kernels"]] == ["incast", "pingpong", "prtt"]
    assert {stack["stack"] for stack in facts["stacks"]} == {"elsewhere@1[eager=2KiB]", "elsewhere@1[eager=16KiB]"}
    for stack in facts["stacks"]:
        assert ["send", "native"] in stack["operations"]
        assert [setting["name"] for setting in stack["settings"]] == ["eager"]
    _, foreign = both
    assert "to go until it has one message" in bytes(foreign["report.html"]).decode()  # type: ignore[arg-type]
    estimates = json.loads(foreign[f"export {run.name} --format json"])["estimates"]
    incast = [one for one in estimates if one["kernel"] == "incast" and one["size_bytes"] == 4096]
    assert incast and all(one["bandwidth_bytes_per_s"] > 0 for one in incast)
