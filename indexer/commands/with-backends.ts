import { loadConfig } from '#src/config.ts';
import { type BackendNews, type Backends, openBackends } from '#src/open-backends.ts';

/** Opens the backends that the settings choose for one piece of work, and closes them whatever becomes of it. */
export async function withBackends(
  work: (backends: Backends, dataDir: string) => Promise<void>,
  news: Partial<BackendNews> = {},
): Promise<void> {
  const config = loadConfig();
  const backends = await openBackends(config, news);
  try {
    await work(backends, config.dataDir);
  } finally {
    await backends.close();
  }
}
