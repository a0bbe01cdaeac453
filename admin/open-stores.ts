import { type CommandBackends, withBackends } from '#src/command-line/with-backends.ts';
import { findPepper, requirePepper } from '#src/start/open-pepper.ts';

/** What is to be done; it is told how to get the key pepper, which is made where there is none. */
type Work = (stores: CommandBackends, pepper: () => Promise<string>) => Promise<void>;

/** Opens the stores for one piece of work. The server may be running: it sees the change within five seconds (decisions/0056). */
export async function withStores(work: Work, open = withBackends): Promise<void> {
  await open(
    (stores, config) =>
      work(stores, async () => {
        const found = await findPepper(config, stores.pepper);
        await requirePepper(found, stores.pepper);
        return found.pepper;
      }),
    // An operator waits for a store that is down only as long as a request does.
    {},
  );
}
