// Runs once, in an empty MongoDB, before anyone else can reach it: the operator, and the user that Masthead works as.
const { readFileSync } = require('node:fs');

const passwordOf = (name) => readFileSync(`/run/secrets/${name}`, 'utf8').trim();
const admin = db.getSiblingDB('admin');
admin.createUser({ user: 'operator', pwd: passwordOf('mongodb-operator-password'), roles: ['root'] });
admin.createUser({
  user: 'masthead',
  pwd: passwordOf('mongodb-password'),
  roles: ['readWrite', 'dbAdmin'].map((role) => ({ role, db: 'masthead' })),
});
