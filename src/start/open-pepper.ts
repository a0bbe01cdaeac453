import pRetry from 'p-retry';
import type { PepperRecord } from '#accounts/pepper.ts';
import { keyPepperPath, makeKeyPepper, readKeyPepper } from '#backends/embedded/key-pepper.ts';
import { Problem, StartupError } from '#src/problem.ts';
import type { Config } from '#src/settings/config.ts';
import type { Backends } from './open-backends.ts';

/** A pepper, and where it comes from, in an operator's terms. */
export interface FoundPepper {
  pepper: string;
  name: string;
  remedy: string;
}

const replaceCommand = 'npm run admin -- pepper replace';

/**
 * The pepper from KEY_PEPPER or the data folder; the first start of an embedded store makes one. Throws StartupError if
 * the file is lost and the store was used under it.
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
  // Asked before the file is read: another process that makes both makes the file first.
  const isUsed = (await record.find()) !== null;
  const pepper = readKeyPepper(dataDir) ?? (isUsed ? null : makeKeyPepper(dataDir));
  if (pepper !== null) return { pepper, name, remedy };
  throw new StartupError(
    `${name} is missing. ${remedy} To give up every key and order made with it: ${replaceCommand}`,
  );
}

/** Throws StartupError, with what to do, where the store's keys and orders were made under another pepper. */
export async function requirePepper({ pepper, name, remedy }: FoundPepper, record: PepperRecord): Promise<void> {
  const since = await record.findOther(pepper, new Date());
  if (since === null) return;
  throw new StartupError(
    `${name} is not the key pepper that this store has used since ${since}. ${remedy} To give up every key and order made with that one: ${replaceCommand}`,
  );
}

const pauses = { retries: Number.POSITIVE_INFINITY, minTimeout: 500, maxTimeout: 1_000, unref: true };

/** Requires the pepper; of a production store that is away, once it is back: `onRefused` takes a fault that comes late. */
export async function confirmPepper(
  { kind, pepper }: Pick<Backends, 'kind' | 'pepper'>,
  found: FoundPepper,
  { signal, onRefused }: { signal: AbortSignal; onRefused: (fault: unknown) => void },
): Promise<void> {
  const isAway = (error: unknown) => error instanceof Problem && error.code === 'store_unavailable';
  const confirm = () => requirePepper(found, pepper);
  await confirm().catch((error) => {
    if (kind === 'embedded' || !isAway(error)) throw error;
    pRetry(confirm, { ...pauses, signal, shouldRetry: ({ error }) => isAway(error) }).catch(
      (fault) => signal.aborted || onRefused(fault),
    );
  });
}
