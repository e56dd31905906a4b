"""Programs of stacks are compiled once for all processes of pytest, and the tests of a stack run in one of these."""

from __future__ import annotations

import re
from typing import Any

import pytest
import stack_bench
from one_builder import shared_folder
from xdist.scheduler import LoadScopeScheduling

EVERY_STACK = "test_every_stack.py"


class ByStack(LoadScopeScheduling):
    """A file of tests stays together; of the file that goes through all stacks, the tests of each stack."""

    def _split_scope(self, nodeid: str) -> str:
        file, _, test = nodeid.partition("::")
        stack = re.search(r"\[([a-z0-9]+@[\w.]+)", test)
        return f"{file}::{stack[1]}" if stack and file.endswith(EVERY_STACK) else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByStack:
    """How ``-n`` deals the tests of this folder out, whatever ``--dist`` says."""
    return ByStack(config, log)


@pytest.fixture(scope="session", autouse=True)
def _shared(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    if hasattr(request.config, "workerinput"):  # one of several processes of pytest
        stack_bench.share(shared_folder(tmp_path_factory) / "behaviours")
