# The keeper of a job: it starts the ranks, reaps them into exit.RANK, ends the job when it was aborted or the session is
# gone, and at the end removes every folder of the job. It trusts a process id only together with the start time of the
# process. It counts in hundredths of a second: nap, doom (since the end was decided), grace.
#
#   sh keeper.sh JOB_FOLDER

umask 077
job=$1
cd "$job" || exit 1
. ./job.sh
started() {
  if [ -d /proc/self ]; then
    read -r facts 2>/dev/null <"/proc/$1/stat" || { when=; return; }
    set -- ${facts##*) }
    if [ "$1" = Z ]; then when=; else when=${20}; fi
  else
    when=$(ps -o lstart= -p "$1" 2>/dev/null)
  fi
}
alive() { started "$1"; [ -n "$when" ] && [ "$when" = "$2" ]; }
ended() {
  printf '%-15s\n' "$2" 1<>"slot.$1" 2>/dev/null
  mv -f "slot.$1" "exit.$1" 2>/dev/null || : >"exit.$1"
}
end_with() {
  r=$first
  while [ "$r" -lt "$size" ]; do
    eval "pid=\$pid_$r start=\$start_$r"
    if [ ! -e "exit.$r" ] && alive "$pid" "$start"; then
      # until its program begins, Octave would write octave-workspace where it is
      if [ -e "begun.$r" ]; then signal=$1; else signal=KILL; fi
      kill -s "$signal" -- "-$pid" 2>/dev/null || kill -s "$signal" "$pid" 2>/dev/null
      eval "host=\$host_$r"
      [ -z "$host" ] || far "$host" "$r $signal" >/dev/null 2>&1
    fi
    r=$((r + 1))
  done
}
quote() { printf "%s" "$1" | sed "s/'/'\\\\''/g; 1s/^/'/; \$s/\$/'/"; }
far() { ( remote "$1" "sh $(quote "$job/rank.sh") $(quote "$job") $2" ) </dev/null; }
if command -v setsid >/dev/null 2>&1; then own=setsid; else own=; fi
started $$; printf '%s %s %s\n' "$$" "$when" "$(hostname)" >keeper.t; mv keeper.t keeper
first=$home_is_rank_zero
r=$first
while [ "$r" -lt "$size" ]; do
  eval "host=\$host_$r"
  if [ -z "$host" ]; then
    $own sh "$job/rank.sh" "$job" "$r" </dev/null >"log.$r" 2>&1 &
  else
    far "$host" "$r" >"log.$r" 2>&1 &
  fi
  started $!; eval "pid_$r=$! start_$r=\$when"
  r=$((r + 1))
done
over=0 doom=0 nap=10 sent=
while :; do
  left=0 r=$first
  while [ "$r" -lt "$size" ]; do
    if [ ! -e "exit.$r" ]; then
      eval "pid=\$pid_$r start=\$start_$r"
      if alive "$pid" "$start"; then
        left=$((left + 1))
      else
        wait "$pid"; ended "$r" "$?"
        if [ -d "/proc/self" ] && [ -n "$own" ]; then kill -s KILL -- "-$pid" 2>/dev/null; fi
      fi
    fi
    r=$((r + 1))
  done
  if [ "$over" = 0 ] && [ "$background" = 1 ]; then
    [ "$left" != 0 ] || over=1
  elif [ "$over" = 0 ]; then
    if ! alive "$home" "$home_start"; then
      over=lost
      [ "$home_is_rank_zero" = 0 ] || [ -e exit.0 ] || ended 0 unknown
    elif [ -e bye ]; then
      over=1
    fi
  fi
  if [ "$over" = lost ] || [ "$over" = 1 ] || [ -e abort ]; then
    doom=$((doom + nap))
    if [ "$doom" -ge "$grace" ] && [ -z "$sent" ]; then sent=TERM; end_with TERM; fi
    if [ "$doom" -ge $((grace + 100)) ]; then end_with KILL; fi
  fi
  [ "$over" = 0 ] || [ "$left" != 0 ] || break
  if [ -e exit.0 ] || [ -e abort ]; then nap=2; sleep 0.02; else nap=10; sleep 0.1; fi
done
r=0
while [ "$r" -lt "$size" ]; do
  eval "out=\$out_$r"
  if [ -L "$out" ] && [ "$(readlink "$out")" = "$job/log.$r" ]; then
    sed '/^error: ignoring const execution_exception& while preparing to exit$/d' "log.$r" >"$out.t" 2>/dev/null
    mv -f "$out.t" "$out" || rm -f "$out.t" "$out"
  fi
  r=$((r + 1))
done
k=1
while [ "$k" -le "$others" ]; do
  eval "other=\$other_$k"
  rm -rf -- "$other"
  k=$((k + 1))
done
for extra in extra.*; do
  [ -f "$extra" ] || continue
  other=$(cat "$extra"; printf x); other=${other%x}
  case "$other" in */filempi-*) rm -rf -- "$other";; esac
done
cd /
rm -rf -- "$job"
