"""Claims about --by: only stacks that differ in one respect alone are paired, and the ratio is that of their rounds."""

from __future__ import annotations

import json
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from attrs import evolve
from simulated_runs import only_builtin_stacks, only_run, study_file

from msgauge.cli import main
from msgauge.discovery.factor_expansion import spread
from msgauge.errors import StackError, UsageError
from msgauge.model import Origin, Stack, factors
from msgauge.stacks import fake
from msgauge.stacks.base.families import families
from msgauge.stacks.base.over_mpi import OverMpi


def stack(family: str, version: str = "1", *, variant: tuple[str, ...] = (), **values: str) -> Stack:
    lies = {"library": family, "language": "c++", "transport": "default", "wait": "default"} | values
    return Stack(family, version, Origin("system"), variant=variant, axes=tuple(lies.items()))


PLAIN, TCP = stack("openmpi"), stack("openmpi", variant=("tcp",), transport="tcp")
BOTH = stack("openmpi", variant=("tcp", "yield"), transport="tcp", wait="yield")
OLD = stack("openmpi", "0.9")
PYTHON = stack("mpi4py", library="openmpi", language="python")
PYTHON = evolve(PYTHON, axes=(*PYTHON.axes, ("version", "1")))
OTHER = stack("mpich", variant=("tcp",), transport="tcp")


def named(found: tuple[tuple[Stack, Stack], ...]) -> set[tuple[str, str]]:
    return {(base.spec, other.spec) for base, other in found}


def test_a_pair_differs_on_the_axis_and_on_nothing_else() -> None:
    everything = [BOTH, OTHER, PYTHON, TCP, OLD, PLAIN]
    assert named(factors.pairs(everything, "transport")) == {(PLAIN.spec, TCP.spec)}
    assert named(factors.pairs(everything, "wait")) == {(TCP.spec, BOTH.spec)}
    assert named(factors.pairs(everything, "language")) == {(PLAIN.spec, PYTHON.spec)}
    assert named(factors.pairs(everything, "version")) == {(OLD.spec, PLAIN.spec)}


def test_what_lies_on_no_axis_is_the_same_in_both_of_a_pair() -> None:
    """A setting beside the transport, or ranks that stay on this computer, would be called the transport's effect."""
    tuned = stack("openmpi", variant=("btl_tcp_sndbuf=4096", "tcp"), transport="tcp")
    tuned_alone = stack("openmpi", variant=("btl_tcp_sndbuf=4096",))
    local = stack("openmpi", variant=("tcp", "local"), transport="tcp")
    assert named(factors.pairs([PLAIN, tuned, local], "transport")) == set()
    assert named(factors.pairs([PLAIN, tuned, TCP], "transport")) == {(PLAIN.spec, TCP.spec)}
    assert named(factors.pairs([PLAIN, tuned, TCP, tuned_alone], "transport")) == {
        (PLAIN.spec, TCP.spec),
        (tuned_alone.spec, tuned.spec),
    }
    ethernet = stack("smpi", transport="ethernet")
    gigabit = stack("smpi", variant=("platform=gigabit",), transport="gigabit")
    eager = stack("smpi", variant=("bcast=default", "platform=gigabit"), transport="gigabit")
    assert named(factors.pairs([ethernet, eager], "transport")) == set()
    assert named(factors.pairs([ethernet, eager, gigabit], "transport")) == {(ethernet.spec, gigabit.spec)}


def test_a_candidate_is_older_than_its_release() -> None:
    release, candidate = stack("openmpi", "5.0.0"), stack("openmpi", "5.0.0rc1")
    assert named(factors.pairs([release, candidate], "version")) == {(candidate.spec, release.spec)}


def test_every_word_of_an_axis_is_known_as_one() -> None:
    """Of all families: a word on an axis would else keep its stack from all pairs, and one on none would make some."""
    objects = stack("mpi4py", variant=("objects",), library="openmpi", language="python-objects")
    assert named(factors.pairs([evolve(PYTHON, axes=PYTHON.axes[:-1]), objects], "language")) == {
        (PYTHON.spec, objects.spec)
    }
    for family in families().values():
        plain = Stack(family.name, "1", Origin("system"), axes=PLAIN.axes)
        for variant in family.variants():
            if variant.axis in factors.AXES and not isinstance(family, OverMpi) and "PATH" not in variant.word:
                with suppress(StackError):
                    varied = family.with_variant(plain, (variant.word,))
                    assert factors.identity(varied)["words"] == "", varied


def test_simulated_and_measured_stacks_are_never_paired() -> None:
    simulated = Stack("openmpi", "2", Origin("builtin"), axes=PLAIN.axes, simulated=True)
    assert factors.pairs([PLAIN, simulated], "version") == ()


def test_a_stack_brings_its_neighbours_on_the_axis() -> None:
    found = spread([PLAIN, OLD, TCP, PYTHON, OTHER], [PLAIN], "language")
    assert {PLAIN.spec, PYTHON.spec} <= {one.spec for one in found}
    assert not {TCP.spec, OLD.spec, OTHER.spec} & {one.spec for one in found}
    transports = {dict(one.axes)["transport"] for one in spread([PLAIN], [PLAIN], "transport")}
    assert transports == {"default", "shm", "tcp"}, "its own variants come by themselves"


def test_a_stack_that_was_named_is_measured_whether_or_not_it_has_a_partner() -> None:
    tuned = stack("openmpi", variant=("btl_tcp_sndbuf=4096",))
    found = [one.spec for one in spread([PLAIN, TCP, OTHER], [OTHER, PLAIN, tuned], "transport")]
    assert {OTHER.spec, PLAIN.spec, tuned.spec, TCP.spec} <= set(found)
    assert len(found) == len(set(found))


def test_nothing_to_pair_is_said_before_anything_is_measured() -> None:
    with pytest.raises(UsageError, match="differs from mpich"):
        spread([PLAIN, OTHER], [OTHER], "version")
    with pytest.raises(UsageError, match="no axis"):
        factors.parse_axis("colour")


def test_the_ratio_of_a_pair_is_in_terminal_json_and_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    only_builtin_stacks(tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path)
    plain = fake.FAMILY.with_variant
    monkeypatch.setattr(
        fake.FAMILY,
        "with_variant",
        lambda one, words: evolve(plain(one, words), axes=(*dict(one.axes, transport="slow-2us").items(),)),
        raising=False,
    )
    study = study_file(tmp_path, rounds=5)
    assert main(["compare", study, "--stacks", "fake,fake[L=2us]", "--base", "fake@1", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    jsonschema.validate(printed, json.loads((files("msgauge") / "schemas" / "compare.json").read_text()))
    told = {(one["kernel"], one["size_bytes"]): one["ratio"] for one in printed["comparisons"]}
    assert {(one["kernel"], one["size_bytes"]): one["ratio"] for one in printed["factor_effects"]} == told
    assert {(one["factor"], one["other_value"], one["verdict"]) for one in printed["factor_effects"]} == {
        ("transport", "slow-2us", "slower")
    }
    run = only_run(tmp_path / "runs")
    assert "Factor effects" in (run / "report.html").read_text()
    assert main(["show", str(run), "--by", "transport"]) == 0
    shown = capsys.readouterr().out
    assert "fake@1[L=2us] vs fake@1" in shown
    assert "slower" in shown.partition("Effect of the transport")[2]
    assert main(["show", str(run), "--kernels", "pingpong", "--by", "transport", "--json"]) == 0
    of_one = json.loads(capsys.readouterr().out)
    for part in ("estimates", "comparisons", "factor_effects"):
        assert {one["kernel"] for one in of_one[part]} == {"pingpong"}, part
