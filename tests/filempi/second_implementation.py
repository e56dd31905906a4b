"""One rank that speaks the protocol of docs/explanation/filempi-protocol.md, written from that page alone.

It is started in the place of an interpreter. It receives as many messages as ``MESSAGES`` says from rank 0 and sends
each back: a real double or a matrix of them, by itself or in a cell, in the stream or as a file as they came; other
values too.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from scipy.io import loadmat, savemat

MARK = 1718447209.0
CODES = {1: "f8", 5: "i2", 12: "u1"}


class Peer:
    """The two directions between this rank and rank 0."""

    def __init__(self, job: Path, rank: int) -> None:
        self.inbox = job / f"in.{rank}" / "m.0."
        self.outbox = job / "in.0" / f"m.{rank}."
        self.streams = bool(loadmat(job / "job", appendmat=False, variable_names=("v",))["v"]["streams"][0, 0].item())
        self.received, self.sent, self.position = 0, 0, 0

    def receive(self) -> tuple[int, int, Any]:
        """Kind, tag and content of the next message."""
        expected = self.received + 1
        while True:
            header, content = self._frame() if Path(f"{self.inbox}s1").exists() else (None, None)
            if header is None and Path(f"{self.inbox}{expected}").exists():
                header, content = self._file(expected)
            if header is not None:
                break
            time.sleep(0.001)
        assert header[0] == MARK
        assert header[1] == header[7] == expected
        self.received = expected
        return int(header[3]), int(header[2]), content

    def _frame(self) -> tuple[Any, Any]:
        words = np.fromfile(f"{self.inbox}s1", "<f8", offset=self.position)
        if words.size < 8:
            return None, None
        header, kind = words[:8], int(words[3])
        more = int(header[6]) if kind in (2, 5, 6) else 0
        if words.size < 8 + more:
            return None, None
        self.position += 8 * (8 + more)
        if header[1] <= self.received:  # its file was seen, and taken, before this frame
            return None, None
        behind = words[8 : 8 + more]
        if kind == 1:
            return header, header[5]
        if kind == 3:
            return header, self._file(int(header[1]))[1]
        assert behind[-1] == header[1]
        if kind == 2:
            return header, values(behind, header[5])
        return header, behind[:-1].reshape(int(header[5]), -1, order="F")

    def _file(self, number: int) -> tuple[Any, Any]:
        name = f"{self.inbox}{number}"
        content = loadmat(name, appendmat=False, variable_names=("v", "h"))
        Path(name).unlink()
        header = content["h"].ravel()
        return header, header[5] if header[3] == 1 else content["v"]

    def send(self, kind: int, tag: int, content: Any) -> None:
        """Append a frame, or publish a file and, where there is a stream, the frame that points to it."""
        self.sent += 1
        header = [MARK, self.sent, tag, kind, 0, 1, 0, self.sent]
        behind = np.zeros(0)
        if kind == 1:
            header[5] = content
        elif kind in (5, 6):
            behind = np.append(content.ravel(order="F"), self.sent)
            header[5:7] = [content.shape[0], behind.size]
        elif kind == 2:
            behind = np.append(np.concatenate([words_of(*one) for one in content]), self.sent)
            header[5:7] = [len(content), behind.size]
        if kind == 3 or not self.streams:
            name = f"{self.outbox}{self.sent}"
            variables = {"h": np.array([header])} if kind == 1 else {"v": content, "h": np.array([header])}
            with Path(f"{name}.t").open("wb") as file:
                savemat(file, variables, format="5", do_compression=False)
            Path(f"{name}.t").rename(name)
        if self.streams:
            with Path(f"{self.outbox}s1").open("ab") as file:
                file.write(np.concatenate([header, behind]).astype("<f8").tobytes())


def values(words: Any, count: float) -> list[tuple[int, Any]]:
    """Type code and array of each value in the words behind a frame of kind 2."""
    found, place = [], 0
    for _ in range(int(count)):
        code, dimensions = int(words[place]), int(words[place + 1])
        shape = words[place + 2 : place + 2 + dimensions].astype(int)
        place += 2 + dimensions
        item = np.dtype(CODES[code]).itemsize
        used = -(-int(shape.prod()) * item // 8)
        raw = words[place : place + used].tobytes()[: int(shape.prod()) * item]
        found.append((code, np.frombuffer(raw, CODES[code]).reshape(shape, order="F")))
        place += used
    return found


def words_of(code: int, array: Any) -> Any:
    """One value as the words behind a frame of kind 2."""
    raw = array.ravel(order="F").tobytes()
    raw += bytes(-len(raw) % 8)
    return np.concatenate([[code, array.ndim, *array.shape], np.frombuffer(raw, "<f8")])


def main() -> None:
    job, rank = Path(os.environ["FILEMPI_JOB"]), int(os.environ["FILEMPI_RANK"])
    (job / f"begun.{rank}").touch()
    peer = Peer(job, rank)
    for _ in range(int(os.environ["MESSAGES"])):
        kind, tag, content = peer.receive()
        peer.send(kind, tag + 100, content)
    print("python", sys.version_info[0], "has echoed", peer.sent)


if __name__ == "__main__":
    main()
