"""Claims about files of a run folder that were edited into nonsense: no command ends in an internal error."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from simulated_runs import only_builtin_stacks, only_run, study_file

from msgauge.cli import main

FILES = ("plan.json", "stacks.json", "facts.json", "machine.json", "launches/0001/record.json", "launches.jsonl")
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
    max_examples=20,
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


@pytest.mark.parametrize(
    ("name", "edit"),
    [
        ("stacks.json", lambda stacks: stacks[0].update(version="9")),
        ("stacks.json", lambda stacks: stacks.append(stacks[0])),
        ("stacks.json", lambda stacks: stacks.pop()),
        ("plan.json", lambda plan: plan["cells"][1].update(id=plan["cells"][0]["id"])),
        ("plan.json", lambda plan: plan["cells"][0].update(size_bytes=10**30)),
        ("plan.json", lambda plan: plan["cells"][0].update(options=[["n", "abc"]])),
    ],
)
def test_files_that_contradict_each_other_are_refused_as_damaged(
    name: str, edit: Callable[[Any], object], run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = run.parent.with_name("contradicts")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(run, copy)
    document = json.loads((copy / name).read_text())
    edit(document["value"])
    (copy / name).write_text(json.dumps(document))
    for words in (["show", str(copy)], ["report", str(copy)], ["advise", str(copy)]):
        assert main(words) == 2
        said = capsys.readouterr().err
        assert name in said
        assert "remedy: " in said


def test_facts_of_the_machine_may_be_lists(run: Path) -> None:
    copy = run.parent.with_name("listed")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(run, copy)
    facts = json.loads((copy / "machine.json").read_text())
    facts["value"]["mitigations"] = {"mds": ["a", "b"], "srso": []}
    (copy / "machine.json").write_text(json.dumps(facts))
    assert main(["report", str(copy)]) == 0
