// The first check makes it a replica set of one node; it is healthy as soon as it takes writes.
const { readFileSync } = require('node:fs');

const admin = db.getSiblingDB('admin');
admin.auth('operator', readFileSync('/run/secrets/mongodb-operator-password', 'utf8').trim());
try {
  rs.status();
} catch {
  rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongo:27017' }] });
}
for (let tries = 0; tries < 80 && !admin.hello().isWritablePrimary; tries++) sleep(100);
quit(admin.hello().isWritablePrimary ? 0 : 1);
