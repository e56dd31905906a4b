"""``python -m benchmarks.truth [EFFORT]``: the page of proof, as Markdown on standard output."""

from __future__ import annotations

import sys

from benchmarks.truth.claims import Figure, all_figures

HEAD = """| claim | promised | simulated | now | before | simulations |
|---|---|---|---|---|---|"""


def main() -> None:
    """Print a row for each claim as soon as it is known; an effort below 1 makes fewer simulations."""
    print(HEAD)
    for figure in all_figures(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0):
        print(_row(figure), flush=True)


def _row(one: Figure) -> str:
    now = f"{100 * one.share:.1f} ± {100 * one.error:.1f} %"
    return f"| {one.claim} | {one.promised} | {one.case} | {now} | {100 * one.before:.1f} % | {one.trials} |"


if __name__ == "__main__":
    main()
