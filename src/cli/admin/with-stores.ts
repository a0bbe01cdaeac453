import { findPepper, requirePepper } from '#src/start/open-pepper.ts';
import { printError } from '../command-line.ts';
import { type CommandBackends, withBackends } from '../with-backends.ts';

/**
 * Opens the stores for one piece of work. The server may be running: it sees the change within five seconds (decisions/0056).
 *
 * @param work is told how to get the key pepper, which is made where there is none
 */
export async function withStores(
  work: (stores: CommandBackends, pepper: () => Promise<string>) => Promise<void>,
): Promise<void> {
  await withBackends(
    (stores, config) =>
      work(stores, async () => {
        const found = await findPepper(config, stores.pepper);
        await requirePepper(found, stores.pepper, { isService: false, logLine: printError });
        return found.pepper;
      }),
    // An operator waits for a store that is down only as long as a request does.
    {},
  );
}
