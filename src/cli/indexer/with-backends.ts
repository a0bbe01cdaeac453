import { loadConfig } from '#src/settings/config.ts';
import { type Backends, jobTimeoutMs, openBackends } from '#src/start/open-backends.ts';
import type { Auditor } from '#usecases/do-audited.ts';
import { operatorName } from '../operator-name.ts';

/** What a command gets besides the backends. */
export interface CommandContext {
  /** Records in the audit log what the command changes. */
  auditor: Auditor;
  dataDir: string;
}

/** Opens the configured backends for one piece of work, and always closes them. */
export async function withBackends(
  work: (backends: Backends, context: CommandContext) => Promise<void>,
): Promise<void> {
  const config = loadConfig();
  const backends = await openBackends(config, { timeoutMs: jobTimeoutMs });
  try {
    const auditor = { audit: backends.audit, operator: operatorName() };
    await work(backends, { auditor, dataDir: config.dataDir });
  } finally {
    await backends.close();
  }
}

/** The same for work on the index, once the engines are up. */
export async function withIndex(work: (backends: Backends, context: CommandContext) => Promise<void>): Promise<void> {
  await withBackends(async (backends, context) => {
    await backends.whenPrepared();
    await work(backends, context);
  });
}
