#!/bin/sh
# A command over a build with sanitizers: sanitized.sh BUILD COMMAND...
# Each process writes what its sanitizer finds into a file of its own, and any such file is a failure: a worker's output may
# go nowhere, and whoever restarts it takes its end for one death more. First a fault is planted: a run that does not find it
# would show nothing. (So UBSan has a build of its own: beside ASan that of gcc 12 writes to standard error only.)
set -u
build=$1
shift
reports=$(realpath "$build")/reports
export UBSAN_OPTIONS="log_path=$reports/report:print_stacktrace=1:halt_on_error=1"
export ASAN_OPTIONS="log_path=$reports/report:detect_leaks=${LEAKS:-1}:${ASAN_OPTIONS:-}"
# Workers are forked by processes with threads, and have threads of their own.
export TSAN_OPTIONS="log_path=$reports/report:die_after_fork=0:${TSAN_OPTIONS:-}"

rm -rf "$reports"
mkdir -p "$reports"
fault=$("$build/tests/planted")
"$build/tests/planted" "$fault" || exit 1
[ -n "$(ls "$reports")" ] || { echo "sanitized: a planted fault ($fault) was not reported"; exit 1; }
echo "sanitized: a planted fault ($fault) is reported"
rm -rf "$reports"
mkdir -p "$reports"
"$@"
status=$?
count=$(ls "$reports" | wc -l)
[ "$count" = 0 ] && exit $status
for report in $(ls "$reports" | head -5); do
  echo "== $report"
  head -60 "$reports/$report"
done
echo "sanitized: $count reports of processes, in $reports"
exit 1
