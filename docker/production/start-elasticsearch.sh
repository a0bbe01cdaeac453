#!/bin/bash
# The image itself takes a password from a file only where no other user can read that.
set -euo pipefail
ELASTIC_PASSWORD="$(cat /run/secrets/elastic-password)"
export ELASTIC_PASSWORD
exec /bin/tini -- /usr/local/bin/docker-entrypoint.sh eswrapper
