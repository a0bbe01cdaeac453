import { existsSync, statfsSync, statSync } from 'node:fs';
import { AliasGenerations, aliasOfForm, defaultLayout } from '#backends/elasticsearch/alias-generations.ts';
import { connectCluster, type ElasticsearchAddress } from '#backends/elasticsearch/connect-elasticsearch.ts';
import { databasePath, openReader } from '#backends/embedded/database.ts';
import { isIndexOfThisVersion, listPendingMigrations } from '#backends/embedded/store/upgrade-store.ts';
import { listPendingSteps } from '#backends/mongo/upgrade-store.ts';

/** How much a folder grows at most, by the size of the file: 0.6 times at 100,000 records. SQLite writes the index anew. */
const growthOfFolder = 1;

/** The same by the size of the index that serves: the new one, and as much while its segments merge. */
const growthOfEngine = 2;

/**
 * What the next start of this version would do to an embedded store, and whether there is room for it. Changes nothing.
 *
 * @throws Error if there is not, or if a newer version wrote the store
 */
export function planEmbeddedUpgrade(dataDir: string): string {
  const path = databasePath(dataDir);
  if (!existsSync(path)) return 'there is no store yet';
  using reader = openReader(path);
  const steps = listPendingMigrations(reader).map(({ name }) => name);
  if (!isIndexOfThisVersion(reader)) steps.push('the search index is built again');
  if (steps.length === 0) return "the store has this version's form";
  const { bavail, bsize } = statfsSync(dataDir);
  return describePlan(steps, { needed: growthOfFolder * statSync(path).size, free: bavail * bsize, where: dataDir });
}

/** The same for MongoDB and Elasticsearch. */
export async function planProductionUpgrade(
  mongoUri: string,
  address: ElasticsearchAddress,
  alias: string,
): Promise<string> {
  const steps = [...(await listPendingSteps(mongoUri))];
  await using cluster = connectCluster(address);
  const { client } = cluster;
  const hasIndex = await client.indices.existsAlias({ name: aliasOfForm(alias) });
  const otherForms = await new AliasGenerations(cluster, alias, defaultLayout).listOfOtherForms();
  if (hasIndex || otherForms.length === 0)
    return steps.length === 0 ? "the store has this version's form" : describePlan(steps);
  steps.push(`\`npm run indexer -- reindex\` builds an index beside ${otherForms.at(-1)}, which goes on`);
  const { indices = {} } = await client.indices.stats({ index: otherForms, metric: 'store' });
  const needed = Math.max(...Object.values(indices).map(({ total }) => total?.store?.size_in_bytes ?? 0));
  const { nodes } = await client.nodes.stats({ metric: 'fs' });
  const free = Object.values(nodes).reduce((sum, { fs }) => sum + (fs?.total?.available_in_bytes ?? 0), 0);
  return describePlan(steps, { needed: growthOfEngine * needed, free, where: 'Elasticsearch' });
}

function describePlan(steps: readonly string[], room?: { needed: number; free: number; where: string }): string {
  const plan = `an upgrade is due: ${steps.join('; ')}`;
  if (room === undefined) return plan;
  const size = `It takes up to ${inMegabytes(room.needed)} in ${room.where}, where ${inMegabytes(room.free)} are free`;
  if (room.free < room.needed) throw new Error(`${plan}. ${size}: make room first.`);
  return `${plan}. ${size}`;
}

function inMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000)} MB`;
}
