"""Ten lines: π by Monte Carlo on every core, and a computer's worth of workers that may die."""

import os
import random

import taskfarm


def inside(seed: int) -> int:
    """Hits of 100,000 points in the quarter circle."""
    draw = random.Random(seed).random
    return sum(draw() ** 2 + draw() ** 2 < 1 for _ in range(100_000))


if __name__ == "__main__":
    with taskfarm.Farm(workers=os.cpu_count() or 1, pickle=True) as farm:
        hits = sum(farm.imap_unordered(inside, range(40)))
    print(f"pi is about {4 * hits / 4_000_000:.3f}")
