"""Samples as Parquet, one row a sample, for DuckDB, pandas, R and friends.

Columns: run, launch, round, stack, ranks, cell, kernel, size_bytes, options, series, unit, position (of the sample in
its frame), value (as measured), divisor, per_event (value / divisor), status, emulated.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from msgauge.errors import StoreError
from msgauge.model import Samples
from msgauge.results.dataset import Dataset

SLICE = 2_000_000
"""Rows that are handed over at a time, which bounds the memory."""

_SELECT = """
SELECT f.run, f.launch, f.round, f.stack, f.ranks, f.cell, f.kernel, f.size_bytes, f.options, f.series, f.unit,
       s.position, s.value, f.divisor, s.value / f.divisor::DOUBLE AS per_event, f.status, f.emulated
FROM rows s JOIN frames f ON s.frame = f.frame
"""


def write(path: Path, run: str, dataset: Dataset) -> None:
    """Publish the samples of all frames of a run at ``path``, those of launches that do not count too.

    Raises:
        StoreError: the file cannot be written.
    """
    import duckdb

    frames = list(dataset.frames)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    connection = duckdb.connect(":memory:", config={"memory_limit": "1GB", "temp_directory": str(path.parent)})
    try:
        connection.register("facts", _facts(run, dataset, frames))
        connection.execute("CREATE TABLE frames AS SELECT * FROM facts")
        connection.execute("CREATE TABLE rows (frame INTEGER, position INTEGER, value BIGINT)")
        for rows in _slices(frames):
            connection.register("slice", rows)
            connection.execute("INSERT INTO rows SELECT * FROM slice")
            connection.unregister("slice")
        target = str(beside).replace("'", "''")
        try:
            connection.execute(f"COPY ({_SELECT}) TO '{target}' (FORMAT parquet, COMPRESSION zstd)")
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except (duckdb.Error, OSError) as error:
        remedy = "make room on that disk or make the folder writable; the samples themselves are safe in launches/"
        raise StoreError(f"cannot write the Parquet file: {error}", where=str(path), remedy=remedy) from error
    finally:
        connection.close()


def _facts(run: str, dataset: Dataset, frames: Sequence[Samples]) -> dict[str, Any]:
    """One row a frame, as columns; a frame of a cell that the plan does not know keeps what the worker said of it."""
    launches = {record.launch.number: record.launch for record in dataset.records}
    cells = {cell.id: cell for cell in dataset.plan.cells}
    rows: list[tuple[object, ...]] = []
    for number, frame in enumerate(frames):
        launch, cell, said = launches[frame.launch], cells.get(frame.cell), dict(frame.attributes)
        options = " ".join(f"{name}={value}" for name, value in cell.options) if cell else ""
        kernel, size_bytes = (cell.kernel, cell.size_bytes) if cell else (said.get("kernel", ""), -1)
        started = (number, run, launch.number, launch.round, launch.stack, launch.ranks)
        measured = (frame.cell, kernel, size_bytes, options, frame.series, frame.unit, frame.divisor)
        rows.append((*started, *measured, said.get("status", "ok"), said.get("emulated") == "yes"))
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(_TYPES)
    return {name: np.array(column, dtype=kind) for (name, kind), column in zip(_TYPES.items(), columns, strict=True)}


_TYPES: dict[str, Any] = {
    "frame": np.int32,
    "run": object,
    "launch": np.int32,
    "round": np.int32,
    "stack": object,
    "ranks": np.int32,
    "cell": np.int32,
    "kernel": object,
    "size_bytes": np.int64,
    "options": object,
    "series": object,
    "unit": object,
    "divisor": np.int64,
    "status": object,
    "emulated": np.bool_,
}


def _slices(frames: Sequence[Samples]) -> Any:
    """Frames gathered into column dictionaries of about SLICE rows each."""
    gathered: list[tuple[int, np.ndarray]] = []
    count = 0
    for number, frame in enumerate(frames):
        if not len(frame.values):
            continue
        gathered.append((number, frame.values))
        count += len(frame.values)
        if count >= SLICE:
            yield _columns(gathered)
            gathered, count = [], 0
    if gathered:
        yield _columns(gathered)


def _columns(gathered: Sequence[tuple[int, np.ndarray]]) -> dict[str, np.ndarray]:
    lengths = [len(values) for _, values in gathered]
    return {
        "frame": np.repeat(np.array([number for number, _ in gathered], dtype=np.int32), lengths),
        "position": np.concatenate([np.arange(length, dtype=np.int32) for length in lengths]),
        "value": np.concatenate([values for _, values in gathered]),
    }
