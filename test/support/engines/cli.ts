/** `npm run engines`: runs MongoDB and Elasticsearch in the foreground, for trying the production backend by hand. */
import { EngineMissing, startEngine } from './start-engine.ts';

const log = (line: string) => console.log(line);

log('starting MongoDB and Elasticsearch …');
const started = await Promise.allSettled([startEngine('mongodb', log), startEngine('elasticsearch', log)]);
const stop = () =>
  Promise.all(started.map(async (engine) => engine.status === 'fulfilled' && (await engine.value.stop())));

const [mongodb, elasticsearch] = started;
if (mongodb.status === 'rejected' || elasticsearch.status === 'rejected') {
  for (const engine of started) {
    if (engine.status === 'rejected') console.error(describe(engine.reason));
  }
  await stop();
  process.exit(1);
}

console.log(`
MongoDB        ${mongodb.value.url}   (${mongodb.value.origin})
Elasticsearch  ${elasticsearch.value.url}   (${elasticsearch.value.origin})

To serve from them, in another terminal (the pepper is any text of 32 characters or more; keep it):
  export MONGODB_URI='${mongodb.value.url}' ELASTICSEARCH_URL='${elasticsearch.value.url}'
  export KEY_PEPPER="$(openssl rand -hex 32)" PAYMENTS=sandbox
  npm start
To fill them with invented records, beside it with the same settings:
  npm run indexer -- sample 5000 --output sample.ndjson
  npm run indexer -- import sample.ndjson && npm run indexer -- reindex

To run tests on them:
  export MASTHEAD_TEST_MONGODB_URI='${mongodb.value.url}' MASTHEAD_TEST_ELASTICSEARCH_URL='${elasticsearch.value.url}'
  npm test

Ctrl-C stops both and removes all they hold.`);

const keepAlive = setInterval(() => {}, 60_000);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, async () => {
    clearInterval(keepAlive);
    await stop();
    process.exit(0);
  });
}

function describe(reason: unknown): string {
  if (reason instanceof EngineMissing) return reason.message;
  return reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
}
