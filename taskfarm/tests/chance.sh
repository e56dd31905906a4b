#!/bin/sh
# By chance: a farm beside the model of its promises, and one on a system whose calls and allocations fail, over each transport,
# with a journal and without: chance.sh BUILD [SEEDS STEPS TASKS [FIRST]]
set -u
build=$1 seeds=${2:-2} steps=${3:-150} tasks=${4:-1500} first=${5:-1} failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(umask 077 && od -An -N32 -tx1 /dev/urandom | tr -d ' \n' >"$folder/key")
for kind in unix tcp shm tcp-shm; do
  "$build/tests/stateful" "$kind" "$steps" "$first" "$seeds" || failed=1
done
[ -x "$build/tests/faulty_system" ] || exit $failed  # under ThreadSanitizer there is none
for seed in $(seq "$first" $((first + seeds - 1))); do
  for journal in "" "$folder/journal"; do
    for url in "tcp://127.0.0.1:0?shm=off" "unix://$folder/farm?shm=off" "unix://$folder/farm" "tcp://127.0.0.1:0"; do
      rm -f "$folder/journal"
      "$build/tests/faulty_system" "$url" "$tasks" "$seed" 40 200 $((20 + seed * 37 % 400)) "$journal" || failed=1
    done
    rm -f "$folder/journal"
    "$build/tests/faulty_system" "tcp://127.0.0.1:0?shm=off" "$tasks" "$seed" 40 200 100 "$journal" "$folder/key" || failed=1
  done
done
exit $failed
