"""Numbers on command lines: refused where they make no sense, by the parser that knows the option's name."""

from __future__ import annotations

import argparse

LONGEST_MS = 2**32 - 1  # what the options of the library hold: 49 days


def count(text: str) -> int:
    """1 or more.

    Raises:
        argparse.ArgumentTypeError: another number, or none.
    """
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text}: give a number of 1 or more")
    return int(text)


def milliseconds(text: str) -> int:
    """Of seconds; what is more than none is a millisecond at least, since 0 often means never.

    Raises:
        argparse.ArgumentTypeError: less than 0, more than 49 days, or no number.
    """
    try:
        given = float(text) * 1000
    except ValueError:
        given = -1.0
    if not 0 <= given <= LONGEST_MS:
        raise argparse.ArgumentTypeError(f"{text}: give seconds, from 0 to 49 days")
    return max(int(given), 1) if given > 0 else 0
