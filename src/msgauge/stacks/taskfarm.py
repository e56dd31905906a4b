"""taskfarm, the coordinator-and-workers library beside msgauge. Header: native/transports/taskfarm.hpp."""

# ruff: noqa: ARG002  (a method of the interface takes what any family may need)
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from attrs import evolve

from msgauge.config import Config
from msgauge.errors import StackError
from msgauge.hosts import Host
from msgauge.model import RSH_AGENT, Carrier, Command, Obtainable, Origin, Pairs, Promise, Stack
from msgauge.paths import native_folder
from msgauge.stacks.base.builtin_transport import system_compiler
from msgauge.stacks.base.family import Recipe, Variant
from msgauge.stacks.base.promises import BY_TCP, IN_SHARED_MEMORY
from msgauge.stacks.base.system_library import SystemLibrary, has_library, header_macros

SOURCES = Path(__file__).parents[3] / "taskfarm"
BUILT = "build/libtaskfarm.a"
_HOW = "in a checkout of msgauge run `make -C taskfarm build`; else set CPATH and LIBRARY_PATH to where it is installed"


class Taskfarm(SystemLibrary):
    """Rank 0 is the coordinator, the others are workers. Tasks only: it has no messages between ranks."""

    name = "taskfarm"
    title = "taskfarm"
    other_names = ("coordinator", "task-farm")
    transport = "taskfarm"
    header = "taskfarm.h"
    version_macros = ("TF_VERSION_MAJOR", "TF_VERSION_MINOR")
    libraries = ("taskfarm",)
    needs = frozenset({RSH_AGENT})
    library_pattern = re.compile(r"^taskfarm (\d[\w.]*)")

    def find(self, host: Host, config: Config) -> Iterator[Stack]:
        compiler, reason = system_compiler()
        built = (SOURCES / BUILT).exists()
        header = str(SOURCES / "include" / self.header) if built else self.header
        macros = {} if reason else header_macros(compiler, header)
        if not reason and not macros:
            reason = f"{compiler} finds no {self.header}; {_HOW}"
        elif not reason and not built and not has_library(compiler, "taskfarm"):
            reason = f"{compiler} finds no library taskfarm to link with; {_HOW}"
        yield Stack(
            family=self.name,
            version=".".join(macros[name] for name in self.version_macros) if macros else "unknown",
            origin=Origin("prefix", str(SOURCES)) if built else Origin("system"),
            compiler=compiler,
            axes=(("library", self.name), ("language", "c++"), ("transport", "shm"), ("wait", "default")),
            usable=not reason,
            reason=reason,
        )

    def variants(self) -> Sequence[Variant]:
        return (
            Variant("shm", "transport", "tasks through shared memory", IN_SHARED_MEMORY),
            Variant("unix", "transport", "tasks through Unix sockets", Promise(Carrier.UNIX_SOCKETS)),
            Variant("tcp", "transport", "tasks over TCP", BY_TCP),
            Variant("tls", "transport", "tasks over TCP with TLS 1.3 and a key of the launch", BY_TCP),
        )

    def variant_environment(self, word: str) -> Pairs:
        return (("MSGAUGE_TASKFARM", word),)

    def confinement(self, stack: Stack) -> str:
        return "" if _transport_of(stack) == "tls" else "beyond one computer the library takes TLS alone: taskfarm[tls]"

    def kernels(self, stack: Stack) -> frozenset[str]:
        """Those made of tasks, or of a launch alone; messages between ranks would be those of plain sockets."""
        return kernels_of_tasks()

    def compile_command(self, stack: Stack, recipe: Recipe) -> Command | None:
        command = super().compile_command(stack, recipe)
        assert command is not None
        if stack.origin.kind != "prefix":
            return command
        words = [word for word in command.argv if word != "-ltaskfarm"]
        # Linked into the worker, which is copied to hosts that have no taskfarm.
        archive = f"{stack.origin.where}/{BUILT}"
        return evolve(command, argv=(*words, f"-I{stack.origin.where}/include", archive, "-lssl", "-lcrypto"))

    def obtainable(self, host: Host) -> Sequence[Obtainable]:
        return ()

    def install(self, version: str, origin: str) -> None:
        raise StackError("taskfarm is not installed by msgauge", remedy=_HOW)

    def settings_to_prove(self, stack: Stack) -> Mapping[str, str]:
        return {"transport": _transport_of(stack)}


def _transport_of(stack: Stack) -> str:
    """What carries its tasks."""
    return dict(stack.axes).get("transport", "shm")


@lru_cache(maxsize=1)
def kernels_of_tasks() -> frozenset[str]:
    """The kernels whose headers ask for tasks, and those that measure launches."""
    headers = (native_folder() / "kernels").glob("*.hpp")
    texts = {header.stem: header.read_text(encoding="utf-8") for header in headers}
    return frozenset(name for name, text in texts.items() if "HasTasks<T>" in text or '.kind = "launch"' in text)


FAMILY = Taskfarm()
