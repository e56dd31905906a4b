"""Models of a run come out of its samples: parameters, breakpoints that follow a setting, delays where they belong."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import jsonschema
import pytest
from attrs import evolve
from simulated_runs import only_builtin_stacks

from msgauge import cli, pipeline
from msgauge.analysis.estimates.observations import make_observations
from msgauge.analysis.stack_models import model_fitting
from msgauge.analysis.stack_models.stack_model import StackModel, closures, usable_edges
from msgauge.kernels import load_kernels
from msgauge.model import Event, Origin, PluginFacts, Stack, StackFacts
from msgauge.models.estimate import ParameterEstimate
from msgauge.models.loggp import CostLaw, Segment
from msgauge.models.segments import Breakpoint, Segmentation
from msgauge.report.terminal import model_terminal
from msgauge.results.run_folder import RunFolder
from msgauge.stacks.base.families import families
from msgauge.study import load_study

SCHEMAS = Path(cli.__file__).parent / "schemas"
STUDY = """\
stacks = ["fake"]
seed = 5
[stopping]
budget = "10 min"
minimum_rounds = 5
maximum_rounds = 5
cell_budget = "2 ms"
[[measure]]
kernel = "pingpong"
sizes = "1B..1MiB x2"
[[measure]]
kernel = "pingpong"
sizes = ["1448", "2896", "3444", "5793", "11585", "13777", "19484", "23170"]
[[measure]]
kernel = "prtt"
sizes = ["1", "64", "512", "2048", "4096", "8192", "32768", "262144", "1MiB"]
options = { n = ["1"] }
[[measure]]
kernel = "prtt"
sizes = ["1", "64", "512", "2048", "4096", "8192", "32768", "262144", "1MiB"]
options = { n = ["2", "4", "8", "16"], how = ["nonblocking"] }
[[measure]]
kernel = "prtt"
sizes = ["1", "64", "512", "2048", "4096", "8192", "32768", "262144", "1MiB"]
options = { n = ["8"], d = ["200us", "1ms"] }
[[measure]]
kernel = "prtt"
sizes = ["1", "64", "512", "2048", "4096", "8192", "32768", "262144", "1MiB"]
options = { n = ["1"], d = ["500us", "2ms"], what = ["delayed"] }
[[measure]]
kernel = "stream"
sizes = ["8", "512", "4096", "262144"]
[[measure]]
kernel = "fanout"
sizes = ["8", "512"]
ranks = [2, 8]
"""
PLAIN = "fake[launch_noise=0.01]"
DELAYED = "fake[delay_ns=200,launch_noise=0.01]"
EAGER = ("fake[eager=4KiB,L2=3us]", "fake[eager=16KiB,L2=3us]")


def ignore(_: Event) -> None:
    return None


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    patch = pytest.MonkeyPatch()
    only_builtin_stacks(folder, patch)
    (folder / "study.toml").write_text(STUDY)
    study = load_study(str(folder / "study.toml"), load_kernels())
    path = pipeline.run(evolve(study, stacks=(PLAIN, DELAYED, *EAGER)), folder / "runs", ignore).path
    patch.undo()
    return path


@pytest.fixture(scope="module")
def found(run: Path) -> dict[str, StackModel]:
    return {one.stack.replace("@1", ""): one for one in model_fitting.models(RunFolder.open(run))}


def close(quantity: ParameterEstimate, truth: float, within: float = 0.03) -> bool:
    return abs(quantity.value / truth - 1) < within


def test_parameters_of_the_simulated_clock_come_back(found: dict[str, StackModel]) -> None:
    model = found[PLAIN].model
    assert model is not None
    (segment,) = model.segments[:1]
    assert close(segment.o_s, 200)
    assert close(segment.o_r, 200)
    assert close(segment.latency, 1000)
    assert close(segment.g, 300)
    assert close(segment.big_g, 0.1)


def test_a_delay_of_the_sender_is_found_in_its_overhead_and_not_in_the_wire(found: dict[str, StackModel]) -> None:
    plain, delayed = found[PLAIN].model, found[DELAYED].model
    assert plain is not None
    assert delayed is not None
    before, after = plain.segments[0], delayed.segments[0]
    assert after.o_s.low - before.o_s.high <= 200 <= after.o_s.high - before.o_s.low
    assert close(after.big_g, before.big_g.value)
    assert close(after.latency, before.latency.value)


def test_every_closure_of_the_simulated_clock_closes(found: dict[str, StackModel]) -> None:
    for model in found.values():
        closes, count = model.closing
        assert (closes, count) == (count, count)
        assert count >= 6
        strict, streams = model.strictly_closing
        assert strict == streams >= 1


WRONG = {
    "o_s": lambda one: evolve(one, send=scaled(one.send, 2.0)),
    "o_r": lambda one: evolve(one, receive=scaled(one.receive, 3.0)),
    "g and G": lambda one: evolve(one, gap=scaled(one.gap, 3.0)),
    "L": lambda one: evolve(one, latency=ParameterEstimate(3 * one.latency.value)),
    "paces": lambda one: evolve(one, paces=tuple((size, 2 * pace) for size, pace in one.paces)),
}


def scaled(law: CostLaw, factor: float) -> CostLaw:
    return CostLaw(ParameterEstimate(factor * law.at_one.value), ParameterEstimate(factor * law.per_byte.value))


@pytest.mark.parametrize("parameter", WRONG)
def test_a_model_with_a_wrong_parameter_does_not_close(run: Path, found: dict[str, StackModel], parameter: str) -> None:
    """L made anew as the rest of the half round trip, as a fit would, where it is not the wrong one itself."""
    folder = RunFolder.open(run)
    every = make_observations(folder.dataset, folder.facts.kernels)
    mine = [one for one in every if one.stack.replace("@1", "") == PLAIN]
    model = found[PLAIN].model
    assert model is not None
    assert all(one.closes for one in closures(model, mine))
    wrong = evolve(model, segments=tuple(rest(WRONG[parameter](one), parameter) for one in model.segments))
    assert not all(one.closes for one in closures(wrong, mine))


def rest(segment: Segment, parameter: str) -> Segment:
    if parameter == "L":
        return segment
    left = segment.half_round_trip.at(1) - segment.o_s.value - segment.o_r.value
    return evolve(segment, latency=ParameterEstimate(left), latency_per_byte=ParameterEstimate(0.0))


def test_a_moved_eager_limit_moves_the_breakpoint_and_is_named(found: dict[str, StackModel]) -> None:
    spec = "fake[L2=3us,eager=4KiB]"
    (explained,) = found[spec].explained
    assert explained.setting == "eager"
    (cause,) = (one for one in explained.causes if one.breakpoint.kind == "jump")
    assert cause.follows == "setting"
    assert found[spec].eager_limit == 4096


TRIED = {
    "openmpi": ("btl_sm_eager_limit", "btl_tcp_eager_limit"),
    "mpich": ("MPIR_CVAR_CH4_SHM_POSIX_IQUEUE_CELL_SIZE",),
    "intelmpi": ("I_MPI_SHM_EAGER_THRESHOLD",),
    "lam": ("rpi_usysv_short", "rpi_tcp_short"),
    "mpi4py": ("btl_sm_eager_limit",),
    "mexmpi": ("btl_sm_eager_limit",),
    "pvm": ("PvmFragSize",),
    "ucx": ("UCX_RNDV_THRESH", "UCX_ZCOPY_THRESH"),
    "smpi": ("eager",),
    "fake": ("eager",),
}


def under(family: str, setting: str, size: str, *more: str) -> Stack:
    axes = (("library", "openmpi"), ("version", "5.0"))
    plain = Stack(family, "5.0", Origin("system"), axes=axes)
    return families()[family].with_variant(plain, (f"{setting}={size}", *more))


@pytest.mark.parametrize(
    ("family", "name", "value"), [("ucx", "UCX_RNDV_THRESH", "8192"), ("pvm", "MSGAUGE_PVM", None)]
)
def test_a_setting_that_is_named_reaches_the_library(family: str, name: str, value: str | None) -> None:
    """PVM has no variables: all words of its variant stand in one of ours, which its worker reads."""
    stack = under(family, TRIED[family][0], "8KiB", *(["route=direct"] if family == "pvm" else []))
    said = dict(stack.environment)[name]
    assert said == value if value else set(said.split(",")) == {"route=direct", "PvmFragSize=8192"}


def jumping(stack: Stack, *sizes: float) -> StackModel:
    points = tuple(
        Breakpoint(ParameterEstimate(at, at * 0.95, at), "jump", ParameterEstimate(0.5, 0.4, 0.6), at * 0.95, at)
        for at in sizes
    )
    return StackModel(stack.spec, segmentation=Segmentation((), points))


def explained(found: Sequence[StackModel], stacks: Sequence[Stack]) -> tuple[StackModel, ...]:
    facts = PluginFacts(
        stacks=tuple(StackFacts(one.spec, settings=tuple(families()[one.family].settings(one))) for one in stacks)
    )
    return model_fitting.explain_breakpoints(found, stacks, facts)


@pytest.mark.parametrize(("family", "setting"), [(family, name) for family, names in TRIED.items() for name in names])
def test_a_breakpoint_that_follows_a_setting_is_named_whatever_the_library_calls_it(family: str, setting: str) -> None:
    low, high = under(family, setting, "2KiB"), under(family, setting, "16KiB")
    first, _ = explained([jumping(low, 2048, 100_000), jumping(high, 16_384, 100_000)], [low, high])
    (told,) = first.explained
    assert (told.setting, told.values_bytes) == (setting, (2048, 16384))
    assert [cause.follows for cause in told.causes] == ["setting", "nothing"]


def test_every_family_with_settings_in_bytes_is_among_those_tried() -> None:
    axes = (("library", "openmpi"), ("version", "5.0"))
    declaring = {
        name
        for name, family in families().items()
        if any(one.kind == "bytes" for one in family.settings(Stack(name, "5.0", Origin("system"), axes=axes)))
    }
    assert declaring == TRIED.keys()


def test_a_setting_that_moves_nothing_is_said_to_move_nothing() -> None:
    low, high = under("lam", "rpi_tcp_short", "2KiB", "tcp"), under("lam", "rpi_tcp_short", "16KiB", "tcp")
    for sizes in ((), (50_000,)):
        first, second = explained([jumping(low, *sizes), jumping(high, *sizes)], [low, high])
        assert "No breakpoint follows rpi_tcp_short (2 KiB and 16 KiB)." in model_terminal.sentences(first)
        assert "No breakpoint follows rpi_tcp_short (16 KiB and 2 KiB)." in model_terminal.sentences(second)


def test_values_too_near_to_each_other_are_said_to_tell_nothing() -> None:
    low, high = under("ucx", "UCX_RNDV_THRESH", "8192B"), under("ucx", "UCX_RNDV_THRESH", "8500B")
    first, _ = explained([jumping(low, 8192), jumping(high, 8500)], [low, high])
    (sentence,) = [one for one in model_terminal.sentences(first) if "UCX_RNDV_THRESH" in one]
    assert "cannot be told" in sentence
    assert "a factor of two apart" in sentence


def test_stacks_that_differ_in_two_settings_explain_neither() -> None:
    one = under("lam", "rpi_tcp_short", "2KiB", "rpi_usysv_short=2KiB")
    other = under("lam", "rpi_tcp_short", "16KiB", "rpi_usysv_short=16KiB")
    assert all(not model.explained for model in explained([jumping(one), jumping(other)], [one, other]))


def test_segments_without_two_sizes_of_trains_are_joined() -> None:
    def point(at: float, jump: float) -> Breakpoint:
        return Breakpoint(ParameterEstimate(at, at, at), "jump", ParameterEstimate(jump, jump, jump), at, at + 1)

    import numpy as np

    edges = usable_edges([point(10, 0.1), point(100, 0.9)], np.array([1, 2, 50, 200, 400]))
    assert edges == (100,)


@pytest.fixture(scope="module")
def shown(run: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, object], Path]:
    """What ``msgauge model RUN --json --export-to FOLDER`` prints, and the folder."""
    folder = tmp_path_factory.mktemp("exported")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert cli.main(["model", str(run), "--json", "--export-to", str(folder)]) == 0
    return json.loads(printed.getvalue()), folder


def test_the_command_prints_json_by_its_schema(shown: tuple[dict[str, object], Path]) -> None:
    answer, folder = shown
    jsonschema.validate(answer, json.loads((SCHEMAS / "model.json").read_text()))
    assert len(list(folder.iterdir())) == len(answer["exported"]) == 12
    assert "LogGOPS_L=" in next(folder.glob("*.loggopsim")).read_text()


def test_the_page_shows_models_and_guidelines(run: Path, shown: tuple[dict[str, object], Path]) -> None:
    page = (run / "report.html").read_text()
    assert "Limited by" in page
    assert "Guidelines" in page


def test_the_terminal_says_how_well_the_model_predicts(
    run: Path, found: dict[str, StackModel], capsys: pytest.CaptureFixture[str]
) -> None:
    model_terminal.print_models(tuple(found.values()), run)
    assert "Closure:" in capsys.readouterr().out


def test_a_clean_clock_breaks_no_guideline(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["advise", str(run), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    jsonschema.validate(answer, json.loads((SCHEMAS / "advise.json").read_text()))
    assert not [one for one in answer["findings"] if "noise" not in one["sentence"]]
    assert {one["verdict"] for one in answer["guidelines"]} <= {"holds", "undecided"}


def test_a_run_without_trains_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_builtin_stacks(tmp_path, monkeypatch)
    assert (
        cli.main(["run", "quick", "--stacks", "fake", "--kernels", "bcast", "--rounds", "1", "--runs", str(tmp_path)])
        == 0
    )
    (run,) = (path.parent for path in tmp_path.glob("*/plan.json"))
    assert cli.main(["model", str(run)]) == 2


@pytest.mark.parametrize("option", [("--stacks", "fake"), ("--rounds", "3"), ("--seed", "2"), ("--budget", "9s")])
def test_a_run_that_is_shown_takes_no_options_of_measuring(
    option: tuple[str, str], run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They had no effect, and nobody was told."""
    assert cli.main(["model", str(run), *option]) == 2
    assert "leave out RUN" in capsys.readouterr().err


