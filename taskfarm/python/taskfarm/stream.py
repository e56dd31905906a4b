"""Stream: the results of many calls, taken one by one while later calls are still being submitted."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from taskfarm import errors
from taskfarm.future import Outcome
from taskfarm.quantities import LONGEST_MS

if TYPE_CHECKING:
    from taskfarm.farm import Farm

BATCH = 256  # calls encoded and submitted at once, at most
BATCH_S = 0.01  # and fewer where they take longer: of a slow iterable each by itself
AT_FIRST = 16  # calls, while no result tells how large they are,
AT_FIRST_EACH = 4  # and so many a worker
SIZED = (errors.DONE, errors.FAILED)  # others tell nothing of how large results are
WEIGHED = 64  # results, whose mean size is what the next ones are taken to have
FILL_S = 0.25  # then results that have come are looked at, before a slow iterable is asked for more


def _size(outcome: Outcome) -> int:
    data = outcome[2]
    return len(data) if isinstance(data, bytes) else 0


class _Room:
    """How many calls fit in so many bytes of results, by the sizes of those taken so far.

    Args:
        ahead: so many at most.
    """

    def __init__(self, bytes: int, ahead: int) -> None:
        self._bytes = bytes
        self._ahead = self._now = ahead
        self._taken = self._mean = 0.0

    def take(self, size: int) -> None:
        """A result was taken; the later ones weigh more."""
        self._taken = min(self._taken + 1, WEIGHED)
        self._mean += (size - self._mean) / self._taken

    def most(self, waiting: int, held: int, workers: int) -> int:
        """Calls that may be outstanding beside so many results that wait, of so many bytes together.

        One for each worker is as long as what waits is within the mark, so that none is idle while the program takes
        what comes. They grow with the results that came, so that sizes are known before many are under way.
        """
        known = self._taken + waiting
        mean = (self._mean * self._taken + held) / known if known else 0.0
        coming = min((AT_FIRST + AT_FIRST_EACH * workers) * (1 + known), self._ahead)
        if mean > 0:
            coming = min(coming, (self._bytes - held) / mean)
        least = workers + 1 if held <= self._bytes else 1  # that one may be what all others wait for
        self._now = min(self._ahead, waiting + max(least, int(coming)))
        return self._now

    def is_low(self, outstanding: int) -> bool:
        """Whether so few are outstanding that more are worth their while."""
        return outstanding <= self._ahead // 2 if self._now == self._ahead else outstanding < self._ahead


class Stream(Iterator[Any]):
    """What map, imap and imap_unordered return.

    An error of a call is raised where its result would stand, also when its arguments could not be sent; iteration may
    go on. StopIteration comes as a RuntimeError, as out of a generator. An error of the iterable itself comes last.

    What comes into `next` from elsewhere, such as Ctrl-C, ends the stream, as it ends a generator: what was
    outstanding is cancelled, and there are no more results. Only a trouble of the farm (errors.Error) or of memory may
    pass.

    Results that nobody has taken yet stay within the farm's `high_water_bytes`, as far as sizes so far tell: no more
    calls are submitted meanwhile. Not those of map, all of whose calls are made.

    Args:
        ahead: calls submitted beyond those whose results were taken.
        of_map: as of every Executor's map: calls are made even when nobody ever takes a result, the first error is the
            end and cancels the calls behind it, and an error of the iterable is `broken_off` for map to raise.
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
        of_map: bool = False,
    ) -> None:
        if ahead < 1:
            raise ValueError("ahead must be >= 1: no call would ever be made")
        if not (isinstance(deadline_ms, int) and 0 <= deadline_ms <= LONGEST_MS):
            what = f"deadline_ms={deadline_ms!r} is not within 0 (none) to {LONGEST_MS} (49 days)"
            raise errors.Error(errors.INVALID, what)
        self._farm = farm  # which would end if it were forgotten
        self._pump = farm.pump
        self._encode = farm.encoder(fn, len(iterables))
        self._source = zip(*iterables, strict=False)
        self._left: list[bytes] = []  # encoded, and not accepted yet
        self._refusal: Exception | None = None  # of the call behind those left
        self._last: Exception | None = None  # behind all results
        self._refused = 0
        self._singly = False  # one of those left is too big: which?
        self.broken_off: Exception | None = None
        self._exhausted = False
        self._ahead = ahead
        self._room = _Room(self._pump.core.high_water_bytes, ahead)
        self._batch = 1
        self._deadline_ms = deadline_ms
        self._until = None if timeout is None else time.monotonic() + timeout
        self._came: deque[Outcome] = deque()
        self._sink = self._came.append
        self._early: dict[int, Outcome] = {}
        self._early_bytes = 0
        self._order: deque[int] = deque()  # ids not taken yet; empty where the order is free
        self._ordered = ordered
        self._of_map = of_map
        self._kept = of_map  # until somebody takes results
        self._outstanding = 0
        self._over = False  # there are no more results, whatever is left behind
        # Threads that share a stream step one after the other, else two would submit the same calls. `close` does not
        # wait for them: the iterable may keep a step for ever.
        self._stepping = threading.RLock()
        if not of_map:
            self._pump.streams.add(self)
        self.fill()

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> Any:
        self._kept = False
        try:
            found = self._next()
        except (errors.Error, MemoryError):
            raise
        except BaseException:  # Ctrl-C, say: nobody knows how far the step came
            self._over = True
            self.close()
            raise
        if found is None:
            last, self._last = self._last, None
            raise last or StopIteration
        value, error = found
        if error is None:
            return value
        try:
            if self._of_map:
                with self._stepping:
                    self.close()
            raise error
        finally:
            del found, error  # which would keep this frame, and it them

    @property
    def submitted(self) -> bool:
        """Whether every call is with the farm."""
        return self._exhausted and not self._left and self._refusal is None

    def close(self) -> None:
        """Cancels what has not been taken. After Ctrl-C in the middle it may be called again for the rest."""
        self._over = True
        self._outstanding = max(self._outstanding, 1)
        self._end(None)
        self._pump.forget(self._sink)
        self._came.clear()
        self._early.clear()
        self._early_bytes = 0
        self._order.clear()
        self._outstanding = 0

    def __del__(self) -> None:
        if hasattr(self, "_stepping") and not self._kept and (self._outstanding > 0 or not self.submitted):
            self.close()

    def fill(self) -> bool:
        """Submits what `ahead` and the high-water mark allow.

        Returns:
            Whether it broke off before, since the iterable is slow and there is something to wait for. Not for map.
        """
        if self.submitted:
            return False
        until, most = time.monotonic() + FILL_S, self._most()
        while self._outstanding < most and not self.submitted:
            if not self._of_map and self._outstanding > 0 and time.monotonic() > until:
                return True
            if not self._left and self._refusal is None:
                self._encode_some(min(self._batch, most - self._outstanding))
            if self._left and not self._submit_left():
                return False
            if not self._left and self._refusal is not None:
                refusal, self._refusal = self._refusal, None
                self._place(refusal)
            if self._batch == 1:  # the iterable is slow: workers that have answered meanwhile get what waits
                self._pump.collect(0)
        return False

    def _most(self) -> int:
        """How many calls may be outstanding now, those with results that were not taken too."""
        if self._of_map:
            return self._ahead
        waiting = self._came.copy()  # at once, as the farm's thread may add to it
        held = self._early_bytes + sum(map(_size, waiting))
        try:
            workers = self._pump.core.stats()["workers"]
        except errors.Error:  # the farm has ended, which the next submission tells
            workers = 0
        return self._room.most(len(waiting) + len(self._early), held, workers)

    def _next(self) -> tuple[Any, BaseException | None] | None:
        """The next value, or the error of its call; None when there are no more."""
        while not self._over:
            heard = self._pump.bell.listen()
            with self._stepping:
                outcome = self._take()
                if outcome is not None:
                    self._outstanding -= 1
                    if outcome[1] in SIZED:
                        self._room.take(_size(outcome))
                else:
                    more = self._room.is_low(self._outstanding) and self.fill()
                    if self._outstanding <= 0 and self.submitted:  # less when it was closed beside this step
                        return None
            if outcome is not None:
                return self._opened(outcome)
            if not self._came:
                self._wait(0 if more else 1000, heard)
        self.close()  # once more: another thread's step may have submitted calls meanwhile
        return None

    def _opened(self, outcome: Outcome) -> tuple[Any, BaseException | None]:
        if outcome[1] != errors.DONE:
            error = self._pump.error_of(outcome)
        else:
            try:
                return self._pump.decode(outcome), None
            except Exception as raised:  # while the value was unpickled
                error = raised
        if not isinstance(error, StopIteration):
            return None, error
        told = RuntimeError("a call raised StopIteration")  # it would end the loop, as if there were no more results
        told.__cause__ = error
        return None, told

    def _take(self) -> Outcome | None:
        if not self._ordered:
            return self._came.popleft() if self._came else None
        while self._came:
            outcome = self._came.popleft()
            self._early[outcome[0]] = outcome
            self._early_bytes += _size(outcome)
        if self._order and self._order[0] in self._early:
            outcome = self._early.pop(self._order.popleft())
            self._early_bytes -= _size(outcome)
            return outcome
        return None

    def _encode_some(self, count: int) -> None:
        encode, left, until = self._encode, self._left, time.monotonic() + BATCH_S
        try:
            for arguments in islice(self._source, count):
                try:
                    left.append(encode(arguments))
                except Exception as error:
                    self._refusal = error
                    return
                if time.monotonic() > until:
                    self._batch = 1
                    return
        except Exception as error:  # of the caller's iterable: nobody knows what would have come
            self._exhausted = True
            if self._of_map:
                self.broken_off = error
            else:
                self._last = error
            return
        self._exhausted = len(left) < count
        self._batch = min(2 * self._batch, BATCH)

    def _submit_left(self) -> bool:
        """Whether it is worth going on; else the high-water mark is reached, or the journal cannot be written."""
        batch = self._left[:1] if self._singly else self._left
        try:
            accepted = self._pump.submit_many(batch, self._deadline_ms, self._sink)
        except errors.Error as error:
            if error.code == errors.JOURNAL:  # as at the mark: later
                self._pump.tell_of_journal(error)
                return False
            if error.code != errors.TOO_BIG:
                self._end(error)
            elif len(batch) == 1:
                self._left = self._left[1:]
                self._place(error)
            else:
                self._singly = True
            return True
        except RuntimeError as error:  # the farm has been shut down
            self._end(error)
            return True
        if self._ordered:
            self._order.extend(accepted)
        self._outstanding += len(accepted)
        self._left = self._left[len(accepted) :]
        self._singly = self._singly and bool(self._left)
        return len(accepted) == len(batch)

    def _end(self, error: Exception | None) -> None:
        """No more calls are made: an error of the farm, if that is why, comes behind the last result."""
        self._exhausted, self._left, self._refusal, self._source = True, [], None, zip()
        self._last = error

    def _place(self, error: Exception) -> None:
        """The error of a call that was not sent, where its result would stand."""
        self._refused += 1
        if self._ordered:
            self._order.append(-self._refused)
        self._outstanding += 1
        self._sink((-self._refused, errors.REFUSED, error, 0, 0, False))

    def _wait(self, most_ms: int, heard: threading.Lock) -> None:
        if self._until is None:
            return self._pump.collect(most_ms, heard)
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError("the results did not come in time")
        return self._pump.collect(min(most_ms, int(min(1000, left * 1000)) + 1), heard)
