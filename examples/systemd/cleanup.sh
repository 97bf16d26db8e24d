#!/usr/bin/env -S rmsh --policy /etc/rmsh/cleanup.json
# cleanup.sh DIRECTORY: rotated logs older than a week go.
dir=${1:?which directory}
cd "$dir" || exit 2
find . -type f -name '*.log.*' -mtime +7 -exec rm -v {} \;
