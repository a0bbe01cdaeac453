/** `npm run engines`: runs MongoDB and Elasticsearch in the foreground, for trying the production backend by hand. */
import { setTimeout as pause } from 'node:timers/promises';
import { startSharedEngines } from './start-engine.ts';

console.log('starting MongoDB and Elasticsearch …');
const shared = await startSharedEngines((line) => console.log(line), 'figures');
const { mongodb, elasticsearch } = shared.urls;
if (mongodb === null || elasticsearch === null) {
  await shared.stop();
  process.exit(1);
}

console.log(`
MongoDB        ${mongodb}
Elasticsearch  ${elasticsearch}

To serve from them, in another terminal (the pepper is any text of 32 characters or more; keep it):
  export MONGODB_URI='${mongodb}' ELASTICSEARCH_URL='${elasticsearch}'
  export KEY_PEPPER="$(openssl rand -hex 32)" PAYMENTS=sandbox
  npm start
To fill them with invented records, beside it with the same settings:
  npm run indexer -- sample 5000 --output sample.ndjson
  npm run indexer -- import sample.ndjson && npm run indexer -- reindex

To run tests on them:
  export MASTHEAD_TEST_MONGODB_URI='${mongodb}' MASTHEAD_TEST_ELASTICSEARCH_URL='${elasticsearch}'
  npm test

Ctrl-C stops both and removes all they hold.`);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, async () => {
    await shared.stop();
    process.exit(0);
  });
}
for (;;) await pause(60_000);
