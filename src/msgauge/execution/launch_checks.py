"""Whether a launch was what was asked for, by what its ranks found, and under which conditions it ran."""

from __future__ import annotations

from attrs import frozen

from msgauge.execution.cgroup import read_autogroup
from msgauge.execution.data_path import variant_mismatch
from msgauge.execution.scheduling import condition_of
from msgauge.execution.wire_proof import check_crossing, describe_crossing, misplacement
from msgauge.model import Pairs, Promise, Reach, Route, Stack, VariantCheck
from msgauge.results.wire import LaunchFacts
from msgauge.stacks.base.family import Family


@frozen
class LaunchChecks:
    """What is asked of every launch of a stack: its library, its variant, its hosts and the wire between them."""

    stack: Stack
    family: Family
    reach: Reach
    promise: Promise

    def find_astray(self, facts: LaunchFacts, ranks: int, route: Route) -> str:
        """Why a launch ran and was not what was asked for; '' when it was, or nobody knows."""
        other = self.family.verify(self.stack, dict(facts.hello)) if facts.hello else ""
        astray = other or self._find_misplacement(facts, ranks)
        return astray or variant_mismatch(self.stack.spec, self.promise, route)

    def list_conditions(self, facts: LaunchFacts, ranks: int, route: Route, kept: Pairs) -> Pairs:
        """Under which conditions so many ranks ran; ``kept``: what the keeper and the hosts prepared.

        Simulated ranks stand on no processor of this machine.
        """
        if self.stack.simulated:
            return ()
        alone = ranks == 1  # with nobody to send to, there is nothing to look at
        unknown = self.promise != Promise() and facts.ended and not route.small_transport and not alone
        asked = self.reach.hosts
        return (
            *condition_of(facts.placement, kept, read_autogroup()),
            *((("hosts", "emulated"),) if asked.emulated else ()),
            *(describe_crossing(asked.layout(ranks), facts.routes) if facts.ended else ()),
            *((("variant", VariantCheck.UNVERIFIED),) if unknown else ()),
        )

    def _find_misplacement(self, facts: LaunchFacts, ranks: int) -> str:
        """Why the ranks do not stand on the hosts that were asked for, or send past the wire; '' if well."""
        layout, names = self.reach.hosts.layout(ranks), dict(self.reach.own_names)
        wrong = misplacement([names.get(name, name) for name in layout], [one.host for one in facts.placement])
        return wrong or check_crossing(layout, facts.routes, self.reach)
