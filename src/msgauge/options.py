"""What the options of the shipped kernels are, said once for all kernels that share one.

A header states an option's name and choices and no more; what they do stands here and, at length, on the kernel's page
in docs/reference/kernels. A kernel of the user's own says it in its ``.meaning``.
"""

from __future__ import annotations


def meaning(kernel: str, option: str) -> str:
    """What an option of a shipped kernel is; '' for one that is not in the tables."""
    return OF_KERNEL.get((kernel, option), "") or SHARED.get(option, "")


_SEND = (
    "the call that sends: standard; synchronous returns when the receive has begun; buffered copies into room made "
    "beforehand; nonblocking is started and waited for; persistent is one request started again and again"
)
_RECEIVE = (
    "how a message is received: late is called when it is wanted; any-source and any-tag take it from anybody, with "
    "any tag; probed asks for it before receiving it"
)
_EXCHANGE = (
    "how the messages of both directions go: nonblocking, all under way at once; sendrecv, by the combined call; "
    "ordered, one sends first and the other receives first"
)
_SIDE = "rows and columns of the matrix"

SHARED = {
    "algorithm": (
        "native is the stack's own and, where it has none, what auto chooses; auto chooses by size and ranks; a name "
        "is that algorithm over the stack's send and receive; deferred is a blocking one after the arithmetic"
    ),
    "counts": (
        "how much each rank has: equal; ramp, more with its number; one, the last rank has everything; random. Their "
        "mean is the size"
    ),
    "op": "the operator that combines elements",
    "root": "the rank that has or gets the data: 0, last, middle, rotate (another each round), random (drawn alike)",
    "sync": (
        "how a turn is completed: flush, in an epoch open to all; lock, the target's window is locked and unlocked; "
        "fence, all ranks meet"
    ),
    "tests": "how often the request is tested during the arithmetic",
    "type": "the type of the elements",
    "window": "operations begun before one completion",
}
"""By the option's name: the same in every shipped kernel that is not in ``OF_KERNEL``."""

OF_KERNEL = {
    ("burst", "messages"): "messages of a burst",
    ("burst", "receiver"): "waiting, from the start on; late, it keeps away for 2 ms, so that messages lie in buffers",
    ("datatype", "block"): "bytes of a block",
    ("datatype", "how"): "datatype, sent as it lies there; packed, copied into one piece and sent as bytes",
    ("datatype", "layout"): (
        "vector, blocks as far apart as they are long; indexed, uneven ones at uneven distances; contiguous, one block"
    ),
    ("exchange", "how"): _EXCHANGE,
    ("fanout", "form"): (
        "how packets go out: sends, a non-blocking send to each; bcast, one broadcast; blocking, a send to each that "
        "returns when the stack has the bytes, answers received in turn"
    ),
    ("halo", "dimensions"): "of the grid of ranks",
    ("mandelbrot", "side"): "points along each side of the picture",
    ("matmul", "n"): _SIDE,
    ("matvec", "n"): _SIDE,
    ("montecarlo", "points"): "darts of a task",
    ("montecarlo", "tasks"): "tasks that are handed out",
    ("one-way", "idle"): "time put between messages, and taken off again",
    ("one-way", "idle_at"): "the side that is idle: sender or receiver",
    ("one-way", "messages"): "messages of a train that count",
    ("one-way", "send"): _SEND,
    ("one-way", "transient"): "whether the first trains are dropped as warm-up, or kept, so that start-up can be seen",
    ("overlap", "progress"): "none; or test, the arithmetic is broken to ask whether the messages are there",
    ("overlap", "work"): "length of the arithmetic against the exchange: equal, half, double",
    ("pi", "n"): "trapezoids",
    ("ping-ack", "receive"): _RECEIVE,
    ("ping-ack", "send"): _SEND,
    ("pingpong", "buffer"): "own, sends from a buffer nobody writes into; received, sends back the one received into",
    ("pingpong", "receive"): f"{_RECEIVE}; early is posted before the other side can have sent",
    ("pingpong", "send"): f"{_SEND}; ready needs receive=early; sendrecv sends and receives by one combined call",
    ("prtt", "d"): "delay between the end of a send and the start of the next",
    ("prtt", "how"): "blocking, one send after the other; nonblocking, all posted at once on both sides",
    ("prtt", "n"): "messages of a train",
    ("prtt", "what"): "train, n messages and an answer; delayed, one message and a delay before its answer is received",
    ("queue", "depth"): "entries that stand in the queue",
    ("queue", "kind"): (
        "posted, receives of others; unexpected, messages nobody asked for; random, both in random order"
    ),
    ("rate", "windows"): "windows of 64 messages an operation",
    ("sendrecv", "how"): _EXCHANGE,
}
