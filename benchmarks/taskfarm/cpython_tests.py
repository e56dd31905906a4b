"""CPython's own tests of executors, with a Farm as the executor: what its ``test_concurrent_futures`` asks of any.

Started by ``python -m benchmarks.taskfarm executor FOLDER``, with that folder and the package on PYTHONPATH: workers
import the tests from there too. Where a test speaks of a pool that breaks with its first dead worker, what a Farm
promises in its place is asked: the task ends with an error, and the next one is done. What differs from a process pool
on purpose is in ``DIFFERENT``, with its reason.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import unittest
from typing import Any

import test_concurrent_futures as theirs

import taskfarm

DIFFERENT = {
    "test_traceback": "the cause, the traceback of the worker, is of this package's class and not of a private one",
    "test_cancel_futures": "it counts on calls that have begun; no worker has joined yet, so all of them are cancelled",
}
NOT_ASKED = ("test_hang_gh83386", "test_interpreter_shutdown", "test_submit_after_interpreter_shutdown")
"""Their programs import the executor from concurrent.futures, by its name."""
OF_ANY_EXECUTOR = ("ExecutorTest", "ExecutorShutdownTest", "WaitTests", "AsCompletedTests")
AS_ARGUMENT = ("ErrorAtPickle", "ExitAtUnpickle", "ErrorAtUnpickle", "CrashAtUnpickle")
AS_RESULT = ("CrashAtPickle", "ExitAtPickle")
"""Classes of CPython's deadlock tests, by where they meet a pool."""


class PoolOfWorkers(taskfarm.Farm):
    """A Farm that is made as a ProcessPoolExecutor is."""

    def __init__(self, max_workers: int = 2, **given: Any) -> None:
        if max_workers <= 0:
            raise ValueError("max_workers must be greater than 0")
        super().__init__(workers=max_workers, pickle=True, **given)


def main() -> int:
    """Run them; the status is 1 where one fails that is not known to be different."""
    suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(case) for case in _make_cases())
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    failed = [one.id().rsplit(".", 1)[-1] for one, _ in (*result.failures, *result.errors)]
    for name in failed:
        print(f"{name}: {DIFFERENT.get(name, 'a defect')}")
    print(f"not asked, as they import their executor from concurrent.futures: {', '.join(NOT_ASKED)}")
    print(f"{result.testsRun} tests, {result.testsRun - len(failed)} as a process pool, {len(failed)} otherwise")
    return int(not set(failed) <= DIFFERENT.keys())


def _make_cases() -> list[type[unittest.TestCase]]:
    mixin = type("FarmMixin", (theirs.ExecutorMixin,), {"executor_type": PoolOfWorkers})
    cases = [
        type(name, (mixin, getattr(theirs, name), theirs.BaseTestCase), dict.fromkeys(NOT_ASKED))
        for name in OF_ANY_EXECUTOR
    ]
    cases[0].test_traceback = theirs.ProcessPoolExecutorTest.test_traceback  # type: ignore[attr-defined]
    ends = {f"test_{name}": _ask_for_an_end(name) for name in (*AS_ARGUMENT, *AS_RESULT)}
    others = {"test_a_killed_worker": _kill_its_worker, "test_a_failing_initializer": _fail_to_begin}
    return [*cases, type("Deadlocks", (theirs.BaseTestCase,), ends | others)]


def _ask_for_an_end(name: str) -> Any:
    """Where a process pool breaks, the task alone has an error, and the next one is done."""

    def test(self: unittest.TestCase) -> None:
        kind = getattr(theirs, name)
        with PoolOfWorkers(2) as farm:
            failed = farm.submit(id, kind()) if name in AS_ARGUMENT else farm.submit(theirs._return_instance, kind)
            self.assertIsNotNone(failed.exception(60))
            self.assertEqual(farm.submit(abs, -3).result(60), 3)

    return test


def _kill_its_worker(self: unittest.TestCase) -> None:
    with PoolOfWorkers(1) as farm:
        waiting = farm.submit(time.sleep, 1)
        time.sleep(0.5)
        for worker in farm.workers():
            os.kill(worker["pid"], signal.SIGKILL)
        self.assertIsNone(waiting.result(60))


def _fail_to_begin(self: unittest.TestCase) -> None:
    with PoolOfWorkers(2, initializer=theirs.init_fail) as farm, self.assertRaises(theirs.BrokenExecutor):
        farm.submit(theirs.get_init_status).result(60)


if __name__ == "__main__":
    sys.exit(main())
