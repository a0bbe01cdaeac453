import { requireStore } from '#backends/embedded/database.ts';
import { type Config, loadConfig } from '#src/settings/config.ts';
import {
  type BackendOptions,
  type Backends,
  jobTimeoutMs,
  openBackends,
  operatorName,
} from '#src/start/open-backends.ts';

/** The configured backends, and who runs the command, for the audit log. */
export type CommandBackends = Backends & { operator: string };

type Work = (backends: CommandBackends, config: Config) => Promise<void>;

/** Opens the configured backends for one piece of work, and always closes them. An embedded store must be there. */
export async function withBackends(work: Work, options?: Partial<BackendOptions>): Promise<void> {
  const { mongoUri, dataDir } = loadConfig();
  if (mongoUri === null) requireStore(dataDir);
  await withNewBackends(work, options);
}

/** The same for work that makes an embedded store where there is none. */
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
