# ruff: noqa: E501
"""A run as it could have been, with everything that makes reports hard: refusals, failures, hostile names, gaps.

Times follow a LogGP-like law with a rendezvous step and lognormal noise from a fixed seed, so that every view is alike.
"""

from __future__ import annotations

import math

import numpy as np
from attrs import evolve

from msgauge.model import (
    Analysis,
    Build,
    Cell,
    Command,
    Comparison,
    Estimate,
    Failure,
    Finding,
    Kernel,
    Launch,
    LaunchRecord,
    Notice,
    Option,
    Origin,
    Place,
    Plan,
    RankPlacement,
    Refusal,
    Stack,
    Usage,
)
from msgauge.report.view import RunView, Sketch

HOSTILE = "<script>alert('stack')</script>@1.0</script>"
KERNELS = (
    Kernel("pingpong", "Ping-pong", "Half the round trip of one message between ranks 0 and 1.", "Hockney 1994"),
    Kernel(
        "stream", "Stream", "Time per message when 64 are under way in one direction.", "OSU 2003", headline="bandwidth"
    ),
    Kernel(
        "exchange",
        "Exchange",
        "Both ranks send and receive at once.",
        "IMB",
        bytes_moved="2*bytes",
        headline="bandwidth",
    ),
    Kernel(
        "bcast",
        "Broadcast",
        "From the common start until the last rank has the data.",
        "SKaMPI 1998",
        bytes_moved="0",
        collective=True,
        options=(Option("root", ("0", "1")),),
        series=("completion", "root", "mean_rank", "imbalance"),
    ),
)
SPECS = {"openmpi@5.0.11": (290.0, 11.5), "mpich@4.0.2/system": (310.0, 9.0), "tcp@1": (5200.0, 2.4)}
ROUNDS = 8
SIZES = (0, *(2**k for k in range(27)))


def example_view(*, hostile: bool = True, stacks: int = 4, simulated: bool = False) -> RunView:
    """A view of ``stacks`` stacks on all four kernels; one of them has a name that attacks the page."""
    laws = _laws(hostile, stacks)
    cells = _cells()
    generator = np.random.default_rng(7)
    estimates, sketches = [], []
    refusals = tuple(
        Refusal("tcp@1", cell.id, "tcp has no <b>broadcast</b> with a root other than 0")
        for cell in cells
        if dict(cell.options).get("root") == "1" and "tcp@1" in laws
    )
    refused = {(refusal.stack, refusal.cell) for refusal in refusals}
    last = list(laws)[-1]
    for stack, law in laws.items():
        for cell in cells:
            if (stack, cell.id) in refused or (stack == last and cell.kernel == "exchange"):
                continue
            estimate, sketch = _measure(stack, law, cell, generator, simulated and stack == last)
            estimates.append(estimate)
            sketches.append(sketch)
    estimates = _placed(estimates)
    analysis = Analysis(
        run="2026-11-20T2314-node-a1b2",
        study="quick <i>& dirty</i>" if hostile else "quick",
        stopped="budget",
        rounds=ROUNDS,
        estimates=tuple(estimates),
        comparisons=tuple(_comparisons(estimates)),
        findings=_findings(list(laws)),
        failures=(
            Failure(
                last,
                "rank 1 ended by signal 11 in round 7",
                "exchange",
                next(c.id for c in cells if c.kernel == "exchange"),
                "Segmentation fault\n#0 </pre><script>alert(1)</script>",
            ),
        ),
        refusals=refusals,
        warnings=_warnings(),
    )
    plan = Plan("quick", 8801, tuple(laws), cells, (2, 4), refusals, expected_s=58.0)
    return RunView(
        name=analysis.run,
        plan=plan,
        analysis=analysis,
        folder=f"runs/{analysis.run}",
        stacks=tuple(_stack(spec, simulated and spec == last) for spec in laws),
        builds=tuple(_build(spec) for spec in laws),
        records=tuple(_records(list(laws))),
        machine=_machine(),
        sketches=tuple(sketches),
        kernels=KERNELS,
    )


