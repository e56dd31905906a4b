"""The breakpoint of a library follows its eager limit: Open MPI over shared memory, measured under two limits.

    python benchmarks/eager_limits.py [--stack openmpi@5] [--setting btl_sm_eager_limit] [--limits 2048,16384] [RUN]

Measures a dense ping-pong under each limit, interleaved, or takes a run that stands already. Prints the breakpoints
under each and which of them follows; ends with 1 unless under each limit a breakpoint lies within 10 % of it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
from attrs import evolve

from msgauge import pipeline
from msgauge.analysis.estimates.observations import make_observations
from msgauge.analysis.stack_models.stack_model import pingpongs, segments
from msgauge.kernels import load_kernels
from msgauge.model import Event
from msgauge.models.breakpoint_causes import SettingTrial, explain
from msgauge.models.segments import Breakpoint, Segmentation
from msgauge.results.run_folder import RunFolder
from msgauge.study import load_study
from msgauge.units import format_amount

STUDY = """\
[stopping]
budget = "200 s"
minimum_rounds = 10
maximum_rounds = 10
cell_budget = "8 ms"
[[measure]]
kernel = "pingpong"
sizes = [
  "1", "2", "4", "8", "16", "32", "64", "128", "152", "181", "215", "256", "304", "362", "431", "512", "609", "724",
  "861", "1024", "1218", "1448", "1722", "2048", "2435", "2896", "3444", "4096", "4871", "5793", "6889", "8192", "9742",
  "11585", "13777", "16384", "19484", "23170", "27554", "32768", "38968", "46341", "55109", "65536", "77936", "92682",
  "110218", "131072",
]
"""
NEAR = 0.10


def main() -> int:
    """Measure where no run is named; show the breakpoints under each limit and what follows."""
    parser = argparse.ArgumentParser(description="the breakpoint of a library follows its eager limit")
    parser.add_argument("--stack", default="openmpi@5")
    parser.add_argument("--setting", default="btl_sm_eager_limit")
    parser.add_argument("--limits", default="2048,16384")
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("run", type=Path, nargs="?")
    options = parser.parse_args()
    limits = [int(limit) for limit in options.limits.split(",")]
    specs = tuple(f"{options.stack}[{options.setting}={limit}B]" for limit in limits)
    folder = RunFolder.open(options.run or _measured(specs, options.runs))
    seen = make_observations(folder.dataset, folder.facts.kernels)
    trials = []
    for spec, limit in zip(folder.plan.stacks, limits, strict=True):
        mine = pingpongs([one for one in seen if one.stack == spec])
        found = segments(mine, np.random.default_rng(folder.plan.seed))
        if found is None:
            print(f"{spec}: too few sizes were measured")
            return 1
        trials.append(SettingTrial(limit, found))
        print(f"{spec}, {len(mine[0].rounds)} launches:")
        for point in found.breakpoints:
            print(f"  {_said(point)}")
    for cause in explain(trials):
        print(f"the {cause.breakpoint.kind} at {_place(cause.breakpoint)} follows: {cause.follows} {cause.places}")
    return 0 if all(_is_there(trial.found, trial.setting_bytes) for trial in trials) else 1


def _measured(specs: tuple[str, ...], runs: Path) -> Path:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "eager.toml").write_text(STUDY)
        study = evolve(load_study(str(Path(folder) / "eager.toml"), load_kernels()), stacks=specs)
        return pipeline.run(study, runs, _ignore).path


def _ignore(_: Event) -> None:
    return None


def _is_there(found: Segmentation, limit: float) -> bool:
    return any(abs(point.size_bytes.value / limit - 1) <= NEAR for point in found.breakpoints)


def _said(point: Breakpoint) -> str:
    limits = f"{format_amount(point.size_bytes.low)} to {format_amount(point.size_bytes.high)}"
    return f"{point.kind} at {_place(point)} ({limits}), {point.jump.value:+.1%}"


def _place(point: Breakpoint) -> str:
    return format_amount(point.size_bytes.value)


if __name__ == "__main__":
    sys.exit(main())
