"""``python -m benchmarks.truth``: draw the simulations, or those named, and write the page of proof from what is kept.

    python -m benchmarks.truth --seconds 120 --seed 7        as many as two minutes allow, then again with the rest
    python -m benchmarks.truth --only family_error           those whose name begins so
    python -m benchmarks.truth --open --effort 10 --seed 8   those that are left open so far, with ten times the trials
    python -m benchmarks.truth --seconds 0 --page FILE       nothing is drawn, the page is written

What was drawn with a seed already is not drawn again with it; other seeds add to it. ``--again`` first forgets what is
kept of the simulations named by ``--only``: for when the code they try has changed. Who draws again what is open
decides beforehand how often; to draw until a promise is shown would show it in the end, true or not.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.truth import (
    absolute_times,
    claims,
    documents,
    marks,
    models,
    page,
    real_runs,
    results,
    runs,
    sentences,
    shown_intervals,
    tails,
    whole_runs,
)
from benchmarks.truth.simulation import Simulation

from msgauge import __version__


def all_simulations() -> Iterator[Simulation]:
    """Every simulation of the page, in its order."""
    for part in (claims, absolute_times, shown_intervals, whole_runs, marks, tails, sentences, documents, models, runs):
        yield from part.simulations()


def main() -> None:
    """Draw until the time is over, keep each figure at once, then write the page where one is asked for."""
    asked = _parse_arguments()
    kept = [one for one in results.load(asked.results) if not (asked.again and one.name.startswith(asked.only))]
    known = {(one.name, one.seed, one.version) for one in kept}
    end = time.monotonic() + asked.seconds
    for one in all_simulations():
        if (one.name, asked.seed, __version__) in known or not one.name.startswith(asked.only):
            continue
        if asked.open and not _is_open(one.name, kept):
            continue
        if time.monotonic() >= end:
            break
        kept.append(results.Piece(one.name, asked.seed, __version__, one.run(asked.seed, asked.effort)))
        results.keep(kept, asked.results)
        figure = kept[-1].figure
        print(f"{one.name}: {100 * figure.share:.1f} ± {100 * figure.error:.1f} %, before {100 * figure.before:.1f} %")
    if asked.page:
        asked.page.write_text(page.write(kept, list(all_simulations()), __version__, real_runs.load()))


def _is_open(name: str, kept: Sequence[results.Piece]) -> bool:
    """Whether the trials that are kept neither show nor break what this simulation promises; True where none are."""
    mine = [piece for piece in kept if piece.name == name and piece.version == __version__]
    return not mine or page.is_open(results.pool(mine))


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.truth", description=__doc__)
    parser.add_argument("--effort", type=float, default=1.0, help="times the trials of each simulation")
    parser.add_argument("--seed", type=int, default=1, help="of all data of this call")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no simulation after so many")
    parser.add_argument("--only", default="", help="simulations whose name begins so")
    parser.add_argument("--open", action="store_true", help="simulations whose promise is neither shown nor broken yet")
    parser.add_argument("--again", action="store_true", help="forget what is kept of the simulations named")
    parser.add_argument("--results", type=Path, default=results.FILE, help="where figures are kept")
    parser.add_argument("--page", type=Path, help="write the page of proof there")
    return parser.parse_args()


if __name__ == "__main__":
    main()
