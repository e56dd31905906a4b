"""Closure of the models of real stacks: predicted against measured ping-pong, stream and fan-out, segment by segment.

    python benchmarks/closure.py [--stacks openmpi@5,openmpi@5[tcp],...] [--rounds 8] [RUN ...]

Measures the study ``model`` on a quiet machine, or takes runs that stand already. Prints every segment, then how many
close within 5 %; ends with 1 when that is less than 90 % of them. docs/explanation/models.md says what closure is.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from msgauge.analysis.stack_models import model_fitting
from msgauge.commands.compare import measure_study
from msgauge.frontend.study_options import StudyOptions, make_study
from msgauge.kernels import load_kernels
from msgauge.models.predict import CLOSES, Closure
from msgauge.results.run_folder import RunFolder
from msgauge.units import format_size

STACKS = "openmpi@5,openmpi@5[tcp],mpich@5,mpich@5[tcp],intelmpi,intelmpi[tcp]"
ENOUGH = 0.90


def main() -> int:
    """Measure where no run is named, show, count."""
    parser = argparse.ArgumentParser(description="closure of the models of real stacks")
    parser.add_argument("--stacks", default=STACKS)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("run", type=Path, nargs="*")
    options = parser.parse_args()
    closing, count, strict = 0, 0, (0, 0)
    for path in options.run or [_measured(options.stacks, options.rounds, options.runs)]:
        for model in model_fitting.models(RunFolder.open(path)):
            print(f"{model.stack}: {model.reason or f'{len(model.closures)} segments'}")
            for one in model.closures:
                print(f"  {_said(one)}")
            closing, count = closing + model.closing[0], count + model.closing[1]
            strict = strict[0] + model.strictly_closing[0], strict[1] + model.strictly_closing[1]
    if not count:
        print("no segment was measured")
        return 1
    print(f"streams from the five parameters alone (strict): {strict[0]} of {strict[1]} segments")
    print(f"{closing} of {count} segments close within {CLOSES:.0%}: {closing / count:.0%}")
    return 0 if closing >= ENOUGH * count else 1


def _measured(stacks: str, rounds: int, runs: Path) -> Path:
    asked = StudyOptions(stacks, rounds=rounds)
    make_study("model", asked, load_kernels())
    return measure_study("model", asked, runs, None).path


def _said(one: Closure) -> str:
    span = f"{format_size(one.first_bytes)} to {format_size(one.last_bytes)}"
    name = f"{one.kernel} (strict)" if one.strict else one.kernel
    errors = " ".join(
        f"{format_size(size)}:{predicted / time - 1:+.1%}"
        for size, predicted, time in zip(one.sizes, one.predicted_ns, one.measured_ns, strict=True)
    )
    return f"{'closes' if one.closes else 'OPEN  '} {name:20} {span:22} median {one.median_error:6.1%}  {errors}"


if __name__ == "__main__":
    sys.exit(main())
