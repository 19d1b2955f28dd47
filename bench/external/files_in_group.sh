#!/usr/bin/env bash
# Runs bench/external/files_speed.sh in a control group with a limit of memory, page cache included,
# and prints the most that the group used. Needs root, and a control group file system for memory.
usage="usage: bench/external/files_in_group.sh LIMIT_BYTES BUILD_FOLDER FOLDER [N [M [MEMORY …]]]"
set -euo pipefail
[ $# -ge 3 ] || { echo "$usage" >&2; exit 2; }
limit=$1
shift

mount_of() {  # TYPE OPTION: where a control group file system with the option is mounted
  awk -v type="$1" -v option="$2" \
    '$3 == type && ("," $4 ",") ~ ("," option ",") {print $2; exit}' /proc/mounts
}
group=$(mount_of cgroup memory)
limit_file=memory.limit_in_bytes
peak_file=memory.max_usage_in_bytes
if [ -z "$group" ]; then
  group=$(mount_of cgroup2 rw)
  limit_file=memory.max
  peak_file=memory.peak
fi
[ -n "$group" ] || { echo "no control groups of memory here" >&2; exit 1; }
group=$group/presort-files-$$
mkdir "$group"
trap 'rmdir "$group"' EXIT
echo "$limit" >"$group/$limit_file"
status=0
(echo $BASHPID >"$group/cgroup.procs" && exec "$(dirname "$0")/files_speed.sh" "$@") || status=$?
echo "limit of the group $limit bytes, most used $(cat "$group/$peak_file" 2>/dev/null || echo '?')"
exit $status
