"""Lists of hosts as people and schedulers write them: the words of ``--hosts``, and host files in all usual dialects.

Names come from outside and end up in the arguments of ssh, in files and on pages: what is accepted matches a strict
pattern, and everything else is refused. Ranges of node sets (``n[1-4,7]``) are bounded.

Source: mpirun(1) of Open MPI, hydra's manual of MPICH, bhost(5) of LAM, pvmd3(1PVM), the node files of PBS and OGE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

from attrs import evolve, field, frozen

from msgauge.errors import UsageError

MOST_HOSTS = 4096
MOST_SLOTS = 4096
LARGEST_FILE_BYTES = 1 << 20
NAME = re.compile(r"(?=.{1,253}\Z)[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?", re.ASCII)
"""A host name, an address of IPv4, or an alias of ssh's configuration: nothing that a shell, ssh or HTML reads."""
USER = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,31}", re.ASCII)
_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_IPV6 = re.compile(r"\[?[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:.]*(?:%\w+)?\]?(?::\d+)?", re.ASCII)
_QUEUE = re.compile(r"[A-Za-z0-9_.@,:<>=-]{1,255}", re.ASCII)
_PIECES = re.compile(r"\[([0-9,-]{1,4000})\]|([A-Za-z0-9._-]+)", re.ASCII)
_AROUND_EQUALS = re.compile(r"(?<=\w)\s*=\s*(?=\w)")
"""Open MPI reads ``slots = 4`` as well."""
_SLOTS = {"slots", "cpu", "cpus", "np"}
_USERS = {"user", "lo", "user_name"}
_WITHOUT_EFFECT = {
    *("max-slots", "max_slots", "binding", "ifname", "schedule", "prefix"),
    *("ep", "dx", "wd", "sp", "so", "ip", "bx", "id", "pw"),
}
"""Options of some dialect that say nothing of where ranks stand: they are read and left alone."""
_REMEDY = "write names such as n1,n2:4,user@n3 or n[1-4]; other names get an alias in ssh's configuration"


@frozen
class ListedHost:
    """A host as a list names it; ``slots``: how many ranks it takes before the next one's turn."""

    name: str
    slots: int = 1
    user: str = ""

    def __str__(self) -> str:
        return f"{f'{self.user}@' if self.user else ''}{self.name}{f':{self.slots}' if self.slots != 1 else ''}"


@frozen
class HostList:
    """Hosts in their order, each once. As text it is what ``--hosts`` reads."""

    hosts: tuple[ListedHost, ...] = field(factory=tuple)

    def __str__(self) -> str:
        return ",".join(map(str, self.hosts))


def parse_host_words(text: str) -> HostList:
    """``n1,n2:4,user@n3,n[5-8]``: names with the ranks that each takes, and as whom it is reached.

    Raises:
        UsageError: a name or a number that is none, or far too many.
    """
    return _collect(host for word in _split_list(text, text) for host in _read_word(word, text))


def parse_host_file(text: str, where: str = "") -> HostList:
    """A host file in any dialect; ``where`` names it in messages.

    Raises:
        UsageError: a line that no dialect has.
    """
    defaults = ListedHost("defaults")
    found: list[ListedHost] = []
    for number, line in enumerate(text.split("\n"), start=1):
        words = _AROUND_EQUALS.sub("=", line.partition("#")[0]).split()
        place = f"{where or 'host file'}, line {number}"
        if not words or words[0].startswith("&"):  # PVM: known to the virtual machine, but not asked for at its start
            continue
        if words[0] == "*":
            defaults = _read_options(words[1:], ListedHost("defaults"), place)
            continue
        for host in _read_word(words[0], place):
            fallback = evolve(host, slots=max(host.slots, defaults.slots), user=host.user or defaults.user)
            found.append(_read_options(words[1:], fallback, place))
        if len(found) > MOST_HOSTS * 16:
            raise _too_many(place)
    if not found:
        raise UsageError(f"{where or 'the host file'} names no host", remedy="write a host a line, e.g. n1 slots=4")
    return _collect(found)


def load_host_file(file: Path) -> HostList:
    """The hosts of a file.

    Raises:
        UsageError: it cannot be read, or holds what no dialect has.
    """
    try:
        if file.stat().st_size > LARGEST_FILE_BYTES:
            larger = f"the host file is larger than {LARGEST_FILE_BYTES} bytes"
            raise UsageError(larger, where=quote(str(file)), remedy="name a list of hosts, one a line")
        text = file.read_text(encoding="utf-8-sig", errors="surrogateescape")
    except OSError as error:
        remedy = "name a file that can be read, one host a line"
        raise UsageError(
            f"cannot read the host file: {error.strerror}", where=quote(str(file)), remedy=remedy
        ) from error
    return parse_host_file(text, quote(str(file)))


def quote(text: str) -> str:
    """Any text such that a terminal and a page show it and do nothing else: plain ASCII, short."""
    shown = ascii(text if len(text) <= 60 else f"{text[:57]}...")
    return shown.replace("<", "\\x3c").replace(">", "\\x3e").replace("&", "\\x26")


