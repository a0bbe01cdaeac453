import pRetry from 'p-retry';
import type { PepperRecord } from '#accounts/pepper.ts';
import { keyPepperPath, makeKeyPepper, readKeyPepper } from '#backends/embedded/key-pepper.ts';
import { Problem, StartupError } from '#src/problem.ts';
import type { Config } from '#src/settings/config.ts';
import type { Backends } from './open-backends.ts';

/** A pepper, and for messages to operators: where it comes from, and what to do if it is the wrong one. */
interface FoundPepper {
  pepper: string;
  name: string;
  remedy: string;
}

const replaceCommand = 'npm run admin -- pepper replace';

/**
 * The pepper from KEY_PEPPER or the data folder; the first start of an embedded store creates one. Throws StartupError if the
 * file is missing and the store already has keys or orders that were made with it.
 */
export async function findPepper(
  { keyPepper, dataDir, mongoUri }: Pick<Config, 'keyPepper' | 'dataDir' | 'mongoUri'>,
  record: PepperRecord,
): Promise<FoundPepper> {
  const name = keyPepperPath(dataDir);
  if (keyPepper !== null) {
    const remedy = `Set KEY_PEPPER to its former value${mongoUri === null ? `, or unset it to use ${name}` : ''}.`;
    return { pepper: keyPepper, name: 'KEY_PEPPER', remedy };
  }
  const remedy = 'Restore the file from a backup, or set KEY_PEPPER to its former value.';
  // First the store, then the file. A process that starts at the same time creates the file before it writes to the store.
  const isUsed = (await record.find()) !== null;
  const pepper = readKeyPepper(dataDir) ?? (isUsed ? null : makeKeyPepper(dataDir));
  if (pepper !== null) return { pepper, name, remedy };
  throw new StartupError(
    `${name} is missing. ${remedy} To give up every key and order made with it: ${replaceCommand}`,
  );
}

/** Throws StartupError if the keys and orders of the store were made with another pepper. */
export async function requirePepper({ pepper, name, remedy }: FoundPepper, record: PepperRecord): Promise<void> {
  const since = await record.findOther(pepper, new Date());
  if (since === null) return;
  throw new StartupError(
    `${name} is not the key pepper that this store has used since ${since}. ${remedy} To give up every key and order made with that one: ${replaceCommand}`,
  );
}

const pauses = { retries: Number.POSITIVE_INFINITY, minTimeout: 500, maxTimeout: 1_000, unref: true };

/** Calls requirePepper. If a production store is down, tries again until it is back; a fault found then goes to `onRefused`. */
export async function confirmPepper(
  { kind, pepper }: Pick<Backends, 'kind' | 'pepper'>,
  foundPepper: FoundPepper,
  { signal, onRefused }: { signal: AbortSignal; onRefused: (fault: unknown) => void },
): Promise<void> {
  const isAway = (error: unknown) => error instanceof Problem && error.code === 'store_unavailable';
  const confirm = () => requirePepper(foundPepper, pepper);
  await confirm().catch((error) => {
    if (kind === 'embedded' || !isAway(error)) throw error;
    pRetry(confirm, { ...pauses, signal, shouldRetry: ({ error }) => isAway(error) }).catch(
      (fault) => signal.aborted || onRefused(fault),
    );
  });
}
