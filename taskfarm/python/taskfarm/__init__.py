"""A coordinator hands tasks to workers; nothing is lost, nothing is delivered twice, nothing hangs.

`Farm` is a concurrent.futures.Executor with streams (`imap`, `imap_unordered`); `Coordinator` and `Worker` are the bare
interface: bytes in, bytes out.
"""

try:
    from taskfarm._core import Coordinator, Monitor, Worker, make_key
except ModuleNotFoundError as missing:
    import sys

    version = ".".join(map(str, sys.version_info[:2]))
    missing.add_note(f"taskfarm is installed for another Python, not for {version}: install it for {sys.executable}")
    raise
from taskfarm.broadcasts import context
from taskfarm.errors import BrokenFarm, DeadLetter, DeadlineExceeded, Error, RemoteTraceback, TaskFailed
from taskfarm.farm import Farm

__all__ = [
    "BrokenFarm",
    "Coordinator",
    "DeadLetter",
    "DeadlineExceeded",
    "Error",
    "Farm",
    "Monitor",
    "RemoteTraceback",
    "TaskFailed",
    "Worker",
    "context",
    "make_key",
]
__version__ = "1.0.0"
