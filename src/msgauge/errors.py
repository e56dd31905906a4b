"""Every error msgauge raises on purpose.

    MsgaugeError                 exit 2   something that the user can correct
    ├── UsageError               exit 2   a command line that cannot be executed
    ├── StudyError               exit 2   a study file with mistakes (all of them listed)
    ├── ConfigError              exit 2   a configuration file with mistakes
    ├── StackError               exit 5   no usable stack, or the one asked for is not usable
    ├── LaunchError              exit 4   processes could not be started or misbehaved
    │   └── HostsLostError       exit 130 a scheduler took the hosts back; the run is interrupted and can be resumed
    ├── WireError                exit 4   a worker spoke something other than the wire protocol
    ├── StoreError               exit 2   a run folder cannot be read or written
    │   └── NothingMeasuredError exit 2   it is whole, and nothing was measured in it
    └── ToolError                exit 2   a tool of the machine is missing (compiler, chromium, apt)

Each carries three things a person needs: ``what`` happened, ``where`` it happened, and the ``remedy``.
Only ``cli.py`` catches them; a failed cell is not an error but data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

INTERRUPTED = 130
"""The exit code of what was interrupted."""
BEFORE_REMEDY = "\n  remedy: "
"""Stands between what happened and what to do about it."""


class MsgaugeError(Exception):
    """Base of the tree: what happened, where, and what to do about it."""

    exit_code = 2

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.remedy = remedy

    def __str__(self) -> str:
        place = f" ({self.where})" if self.where else ""
        remedy = f"{BEFORE_REMEDY}{self.remedy}" if self.remedy else ""
        return f"{self.what}{place}{remedy}"


def hint_nearest(
    word: str, known: Iterable[str], also: Mapping[str, str] | None = None, *, nearly_right: bool = False
) -> str:
    """The known word that was probably meant, whatever its case and marks; '' when none is near.

    ``also``: other words for known ones, as other programs have them. A word that is nearly right comes before one that
    holds a known word or begins one of its parts (``shue`` in ``shue-scripting``), and that before mere resemblance,
    which counts for known words alone. ``nearly_right``: nothing but the first of these.
    """
    import difflib

    names = list(known)
    forms = {_bare(other): (other, meant) for other, meant in (also or {}).items() if meant in names}
    forms |= {_bare(one): (one, one) for one in names}
    wanted = _bare(word)
    shared = [form for form, (name, _) in forms.items() if _share(form, wanted) or _begins_part(wanted, name)]
    near = difflib.get_close_matches(wanted, forms, n=1, cutoff=_NEARLY)
    if near or nearly_right:
        return forms[near[0]][1] if near else ""
    near = difflib.get_close_matches(wanted, shared, n=1, cutoff=0) or difflib.get_close_matches(
        wanted, map(_bare, names), n=1
    )
    return forms[near[0]][1] if near else ""


def _share(known: str, wanted: str) -> bool:
    return len(known) >= _SHORTEST and known in wanted


def _begins_part(wanted: str, name: str) -> bool:
    """Whether a part of ``lam-mpich`` begins with ``mpich``, or all of it with ``lammp``."""
    starts = [0, *(at + 1 for at, letter in enumerate(name) if not letter.isalnum())]
    return len(wanted) >= _SHORTEST and any(_bare(name[start:]).startswith(wanted) for start in starts)


_SHORTEST = 3
"""Letters that two words must share as a whole to be taken for one another."""
_NEARLY = 0.8


def _bare(word: str) -> str:
    """Letters and digits alone; a word without any is left as it is."""
    return "".join(filter(str.isalnum, word.lower())) or word


class UsageError(MsgaugeError):
    """A command line that cannot be carried out."""


class StudyError(MsgaugeError):
    """A study file with mistakes; ``what`` lists all of them, one a line."""


class ConfigError(MsgaugeError):
    """A configuration file with mistakes."""


class StackError(MsgaugeError):
    """No usable stack, or the one asked for is not usable."""

    exit_code = 5


class LaunchError(MsgaugeError):
    """Processes could not be started or misbehaved."""

    exit_code = 4


class HostsLostError(LaunchError):
    """A scheduler took the hosts back while they were measured: the run is interrupted, its samples are safe."""

    exit_code = INTERRUPTED


class WireError(MsgaugeError):
    """A worker spoke something other than the wire protocol."""

    exit_code = 4


class StoreError(MsgaugeError):
    """A run folder cannot be read or written."""


class NothingMeasuredError(StoreError):
    """A run folder is whole, and nothing was measured in it."""


class ToolError(MsgaugeError):
    """A tool of the machine is missing."""
