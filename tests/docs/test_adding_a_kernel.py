"""docs/adding-a-kernel.md is carried out as it stands: the header it spells out is compiled, found, and measured."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-kernel.md"
MSGAUGE = str(Path(sys.executable).parent / "msgauge")


def blocks(language: str) -> list[str]:
    """Every fenced block of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def msgauge(folder: Path, *words: str) -> str:
    environment = {**os.environ, "MSGAUGE_KERNELS": "my_kernels", "NO_COLOR": "1"}
    done = subprocess.run(
        [MSGAUGE, *words],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode in (0, 4), done.stderr[-2000:]
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "my_kernels").mkdir()
    (tmp_path / "my_kernels" / "incast.hpp").write_text("".join(blocks("cpp")))
    (tmp_path / "incast.toml").write_text(blocks("toml")[0])
    return tmp_path


@pytest.mark.timeout(400)
def test_the_kernel_of_the_page_is_measured_and_its_check_notices_altered_bytes(folder: Path) -> None:
    shown = [line[2:] for line in blocks("text")[0].splitlines()]
    assert shown == ["export MSGAUGE_KERNELS=my_kernels", "msgauge kernels", "msgauge compare incast.toml"]
    assert "incast" in msgauge(folder, "kernels")
    study = folder / "incast.toml"
    study.write_text(study.read_text().replace('"tcp"', '"tcp", "fake[wrong_bytes=1]"'))
    answer = json.loads(msgauge(folder, "compare", "incast.toml", "--json"))
    measured = {(e["stack"].split("@")[0], e["ranks"], e["size_bytes"]) for e in answer["estimates"]}
    assert measured == {(stack, ranks, size) for stack in ("fake", "tcp") for ranks in (2, 4) for size in (8, 4096)}
    assert all("wrong bytes" in one["reason"] for one in answer["failures"])
    assert {one["stack"] for one in answer["failures"]} == {"fake@1[wrong_bytes=1]"}
