#!/bin/bash
# mongod takes only a key file that belongs to it alone; secrets can be read by every user of the container.
set -euo pipefail
install -o mongodb -g mongodb -m 400 /run/secrets/mongodb-keyfile /run/mongodb-keyfile
exec docker-entrypoint.sh mongod --replSet rs0 --bind_ip_all --quiet --wiredTigerCacheSizeGB 0.5 \
  --keyFile /run/mongodb-keyfile --tlsMode requireTLS --tlsCertificateKeyFile /run/secrets/mongo.pem \
  --tlsCAFile /run/secrets/ca.crt --tlsAllowConnectionsWithoutCertificates "$@"
