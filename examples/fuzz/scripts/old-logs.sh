# Logs that are older than a week go; the newest three stay whatever their age.
cd /box/rw || exit 1
ls -1t *.log 2>/dev/null | tail -n +4 | while IFS= read -r log; do
  rm "$log"
done
find . -name '*.gz' -mtime +7 -delete
