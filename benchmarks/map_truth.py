"""Does `msgauge map` find what is wrong with a lab, and nothing where nothing is wrong?

    python benchmarks/map_truth.py [--clean 20] [--hosts 16] [--large 64]

One lab with a link of half the rate, a host 200 µs late and two switches: all three have to be named, and nothing else.
Then labs of fast links alike and two switches 200 µs apart, of which latency hides part of the transfers: no host or
pair is named. Then so many clean labs, one after the other: no finding at all. Then one large lab, in at most 5 min.
Needs root; run it niced where others work beside it. Ends with 1 when a claim is not met.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

LIMIT_S = 300.0
MSGAUGE = [sys.executable, "-c", "import sys; from msgauge.cli import main; sys.exit(main())"]
FAULTS = ["--slow", "n3:500Mbit", "--late", "n6:200us", "--switches", "2", "--uplink-latency", "50us"]
FAR = ["--switches", "2", "--uplink-latency", "200us"]
Finding = tuple[str, str, tuple[str, ...]]
"""Kind, quantity, hosts."""
EXPECTED: set[Finding] = {("host", "bandwidth", ("n3",)), ("host", "latency", ("n6",)), ("group", "latency", ())}


def main() -> int:
    """Run all labs; 0 when every claim holds."""
    parser = argparse.ArgumentParser(description="faults that labs have on purpose, and labs without any")
    parser.add_argument("--clean", type=int, default=20, help="labs without a fault")
    parser.add_argument(
        "--far", type=int, default=3, help="labs, of two sizes each, of fast links and two far switches"
    )
    parser.add_argument("--hosts", type=int, default=16)
    parser.add_argument("--large", type=int, default=64, help="hosts of the last lab; 0 for none")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        right = judge_faults(options.hosts, Path(folder))
        cases = [(number, size) for number in range(options.far) for size in ("64KiB", "512KiB")]
        far = sum(judge_far(*case, Path(folder)) for case in cases)
        print(f"false alarms in {len(cases)} labs of switches far from each other: {far}", flush=True)
        false = sum(judge_clean(number, options.hosts, Path(folder)) for number in range(1, options.clean + 1))
        print(f"false alarms in {options.clean} clean labs: {false}", flush=True)
        quick = judge_large(options.large, Path(folder)) if options.large else True
    return 0 if right and not far and not false and quick else 1


def judge_faults(hosts: int, folder: Path) -> bool:
    """Whether a lab with three faults has these three findings, and its two groups are the two switches."""
    answer, seconds = draw_map(hosts, FAULTS, folder)
    found = findings(answer)
    half = hosts // 2
    names = [f"n{number}" for number in range(1, hosts + 1)]
    right = found >= EXPECTED and answer["maps"][0]["groups"] == [names[:half], names[half:]]
    further = found - EXPECTED - {("group", "bandwidth", ())}
    print(
        f"faults   {hosts} hosts  {seconds:5.0f} s  {'all three found' if right else 'MISSED'}, further: {further or 0}"
    )
    for one in answer["maps"][0]["findings"]:
        print(f"         {one['sentence']}", flush=True)
    return right and not further


def judge_far(number: int, size: str, folder: Path) -> bool:
    """Whether a host or pair is named of six hosts with links alike; that too little is left to be told is right."""
    answer, seconds = draw_map(6, FAR, folder, ("--size", size, "--seed", str(number)), "bare")
    found = {one for one in findings(answer) if one[0] != "group"}
    print(f"far {number} {size}  {seconds:5.0f} s  {found or 'nothing'}", flush=True)
    return bool(found)


def judge_clean(number: int, hosts: int, folder: Path) -> bool:
    """Whether a clean lab has findings."""
    answer, seconds = draw_map(hosts, [], folder)
    found = findings(answer)
    print(f"clean {number:2d} {hosts} hosts  {seconds:5.0f} s  {found or 'nothing'}", flush=True)
    return bool(found)


def judge_large(hosts: int, folder: Path) -> bool:
    """Whether a large clean lab is mapped in time."""
    answer, seconds = draw_map(hosts, [], folder)
    print(
        f"large    {hosts} hosts  {seconds:5.0f} s (limit {LIMIT_S:.0f} s)  {findings(answer) or 'nothing'}", flush=True
    )
    return seconds <= LIMIT_S


def draw_map(
    hosts: int, faults: list[str], folder: Path, options: tuple[str, ...] = (), network: str = "gigabit"
) -> tuple[dict[str, Any], float]:
    """Make a lab, map it, take it down; the map and how long all of that took."""
    name, begun = f"truth-{os.getpid()}", time.monotonic()
    up = ["lab", "up", network, "--hosts", str(hosts), "--name", name, *faults]
    subprocess.run([*MSGAUGE, *up], check=True, stdout=subprocess.DEVNULL, timeout=120)
    try:
        words = ["map", "--hosts", f"lab:{name}", "--runs", str(folder), "--json", *options]
        done = subprocess.run([*MSGAUGE, *words], capture_output=True, text=True, timeout=1200, check=False)
    finally:
        subprocess.run([*MSGAUGE, "lab", "down", name], check=True, stdout=subprocess.DEVNULL, timeout=60)
    told = (0, 1, 3) if network == "bare" else (0, 1)  # of far switches little may be left to be told
    if done.returncode not in told:
        raise SystemExit(f"msgauge map ended with {done.returncode}: {done.stderr}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer, time.monotonic() - begun


def findings(answer: dict[str, Any]) -> set[Finding]:
    """What a map found, without its numbers."""
    return {(one["kind"], one["quantity"], tuple(one["hosts"])) for one in answer["maps"][0]["findings"]}


if __name__ == "__main__":
    sys.exit(main())
