"""UCX, the layer below many an MPI, by its tag matching. Source: ucp_tag_send_nbx in the UCP reference, ucx_info(1)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgauge.model import RSH_AGENT, Pairs, Setting, Stack, Traces
from msgauge.stacks.base.family import Variant
from msgauge.stacks.base.local_ranks import WAIT_VARIANTS, WAITS
from msgauge.stacks.base.promises import BY_TCP, IN_SHARED_MEMORY
from msgauge.stacks.base.system_library import SystemLibrary

TRANSPORTS = {"tcp": "tcp,self", "shm": "sm,self"}


class Ucx(SystemLibrary):
    """One worker a rank; UCX picks the transports, unless a variant allows some only."""

    name = "ucx"
    title = "UCX"
    other_names = ("ucp", "openucx")
    transport = "ucx"
    header = "ucp/api/ucp.h"
    version_macros = ("UCP_API_MAJOR", "UCP_API_MINOR")
    libraries = ("ucp", "ucs")
    debian_packages = ("libucx-dev",)
    needs = frozenset({RSH_AGENT})
    traces = Traces(shared_memory=("ucx_",))
    variables = ("UCX_",)
    library_pattern = re.compile(r"^UCX (\d[\w.]*)")

    def variants(self) -> Sequence[Variant]:
        return (
            Variant("tcp", "transport", "TCP, also between ranks of one host", BY_TCP),
            Variant("shm", "transport", "shared memory", IN_SHARED_MEMORY),
            *WAIT_VARIANTS,
        )

    def variant_environment(self, word: str) -> Pairs:
        return (("MSGAUGE_WAIT", word) if word in WAITS else ("UCX_TLS", TRANSPORTS[word]),)

    def settings_to_prove(self, stack: Stack) -> Mapping[str, str]:
        allowed = TRANSPORTS.get(dict(stack.axes).get("transport", ""), "all")
        return {**super().settings_to_prove(stack), "transport": allowed}

    def settings(self, stack: Stack) -> Sequence[Setting]:  # noqa: ARG002
        source = "ucx_info -cf"
        documented = (
            ("UCX_RNDV_THRESH", "from which size on a send waits for its receive"),
            ("UCX_ZCOPY_THRESH", "from which size on memory is sent without a copy"),
        )
        return tuple(Setting(name, "bytes", "auto", what, source, low=0, high=1 << 30) for name, what in documented)


FAMILY = Ucx()
