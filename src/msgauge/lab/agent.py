"""Run something on a host of a lab: what rsh and ssh are on real hosts. Standard library alone.

    python3 -I -S agent.py SOCKET [OPTIONS] [USER@]HOST COMMAND...       as rsh: a shell of the host runs the words
    python3 -I -S agent.py SOCKET --here HOST -- PROGRAM ARGUMENTS...     with this environment, in this folder

Standard input, output and error are the program's own. The exit code is the program's, 128 + signal where one ended it,
255 where there is no such host. Options of rsh and ssh that such launchers give (-x, -n, -q, -o ...) change nothing.
"""

from __future__ import annotations

import json
import os
import pwd
import socket
import struct
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_WITH_VALUE = "bcDEeFIiJLlmOopQRSWw"
"""Letters of the options of ssh and rsh that are followed by a word."""


def main(words: Sequence[str]) -> int:
    """Carry out one call; its exit code."""
    try:
        request = _read_here(words[1:]) if words[1:2] == ["--here"] else _read_remote(words[1:])
    except ValueError as mistake:
        sys.stderr.write(f"agent: {mistake}\n")
        return 255
    try:
        answer = _ask(words[0], request)
    except OSError as error:
        answer = {"error": f"the lab does not answer: {error.strerror or error}"}
    if "error" in answer:
        sys.stderr.write(f"agent: {answer['error']}\n")
        return 255
    return 128 + int(answer["signal"]) if "signal" in answer else int(answer["exit"])


def _read_here(words: Sequence[str]) -> dict[str, Any]:
    if len(words) < 4 or words[2] != "--":
        raise ValueError("usage: agent.py SOCKET --here HOST -- PROGRAM ARGUMENTS...")
    return {"do": "run", "host": words[1], "argv": list(words[3:]), "env": dict(os.environ), "cwd": str(Path.cwd())}


def _read_remote(words: Sequence[str]) -> dict[str, Any]:
    """Options may stand before the host and between it and the command."""
    place, user = _skip_options(words, 0)
    if place >= len(words):
        raise ValueError("no host is named")
    named, _, host = words[place].rpartition("@")
    place, after = _skip_options(words, place + 1)
    wanted = named or after or user
    if wanted and wanted != pwd.getpwuid(os.getuid()).pw_name:
        raise ValueError(f"cannot become {wanted!r} on {host!r}: programs run there as the one that asks")
    if place >= len(words):
        raise ValueError("no command is named")
    return {"do": "run", "host": host, "shell": " ".join(words[place:])}


def _skip_options(words: Sequence[str], place: int) -> tuple[int, str]:
    """The place of the first word that is no option, and the user that one of them names."""
    user = ""
    while place < len(words) and words[place].startswith("-") and words[place] != "--":
        word = words[place]
        if len(word) == 2 and word[1] in _WITH_VALUE:
            place += 1
            if word[1] == "l" and place < len(words):
                user = words[place]
        place += 1
    return place + (words[place : place + 1] == ["--"]), user


def _ask(path: str, request: dict[str, Any]) -> dict[str, Any]:
    """Send a request with our standard descriptors and wait for its end. Raises OSError."""
    content = json.dumps(request).encode()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(path)
        socket.send_fds(connection, [struct.pack("!Q", len(content))], [0, 1, 2] if request["do"] == "run" else [])
        connection.sendall(content)
        said = b""
        while part := connection.recv(1 << 16):
            said += part
    if not said:
        return {"error": "the lab has ended"}
    answer: dict[str, Any] = json.loads(said)
    return answer


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