# --- the circle: what SMPI makes of exported parameters -----------------------------------------------------------


SMPI = pytest.mark.skipif(shutil.which("smpirun") is None, reason="SimGrid is not installed")


def simulated(platform: Path, text: str, folder: Path) -> pipeline.Result:
    (folder / "study.toml").write_text(text)
    study = load_study(str(folder / "study.toml"), load_kernels())
    stopping = evolve(study.stopping, minimum_rounds=2, maximum_rounds=2)
    return pipeline.run(
        evolve(study, stacks=(f"smpi[platform={platform}]",), stopping=stopping), folder / "runs", ignore
    )


@SMPI
def test_the_exported_platform_closes_the_circle(
    shown: tuple[dict[str, object], Path], found: dict[str, StackModel], tmp_path: Path
) -> None:
    """Half round trips of SMPI on the platform made from the model are those that the model was fitted to."""
    (platform,) = (path for path in shown[1].glob("*.xml") if path.name == "fake-1-launch-noise-0.01.xml")
    result = simulated(platform, CIRCLE, tmp_path)
    model = found[PLAIN].model
    assert model is not None
    for one in (one for one in result.analysis.estimates if one.kernel == "pingpong"):
        fitted = model.segment_of(one.size_bytes).half_round_trip.at(one.size_bytes)
        assert one.median_ns == pytest.approx(fitted, rel=0.02)


