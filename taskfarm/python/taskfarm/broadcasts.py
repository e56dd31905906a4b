"""What the farm has sent to every worker, for the function that a worker runs."""

from __future__ import annotations

from taskfarm._core import Worker

_serving: list[Worker] = []  # the worker of this process, while it answers tasks


def context(key: str) -> bytes | None:
    """The bytes that `Farm.broadcast(key, data)` has sent; None when there are none.

    For functions run by `python -m taskfarm.worker` or by `Farm(pickle=True)`, in the thread that they are called in.
    The same object comes each time until the farm sends another one.

    Raises:
        RuntimeError: this process is not such a worker.
    """
    if not _serving:
        raise RuntimeError(
            f"taskfarm.context({key!r}) is for functions that a worker runs, and this process is none; "
            "call it within a task, or use Worker.context"
        )
    entry = _serving[-1].context(key)
    return None if entry is None else bytes(entry[1])


class Serving:
    """`with Serving(worker):` context() is that of this worker."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def __enter__(self) -> None:
        _serving.append(self._worker)

    def __exit__(self, *_: object) -> None:
        _serving.pop()
