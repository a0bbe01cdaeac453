#!/bin/sh
# Copies everything in MongoDB to a file in a folder of this server while the service runs, and removes copies there that are
# older than two weeks. By hand, or every night by a line in /etc/cron.d/masthead:
#   30 3 * * * root sh /opt/masthead/docker/back-up.sh /var/backups/masthead
set -eu
umask 077
folder="$1"
mkdir -p "$folder"
folder="$(cd "$folder" && pwd)"
cd "$(dirname "$0")/.."
# As root, because the folder is root's; also where Elasticsearch is ill, on which the service depends.
docker compose run --rm -T --no-deps -u 0 -v "$folder:/backups" api \
  npm run --silent admin -- backup "/backups/$(date -u +%Y-%m-%dT%H%M%SZ).masthead.gz"
# Only after a copy that succeeded.
find "$folder" -maxdepth 1 -type f -name '*.masthead.gz' -mtime +14 -delete
