# The starter of one rank, which becomes the interpreter; with a signal as third argument it ends that rank instead (used
# on other hosts), if the process is still the one that was started.
#
#   sh rank.sh JOB_FOLDER RANK [SIGNAL]

umask 077
. "$1/job.sh" || exit 66
job=$1
when_of() {
  if [ -d /proc/self ]; then
    read -r facts 2>/dev/null <"/proc/$1/stat" || { when=; return; }
    set -- ${facts##*) }
    when=${20}
  else
    when=$(ps -o lstart= -p "$1" 2>/dev/null)
  fi
}
if [ -n "$3" ]; then
  read -r pid start <"$job/pid.$2" || exit 0
  when_of "$pid"
  [ -z "$when" ] || [ "$when" != "$start" ] || kill -s "$3" "$pid"
  exit 0
fi
when_of $$
printf '%s %s\n' "$$" "$when" >"$job/pid.$2.t" && mv "$job/pid.$2.t" "$job/pid.$2"
cd "$cwd" || exit 66
FILEMPI_JOB=$job FILEMPI_RANK=$2 FILEMPI_TOOLBOX=$toolbox
OMP_NUM_THREADS=${OMP_NUM_THREADS:-$threads}
export FILEMPI_JOB FILEMPI_RANK FILEMPI_TOOLBOX OMP_NUM_THREADS
interpret "addpath(getenv('FILEMPI_TOOLBOX')); filempi_rank_main();"
