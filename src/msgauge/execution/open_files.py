"""How many files a process and what it starts may have open: hundreds of ranks need thousands of sockets.

For processes that import the standard library alone.
"""

from __future__ import annotations

import resource

_MOST = 65536


def raise_open_files() -> int:
    """Lift the soft limit towards the hard one, and say what it is now; it is never lowered."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST if hard == resource.RLIM_INFINITY else min(hard, _MOST)
    if wanted <= soft:
        return soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):
        return soft
    return wanted
