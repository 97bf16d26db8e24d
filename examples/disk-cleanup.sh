#!/bin/sh
# disk-cleanup.sh: gives a full disk some room again.
#
# Usage: disk-cleanup.sh DIRECTORY
#
#   rmsh --mode remediation --allow-path /srv:rw disk-cleanup.sh /srv
#
# Empties logs that have grown too big, then removes core dumps, rotated logs and stale temporary files, the biggest gain
# first. rm takes ten files at a time and a run may remove a hundred: what is left over is counted, and the exit status says
# whether another run is worth it. sh can run this file too; it only lacks the net.
set -u

if [ $# -ne 1 ] || [ ! -d "$1" ]; then
  echo "usage: disk-cleanup.sh DIRECTORY" >&2
  exit 2
fi
dir=$1

BIG_LOG=1M       # a live log above this is emptied
LOG_DAYS=7       # rotated logs older than this go
TEMP_MINUTES=720 # temporary files untouched for longer go

section() {
  printf '\n%s\n' "$1"
}

# usage: how much there is, and the three biggest files.
usage() {
  printf '  %s in %s files\n' "$(du -sh "$dir" | cut -f 1)" "$(count "$dir" -type f)"
  find "$dir" -type f -printf '%s %P\n' | sort -rn | head -n 3 | while read -r size name; do
    printf '  %9d  %s\n' "$size" "$name"
  done
}

# count FIND-OPERANDS...: one dot for each file, because a name may hold a newline.
count() {
  find "$@" -printf . | wc -c
}

left=0

# clean WHAT FIND-OPERANDS...: removes the files that find names.
clean() {
  what=$1
  shift
  found=$(count "$@")
  removed=$(find "$@" -print0 | xargs -0 -r -n 10 rm -v | wc -l)
  left=$((left + found - removed))
  printf '  %-16s %3d found, %3d removed\n' "$what" "$found" "$removed"
}

section 'Before'
usage

section 'Live logs: emptied in place, so that their writers go on'
[ ! -d "$dir/log" ] || find "$dir/log" -name '*.log' -type f -size "+$BIG_LOG" | while IFS= read -r log; do
  if truncate -s 0 "$log"; then
    printf '  emptied %s\n' "${log#"$dir"/}"
  fi
done

section 'Core dumps, rotated logs, temporary files'
clean 'core dumps' "$dir" -type f -name 'core.[0-9]*'
[ ! -d "$dir/log" ] || clean 'rotated logs' "$dir/log" -type f -name '*.log.[0-9]*' -mtime "+$LOG_DAYS"
[ ! -d "$dir/tmp" ] || clean 'temporary files' "$dir/tmp" -type f -mmin "+$TEMP_MINUTES"

section 'After'
usage

if [ "$left" -gt 0 ]; then
  printf '\n%d files are left for the next run.\n' "$left"
  exit 1
fi
