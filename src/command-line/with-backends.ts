import { requireStore } from '#backends/embedded/database.ts';
import { type Config, loadConfig } from '#src/settings/config.ts';
import {
  type BackendOptions,
  type Backends,
  jobTimeoutMs,
  openBackends,
  operatorName,
} from '#src/start/open-backends.ts';

/** The configured backends, and for the audit log who runs the command. */
export type CommandBackends = Backends & { operator: string };

type Work = (backends: CommandBackends, config: Config) => Promise<void>;

/** Opens the configured backends, does the work, and closes them. Throws if there is no embedded store yet. */
export async function withBackends(work: Work, options?: Partial<BackendOptions>): Promise<void> {
  const { mongoUri, dataDir } = loadConfig();
  if (mongoUri === null) requireStore(dataDir);
  await withNewBackends(work, options);
}

/** The same, but creates an embedded store if there is none. */
export async function withNewBackends(
  work: Work,
  options: Partial<BackendOptions> = { timeoutMs: jobTimeoutMs },
  config = loadConfig(),
): Promise<void> {
  const backends = await openBackends(config, options);
  try {
    await work({ ...backends, operator: operatorName() }, config);
  } finally {
    await backends.close();
  }
}
