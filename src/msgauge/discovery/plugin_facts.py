"""What kernels and families state of what a plan holds, for the run folder: who reads a run needs no plug-in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgauge.discovery.capability_matrix import find_support, list_operations
from msgauge.model import Kernel, Plan, PluginFacts, Stack, StackFacts
from msgauge.stacks.base.families import families


def describe_plugins(plan: Plan, stacks: Sequence[Stack], kernels: Mapping[str, Kernel]) -> PluginFacts:
    """The facts of the kernels that a plan measures and of the stacks it measures them on."""
    used = sorted({cell.kernel for cell in plan.cells})
    return PluginFacts(tuple(kernels[name] for name in used), tuple(describe_stack(stack) for stack in stacks))


def describe_stack(stack: Stack) -> StackFacts:
    """What its family states of a stack."""
    family = families()[stack.family]
    kernels = family.kernels(stack)
    return StackFacts(
        stack=stack.spec,
        title=family.title,
        kernels=None if kernels is None else tuple(sorted(kernels)),
        operations=tuple((word, find_support(family, stack, word)) for word in list_operations()),
        settings=tuple(family.settings(stack)),
        daemon=family.daemon,
    )
