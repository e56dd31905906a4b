"""Stream: the results of many calls, taken one by one while later calls are still being submitted."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from taskfarm import calls

if TYPE_CHECKING:
    from taskfarm.farm import Farm, Outcome

BATCH = 256  # calls encoded and submitted at once


class Stream(Iterator[Any]):
    """What imap and imap_unordered return.

    An error of a call is raised where its result would stand; iteration may go on.

    Args:
        ahead: calls submitted beyond those whose results were taken.
    """

    def __init__(  # noqa: PLR0913 - keywords, handed on by imap
        self,
        farm: Farm,
        fn: Callable[..., Any] | None,
        iterables: tuple[Iterable[Any], ...],
        *,
        ordered: bool,
        timeout: float | None = None,
        ahead: int = 4096,
        deadline_ms: int = 0,
    ) -> None:
        self._farm = farm
        self._payloads = _payloads(farm, fn, iterables)
        self._left: list[bytes] = []  # encoded, and not accepted yet
        self._exhausted = False
        self._ahead = ahead
        self._deadline_ms = deadline_ms
        self._until = None if timeout is None else time.monotonic() + timeout
        self._came: deque[Outcome] = deque()
        self._early: dict[int, Outcome] = {}
        self._order: deque[int] = deque()
        self._ordered = ordered
        self._outstanding = 0
        self._fill()

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> Any:
        while True:
            outcome = self._take()
            if outcome is not None:
                self._outstanding -= 1
                return self._farm.decode(outcome)
            if self._outstanding < self._ahead // 2:
                self._fill()
            if self._outstanding == 0 and self._exhausted and not self._left:
                raise StopIteration
            self._wait()

    def close(self) -> None:
        """Cancels what has not been taken."""
        self._exhausted, self._left, self._payloads = True, [], iter(())
        self._farm.cancel(self._ids())
        self._outstanding = 0

    def __del__(self) -> None:
        if getattr(self, "_outstanding", 0) > 0:
            self.close()

    def _ids(self) -> list[int]:
        return list(self._order)

    def _take(self) -> Outcome | None:
        if not self._ordered:
            return self._came.popleft() if self._came else None
        while self._came:
            outcome = self._came.popleft()
            self._early[outcome[0]] = outcome
        if self._order and self._order[0] in self._early:
            return self._early.pop(self._order.popleft())
        return None

    def _fill(self) -> None:
        while self._outstanding < self._ahead and not (self._exhausted and not self._left):
            if not self._left:
                self._left = list(islice(self._payloads, min(BATCH, self._ahead - self._outstanding)))
                if not self._left:
                    self._exhausted = True
                    return
            ids = self._farm.submit_many(self._left, self._deadline_ms, self._came.append)
            self._order.extend(ids)
            self._outstanding += len(ids)
            self._left = self._left[len(ids) :]
            if self._left:
                return  # the high-water mark

    def _wait(self) -> None:
        if self._until is None:
            return self._farm.collect(1000)
        left = self._until - time.monotonic()
        if left <= 0:
            self.close()
            raise TimeoutError("the results did not come in time")
        return self._farm.collect(min(1000, int(left * 1000) + 1))


def _payloads(farm: Farm, fn: Callable[..., Any] | None, iterables: tuple[Iterable[Any], ...]) -> Iterator[bytes]:
    if fn is None:
        return (farm.encode(None, (item,), {}) for item in iterables[0])
    farm.encode(fn, (), {})  # refuses at once what cannot be called
    number = farm.function_number(fn)
    return (calls.encode_call(number, arguments) for arguments in zip(*iterables, strict=False))
