"""A worker in a few lines of Python that speaks the wire protocol and misbehaves on request.

Run as: speaking_worker.py BEHAVIOUR --plan PLAN --samples SAMPLES. It is all ranks in one process.
"""

import os
import signal
import struct
import sys
import time
from pathlib import Path


def main() -> None:
    behaviour, _, plan, _, samples = sys.argv[1:6]
    lines = [line.split() for line in Path(plan).read_text(encoding="utf-8").splitlines()]
    assert lines[0] == ["msgauge-plan", "1"] and lines[-1] == ["end"], "a whole plan"
    ranks = int(next(fields(words)["ranks"] for words in lines if words[0] == "launch"))
    print("hello from the worker", flush=True)
    with Path(samples).open("ab") as out:
        size = 1 if behaviour == "wrong-size" else ranks
        frame(
            out,
            f"cell=-1 kernel=launch series=hello count=0 rank=0 size={size} host=h pid={os.getpid()} library=Fake%201",
        )
        frame(out, "cell=-1 kernel=launch series=clock count=0 clock=monotonic cost_ns=25.5 resolution_ns=1")
        for rank in range(ranks):
            frame(out, f"cell=-1 kernel=launch series=rank count=0 rank={rank} host=h pid={os.getpid()} cpus=0-1 cpu=1")
        for words in lines:
            if words[0] == "cell":
                frame(out, f"cell={fields(words)['id']} series=time unit=ns divisor=2 status=ok count=3", 10, 20, 30)
                misbehave(behaviour, out)
        for rank in range(ranks):
            usage = "user_ns=500000000 system_ns=1000000 voluntary=3 involuntary=4 peak_bytes=1000"
            frame(out, f"cell=-1 kernel=launch series=usage count=0 rank={rank} {usage}")
        frame(out, "cell=-1 kernel=launch series=end count=0")
    if behaviour == "hang-at-the-end":
        time.sleep(600)
    if behaviour == "fail-at-the-end":
        sys.exit(9)


def misbehave(behaviour: str, out) -> None:
    if behaviour == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if behaviour == "exit":
        print("cannot go on: no such device", file=sys.stderr)
        sys.exit(3)
    if behaviour == "quiet":
        sys.exit(0)
    if behaviour == "garbage":
        out.write(b"\x00\xff rubbish\n")
        out.flush()
        sys.exit(0)
    if behaviour == "cut":
        out.write(b"cell=1 series=time count=1000\n" + bytes(64))
        out.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    if behaviour == "hang":
        if os.fork() == 0:  # a rank that nobody waits for, in a session of its own
            os.setsid()
            if os.fork() == 0:
                time.sleep(600)
            os._exit(0)
        time.sleep(600)


def fields(words: list) -> dict:
    return dict(word.split("=", 1) for word in words[1:])


def frame(out, header: str, *values: int) -> None:
    out.write(header.encode() + b"\n" + struct.pack(f"<{len(values)}q", *values))
    out.flush()


if __name__ == "__main__":
    main()
