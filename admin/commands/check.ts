import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { ElasticsearchAddress } from '#backends/elasticsearch/connect-elasticsearch.ts';
import { databasePath, openReader } from '#backends/embedded/database.ts';
import { findDamage } from '#backends/embedded/find-damage.ts';
import { findDiskFault } from '#backends/embedded/sqlite-health.ts';
import { type JsonFlag, print, printJson } from '#src/command-line/command-line.ts';
import { ConfigError, findMisspelt, loadConfig } from '#src/settings/config.ts';
import { describeStartFault } from '#src/start/describe-start-fault.ts';
import { requirePayments } from '#src/start/open-payments.ts';

export function addTo(program: Command): void {
  program
    .command('check')
    .description('check the settings and try the store or both engines, without starting; exits with 0 if all is well')
    .action(check);
}

interface Check {
  check: string;
  is_ok: boolean;
  message: string;
}

async function check({ json }: JsonFlag): Promise<void> {
  const results = await runChecks();
  if (json) printJson(results);
  else for (const { check, is_ok, message } of results) print(`${is_ok ? 'ok   ' : 'FAULT'} ${check}: ${message}`);
  if (results.some(({ is_ok }) => !is_ok)) process.exitCode = 1;
}

/** Tries everything that a start needs, and more; starts nothing. */
export async function runChecks(): Promise<Check[]> {
  const results: Check[] = [];
  const attempt = async (name: string, work: () => Promise<string>) => {
    try {
      results.push({ check: name, is_ok: true, message: await work() });
    } catch (error) {
      const faults =
        error instanceof ConfigError ? error.faults : [describeStartFault(error).replace('masthead: ', '')];
      results.push(...faults.map((message) => ({ check: name, is_ok: false, message })));
    }
  };
  await attempt('settings', async () => {
    const config = loadConfig();
    const { dataDir, mongoUri, elasticsearch, indexAlias, smtp } = config;
    requirePayments(config);
    if (mongoUri === null || elasticsearch === null) {
      await attempt('store', async () => tryStore(dataDir));
      if (existsSync(databasePath(dataDir))) {
        await attempt('disk', () => tryDisk(dataDir));
        await attempt('file', async () => readWhole(dataDir));
        await attempt('upgrade', async () => {
          const { planEmbeddedUpgrade } = await import('../plan-upgrade.ts');
          return planEmbeddedUpgrade(dataDir);
        });
      }
    } else {
      await attempt('MongoDB', () => tryMongo(mongoUri));
      await attempt('Elasticsearch', () => tryElasticsearch(elasticsearch, indexAlias));
      await attempt('upgrade', async () => {
        const { planProductionUpgrade } = await import('../plan-upgrade.ts');
        return planProductionUpgrade(mongoUri, elasticsearch, indexAlias);
      });
    }
    if (smtp !== null)
      await attempt('mail', async () => {
        const { tryMailServer } = await import('#src/mail/smtp-mailer.ts');
        await tryMailServer(smtp);
        return `${smtp.host} accepts mails to send`;
      });
    const misspelt = findMisspelt();
    if (misspelt.length > 0) throw new ConfigError(misspelt);
    return 'all values are valid';
  });
  return results;
}

function tryStore(dataDir: string): string {
  if (!existsSync(databasePath(dataDir))) return `the first start makes it in ${dataDir}`;
  using reader = openReader(databasePath(dataDir));
  return `${reader.prepare('SELECT count(*) AS count FROM records').get()?.count} records in ${dataDir}`;
}

async function tryDisk(dataDir: string): Promise<string> {
  const fault = await findDiskFault(dataDir);
  if (fault !== null) throw new Error(`${fault}.`);
  return `this user can write to ${dataDir}`;
}

function readWhole(dataDir: string): string {
  const damage = findDamage(databasePath(dataDir));
  if (damage === null) return 'SQLite finds no damage in masthead.db';
  throw new Error(
    `masthead.db is damaged (${damage}). Stop the service, keep the folder, and restore the last backup (docs/operations.md).`,
  );
}

async function tryMongo(uri: string): Promise<string> {
  const [mongo, { MongoHealth }, { MongoKeyedStore }] = await Promise.all([
    import('#backends/mongo/connect-mongo.ts'),
    import('#backends/mongo/mongo-health.ts'),
    import('#backends/mongo/mongo-keyed-store.ts'),
  ]);
  await using client = mongo.createMongoClient(uri, mongo.requestTimeoutMs);
  try {
    await mongo.checkMongo(client);
    const database = mongo.openDatabase(client, uri);
    const fault = await new MongoHealth(database, (kind) => new MongoKeyedStore(database, kind)).findFault();
    if (fault !== null) throw new Error(`${fault}.`);
    return 'a replica set answers, and a majority confirms a write';
  } catch (error) {
    throw await mongo.explainMongoFault(error, client);
  }
}

async function tryElasticsearch(address: ElasticsearchAddress, alias: string): Promise<string> {
  const { checkElasticsearch, connectCluster } = await import('#backends/elasticsearch/connect-elasticsearch.ts');
  const { AliasGenerations, aliasOfForm, defaultLayout } = await import('#backends/elasticsearch/alias-generations.ts');
  const ofForm = aliasOfForm(alias);
  await using cluster = connectCluster(address);
  const faults = await checkElasticsearch(address);
  if (faults.length > 0) throw new ConfigError(faults);
  if (await cluster.client.indices.existsAlias({ name: ofForm })) return `it answers and has the index ${ofForm}`;
  const earlier = (await new AliasGenerations(cluster, alias, defaultLayout).listOfOtherForms()).at(-1);
  if (earlier !== undefined) return `it answers, and has ${earlier} of another version`;
  throw new Error(`this version has no index yet (${ofForm}). To build it: npm run indexer -- reindex`);
}
