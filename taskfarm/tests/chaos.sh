#!/bin/sh
# Chaos over every transport: chaos.sh BUILD TASKS KILLS [WORKERS] [SEED]; one JSON line for each.
set -u
build=$1 tasks=$2 kills=$3 workers=${4:-4} seed=${5:-$$} failed=0
key=$(mktemp -u)
(umask 077 && od -An -tx1 -N32 /dev/urandom | tr -d ' \n' >"$key")
trap 'rm -f "$key"' EXIT
for url in "tcp://127.0.0.1:0?shm=off" "unix://@taskfarm-chaos-$$?shm=off" "unix://@taskfarm-chaos-$$" "tcp://127.0.0.1:0"; do
  "$build/tests/chaos" "$url" "$tasks" "$kills" "$workers" "$seed" 2>/dev/null || failed=1
done
"$build/tests/chaos" "tcp://127.0.0.1:0?shm=off" "$tasks" "$kills" "$workers" "$seed" "$key" 2>/dev/null || failed=1
exit $failed
