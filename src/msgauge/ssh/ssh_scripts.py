"""What the ssh launcher runs on hosts, as texts for a POSIX shell. Pure.

A host needs a shell, grep, tar and the usual small tools; no msgauge, no Python, no root. Every process of a run has
two marks in its environment: the run's and its session's. What bears a mark is found in ``/proc`` and ended.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from msgauge.execution.host_survey import COUNT_CORES
from msgauge.lab.label import LABEL

ACCESS_MARK = "MSGAUGE_ACCESS"
SESSION_MARK = "MSGAUGE_SESSION"
CONNECTION_MARK = "MSGAUGE_CONNECTION"
"""What msgauge itself runs on a host, with the number of the connection that brought it there."""
BEGIN, READY = "msgauge-begin", "msgauge-ready"
BEAT_S, PATIENCE_S = 10, 60
_AT_ONCE = 8
OPTIONS = (
    *("-x", "-T"),
    *("-o", "BatchMode=yes", "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=6"),
    *(
        "-o",
        "RemoteCommand=none",
        "-o",
        "RequestTTY=no",
        "-o",
        "ClearAllForwardings=yes",
        "-o",
        "PermitLocalCommand=no",
    ),
)
"""Of every call: never ask, never wait for ever, nothing of a user's configuration that makes a call interactive.
How long it waits for a connection comes after them, as that is a matter of each host (``find_connect_timeouts``)."""
ALONE = ("-o", "ControlMaster=no", "-o", "ControlPath=none")
"""A connection of its own: when its client is killed the other side sees the end, under multiplexing it does not."""

_FUNCTIONS = f"""
marked() {{
  grep -lsF "$1" /proc/[0-9]*/environ 2>/dev/null | sed 's:^/proc/::; s:/environ$::'
}}
sweep() {{
  round=0
  while [ $round -lt 60 ]; do
    left=
    for pid in $(marked "$1"); do
      case " $2 " in *" $pid "*) ;; *) left="$left $pid";; esac
    done
    [ -n "$left" ] || return 0
    for pid in $left; do
      sed -n 's:^.* \\(/dev/shm/[^ ]*\\).*$:\\1:p' /proc/$pid/maps 2>/dev/null
    done | sort -u >>"$place/segments"
    kill -9 $left 2>/dev/null
    round=$((round + 1))
    [ $round -lt 3 ] || sleep 0.1
  done
}}
forget() {{
  [ -f "$place/segments" ] && while read -r file; do rm -f -- "$file"; done <"$place/segments" && : >"$place/segments"
}}
remove_copies() {{
  [ -f "$place/copies" ] || return 0
  while read -r file; do [ -d "/$file" ] || rm -f -- "/$file"; done <"$place/copies"
  sort -r "$place/copies" | while read -r file; do rmdir -- "/$file" 2>/dev/null; done
}}
clean() {{
  sweep {ACCESS_MARK}="$name" ""
  forget
  remove_copies
  [ -f "$place/ours" ] || return 0
  for one in "$place"/*; do
    [ "$one" = "$place/ours" ] || rm -rf -- "$one"
  done
  rm -rf -- "$place"
}}
"""
"""``sweep MARK SPARED``: end all that bear a mark, again and again until none is left, and note the shared memory that
they had. ``clean``: leave nothing of a run on this host; what says that the folder is ours goes last, so that who is
ended in the middle leaves a folder that can still be removed."""


_BEGINS = f"printf '\\n%s\\n' {BEGIN}"
"""A login shell may say anything before, also without an end of line."""


def whole(place: str, body: str) -> str:
    """A script that is read to its end before it begins, so that it may leave standard input to what it calls."""
    name = place.rpartition("/")[2]
    return f"main() {{\nplace={place}\nname={name}\n{_FUNCTIONS}\n{_BEGINS}\n{body}\n}}\nmain\nexit $?\n"


def show(file: str) -> str:
    """The content of a file, for any login shell."""
    return "exec /bin/sh -c " + shlex.quote(f"{_BEGINS}; exec cat -- {shlex.quote(file)}")


def cut_greeting(output: bytes) -> bytes:
    """What a script said, without what the login shell of its host said before."""
    return output.partition(f"\n{BEGIN}\n".encode())[2]


def mark_call(place: str, connection: int, command: str) -> str:
    """A command on a host with the mark of the connection that brings it there, for any login shell."""
    mark = f"{CONNECTION_MARK}={place.rpartition('/')[2]}.{connection}."
    return f"exec env {mark} {command.removeprefix('exec ')}"


def janitor(place: str, peers: Sequence[str], patience_s: int = PATIENCE_S, connection: int = 0) -> str:
    """Tell what this host is, then wait for the end of the connection and leave nothing of the run.

    ``peers``: names of other hosts; the first that has an address tells the interface. ``patience_s``: when no line
    came for so long (twice that, at most), the host was cut off, which its sshd may notice hours later.
    ``connection``: how many there were before; what they left is ended and removed.
    """
    before = _supersede(connection) if connection else ""
    return whole(place, f"{before}\n{_setup()}\n{survey(peers)}\necho {READY}\n{_wait_for_end(patience_s)}")


def _supersede(connection: int) -> str:
    """End what earlier connections left, janitors first: one that has not heard of its end would end what comes now.

    Those that have heard of it are at work, and get a while to end by themselves.
    """
    return f"""
earlier() {{
  for pid in $(marked {CONNECTION_MARK}="$name."); do
    grep -qsF {CONNECTION_MARK}="$name.{connection}." "/proc/$pid/environ" || [ ! -e "/proc/$pid" ] || echo "$pid"
  done
}}
round=0
while [ $round -lt 40 ] && left=$(earlier) && [ -n "$left" ]; do
  [ $round -lt 20 ] || kill -9 $left 2>/dev/null
  round=$((round + 1))
  sleep 0.1
done
clean
"""


def beat(place: str) -> str:
    """Send a line to all janitors, again and again."""
    once = f'for way in {place}/f*; do [ -p "$way" ] && echo 1<>"$way"; done'
    return f"while sleep {BEAT_S}; do {once}; done >/dev/null 2>&1"


def _wait_for_end(patience_s: int) -> str:
    return f"""
: >"$place/beat"
(
  trap 'kill $nap; exit 0' TERM
  while rm "$place/beat"; do
    sleep {patience_s} &
    nap=$!
    wait $nap
  done
  clean
  kill $$
) </dev/null >/dev/null 2>&1 &
while read -r line; do : >"$place/beat"; done
kill $! 2>/dev/null
clean >/dev/null 2>&1
"""


def _setup() -> str:
    """Open MPI's daemons want to see their agent on every host, where they never call it."""
    return """
for tool in grep sed awk tar cksum; do
  command -v $tool >/dev/null || { echo "wrong=it has no program $tool"; return 1; }
done
umask 077
mkdir "$place" 2>/dev/null && : >"$place/ours"
[ -e "$place/rsh" ] || printf '#!/bin/sh\\nexit 255\\n' >"$place/rsh"
chmod 700 "$place/rsh"
[ -w "$place" ] || { echo "wrong=no folder can be made below /tmp"; return 1; }
echo room >"$place/room.$$"
[ -s "$place/room.$$" ] || { echo "wrong=nothing can be written below /tmp"; clean; return 1; }
rm -f "$place/room.$$"
"""


def survey(peers: Sequence[str]) -> str:
    """What a host says of itself, in lines of ``key=value``."""
    ways = "\n".join(f"way {shlex.quote(peer)} && break" for peer in peers[:8])
    return f"""
way() {{
  address=$(getent ahostsv4 "$1" 2>/dev/null | awk '{{print $1; exit}}')
  [ -n "$address" ] || return 1
  PATH=$PATH:/usr/sbin:/sbin ip -o route get "$address" 2>/dev/null | sed -n 's/.* dev \\([^ ]*\\).*/interface=\\1/p'
}}
echo "name=$(uname -n)"
echo "kernel=$(uname -r)"
echo "boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)"
echo "clock=$(tr -s ' \\n' ' ' </proc/self/timens_offsets 2>/dev/null)"
echo "cores=$({COUNT_CORES})"
echo "python=$(command -v python3)"
echo "emulated=$(head -c 2000 {LABEL} 2>/dev/null | tr '\\n' ' ')"
while :; do
{ways or ":"}
break
done
"""


def begin(session: str, witness: str) -> str:
    """Whether this host sees a file of the computer that measures, and which processes of a session stand already."""
    seen = f"[ -e {shlex.quote(witness)} ] && echo seen" if witness else ":"
    return f"{seen}\necho spare $(marked {SESSION_MARK}={shlex.quote(session)})"


def finish(session: str, spared: Sequence[int], copy: str) -> str:
    """End what a launch left, except what stood before; remove the copy of its folder."""
    gone = f"rm -rf -- {shlex.quote(copy)}" if copy else ":"
    return f'sweep {SESSION_MARK}={shlex.quote(session)} "{" ".join(map(str, spared))}"\nforget\n{gone}'


def take_copies(folders: Sequence[str]) -> str:
    """Unpack an archive (paths below /) from standard input; note what was made, for its removal."""
    parents = "\n".join(f"parents {shlex.quote(folder)} || return 1" for folder in folders)
    return f"""