def _laws(hostile: bool, count: int) -> dict[str, tuple[float, float]]:
    laws = dict(SPECS) | {HOSTILE if hostile else "intelmpi@2021.17": (275.0, 10.5)}
    for index in range(len(laws), count):
        laws[f"openmpi@4.1.{index}[tcp,yield]"] = (6000.0 + 300 * index, 2.0)
    return dict(list(laws.items())[:count]) if count < 4 else laws


def _cells() -> tuple[Cell, ...]:
    cells: list[Cell] = []
    for kernel, sizes, ranks, options in (
        ("pingpong", SIZES, 2, ()),
        ("stream", SIZES[1::3], 2, ()),
        ("exchange", SIZES[1::6], 2, ()),
        ("bcast", SIZES[1:22:4], 4, (("root", "0"),)),
        ("bcast", SIZES[1:22:10], 4, (("root", "1"),)),
    ):
        cells += [Cell(len(cells) + index, kernel, size, ranks, options) for index, size in enumerate(sizes)]
    return tuple(cells)


def _measure(stack, law, cell, generator, simulated):
    latency, bytes_per_ns = law
    step = 900.0 if cell.size_bytes > 4096 and latency < 1000 else 0.0
    truth = latency * (1 + 0.8 * (cell.ranks > 2)) + step + cell.size_bytes / bytes_per_ns
    medians = truth * np.exp(generator.normal(0, 0.012, ROUNDS))
    samples = medians[:, None] * np.exp(np.abs(generator.normal(0, 0.05, (ROUNDS, 120))))
    if stack.startswith("mpich"):
        samples[::2] *= 1.25
        medians = np.median(samples, axis=1)
    middle = float(np.median(medians))
    ordered = np.sort(medians)
    estimate = Estimate(
        stack=stack,
        cell=cell.id,
        kernel=cell.kernel,
        size_bytes=cell.size_bytes,
        ranks=cell.ranks,
        options=cell.options,
        median_ns=middle,
        low_ns=float(ordered[0]),
        high_ns=float(ordered[-1]),
        mean_ns=float(samples.mean()),
        minimum_ns=float(samples.min()),
        p5_ns=float(np.quantile(samples, 0.05)),
        p95_ns=float(np.quantile(samples, 0.95)),
        p99_ns=float(np.quantile(samples, 0.99)),
        bandwidth_bytes_per_s=cell.size_bytes / middle * 1e9
        if cell.size_bytes and cell.kernel != "bcast"
        else math.nan,
        launches=ROUNDS,
        samples=int(samples.size),
        emulated=stack == "tcp@1" and cell.kernel == "bcast",
        simulated=simulated,
        stationary=not (stack.startswith("mpich") and cell.size_bytes == 1024),
        oversubscribed=cell.ranks > 2,
        launch_medians_ns=tuple(float(m) for m in medians),
        rounds=tuple(range(ROUNDS)),
    )
    quantiles = np.quantile(samples, np.linspace(0, 1, 101))
    return estimate, Sketch(stack, cell.id, int(samples.size), tuple(float(f"{q:.5g}") for q in quantiles))


def _placed(estimates):
    """Places by the medians: whoever is within 1.5 % of the fastest of its kind may be the fastest."""
    placed = []
    for one in estimates:
        rivals = [two.median_ns for two in estimates if (two.cell, two.simulated) == (one.cell, one.simulated)]
        place = None
        if len(rivals) > 1:
            best = 1 + sum(time * 1.015 < one.median_ns for time in rivals)
            worst = sum(time <= one.median_ns * 1.015 for time in rivals)
            ahead = sorted(rivals)[1] / min(rivals) if best == worst == 1 else math.nan
            place = Place(best == 1, best, worst, ahead, ahead * 0.98, ahead * 1.02)
        placed.append(evolve(one, place=place))
    return placed


