"""One pool of Python processes and many calls of nothing: calls.py POOL WORKERS TASKS. Prints microseconds a call."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

Map = Callable[[Callable[[int], int], Iterable[int]], Iterable[int]]


def nothing(number: int) -> int:
    """The task."""
    return number


def timed(mapped: Map, tasks: int) -> float:
    """Microseconds a call, after a tenth of the calls to warm up."""
    for count in (tasks // 10, tasks):
        begun = time.perf_counter()
        assert sum(mapped(nothing, range(count))) == count * (count - 1) // 2
        took = time.perf_counter() - begun
    return took / tasks * 1e6


def by_taskfarm(workers: int, tasks: int) -> float:
    """taskfarm, with pickled calls."""
    import taskfarm

    with taskfarm.Farm(workers=workers, pickle=True) as farm:
        farm.wait_for_workers(workers)
        return timed(farm.imap_unordered, tasks)


def by_multiprocessing(workers: int, tasks: int) -> float:
    """The standard library's pool."""
    import multiprocessing

    with multiprocessing.Pool(workers) as pool:
        return timed(pool.imap_unordered, tasks)


def by_mpi4py(workers: int, tasks: int) -> float:
    """mpi4py.futures, whose ranks `mpiexec -m mpi4py.futures` has started."""
    from mpi4py.futures import MPIPoolExecutor

    with MPIPoolExecutor(workers) as pool:
        return timed(lambda function, numbers: pool.map(function, numbers, unordered=True), tasks)


def by_dask(workers: int, tasks: int) -> float:
    """Dask's local cluster."""
    from distributed import Client, LocalCluster

    def mapped(function: Callable[[int], int], numbers: Iterable[int]) -> Any:
        return client.gather(client.map(function, list(numbers), pure=False))

    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        return timed(mapped, tasks)


if __name__ == "__main__":
    pools = {"taskfarm": by_taskfarm, "multiprocessing": by_multiprocessing, "mpi4py": by_mpi4py, "dask": by_dask}
    print(pools[sys.argv[1]](int(sys.argv[2]), int(sys.argv[3])))
