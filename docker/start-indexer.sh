#!/bin/sh
# Fills a new database with SAMPLE_RECORDS sample records, once; then keeps the index equal to the records.
set -eu
marker="${MASTHEAD_DATA_DIR}/sample-loaded"
if [ "${SAMPLE_RECORDS:-0}" != 0 ] && [ ! -e "$marker" ]; then
  # In the background, so that a signal ends this shell at once. What was not saved then is loaded at the next start.
  run() { "$@" & wait $!; }
  trap 'kill $!; exit 143' TERM INT
  # Through a file: in a pipe, sh does not notice that the first program failed.
  sample="${MASTHEAD_DATA_DIR}/sample.ndjson"
  run node indexer/main.ts sample "$SAMPLE_RECORDS" --output "$sample"
  run node indexer/main.ts import --keep-sample "$sample"
  rm "$sample"
  trap - TERM INT
  touch "$marker"
fi
exec node --heap-growing-percent=100 --max-semi-space-size=16 indexer/main.ts sync
