#!/bin/sh
# Runs a program of Masthead's with a KEY_PEPPER: the one that is set, also as KEY_PEPPER_FILE, else one that is made at the first start and kept
# in the data folder. For the trial set-up of docker-compose.yml, whose containers share that folder; processes that do
# not share it need the same KEY_PEPPER from their settings.
set -eu
if [ -z "${KEY_PEPPER:-}${KEY_PEPPER_FILE:-}" ]; then
  KEY_PEPPER="$(node --input-type=module -e '
    import { readOrMakeKeyPepper } from "#backends/embedded/key-pepper.ts";
    // The keys are in MongoDB, which may not be there yet.
    const keys = { list: async () => [] };
    process.stdout.write(await readOrMakeKeyPepper(process.argv[1], keys));
  ' "${MASTHEAD_DATA_DIR:-./data}")"
  export KEY_PEPPER
fi
exec "$@"
