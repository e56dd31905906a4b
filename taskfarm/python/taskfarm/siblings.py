"""Several workers by one command: forked before any of them connects, and ended together."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
from types import FrameType
from typing import NoReturn

PR_SET_PDEATHSIG = 1
INPUT = 0


def split(count: int, while_input_open: bool) -> int | None:
    """Forks so many workers, and stays behind as their parent.

    Args:
        while_input_open: when standard input ends, as that of a command by ssh does whose caller is gone, so do all.

    Returns:
        None in each worker, which goes on from here; in the parent, when all have ended, the highest exit status.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    children: list[int] = []
    for _ in range(count):
        child = os.fork()
        if child == 0:
            _begin_life(parent)
            return None
        children.append(child)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)
    status = 0
    try:
        status = _wait(children, while_input_open)
    except KeyboardInterrupt:
        status = 128 + signal.SIGINT
    except SystemExit as end:
        status = int(end.code or 0)
    finally:
        for child in children:
            os.kill(child, signal.SIGTERM)
        while children:
            os.waitpid(children.pop(), 0)
    return status


def end_with(parent: int) -> None:
    """This process ends with the one that has just started it, in whatever way that ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(128 + signal.SIGTERM)


def _begin_life(parent: int) -> None:
    """Ends with its parent, and leaves standard input to it."""
    end_with(parent)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, INPUT)
    os.close(nothing)


def _wait(children: list[int], while_input_open: bool) -> int:
    """Until all children have ended, or the input; those that are left stay in the list."""
    poll = select.poll()
    ends = {os.pidfd_open(child): child for child in children}
    for descriptor in ends:
        poll.register(descriptor, select.POLLIN)
    if while_input_open:
        poll.register(INPUT, select.POLLIN)
    highest = 0
    try:
        while children:
            for descriptor, _ in poll.poll():
                if descriptor in ends:
                    child = ends.pop(descriptor)
                    poll.unregister(descriptor)
                    os.close(descriptor)
                    children.remove(child)
                    highest = max(highest, exit_status(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))
                elif not os.read(INPUT, 4096):
                    return highest
    finally:
        for descriptor in ends:
            os.close(descriptor)
    return highest


def exit_status(code: int) -> int:
    """As a shell has it: of a process that a signal ended, whose `code` is negative, 128 and more."""
    return code if code >= 0 else 128 - code


def _end(number: int, _: FrameType | None) -> NoReturn:
    sys.exit(128 + number)