parents() {{
  [ -d "$1" ] && return 0
  parents "$(dirname "$1")" && mkdir "$1" && echo "${{1#/}}" >>"$place/copies"
}}
{parents}
tar -C / -xvpf - >>"$place/copies"
"""


def examine_files(files: Sequence[str], installation: str) -> str:
    """Which files are not here (``lacks``) or have another content than asked (told by cksum: ``sum``)."""
    lines = [f'[ -e {shlex.quote(file)} ] && echo "sum $(cksum <{shlex.quote(file)})" || echo lacks' for file in files]
    if installation:
        lines.append(f"[ -d {shlex.quote(installation)} ] && echo there || echo lacks")
    return "\n".join(lines)


def find_connect_timeouts(destinations: Sequence[str], ssh: Sequence[str]) -> str:
    """Tell how long the user's configuration of ssh has it wait for each host, in lines of ``wait NUMBER SECONDS``.

    Only where some file of that configuration sets it ssh is asked, some hosts at once: ssh itself names the files.
    """
    numbered = [f"{number} {to}" for number, to in enumerate(destinations)]
    parts = [numbered[start::_AT_ONCE] for start in range(min(_AT_ONCE, len(numbered)))]
    asked = "\n".join("\n".join(("ask <<'end of hosts' &", *part, "end of hosts")) for part in parts)
    call = shlex.join(["ssh", *ssh])
    return f"""
