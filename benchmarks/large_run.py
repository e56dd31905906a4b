"""Page, tables and export of a large run: how often its samples are read, how long it takes, how much memory.

    python benchmarks/large_run.py [SAMPLES]        default 10,000,000

The run of ``analysis.py`` is written to a folder that is removed afterwards.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from rich.console import Console

from analysis import ROUNDS, SIZES, STACKS, a_run, frames, peak_mib
from msgauge import evaluation
from msgauge.model import LaunchRecord, Plan, Stack
from msgauge.report import view
from msgauge.report.terminal import run_terminal
from msgauge.results import wire
from msgauge.results.run_folder import RunFolder


def main() -> None:
    """Write the run, report it, print what it took."""
    parser = argparse.ArgumentParser(description="reads, seconds and memory of the report of a large run")
    parser.add_argument("samples", type=int, nargs="?", default=10_000_000)
    count = parser.parse_args().samples // (STACKS * SIZES * ROUNDS)
    plan, stacks, records = a_run()
    with tempfile.TemporaryDirectory() as place:
        path, size = _write(Path(place), plan, stacks, records, count)
        opened, before_mib, start = _listen(), peak_mib(), time.process_time()
        folder, analysis = evaluation.reanalyse(path)
        folder.write_analysis(analysis)
        page = evaluation.write_page(folder)
        run_terminal.print_report(view.load(folder), Console(file=io.StringIO()))
        seconds, mib = time.process_time() - start, peak_mib()
        read = sum(Path(name).stat().st_size for name in opened)
        print(f"{sum(one.samples for one in analysis.estimates)} samples in {len(records)} launches, {size} bytes")
        print(f"opened {_most(opened)} time(s) each, {read} bytes read: {read / size:.2f} times the run")
        print(f"analysis, page ({page.stat().st_size} bytes) and tables: {seconds:.1f} s of processor time")
        print(f"peak memory {mib:.0f} MiB ({before_mib:.0f} MiB before), the samples are {size / 2**20:.0f} MiB")
        folder.write_parquet()
        print(f"with Parquet: peak memory {peak_mib():.0f} MiB, opened {_most(opened)} time(s) each")


def _most(names: list[str]) -> int:
    return max(Counter(names).values())


def _write(place: Path, plan: Plan, stacks: list[Stack], records: list[LaunchRecord], count: int) -> tuple[Path, int]:
    """The path of the run, and the bytes of its samples; one launch at a time is in memory."""
    size = 0
    with RunFolder.create(place, "", plan, {}, stacks) as folder:
        made = frames(plan, records, count)
        for record in records:
            content = b"".join(wire.write_frame(next(made)) for _ in plan.cells)
            size += len(content)
            (folder.launch_folder(record.launch.number) / "samples.bin").write_bytes(content)
            folder.record(record)
    return folder.path, size


def _listen() -> list[str]:
    """The samples files that this process opens from here on, once for each time."""
    opened: list[str] = []

    def note(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and str(arguments[0]).endswith("samples.bin"):
            opened.append(str(arguments[0]))

    sys.addaudithook(note)
    return opened


if __name__ == "__main__":
    main()
