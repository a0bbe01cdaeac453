import type { IndexUpkeep } from '#ports/index-upkeep.ts';
import { loadConfig } from '#src/config.ts';
import { keepLittleGarbage } from '#src/keep-little-garbage.ts';
import { type Backends, jobPatienceMs, openBackends } from '#src/open-backends.ts';

/** Opens the backends that the settings choose for one piece of work, and closes them whatever becomes of it. */
export async function withBackends(work: (backends: Backends, dataDir: string) => Promise<void>): Promise<void> {
  const config = loadConfig();
  const backends = await openBackends(config, { patienceMs: jobPatienceMs });
  try {
    await work(backends, config.dataDir);
  } finally {
    await backends.close();
  }
}

/**
 * The same for work on the index, once the engines are there, and in little memory (decisions/0104).
 *
 * @param work is told whether the index follows every write by itself
 */
export async function withUpkeep(work: (upkeep: IndexUpkeep, followsItself: boolean) => Promise<void>): Promise<void> {
  keepLittleGarbage();
  await withBackends(async ({ kind, upkeep, whenPrepared }) => {
    await whenPrepared();
    await work(upkeep, kind === 'embedded');
  });
}
