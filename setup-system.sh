#!/bin/sh
# The Debian packages that the tests use. With root or passwordless sudo they are installed; otherwise the ones that
# are missing are named, with the command that gets them.
#   setup-system.sh required      fail when something is missing and cannot be installed
#   setup-system.sh if-possible   say what is missing and go on (the tests then name each stack that could not be had)
set -eu

PACKAGES="
g++ make iproute2
openssh-server openssh-client openssh-sftp-server sshfs
openmpi-bin libopenmpi-dev
mpich libmpich-dev
lam-runtime lam4-dev
pvm pvm-dev
libsimgrid-dev
libzmq3-dev
libucx-dev
gfortran
octave octave-dev
doctest-dev
cmake libssl-dev openssl
chromium fonts-dejavu-core
slurm-wlm munge libpmi2-0
"

missing() {
  for package in $PACKAGES; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || printf '%s ' "$package"
  done
}

if ! command -v dpkg-query >/dev/null 2>&1; then
  echo "system packages: this is not a Debian system; needed are the counterparts of:" $PACKAGES >&2
  [ "$1" = if-possible ] && exit 0 || exit 2
fi

wanted=$(missing)
if [ -z "$wanted" ]; then echo "system packages: all there"; exit 0; fi

if [ "$(id -u)" = 0 ]; then as_root=""
elif sudo -n true 2>/dev/null; then as_root="sudo -n"
else
  echo "system packages: missing: $wanted" >&2
  echo "system packages: neither root nor sudo here; to get them: sudo apt-get install $wanted" >&2
  [ "$1" = if-possible ] && exit 0 || exit 2
fi

# Where systemd runs, these packages start daemons. Tests start their own on emulated hosts, so those that did not run
# before are stopped again.
idle=""
if [ -d /run/systemd/system ]; then
  for daemon in ssh munge slurmctld slurmd; do systemctl is-active -q "$daemon" || idle="$idle $daemon"; done
fi

echo "system packages: installing $wanted"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { $as_root apt-get update -qq &&
       $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $wanted; } \
     >"$log" 2>&1 </dev/null; then
  tail -n 20 "$log" >&2
  echo "system packages: apt-get failed (above); the stacks concerned will be reported by name" >&2
  [ "$1" = if-possible ] && exit 0 || exit 2
fi
if [ -n "$idle" ]; then $as_root systemctl disable -q --now $idle >/dev/null 2>&1 || true; fi
