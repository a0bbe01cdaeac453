import { loadConfig } from '#src/settings/config.ts';
import { type Backends, openBackends } from '#src/start/open-backends.ts';
import { findPepper, requirePepper } from '#src/start/open-pepper.ts';
import { printError } from '../command-line.ts';
import { operatorName } from '../operator-name.ts';

export interface Stores extends Pick<Backends, 'keys' | 'orders' | 'audit' | 'pepper'> {
  /** Who runs the command, for the audit log. */
  operator: string;
}

/**
 * Opens the stores for one piece of work. The server may be running: it sees the change within five seconds (decisions/0056).
 *
 * @param work is told how to get the key pepper, which is made where there is none
 */
export async function withStores(
  work: (stores: Stores, pepper: () => Promise<string>) => Promise<void>,
): Promise<void> {
  const config = loadConfig();
  const backends = await openBackends(config);
  try {
    await work({ ...backends, operator: operatorName() }, async () => {
      const found = await findPepper(config, backends.pepper);
      await requirePepper(found, backends.pepper, { isService: false, logLine: printError });
      return found.pepper;
    });
  } finally {
    await backends.close();
  }
}
