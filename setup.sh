#!/bin/sh
# Makes a virtual environment with exactly the versions of requirements.lock, and msgauge itself, editable.
#   setup.sh PYTHON VENV      set up
#   setup.sh --uv PYTHON      print the path of a usable uv (getting one from the package registry if need be)
set -eu

complain() { printf 'setup: %s\n' "$*" >&2; exit 2; }

need_python() {
  "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    complain "Python 3.11 or newer is needed and '$1' is not; name one: make PYTHON=/path/to/python3.11"
}

# uv: the one on PATH, else one of our own under .tools. Debian's python3 comes without ensurepip, so three ways in.
find_uv() {
  if command -v uv >/dev/null 2>&1; then command -v uv; return; fi
  if [ -x .tools/bin/uv ]; then echo "$PWD/.tools/bin/uv"; return; fi
  if "$1" -m venv .tools >/dev/null 2>&1; then
    .tools/bin/python -m pip install --quiet uv >&2
  elif "$1" -m pip --version >/dev/null 2>&1; then
    rm -rf .tools
    "$1" -m pip install --quiet --prefix .tools uv >&2
  elif [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    rm -rf .tools
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3-venv; } >/dev/null 2>&1 ||
      complain "cannot install python3-venv; do that by hand: apt-get install python3-venv"
    "$1" -m venv .tools
    .tools/bin/python -m pip install --quiet uv >&2
  else
    complain "neither uv, nor python3-venv, nor pip is here; run: sudo apt-get install python3-venv"
  fi
  for uv in .tools/bin/uv .tools/local/bin/uv; do
    [ -x "$uv" ] && { echo "$PWD/$uv"; return; }
  done
  complain "uv was installed but cannot be found under .tools"
}

cd "$(dirname "$0")"
if [ "${1:-}" = --uv ]; then need_python "$2"; find_uv "$2"; exit 0; fi

python=$1 venv=$2
need_python "$python"
uv=$(find_uv "$python")
[ -x "$venv/bin/python" ] || "$uv" venv --quiet --python "$(command -v "$python")" "$venv"
VIRTUAL_ENV="$PWD/$venv" "$uv" pip sync --quiet requirements.lock
VIRTUAL_ENV="$PWD/$venv" "$uv" pip install --quiet --no-deps --no-build-isolation --editable .