def _comparisons(estimates):
    for base in estimates:
        for other in estimates:
            if (
                other.cell != base.cell
                or base.stack != estimates[0].stack
                or other is base
                or base.simulated
                or other.simulated
            ):
                continue
            ratio = other.median_ns / base.median_ns
            low, high = ratio * 0.985, ratio * 1.016
            verdict = (
                "faster"
                if high < 1
                else "slower"
                if low > 1
                else "equivalent"
                if low > 0.97 and high < 1.03
                else "undecided"
            )
            yield Comparison(
                base.stack, other.stack, base.cell, base.kernel, base.size_bytes, base.ranks, base.options,
                ratio, low, high, verdict, "the interval reaches past the margin" if verdict == "undecided" else "",
                0.01, 0.02, ROUNDS,
            )  # fmt: skip


def _findings(specs: list[str]) -> tuple[Finding, ...]:
    first, last = specs[0], specs[-1]
    return (
        Finding(
            f"{last} is 1.05 times faster than {first} for small messages (8 B: 95 % interval 1.03 to 1.08, 8 rounds, 2 ranks).",
            3.0,
        ),
        Finding(
            f"From 64 KiB on {first} moves the most data: 11.2 GB/s in one direction, 1.24 times {specs[1]}.",
            2.0,
            "crossover",
        ),
        Finding("Nothing separates the stacks at 1 KiB: more rounds would be needed.", 1.0, "undecided"),
    )


def _warnings() -> tuple[Notice, ...]:
    return (
        Notice(
            "oversubscribed",
            "4 ranks shared 2 cores: a library that polls measures the scheduler there.",
            "run with at most 2 ranks, or compare stacks that yield",
            (("ranks", "4"), ("cores", "2")),
        ),
        Notice(
            "frequency",
            "The processor's frequency governor is 'powersave' <img src=x onerror=alert(1)>.",
            "sudo cpupower frequency-set -g performance",
        ),
        Notice(
            "stationary",
            "non-stationary: mpich at 1 KiB did not reach a steady state.",
            'give the cell more time: cell_budget = "200ms"',
        ),
    )


def _stack(spec: str, simulated: bool) -> Stack:
    family, _, version = spec.partition("@")
    origin = Origin("system" if family == "mpich" else "managed", f"prefix of {family}")
    return Stack(
        family,
        version,
        origin,
        compiler="mpicxx",
        launcher="mpiexec",
        library=f"{family} library v{version}",
        simulated=simulated,
    )


def _build(spec: str) -> Build:
    argv = ("mpicxx", "-O3", "-std=c++20", "-I", "native", "-o", "worker path/with 'quote'", "worker.cpp")
    return Build(spec, ("worker",), Command(argv, (("CXX", "g++ <b>"),)), "compiled\n", "", 14.2)


def _records(specs: list[str]):
    usage = Usage(3.1, 0.4, 120, 33, 48 << 20)
    for number in range(len(specs) * ROUNDS):
        spec = specs[number % len(specs)]
        failed = number == len(specs) * 7 - 1
        yield LaunchRecord(
            Launch(number, number // len(specs), spec, 2, (0, 1), 5),
            "failed" if failed else "ok",
            "rank 1 ended by signal 11" if failed else "",
            139 if failed else 0,
            "2026-11-20T23:14:05",
            1.9,
            Command(("mpiexec", "-n", "2", "worker", "--plan", "plan.txt"), (("OMPI_MCA_btl", "self,vader"),)),
            usage,
            tuple(RankPlacement(rank, "node", 100 + rank, "0-1", rank, usage) for rank in range(2)),
            24.0,
            1.0,
        )


def _machine() -> dict[str, object]:
    return {
        "host": "node<1>",
        "cpu": {"model": "Example CPU @ 2.60GHz", "cores": 2, "threads_per_core": 1},
        "clocksource": "tsc",
        "kernel": "6.1.0-18-amd64",
        "load": [0.12, 0.2, 0.3],
        "memory_bytes": 8 << 30,
        "containers": None,
        "smt": False,
    }
