import type { IndexUpkeep } from '#ports/index-upkeep.ts';
import { loadConfig } from '#src/settings/config.ts';
import { keepLittleGarbage } from '#src/start/keep-little-garbage.ts';
import { type Backends, jobPatienceMs, openBackends } from '#src/start/open-backends.ts';
import type { Auditor } from '#usecases/do-audited.ts';
import { operatorName } from '../operator-name.ts';

/** What a command knows beside the backends. */
export interface CommandContext {
  /** Writes down what the command changes. */
  auditor: Auditor;
  dataDir: string;
}

/** Opens the backends that the settings choose for one piece of work, and closes them whatever becomes of it. */
export async function withBackends(
  work: (backends: Backends, context: CommandContext) => Promise<void>,
): Promise<void> {
  const config = loadConfig();
  const backends = await openBackends(config, { patienceMs: jobPatienceMs });
  try {
    const auditor = { audit: backends.audit, operator: operatorName() };
    await work(backends, { auditor, dataDir: config.dataDir });
  } finally {
    await backends.close();
  }
}

export interface UpkeepContext extends CommandContext {
  /** Whether the index follows every write by itself. */
  followsItself: boolean;
}

/** The same for work on the index, once the engines are there, and in little memory (decisions/0104). */
export async function withUpkeep(work: (upkeep: IndexUpkeep, context: UpkeepContext) => Promise<void>): Promise<void> {
  keepLittleGarbage();
  await withBackends(async ({ kind, upkeep, whenPrepared }, context) => {
    await whenPrepared();
    await work(upkeep, { ...context, followsItself: kind === 'embedded' });
  });
}
