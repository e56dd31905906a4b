"""LAM/MPI 7.1. Source: the manual pages lamboot(1), mpirun(1), lamssi_rpi(7).

Its daemon must be up around launches (``lamboot``, ``lamhalt``) and refuses root, so root's ranks run as another user.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
import signal
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from attrs import evolve

from msgauge.config import Config
from msgauge.errors import LaunchError
from msgauge.hosts import Host
from msgauge.model import RSH_AGENT, Carrier, Command, Pairs, Promise, Setting, Stack
from msgauge.stacks.base.family import LaunchOptions, Runner, Variant
from msgauge.stacks.base.fortran import BY_INCLUDE_FILE, FORTRAN
from msgauge.stacks.base.installations import Installation
from msgauge.stacks.base.mpi_family import MpiFamily
from msgauge.stacks.base.promises import BY_TCP
from msgauge.stacks.base.tool_query import ask
from msgauge.stacks.base.transport_header import capabilities_of
from msgauge.stacks.base.wrapper_identity import Signature

ON_SEMAPHORES = Promise(Carrier.SHARED_MEMORY, semaphores=True)
WITHOUT_SEMAPHORES = Promise(Carrier.SHARED_MEMORY, semaphores=False)
BOOT_LIMIT_S = 15.0
BOOT_OF_HOST_S = 1.0
HALT_LIMIT_S = 1.0
CLEAN_LIMIT_S = 5.0


def _ask_version(wrapper: Path) -> tuple[str, str]:
    """The version, and what was said: the wrapper itself says none."""
    said = ask([str(wrapper.parent / "laminfo"), "-version", "lam", "full"]).text
    match = re.search(r"LAM/MPI:\s*(\d[\w.+-]*)", said)
    return match.group(1) if match else "", said


_RELEASE = "LAM_MAJOR_VERSION,LAM_MINOR_VERSION,LAM_RELEASE_VERSION"
"""Constants of its Fortran header."""


class Lam(MpiFamily):
    """LAM/MPI: one daemon a host; the request progression interface (rpi) carries messages."""

    name = "lam"
    title = "LAM/MPI"
    other_names = ("lam-mpi", "lammpi")
    signature = Signature(
        "lam",
        "LAM/MPI",
        wrapper=r"\s-llam(?:\s|$)()",
        launcher=r"\bLAM\b.*?(?:(\d+\.\d[\w.]*)|$)",
        ask_version=_ask_version,
    )
    daemon = True
    variables = ("LAM",)
    needs = frozenset({RSH_AGENT})
    debian_packages = ("lam-runtime", "lam4-dev")
    library_pattern = re.compile(r"^(?:LAM/MPI|release) (\d[\w.+-]*)")
    fortran_defines = (*BY_INCLUDE_FILE, f"MSGAUGE_RELEASE={_RELEASE}")

    def variants(self) -> Sequence[Variant]:
        return (
            Variant(
                "usysv",
                "transport",
                "shared memory, waiting ranks spin",
                WITHOUT_SEMAPHORES,
            ),
            Variant(
                "sysv",
                "transport",
                "shared memory, waiting ranks sleep on semaphores",
                ON_SEMAPHORES,
            ),
            Variant("tcp", "transport", "TCP between ranks", BY_TCP),
            FORTRAN,
        )

    def variant_environment(self, stack: Stack, word: str) -> Pairs:  # noqa: ARG002
        return (("LAM_MPI_SSI_rpi", word),)

    def find(self, host: Host, config: Config) -> Iterator[Stack]:
        user = config.run_as if os.geteuid() == 0 else ""
        for stack in super().find(host, config):
            yield _with_user(_with_daemon(stack), user)

    def recognise(self, place: Installation) -> Stack | None:
        """As for all, with mpirun for mpiexec, which is a script that boots by itself."""
        launcher = Path(place.launcher)
        mpirun = launcher.with_name(launcher.name.replace("mpiexec", "mpirun")) if place.launcher else launcher
        return super().recognise(evolve(place, launcher=str(mpirun)) if mpirun.is_file() else place)

    def compile_flags(self, stack: Stack) -> tuple[str, ...]:  # noqa: ARG002
        """libc before LAM's libraries, so that its malloc is used.

        LAM brings a malloc and a free of its own but no aligned_alloc: memory of libc's, given back to LAM's free,
        crashed every worker at its end.
        """
        return ("-Wl,--push-state,--no-as-needed,-lc,--pop-state",)

    def capabilities(self, stack: Stack) -> frozenset[str]:  # noqa: ARG002
        return capabilities_of(self.transport, without="MPI3")

    def launch_command(self, stack: Stack, program: Sequence[str], options: LaunchOptions) -> Command:
        exported = [name for name, _ in stack.environment if not name.startswith("LAM_MPI_")]
        exported += ["LD_BIND_NOW"] if options.reach else []
        argv = (
            stack.launcher,
            "-np",
            str(options.ranks),
            *(("-x", ",".join(exported)) if exported else ()),
            *program,
        )
        return Command(argv, _environment(stack, options), stack.user, str(options.folder))

    @contextmanager
    def session(self, stack: Stack, options: LaunchOptions, runner: Runner) -> Iterator[None]:
        hostfile = options.folder / "lam-hosts"
        here = all(host.local for host in options.hosts)
        hosts = (Host("localhost", options.cores),) if here else options.hosts
        slots = {host.name: host.cores for host in hosts}
        if options.reach:
            asked = options.reach.hosts
            slots = {name: asked.slots_of(name) for name in asked.names}
        hostfile.write_text("".join(f"{name} cpu={cores}\n" for name, cores in slots.items()), encoding="utf-8")
        hostfile.chmod(0o644)
        try:
            boot = self._tool(stack, options, "lamboot", *(("-b",) if options.reach else ()), str(hostfile))
            code, said = runner.run(boot, BOOT_LIMIT_S + BOOT_OF_HOST_S * len(slots))
            if code != 0:
                remedy = "look at the log; a stale session is ended by lamhalt or lamwipe of that user"
                raise LaunchError(f"lamboot ended with {code}: {said.strip()[-400:]}", where=stack.spec, remedy=remedy)
            yield
        finally:
            if _holds_semaphores(stack.user):
                runner.run(self._tool(stack, options, "lamclean"), CLEAN_LIMIT_S)
            runner.run(self._tool(stack, options, "lamhalt"), HALT_LIMIT_S)
            _end_daemon(_session_name(options))

    def settings(self, stack: Stack) -> Sequence[Setting]:  # noqa: ARG002
        source = "laminfo -param rpi all; lamssi_rpi(7)"
        megabyte = 1 << 20
        return (
            Setting(
                "rpi_usysv_short",
                "bytes",
                "8192",
                "largest message sent at once in shared memory",
                source,
                low=0,
                high=64 * megabyte,
            ),
            Setting(
                "rpi_tcp_short",
                "bytes",
                "65536",
                "largest message sent at once over TCP",
                source,
                low=0,
                high=16 * megabyte,
            ),
            Setting("rpi_usysv_pollyield", "boolean", "1", "yield the processor while polling", source),
        )

    def _tool(self, stack: Stack, options: LaunchOptions, name: str, *arguments: str) -> Command:
        tool = str(Path(stack.launcher).parent / name)
        return Command((tool, *arguments), _environment(stack, options), stack.user, str(options.folder))


def _environment(stack: Stack, options: LaunchOptions) -> Pairs:
    """A session of this launch's own, and all symbols bound at the start.

    Bound late, about every second launch of LAM 7.1.4 on glibc 2.36 ended in "the selected RPI failed to initialize" or
    hung; with LD_BIND_NOW none of a dozen did.
    """
    agent: Pairs = (("LAMRSH", options.reach.agent),) if options.reach else ()
    return (*stack.environment, ("LAM_MPI_SESSION_SUFFIX", _session_name(options)), ("LD_BIND_NOW", "1"), *agent)


def _session_name(options: LaunchOptions) -> str:
    """Sessions of several launches may stand side by side for one user."""
    return f"msgauge-{zlib.crc32((options.session or str(options.folder)).encode()):08x}"


def _end_daemon(session: str) -> None:
    """End the daemon of this session and remove its folder: lamhalt of 7.1.4 hangs more often than not.

    The name of the session among the daemon's arguments tells it from every other one.
    """
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().split(b"\0")
            if words[0].endswith(b"lamd") and session.encode() in words:
                os.kill(int(process.name), signal.SIGKILL)
    for folder in Path(tempfile.gettempdir()).glob(f"lam-*-{session}"):
        shutil.rmtree(folder, ignore_errors=True)


def _holds_semaphores(user: str) -> bool:
    """Whether semaphores of System V belong to the user of the ranks: ranks that crashed leave theirs, with segments.

    The daemon knows whose they are, and ``lamclean`` has it remove them. It takes a second, so it is called only then.
    """
    owner = str(pwd.getpwnam(user).pw_uid if user else os.getuid())
    with suppress(OSError):
        names, *rows = (line.split() for line in Path("/proc/sysvipc/sem").read_text().splitlines())
        return any(dict(zip(names, row, strict=False)).get("uid") == owner for row in rows)
    return False


def _with_daemon(stack: Stack) -> Stack:
    if not stack.usable or (Path(stack.launcher).parent / "lamboot").is_file():
        return stack
    reason = "there is no lamboot beside its launcher; install LAM's run-time package (Debian: lam-runtime)"
    return evolve(stack, usable=False, reason=reason)


def _with_user(stack: Stack, user: str) -> Stack:
    if not user or not stack.usable:
        return stack
    try:
        pwd.getpwnam(user)
    except KeyError:
        reason = f"LAM refuses root and there is no user {user!r}; name another as run_as in config.toml"
        return evolve(stack, usable=False, reason=reason)
    return evolve(stack, user=user)


FAMILY = Lam()
