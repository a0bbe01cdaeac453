import { type CommandBackends, withBackends } from '#src/command-line/with-backends.ts';
import { findPepper, requirePepper } from '#src/start/open-pepper.ts';

/** Work on the stores. Call `pepper` to get the key pepper; it creates one if there is none. */
type Work = (stores: CommandBackends, pepper: () => Promise<string>) => Promise<void>;

/** Opens the stores, does the work and closes them. A running service sees changes within five seconds (decisions/0056). */
export async function withStores(work: Work, open = withBackends): Promise<void> {
  await open(
    (stores, config) =>
      work(stores, async () => {
        const pepperSource = await findPepper(config, stores.pepper);
        await requirePepper(pepperSource, stores.pepper);
        return pepperSource.pepper;
      }),
    // With the short timeout of a request: an operator should not wait long for a store that is down.
    { isOnlyStores: true },
  );
}
