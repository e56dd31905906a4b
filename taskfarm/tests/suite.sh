#!/bin/sh
# The parts of the suite that need no Python, over one build: suite.sh BUILD [TASKS KILLS]
set -u
build=$1 tasks=${2:-5000} kills=${3:-24} failed=0
"$build/tests/unit" || failed=1
"$(dirname "$0")/chaos.sh" "$build" "$tasks" "$kills" || failed=1
"$(dirname "$0")/chance.sh" "$build" || failed=1
for url in "tcp://127.0.0.1:0?shm=off" "unix://@taskfarm-suite-$$?shm=off" "unix://@taskfarm-suite-$$" "tcp://127.0.0.1:0"; do
  "$build/tests/kill_latency" "$url" 10 || failed=1
done
"$build/tests/squares" "unix://@taskfarm-squares-$$" worker &
"$build/tests/squares" "unix://@taskfarm-squares-$$" || failed=1
wait $! || failed=1
exit $failed
