"""What jobs leave that tests start without msgauge and kill: its own keeper's removal, at the end of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from msgauge.execution.leftover_files import SharedMemory, TemporaryFileCleanup
from msgauge.stacks.base.families import collect_traces


@contextmanager
def leftovers_removed() -> Iterator[None]:
    """Shared memory and files of launchers that are new since the beginning, and that nobody uses."""
    traces = collect_traces()
    memory = SharedMemory(traces.shared_memory, traces.job_folders)
    files = [TemporaryFileCleanup(one.pattern, one.maker) for one in traces.temporary_files]
    yield
    memory.remove_leftovers()
    for one in files:
        one.remove_leftovers(memory.users)
