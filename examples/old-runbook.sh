#!/bin/sh
# old-runbook.sh: what an old runbook says, tried on the demo's throw-away disk, to show what rmsh refuses and what it lets pass.
#
# For `npm run demo` only: with sh, each line would do what it says.
#
# Usage: old-runbook.sh DIRECTORY
dir=$1

echo 'rm -rf cache'
rm -rf "$dir/cache" || echo '  - refused: no directory is removed'
echo 'rm export/customers.csv     (export is a link out of the tree)'
rm "$dir/export/customers.csv" || echo '  - refused: it stands outside'
echo 'rm export'
rm "$dir/export" && echo '  - removed: the link, not what it points to'
echo 'truncate -s 0 log/audit.log (a hard link: its other name is outside)'
truncate -s 0 "$dir/log/audit.log" || echo '  - refused: the other name has the same content'
echo 'rm log/audit.log'
rm "$dir/log/audit.log" && echo '  - removed: this name, not the other'
