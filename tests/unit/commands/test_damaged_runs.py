"""Claims about files of a run folder that were edited into nonsense: no command ends in an internal error."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from simulated_runs import only_builtin_stacks, only_run, study_file

from msgauge.cli import main

FILES = ("plan.json", "launches/0001/record.json", "launches.jsonl")
DOCUMENTED = {0, 2, 4, 5, 130}
VALUES = st.sampled_from(
    [None, True, -1, 0, 1, 7, 2**62, 10**30, 1e308, float("inf"), "", "abc", "0", "1e999", [], {}, [["n", "abc"]]]
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    with pytest.MonkeyPatch.context() as monkeypatch:
        only_builtin_stacks(folder, monkeypatch)
        words = ["run", study_file(folder, rounds=2), "--stacks", "fake,fake[L=2us]", "--runs", str(folder / "runs")]
        assert main(words) == 0
    return only_run(folder / "runs")


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a document, as what holds it and its key there."""
    for key in list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ():
        yield node, key
        yield from places(node[key])


def damage(text: str, draw: st.DataObject) -> str:
    """One value of the document replaced, taken away, or there twice."""
    document = json.loads(text)
    holder, key = draw.draw(st.sampled_from(list(places(document))))
    kind = draw.draw(st.sampled_from(("replaced", "gone", "twice")))
    if kind == "replaced":
        holder[key] = draw.draw(VALUES)
    elif kind == "gone":
        del holder[key]
    elif isinstance(holder[key], list) and holder[key]:
        holder[key].append(holder[key][0])
    return json.dumps(document)


@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
@pytest.mark.parametrize("name", FILES)
def test_no_damage_ends_in_an_internal_error(
    name: str, run: Path, capsys: pytest.CaptureFixture[str], data: st.DataObject
) -> None:
    copy = run.parent.with_name("damaged")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(run, copy)
    lines = (copy / name).read_text().splitlines() if name.endswith("l") else [(copy / name).read_text()]
    (copy / name).write_text("\n".join([damage(lines[0], data), *lines[1:]]) + "\n")
    for words in (["show", str(copy)], ["report", str(copy)], ["export", str(copy), "--format", "csv"]):
        code, said = main(words), capsys.readouterr().err
        assert code in DOCUMENTED, said
        assert "Traceback" not in said
        assert code != 2 or "remedy: " in said
        if code == 2:
            break
