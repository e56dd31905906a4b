"""``msgauge kernels``: what can be measured."""

from __future__ import annotations

from msgauge import answers
from msgauge.kernels import load_kernels


def kernels(*, json: bool = False) -> int:
    """Show the kernels there are and what their numbers mean.

    Parameters
    ----------
    json
        Print them as JSON.
    """
    known = load_kernels().values()
    if json:
        print(answers.text(answers.of_kernels(known)))
        return 0
    for kernel in known:
        print(f"{kernel.name}: {kernel.title}\n  {kernel.meaning}")
        for option in kernel.options:
            print(f"  option {option.name}: {', '.join(option.choices)}")
        print(f"  source: {kernel.source}")
    return 0