ask() {{
  while read -r number to; do
    echo "host-number $number"
    {call} -G -- "$to" </dev/null 2>/dev/null
  done | awk '$1 == "host-number" {{n = $2}} $1 == "connecttimeout" && $2 ~ /^[1-9][0-9]*$/ {{print "wait", n, $2}}'
}}
{call} -v -G -- {shlex.quote(destinations[0])} </dev/null 2>&1 >/dev/null | tr -d '\\r' |
  sed -n 's/^debug1: Reading configuration data //p' | while read -r file; do
    grep -is '^[[:space:]]*"*connecttimeout' "$file"
  done | grep -q . || return 0
{asked}
wait
"""


def agent(place: str, first: str, destinations: Mapping[str, tuple[str, int]], ssh: Sequence[str]) -> str:
    """The program that stacks call as rsh, for the first host: options are left out, and only hosts of the run are had.

    ``destinations``: what ssh is told for each name that a stack may use, and how long it waits for a connection. The
    words of the command are given to a shell of the host as they are, as by rsh.
    """
    cases = "\n".join(
        f"  {name}) to={shlex.quote(to)} limit={seconds};;" for name, (to, seconds) in destinations.items()
    )
    skip = "while [ $# -gt 0 ]; do case $1 in\n  -[bcDEeFIiJLlmOopQRSWw]) shift; [ $# -gt 0 ] && shift;;\n"
    skip += "  --) shift; break;;\n  -*) shift;;\n  *) break;;\nesac; done"
    marks = f"{ACCESS_MARK}={place.rpartition('/')[2]} {SESSION_MARK}=$session TMPDIR={place}"
    return f"""#!/bin/sh
# Called as rsh is: rsh [OPTIONS] [USER@]HOST COMMAND...
{skip}
[ $# -gt 0 ] || {{ echo 'rsh: no host is named' >&2; exit 255; }}
host=${{1##*@}}
shift
{skip}
case ${SESSION_MARK} in *[!A-Za-z0-9_-]*) session=;; *) session=${SESSION_MARK};; esac
case $host in
  {first}) exec env {marks} /bin/sh -c "$*";;
{cases}
  *) echo 'rsh: this is no host of the run' >&2; exit 255;;
esac
words=$(printf '%s' "$*" | sed "s/'/'\\\\\\\\''/g")
exec {shlex.join(["ssh", *ssh, *ALONE])} -o "ConnectTimeout=$limit" -- "$to" "exec env {marks} /bin/sh -c '$words'"
"""


def on_first_host(place: str, ssh: Sequence[str], destination: str) -> str:
    """Run a line of shell ($1) on the first host in the environment of the caller, without what is of his computer.

    What it says goes to files there first: a daemon that it leaves would keep the connection open.
    """
    said = f"{place}/said.$$"
    run = f'(main) >"{said}.o" 2>"{said}.e"; code=$?; cat "{said}.o"; cat "{said}.e" >&2; rm -f "{said}.o" "{said}.e"'
    own = "SSH_CLIENT SSH_CONNECTION SSH_TTY SSH_AUTH_SOCK HOSTNAME DISPLAY XAUTHORITY XDG_RUNTIME_DIR PWD OLDPWD SHLVL"
    call = shlex.join(["ssh", *ssh, *ALONE, "--", destination, "exec /bin/sh -s"])
    return f"""#!/bin/sh
{{
  unset {own} DBUS_SESSION_BUS_ADDRESS
  echo 'main() {{'
  export -p
  printf '%s\\n' "$1"
  echo '}}'
  echo {shlex.quote(f"{run}; exit $code")}
}} | {call}
"""
