"""Claims about the doctor: on invented machines each fault is found with its remedy, and a quiet one is called fit."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from msgauge.cli import main
from msgauge.diagnostics import system_probe
from msgauge.diagnostics.checks import Facts, examine, exit_code
from msgauge.diagnostics.noise import Noise
from msgauge.model import Analysis, CgroupKind, Comparison, Estimate, Launch, LaunchRecord
from msgauge.stats.location import median_interval

QUIET = Facts(
    ranks=8,
    processors=8,
    allowed=8,
    physical_cores=8,
    smt=False,
    clocksource="tsc",
    invariant_tsc=True,
    timer_cost_ns=20.0,
    governors=("performance",),
    turbo=False,
    busy_by_others=0.01,
    steal_now=0.0,
    steal_since_boot=0.0,
    cpu_quota=None,
    autogroup=True,
    cgroup=CgroupKind.OWN,
    memory_bytes=64 << 30,
    memory_available_bytes=60 << 30,
    swap_used_bytes=0,
    shared_memory_free_bytes=32 << 30,
    transparent_huge_pages="madvise",
    receive_buffer_bytes=6 << 20,
    send_buffer_bytes=4 << 20,
    open_files=65536,
    binding="one core each",
    noise=Noise("tcp@1", 1.001, 0.995, 1.008, 8, 0.01),
)
FAULTS = [
    ({"clocksource": "hpet"}, "clocksource", "problem"),
    ({"clocksource": "kvm-clock", "timer_cost_ns": 900.0}, "clocksource", "problem"),
    ({"clocksource": "kvm-clock", "timer_cost_ns": None}, "clocksource", "caution"),
    ({"clocksource": None}, "clocksource", "unknown"),
    ({"invariant_tsc": False}, "tsc", "caution"),
    ({"governors": ("powersave", "performance")}, "governor", "caution"),
    ({"turbo": True}, "turbo", "caution"),
    ({"smt": True, "physical_cores": 4}, "smt", "caution"),
    ({"busy_by_others": 0.9}, "load", "problem"),
    ({"busy_by_others": 0.3}, "load", "caution"),
    ({"steal_now": 0.05}, "steal", "problem"),
    ({"steal_since_boot": 0.02}, "steal", "caution"),
    ({"cpu_quota": 1.5}, "cpu-quota", "problem"),
    ({"cpu_quota": 8.0}, "cpu-quota", "caution"),
    ({"cgroup": CgroupKind.NONE, "cgroup_detail": "Permission denied"}, "autogroup", "caution"),
    ({"cgroup": CgroupKind.NONE, "cgroup_detail": "Permission denied", "ranks": 32}, "autogroup", "problem"),
    ({"container": "docker"}, "container", "caution"),
    ({"hypervisor": "KVM"}, "virtual-machine", "caution"),
    ({"memory_available_bytes": 1 << 20}, "memory", "problem"),
    ({"swap_used_bytes": 1 << 20}, "swap", "caution"),
    ({"shared_memory_free_bytes": 64 << 20}, "shared-memory", "problem"),
    ({"shared_memory_free_bytes": 128 << 20}, "shared-memory", "caution"),
    ({"transparent_huge_pages": "always"}, "huge-pages", "caution"),
    ({"receive_buffer_bytes": 212_992}, "socket-buffers", "caution"),
    ({"open_files": 100}, "open-files", "problem"),
    ({"ranks": 32}, "oversubscription", "caution"),
    ({"processors": 64}, "oversubscription", "caution"),
    ({"binding": "none"}, "binding", "caution"),
    ({"trial": "the trial launches failed"}, "binding", "unknown"),
    ({"binding": ""}, "binding", "unknown"),
    ({"noise": Noise("tcp@1", 1.0, 0.7, 1.4, 8)}, "noise", "problem"),
    ({"noise": Noise("tcp@1", 1.0, 0.96, 1.05, 8)}, "noise", "caution"),
    ({"noise": None}, "noise", "unknown"),
]


def test_a_quiet_machine_is_fit_and_every_check_says_so() -> None:
    found = examine(QUIET)
    assert [one for one in found if one.level != "fine"] == []
    assert exit_code(found, strict=True) == 0


@pytest.mark.parametrize(("fault", "code", "level"), FAULTS, ids=lambda value: str(value)[:40])
def test_each_fault_is_found_alone_and_with_its_remedy(fault: dict[str, object], code: str, level: str) -> None:
    found = {one.code: one for one in examine(evolve(QUIET, **fault))}
    assert (found[code].level, bool(found[code].remedy)) == (level, True)
    others = {name for name, one in found.items() if one.level != "fine"} - {code}
    assert others <= {"oversubscription"}, "one fault is one finding (many ranks stay many ranks)"


@pytest.mark.parametrize(
    ("fault", "lax", "strict"),
    [({"turbo": True}, 0, 1), ({"steal_now": 0.5}, 1, 1), ({"clocksource": None}, 3, 3), ({}, 0, 0)],
)
def test_a_script_can_go_by_the_exit_code(fault: dict[str, object], lax: int, strict: int) -> None:
    found = examine(evolve(QUIET, **fault))
    assert (exit_code(found), exit_code(found, strict=True)) == (lax, strict)


def test_a_machine_that_tells_nothing_is_not_called_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_probe, "WATCH_S", 0.0)
    found = examine(system_probe.probe_system(2, tmp_path))
    assert exit_code(found) in {1, 3}
    unknown = {one.code for one in found if one.level == "unknown"}
    assert {"clocksource", "load", "steal", "memory", "socket-buffers", "noise"} <= unknown
    assert all(one.remedy for one in found if one.level == "unknown")


@given(st.lists(st.integers(0, 10**6), min_size=8, max_size=8))
def test_what_others_used_is_never_negative(ticks: list[int]) -> None:
    counts = iter([[0] * 8, ticks])
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(system_probe, "WATCH_S", 0.001)
        monkeypatch.setattr(system_probe, "_ticks", lambda _root: next(counts))
        busy, stolen = system_probe._watch_load(Path("/"))
    assert busy is not None and busy >= 0.0
    assert stolen is not None and 0.0 <= stolen <= 1.0


def test_the_floor_is_the_far_end_of_the_interval() -> None:
    assert Noise("a", 1.01, 0.97, 1.02, 8).floor == pytest.approx(0.03)
    told = Noise("a", 1.01, 0.97, 1.02, 8, 0.01, 0.06, 2).sentence
    assert "with 8 launches each, the worst of 2 tests; where rounds scatter no more than these, four of five" in told
    assert Noise("a", 1.08, 1.05, 1.11, 8).floor == pytest.approx(0.11)


def judged(logs: np.ndarray) -> Noise:
    """Of an A/A trial of the log ratios of its rounds; the machine's own pace, which both have, cancels."""
    pace = 100.0 + np.arange(logs.size)
    base = Estimate(
        "a", 0, "pingpong", 8, 2, median_ns=100.0, launch_medians_ns=tuple(pace), rounds=tuple(range(logs.size))
    )
    medians, rounds = tuple((pace * np.exp(logs))[::-1]), base.rounds[::-1]
    other = evolve(base, stack="a[again]", launch_medians_ns=medians, rounds=rounds)
    centre, low, high = (float(one) for one in np.exp([np.median(logs), *median_interval(logs)]))
    told = Comparison(
        "a", "a[again]", 0, "pingpong", 8, 2, (), centre, low, high, verdict="undecided", rounds=logs.size
    )
    analysis = Analysis("r", "s", "rounds", logs.size, estimates=(base, other), comparisons=(told,))
    record = LaunchRecord(Launch(0, 0, "a", 2, (0,), 1), "ok", timer_cost_ns=30.0)
    noise = system_probe.judge_trial(analysis, [record]).noise
    assert noise is not None
    return noise


