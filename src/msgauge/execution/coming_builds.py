"""The workers of a run as they come: some may still be compiled, on cores that no rank needs, while others run.

Compilers run in threads of their own; what they make is told, written and handed out by the one thread that measures,
between two launches. So nothing is written or shown while a launch runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from itertools import takewhile

from attrs import evolve

from msgauge.errors import UsageError
from msgauge.execution.compilers import Compilers
from msgauge.execution.waiting_time import WaitingTime
from msgauge.model import BESIDE_COMPILERS, Build, BuildEnded, BuildStarted, Event, LaunchRecord
from msgauge.results.run_folder import RunFolder


class ComingBuilds:
    """The builds of a run, in the order in which they were begun; who needs one that has not come waits for it."""

    def __init__(
        self,
        folder: RunFolder,
        watch: Callable[[Event], None],
        coming: Mapping[str, Future[Build]],
        compilers: Compilers,
    ) -> None:
        self._folder = folder
        self._watch = watch
        self._coming = dict(coming)
        """Those that were not told yet."""
        self._compilers = compilers
        self._builds = {built.stack: built for built in folder.builds}
        """What is known; from a run before this one until a new build has come."""
        self._others: dict[str, UsageError] = {}
        """Of stacks that have launches of another build than the one that came: it is not taken."""
        self._refused: dict[str, Build] = {}
        """Of those of them that had failed what the folder said, and says again when the run is refused."""
        self.waiting = WaitingTime()
        """How long the rest of the run waited: for builds, and for what else keeps launches from beginning."""
        self._announce_next()

    def of(self, stack: str) -> Build:
        """The build of a stack, waiting for it and for those that were begun before it.

        Raises:
            StoreError: the builds that came cannot be written.
            UsageError: it is not that of which the run has launches.
        """
        known = self.look_up(stack)
        if stack in self._others:
            if stack in self._refused:
                self.replace(self._refused.pop(stack))
            raise self._others[stack]
        return known

    def look_up(self, stack: str) -> Build:
        """The same where nothing is to be launched: of one that came and is another the one that the run has."""
        while stack in self._coming:
            self._take_next()
        return self._builds[stack]

    def wait_for_all(self) -> None:
        """Wait until every stack has its worker, or the reason why it has none. Raises StoreError, as ``of`` does."""
        while self._coming:
            self._take_next()

    def look(self) -> None:
        """Take those that have come, without waiting. Raises StoreError, as ``of`` does."""
        for _ in list(takewhile(Future.done, self._coming.values())):
            self._take_next()

    def replace(self, build: Build) -> None:
        """Let another build, or a reason, stand for a stack. Raises StoreError, as ``of`` does."""
        self._builds[build.stack] = build
        known = (self._builds.get(stack.spec) for stack in self._folder.stacks)
        self._folder.write_builds([built for built in known if built is not None])

    def note_in(self, record: LaunchRecord, began_s: float) -> LaunchRecord:
        """A record with what builds and waiting had to do with its launch; ``began_s``: its CLOCK_MONOTONIC."""
        beside = (BESIDE_COMPILERS,) if self._compilers.ran_since(began_s) else ()
        return evolve(record, waited_s=self.waiting.take_new_s(), condition=(*record.condition, *beside))

    def _take_next(self) -> None:
        stack, future = next(iter(self._coming.items()))
        with self.waiting.measure():
            built = future.result()
        del self._coming[stack]
        if self._is_another(built):
            self._others[stack] = self._describe_other(built)
            if self._builds[stack].reason:  # that it failed once is no reason to go on without it now
                self._refused[stack] = self._builds[stack]
                self.replace(evolve(self._builds[stack], reason=""))
        else:
            self.replace(self._keep_identity(built))
        self._watch(BuildEnded(built))
        self._announce_next()

    def _is_another(self, built: Build) -> bool:
        """Whether launches of two builds would be one stack; one that is not known says nothing."""
        known = self._builds.get(built.stack)
        if not known or not known.identity or not built.identity or known.identity == built.identity:
            return False
        return self._has_launches(built.stack)

    def _keep_identity(self, built: Build) -> Build:
        """A build that failed, with that of which the run has launches: another one that comes later is told by it."""
        known = self._builds.get(built.stack)
        if built.identity or not known or not self._has_launches(built.stack):
            return built
        return evolve(built, identity=known.identity, installation=known.installation)

    def _has_launches(self, stack: str) -> bool:
        return any(record.launch.stack == stack for record in self._folder.dataset.records)

    def _describe_other(self, built: Build) -> UsageError:
        run, known = self._folder.path, self._builds[built.stack]
        what = (
            f"{run} was measured with another build of {built.stack}: its worker, a library that it loads or its "
            f"environment has changed (identity {known.identity} there, {built.identity} here)"
        )
        return UsageError(
            what,
            remedy=f"bring that build back, or measure anew and compare both: msgauge diff {run} NEW; what is there is "
            f"shown by: msgauge show {run}",
        )

    def _announce_next(self) -> None:
        for stack in list(self._coming)[:1]:
            self._watch(BuildStarted(stack))