CIRCLE = """\
[[measure]]
kernel = "pingpong"
sizes = ["8", "1KiB", "64KiB"]
[[measure]]
kernel = "prtt"
sizes = ["8"]
"""
KNOWN = """\
[stopping]
cell_budget = "1 ms"
[[measure]]
kernel = "pingpong"
sizes = [
  "1", "64", "256", "512", "1024", "2048", "2896", "3444", "4096", "4871", "5793", "6889", "8192", "9742", "11585",
  "16384", "32768", "65536", "131072", "262144",
]
[[measure]]
kernel = "prtt"
sizes = ["1", "512", "2048", "8192", "16384", "65536", "262144"]
options = { n = ["1", "2", "4"] }
[[measure]]
kernel = "prtt"
sizes = ["1", "512", "2048", "8192"]
options = { n = ["8"], d = ["1ms"] }
[[measure]]
kernel = "prtt"
sizes = ["1", "512", "2048", "8192"]
options = { n = ["1"], d = ["5ms"], what = ["delayed"] }
"""
"""SMPI has no g of its own: the least time between messages of one byte is what its header of 16 bytes and that byte
take of the wire, 17 G. Its messages share the wire and arrive in a bunch, the more the longer the train: short ones."""


@SMPI
def test_parameters_of_a_simulated_platform_come_back_within_two_percent(tmp_path: Path) -> None:
    """Platform and options are written down here by hand, not exported; the eager limit is the breakpoint."""
    (tmp_path / "known.xml").write_text(
        '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n<platform version="4.1">'
        '<cluster id="c" prefix="n-" suffix="" radical="0-1" speed="1Gf" bw="12.5MBps" lat="10us"'
        ' sharing_policy="SPLITDUPLEX"/></platform>\n'
    )
    options = {
        "smpi/os": "0:8.5e-7:0",
        "smpi/ois": "0:8.5e-7:0",
        "smpi/or": "0:4e-7:0",
        "smpi/lat-factor": "0:1;8208:3",
        "smpi/bw-factor": "0:1",
        "smpi/send-is-detached-thresh": "8193",
        "smpi/async-small-thresh": "8193",
        "network/crosstraffic": "0",
        "network/TCP-gamma": "0",
        "network/weight-S": "0",
        "surf/precision": "1e-12",
    }
    (tmp_path / "known.options").write_text("".join(f"--cfg={name}:{value}\n" for name, value in options.items()))
    result = simulated(tmp_path / "known.xml", KNOWN, tmp_path)
    (found,) = model_fitting.models(RunFolder.open(result.path))
    assert found.model is not None
    assert found.segmentation is not None
    (point,) = found.segmentation.breakpoints
    assert point.size_bytes.value == pytest.approx(8192, rel=0.1)
    segment = found.model.segments[0]
    truth = {"latency": 20_000 + 17 * 80, "o_s": 850, "o_r": 400, "g": 17 * 80, "big_g": 80}
    for name, value in truth.items():
        assert getattr(segment, name).value == pytest.approx(value, rel=0.02), name
    assert found.model.segments[1].big_g.value == pytest.approx(80, rel=0.02)
