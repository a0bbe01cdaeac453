import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databasePath } from '#backends/embedded/database.ts';
import type { IndexMaintenance } from '#search/indexed/index-maintenance.ts';
import * as commandLine from '#src/command-line/with-backends.ts';
import { type Config, loadConfig } from '#src/settings/config.ts';
import { type BackendOptions, type BackendSettings, type Backends, openBackends } from '#src/start/open-backends.ts';

/** Backends with the care of their index, which is the indexer's work in production. */
export type Maintained<Opened extends Backends = Backends> = Omit<Opened, 'maintenance'> & {
  maintenance: IndexMaintenance;
};

export type IndexerBackends = Maintained<commandLine.CommandBackends>;

type Work = (backends: IndexerBackends, config: Config) => Promise<void>;

/** Opens the configured backend with the care of its index; throws as openBackends does. */
export async function openIndexer(settings: BackendSettings): Promise<Maintained> {
  return maintained(await openBackends(settings));
}

const withMaintenance = (work: Work) => async (backends: commandLine.CommandBackends, config: Config) =>
  work(await maintained(backends), config);

/** Opens the configured backends for one piece of work, and always closes them. An embedded store must be there. */
export const withBackends = (work: Work, options?: Partial<BackendOptions>) =>
  commandLine.withBackends(withMaintenance(work), options);

/** The same for work that makes an embedded store where there is none. */
export const withNewBackends = (work: Work) => commandLine.withNewBackends(withMaintenance(work));

/** The same for work that needs both engines: it starts once they are up. */
export const withReadyBackends = (work: Work, options?: Partial<BackendOptions>) =>
  withBackends(async (backends, config) => {
    await backends.whenPrepared();
    await work(backends, config);
  }, options);

/** The same for work that changes nothing: where there is no embedded store it gets an empty one, which goes afterwards. */
export async function withBackendsToRead(work: Work): Promise<void> {
  const config = loadConfig();
  if (config.mongoUri !== null || existsSync(databasePath(config.dataDir))) return withBackends(work);
  const dataDir = await mkdtemp(join(tmpdir(), 'masthead-'));
  const inEmpty = withMaintenance((backends) => work(backends, config));
  await commandLine
    .withNewBackends(inEmpty, undefined, { ...config, dataDir })
    .finally(() => rm(dataDir, { recursive: true }));
}

/** Adds the care of the index in Elasticsearch; the embedded store has its own. */
export async function maintained<Opened extends Backends>(backends: Opened): Promise<Maintained<Opened>> {
  const { maintenance, syncDeps } = backends;
  if (maintenance !== null) return { ...backends, maintenance };
  const { maintainProduction } = await import('./syncing/maintain-production.ts');
  if (syncDeps === null) throw new Error('a backend without an index of its own has what the sync needs');
  return { ...backends, maintenance: maintainProduction(syncDeps) };
}