def test_a_difference_that_is_called_detectable_is_found_in_four_of_five_runs() -> None:
    """200 trials of eight launches, each followed by a run that has as many; the far end was found in six of ten."""
    found, detectable = [], []
    for trial, again in 0.02 * np.random.default_rng(1).standard_normal((200, 2, 8)):
        detectable.append(judged(trial).detectable)
        later = again + np.log1p(detectable[-1])
        found.append(median_interval(later)[0] > 0 and stats.ttest_1samp(later, 0).pvalue < 0.04)
    assert np.mean(found) >= 0.8 and max(detectable) < 0.2
    assert judged(np.array([0.0, 0.01, 0.02, 0.03, 0.04])).detectable == np.inf


def test_the_worst_cell_is_the_noise_of_the_machine() -> None:
    cells = [(1.0, 0.99, 1.01), (1.02, 0.9, 1.2)]
    told = [
        Comparison("a", "a[again]", n, "pingpong", 8, 2, (), *cell, verdict="undecided") for n, cell in enumerate(cells)
    ]
    record = LaunchRecord(Launch(0, 0, "a", 2, (0,), 1), "ok", condition=(("binding", "none"),), timer_cost_ns=30.0)
    trial = system_probe.judge_trial(Analysis("r", "s", "rounds", 8, comparisons=tuple(told)), [record])
    assert trial.noise is not None and trial.noise.floor == pytest.approx(0.2)
    assert (trial.binding, trial.timer_cost_ns, trial.problem) == ("none", 30.0, "")


def test_a_trial_that_fails_is_said_and_not_called_quiet() -> None:
    record = LaunchRecord(Launch(0, 0, "a", 2, (0,), 1), "failed", reason="it crashed")
    assert "it crashed" in system_probe.judge_trial(Analysis("r", "s", "failures", 0), [record]).problem


def test_the_command_speaks_json_by_its_schema(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system_probe, "WATCH_S", 0.1)
    trial = system_probe.TrialResult(Noise("tcp@1", 1.0, 0.99, 1.01, 8, 0.01, 0.02), "one core each", 25.0)
    monkeypatch.setattr(system_probe, "_trial", lambda *_: trial)
    code = main(["doctor", "--json", "--ranks", "2"])
    printed = json.loads(capsys.readouterr().out)
    schema = json.loads((files("msgauge") / "schemas" / "doctor.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(printed, schema)
    assert code == {"yes": 0, "no": 1, "unknown": 3}[printed["suitable"]]
    assert printed["noise"]["smallest_detectable_difference"] == pytest.approx(0.02)
    assert {one["code"]: one["level"] for one in printed["findings"]}["noise"] == "fine"


def test_without_trial_launches_noise_stays_unknown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system_probe, "WATCH_S", 0.1)
    assert main(["doctor", "--quick"]) in {1, 3}
    assert "? noise: could not determine" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--ranks", "0"], "--ranks 0 is not between 1 and"),
        (["--stack", "nope"], "there is no family of stacks 'nope'"),
        (["--quick", "--stack", "nope"], "there is no family of stacks 'nope'"),
    ],
)
def test_the_doctor_refuses_what_makes_no_sense_before_it_looks(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", *words]) not in {0, 1, 3}
    assert said in capsys.readouterr().err


def test_a_trial_stack_that_cannot_be_used_keeps_the_doctor_from_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # no compiler
    assert main(["doctor", "--quick", "--stack", "openmpi"]) in {0, 1, 3}
    assert "noise" in capsys.readouterr().out
