"""``python -m benchmarks.truth``: draw the simulations, or those named, and write the page of proof from what is kept.

    python -m benchmarks.truth --seconds 120 --seed 7        as many as two minutes allow, then again with the rest
    python -m benchmarks.truth --only family_error           those whose name begins so
    python -m benchmarks.truth --open --effort 10 --seed 8   those that are left open so far, with ten times the trials
    python -m benchmarks.truth --seconds 0 --page FILE       nothing is drawn, the page is written

    python -m benchmarks.truth --stale --seed 9              those that other code gave than what they try now
    python -m benchmarks.truth --again --seed 9 --jobs 2     all of them anew, two at a time

What was drawn with a seed already is not drawn again with it; other seeds add to it. What ``--stale`` draws stands in
place of what other code gave, or nobody knows which, and what ``--again`` draws in place of all that is kept of a
simulation. Who draws again what is open decides beforehand how often; to draw until a promise is shown would show it
in the end, true or not.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from benchmarks.truth import (
    absolute_numbers,
    absolute_times,
    alike_references,
    anomaly_sentences,
    beside_references,
    causes,
    claims,
    cluster_maps,
    coarse_clocks,
    crossovers,
    diagnosed,
    documents,
    early_reports,
    fake_runs,
    found_in_steps,
    gates,
    launch_order,
    launch_scatter,
    marks,
    models,
    noisy_neighbours,
    own_paces,
    page,
    picked,
    real_runs,
    recommendations,
    results,
    run_paces,
    runs,
    sentences,
    shown_intervals,
    tails,
    tails_of_runs,
    told_ratios,
    tried_code,
    unequal_histories,
    unequal_launches,
    whole_runs,
    widening_bound,
)
from benchmarks.truth.simulation import Figure, Simulation

from msgauge import __version__


def all_simulations() -> Iterator[Simulation]:
    """Every simulation of the page, in its order."""
    times = (
        claims,
        early_reports,
        noisy_neighbours,
        absolute_times,
        absolute_numbers,
        widening_bound,
        shown_intervals,
        told_ratios,
        coarse_clocks,
        found_in_steps,
    )
    said = (
        whole_runs,
        marks,
        tails,
        sentences,
        crossovers,
        anomaly_sentences,
        picked,
        recommendations,
        documents,
        launch_scatter,
    )
    between = (
        runs,
        unequal_histories,
        beside_references,
        run_paces,
        alike_references,
        unequal_launches,
        own_paces,
        tails_of_runs,
        gates,
        diagnosed,
        fake_runs,
    )
    for part in (*times, *said, launch_order, models, causes, cluster_maps, *between):
        yield from part.simulations()


def main() -> None:
    """Draw until the time is over, keep each figure at once, then write the page where one is asked for."""
    asked = _parse_arguments()
    end, wanted = time.monotonic() + asked.seconds, dict(_choose(asked))
    with ProcessPoolExecutor(asked.jobs) as pool:
        drawn = {pool.submit(_draw, name, asked.seed, asked.effort, end): name for name in wanted}
        for future in as_completed(drawn):
            figure, name = future.result(), drawn[future]
            if figure is None:
                continue
            code, replaced = wanted[name]
            results.add(results.Piece(name, asked.seed, __version__, figure, code), replaced, asked.results)
            told = f"{100 * figure.share:.1f} ± {100 * figure.error:.1f} %, before {100 * figure.before:.1f} %"
            print(f"{name}: {told}", flush=True)
    if asked.page:
        pieces, simulations = results.load(asked.results), list(all_simulations())
        asked.page.write_text(page.write(pieces, simulations, __version__, real_runs.load()))


def _choose(asked: argparse.Namespace) -> Iterator[tuple[str, tuple[str, Sequence[results.Piece]]]]:
    """Names of the simulations to be drawn, each with the digest of what it tries and what its figure replaces."""
    known = results.load(asked.results)
    for one in all_simulations():
        code = tried_code.digest_of(one)
        kept = [piece for piece in known if (piece.name, piece.version) == (one.name, __version__)]
        replaced = kept if asked.again else [piece for piece in kept if asked.stale and piece.code != code]
        if one.name.startswith(asked.only) and _is_wanted(asked, kept, replaced, code):
            yield one.name, (code, replaced)


def _draw(name: str, seed: int, effort: float, end: float) -> Figure | None:
    """The figure of a simulation, in a process of its own; None when the time is over before it begins."""
    if time.monotonic() >= end:
        return None
    return next(one for one in all_simulations() if one.name == name).run(seed, effort)


def _is_wanted(
    asked: argparse.Namespace, kept: Sequence[results.Piece], replaced: Sequence[results.Piece], code: str
) -> bool:
    """Whether a simulation is to be drawn, of which these pieces are kept, some of them to be replaced."""
    staying = [piece for piece in kept if piece not in replaced]
    if any((piece.seed, piece.code) in {(asked.seed, code), (asked.seed, "")} for piece in staying):
        return False
    if asked.stale and not replaced:
        return False
    return not asked.open or not kept or page.is_open(results.pool(results.choose(kept, code)))


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.truth", description=__doc__)
    parser.add_argument("--effort", type=float, default=1.0, help="times the trials of each simulation")
    parser.add_argument("--seed", type=int, default=1, help="of all data of this call")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no simulation after so many")
    parser.add_argument("--only", default="", help="simulations whose name begins so")
    parser.add_argument("--open", action="store_true", help="simulations whose promise is neither shown nor broken yet")
    parser.add_argument("--stale", action="store_true", help="simulations that other code gave than what they try now")
    parser.add_argument("--again", action="store_true", help="what is drawn stands in place of all that is kept")
    parser.add_argument("--jobs", type=int, default=1, help="so many simulations at a time, each on a core")
    parser.add_argument("--results", type=Path, default=results.FILE, help="where figures are kept")
    parser.add_argument("--page", type=Path, help="write the page of proof there")
    return parser.parse_args()


if __name__ == "__main__":
    main()
