"""A delay of known length in the sender of a real transport comes back: in o_s inside its interval, and not in G.

    python benchmarks/delay.py

The transport is ``loopback``, threads of one process in real time. It is no stack that users can name; here it is one.
Both sides of the comparison hold the sender for 1 us, one of them 200 ns longer: so the sender is the slowest part at
every size, and what it is held longer moves every pace alike. Where the sender is slowest at some sizes only, LogGP's
max(o_s, gap) would show a part of it in G, and rightly so.
Ends with 1 when four attempts did not resolve it: 95 % intervals miss now and then, and a busy machine makes them wide.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from attrs import evolve

from msgauge import pipeline
from msgauge.analysis.estimates.observations import Observation, make_observations
from msgauge.analysis.stack_models.stack_model import train_data
from msgauge.discovery import registry
from msgauge.kernels import load_kernels
from msgauge.model import Command, Event, Stack
from msgauge.models.loggp import Segment, fit_loggp
from msgauge.models.message_trains import ReceiveData, TrainData
from msgauge.results.run_folder import RunFolder
from msgauge.stacks.base.builtin_transport import OwnTransport
from msgauge.stacks.base.family import LaunchOptions
from msgauge.stats.location import median_interval
from msgauge.study import load_study

HELD_NS = 1000
DELAY_NS = 200
ATTEMPTS = 4
STUDY = """\
stacks = ["loopback"]
ranks = [2]
seed = 5
[stopping]
budget = "5 min"
minimum_rounds = 12
maximum_rounds = 12
cell_budget = "4 ms"
[[measure]]
kernel = "prtt"
sizes = ["1", "16384"]
options = { n = ["1", "2", "8", "16"] }
[[measure]]
kernel = "prtt"
sizes = ["1", "16384"]
options = { n = ["8", "16"], d = ["5us"] }
"""


class Loopback(OwnTransport):
    """Threads that hand messages over in memory; ``loopback[delay_ns=200]`` holds every sender so long."""

    name = "loopback"
    title = "threads of one process"
    transport = "loopback"

    def with_variant(self, stack: Stack, words: tuple[str, ...]) -> Stack:
        assert all(re.fullmatch(r"delay_ns=\d+", word) for word in words)
        return evolve(stack, variant=words, environment=tuple(("MSGAUGE_LOOPBACK", word) for word in words))

    def launch_command(self, stack: Stack, program: Sequence[str], options: LaunchOptions) -> Command:
        return Command((*program, "--ranks", str(options.ranks)), stack.environment, folder=str(options.folder))


def ignore(_: Event) -> None:
    return None


def measured(folder: Path, seed: int) -> tuple[Observation, ...]:
    """Both stacks, interleaved in rounds."""
    (folder / "study.toml").write_text(STUDY)
    study = load_study(str(folder / "study.toml"), load_kernels())
    stacks = (f"loopback[delay_ns={HELD_NS}]", f"loopback[delay_ns={HELD_NS + DELAY_NS}]")
    study = evolve(study, stacks=stacks, seed=seed)
    run = RunFolder.open(pipeline.run(study, folder / f"runs-{seed}", ignore).path)
    return make_observations(run.dataset, run.facts.kernels)


def fitted(observed: Sequence[Observation]) -> dict[int, Segment]:
    """The parameters of each launch by its round."""
    trains = train_data(observed)
    found = {}
    for number in np.unique(trains.launch):
        mine = trains.launch == number
        rows = (trains.launch, trains.n, trains.delay_ns, trains.size_bytes, trains.prtt_ns)
        none = ReceiveData(*(np.array([]) for _ in range(4)))
        model = fit_loggp(TrainData(*(row[mine] for row in rows)), none, ())
        found[int(number)] = model.segments[0]
    return found


def difference(observed: Sequence[Observation], name: str) -> tuple[float, float]:
    """95 % interval of the median over rounds of a parameter with the longer hold less that with the shorter."""
    held = (HELD_NS, HELD_NS + DELAY_NS)
    plain, delayed = (fitted([one for one in observed if f"delay_ns={ns}]" in one.stack]) for ns in held)
    rounds = sorted(plain.keys() & delayed.keys())
    values = [getattr(delayed[number], name).value - getattr(plain[number], name).value for number in rounds]
    low, high = median_interval(np.array(values))
    return float(low), float(high)


def main() -> int:
    """Measure until the machine was quiet enough, four times at most; 0 when the delay is where it belongs."""
    argparse.ArgumentParser(description="a delay of known length comes back in o_s and not in G").parse_args()
    families = registry.families()
    families["loopback"] = Loopback()
    good = False
    for seed in range(1, ATTEMPTS + 1):
        with tempfile.TemporaryDirectory() as folder:
            observed = measured(Path(folder), seed)
        overhead, wire = difference(observed, "o_s"), difference(observed, "big_g")
        good = as_it_should_be(overhead, wire)
        print(
            f"{DELAY_NS} ns of delay: o_s longer by {overhead[0]:.0f} to {overhead[1]:.0f} ns, "
            f"G by {wire[0]:.3f} to {wire[1]:.3f} ns a byte: {'as it should be' if good else 'not resolved'}"
        )
        if good:
            break
    return 0 if good else 1


def as_it_should_be(overhead: tuple[float, float], wire: tuple[float, float]) -> bool:
    """The delay lies in the interval of o_s, which leaves out zero and is not wide; that of G holds zero."""
    low, high = overhead
    return 0 < low <= DELAY_NS <= high and high - low < 2 * DELAY_NS and wire[0] <= 0 <= wire[1]


if __name__ == "__main__":
    sys.exit(main())
