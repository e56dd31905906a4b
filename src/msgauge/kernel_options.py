"""What options do whose name means the same in every shipped kernel that has them, said once for all.

An option of one kernel alone, or of another meaning, is explained in that kernel's header (``.option_meanings``), as
are the options of a kernel of the user's own. At length they stand on the kernel's page in docs/reference/kernels.
"""

from __future__ import annotations

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
