#!/bin/sh
# Chaos over every transport: chaos.sh BUILD TASKS KILLS [WORKERS] [SEED]; one JSON line for each.
set -u
build=$1 tasks=$2 kills=$3 workers=${4:-4} seed=${5:-$$} failed=0
key=$(mktemp -u)
(umask 077 && od -An -tx1 -N32 /dev/urandom | tr -d ' \n' >"$key")
trap 'rm -f "$key"' EXIT
run() { # URL [KEY_FILE [RING_BYTES]]
  url=$1
  shift
  "$build/tests/chaos" "$url" "$tasks" "$kills" "$workers" "$seed" "$@" 2>/dev/null || failed=1
}
run "tcp://127.0.0.1:0?shm=off"
run "unix://@taskfarm-chaos-$$?shm=off"
run "unix://@taskfarm-chaos-$$"
run "tcp://127.0.0.1:0" "" 2097152 # rings beyond the caches, which go back, as those of hundreds of workers do
run "tcp://127.0.0.1:0?shm=off" "$key"
exit $failed