def _read_word(word: str, place: str) -> Iterator[ListedHost]:
    """``[user@]names[:slots]``, names being a node set."""
    user, at, rest = word.rpartition("@")
    if at and not USER.fullmatch(user):
        raise UsageError(f"{quote(user)} is not the name of a user", where=_shorten(place), remedy=_REMEDY)
    names, colon, slots = rest.partition(":")
    if _IPV6.fullmatch(rest):
        remedy = "give it a name in ssh's configuration (Host n1, HostName ADDRESS), and write that name"
        raise UsageError(f"{quote(rest)} is an address of IPv6", where=_shorten(place), remedy=remedy)
    count = _read_slots(slots, place) if colon else 1
    for name in _expand(names, place):
        yield ListedHost(name, count, user)


def _read_options(words: Sequence[str], host: ListedHost, place: str) -> ListedHost:
    """What stands behind a name: ``key=value`` of most dialects, or OGE's number of slots and its queue."""
    if words and _NUMBER.fullmatch(words[0]):
        if not all(_QUEUE.fullmatch(word) for word in words[1:]) or len(words) > 3:
            raise _refuse_option(" ".join(words), place)
        return evolve(host, slots=_read_slots(words[0], place))
    for word in words:
        key, equals, value = word.partition("=")
        key = key.lower()
        if equals and key in _SLOTS:
            host = evolve(host, slots=_read_slots(value, place))
        elif equals and key in _USERS and USER.fullmatch(value):
            host = evolve(host, user=value)
        elif not equals or key not in _WITHOUT_EFFECT:
            raise _refuse_option(word, place)
    return host


def _refuse_option(word: str, place: str) -> UsageError:
    known = ", ".join(f"{key}=" for key in ("slots", "cpu", "user", "lo"))
    remedy = f"known are {known} and the number of ranks; see docs/reference/hosts.md"
    return UsageError(f"cannot read {quote(word)} behind the name of a host", where=_shorten(place), remedy=remedy)


def _read_slots(text: str, place: str) -> int:
    if not _NUMBER.fullmatch(text) or not 1 <= int(text) <= MOST_SLOTS:
        remedy = f"a host takes 1 to {MOST_SLOTS} ranks, e.g. n1:4"
        raise UsageError(f"{quote(text)} is not a number of ranks", where=_shorten(place), remedy=remedy)
    return int(text)


def _expand(names: str, place: str) -> Iterator[str]:
    """The names of a node set such as ``r[1-2]n[01-12]``."""
    pieces: list[list[str]] = []
    position = 0
    while position < len(names):
        match = _PIECES.match(names, position)
        if match is None or len(pieces) > 8:
            break
        pieces.append(_expand_ranges(match.group(1), place) if match.group(1) else [match.group(2)])
        position = match.end()
    count = 1
    for piece in pieces:
        count *= len(piece)
    if count > MOST_HOSTS:
        raise _too_many(place)
    expanded = ["".join(parts) for parts in product(*pieces)] if pieces else []
    if position < len(names) or not expanded or not all(NAME.fullmatch(name) for name in expanded):
        raise UsageError(f"{quote(names)} is not the name of a host", where=_shorten(place), remedy=_REMEDY)
    yield from expanded


def _expand_ranges(text: str, place: str) -> list[str]:
    """``1-3,07`` as texts, with the zeros that the first number of a range has."""
    found: list[str] = []
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        first, last = (match.group(1), match.group(2) or match.group(1)) if match else ("1", "0")
        if int(last) < int(first):
            raise UsageError(f"{quote(part)} is not a range of numbers", where=_shorten(place), remedy=_REMEDY)
        if int(last) - int(first) + len(found) >= MOST_HOSTS:
            raise _too_many(place)
        width = len(first) if first.startswith("0") else 0
        found += [str(number).zfill(width) for number in range(int(first), int(last) + 1)]
    return found


def _split_list(text: str, place: str) -> list[str]:
    """At commas and blanks that stand outside of brackets."""
    parts = [part.split() for part in re.split(r",(?![^\[\]]*\])", text)]
    if not all(parts):
        raise UsageError(f"{quote(text)} names no host somewhere", where=_shorten(place), remedy=_REMEDY)
    return [word for part in parts for word in part]


def _collect(hosts: Iterator[ListedHost] | Sequence[ListedHost]) -> HostList:
    """Each host once, at its first place: naming it again gives it more slots."""
    found: dict[str, ListedHost] = {}
    for host in hosts:
        before = found.get(host.name)
        if before is None:
            found[host.name] = host
        elif before.user != host.user:
            remedy = "name a host once, or always with the same user"
            raise UsageError(f"{quote(host.name)} is to be reached as two users", remedy=remedy)
        else:
            found[host.name] = evolve(before, slots=_read_slots(str(before.slots + host.slots), host.name))
        if len(found) > MOST_HOSTS:
            raise _too_many("")
    return HostList(tuple(found.values()))


def _too_many(place: str) -> UsageError:
    return UsageError(f"more than {MOST_HOSTS} hosts are named", where=_shorten(place), remedy="name fewer")


def _shorten(place: str) -> str:
    return place if place.isascii() and place.isprintable() and "line" in place else quote(place) if place else ""
