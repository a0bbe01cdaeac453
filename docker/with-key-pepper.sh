#!/bin/sh
# Runs a program of Masthead's with a KEY_PEPPER: the one that is set, also by KEY_PEPPER_FILE, else one that is made at
# the first start and kept in the data folder. For the trial set-up of docker-compose.yml, whose containers share that
# folder; processes that do not share it need the same KEY_PEPPER from their settings.
set -eu
if [ -z "${KEY_PEPPER:-}${KEY_PEPPER_FILE:-}" ]; then
  KEY_PEPPER="$(node --input-type=module -e '
    import { makeKeyPepper, readKeyPepper } from "#backends/embedded/key-pepper.ts";
    // The program compares it with the one that MongoDB has recorded.
    const [, dataDir] = process.argv;
    process.stdout.write(readKeyPepper(dataDir) ?? makeKeyPepper(dataDir));
  ' "${MASTHEAD_DATA_DIR:-./data}")"
  export KEY_PEPPER
fi
exec "$@"
