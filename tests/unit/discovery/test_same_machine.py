"""A run goes on where it began; on another computer it is refused by what differs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from simulated_runs import only_builtin_stacks, study_file

from msgauge import pipeline
from msgauge.discovery.same_machine import refuse_other_machine
from msgauge.errors import UsageError
from msgauge.kernels import load_kernels
from msgauge.study import load_study

FACTS: dict[str, object] = {"host": "n1", "cpu_model": "A", "processors": 8, "physical_cores": 4, "load": [1.0]}


@pytest.mark.parametrize(
    "now",
    [
        FACTS,
        FACTS | {"load": [9.0]},
        FACTS | {"cpu_model": None},
        {},
        FACTS | {"host": "3f2a", "container": "docker"},
    ],
)
def test_a_run_goes_on_where_it_began(now: dict[str, object]) -> None:
    refuse_other_machine(FACTS, now, "RUN")


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"cpu_model": "B"}, "processor model A there, B here"),
        ({"host": "n2", "processors": 64}, "name of the host n1 there, n2 here; number of processors 8 there, 64 here"),
        ({"container": "docker", "physical_cores": 2}, "number of physical cores 4 there, 2 here"),
    ],
)
def test_another_computer_is_refused_by_what_differs(changed: dict[str, object], says: str) -> None:
    with pytest.raises(UsageError, match=says) as refusal:
        refuse_other_machine(FACTS, FACTS | changed, "RUN")
    assert "msgauge diff RUN NEW" in refusal.value.remedy


def test_a_run_of_another_computer_is_not_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_builtin_stacks(tmp_path, monkeypatch)
    study = load_study(study_file(tmp_path, rounds=1, limit="20 s"), load_kernels())
    path = pipeline.run(study, tmp_path / "runs", lambda _: None).path
    file = path / "machine.json"
    facts = json.loads(file.read_text())
    facts["value"]["cpu_model"] = "Another"
    file.write_text(json.dumps(facts))
    with pytest.raises(UsageError, match="was measured on another computer: processor model Another there"):
        pipeline.resume(path, lambda _: None)
