"""``msgauge export``: a run for other programs."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from msgauge import answers, conclusion
from msgauge.errors import UsageError
from msgauge.store import RunFolder, publish

_COLUMNS = (
    "stack",
    "kernel",
    "size_bytes",
    "ranks",
    "options",
    *(f"{name}_ns" for name in ("median", "low", "high", "mean", "minimum", "p5", "p95", "p99", "p999")),
    "bandwidth_bytes_per_s",
    "launches",
    "samples",
    "emulated",
    "simulated",
    "stationary",
    "oversubscribed",
)


def export(run: Path, /, *, format: str = "csv", output: Path | None = None, json: bool = False) -> int:
    """Write the samples or estimates of a run as CSV, JSON or Parquet.

    Parameters
    ----------
    run
        The folder of the run.
    format
        csv: the estimates, one row each; json: all that compare --json prints; parquet: every sample, one row each.
    output
        The file to write; csv and json go to standard output when left out, parquet to the folder of the run.
    json
        The same as --format json.
    """
    wanted = "json" if json else format
    if wanted not in ("csv", "json", "parquet"):
        raise UsageError(f"cannot export as {format!r}", remedy="write --format csv, json or parquet")
    if wanted == "parquet":
        return _samples(RunFolder.open(run), output)
    folder, analysis = conclusion.analysed_again(run)
    answer = answers.of_run(run, folder.plan, analysis)
    text = answers.text(answer) + "\n" if wanted == "json" else _table(answer["estimates"])
    if output is None:
        print(text, end="")
    else:
        publish(output, text.encode())
        print(output)
    return 0


def _samples(folder: RunFolder, output: Path | None) -> int:
    written = folder.write_parquet()
    if output is not None:
        publish(output, written.read_bytes())
    print(output or written)
    return 0


def _table(estimates: list[dict[str, object]]) -> str:
    """CSV by RFC 4180; options as name=value with blanks between; a value that is not known is an empty field."""
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, extrasaction="ignore")
    writer.writeheader()
    for one in estimates:
        options = one["options"]
        named = " ".join(f"{name}={value}" for name, value in options.items()) if isinstance(options, dict) else ""
        writer.writerow({**one, "options": named})
    return text.getvalue()
