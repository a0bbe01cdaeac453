import pRetry from 'p-retry';
import { confirmPepper } from '#accounts/confirm-pepper.ts';
import type { PepperDependents, PepperRecord } from '#accounts/pepper-record.ts';
import { keyPepperPath, makeKeyPepper, readKeyPepper } from '#backends/embedded/key-pepper.ts';
import { Problem } from '#src/problem.ts';
import type { Config } from '#src/settings/config.ts';
import { StartupError } from '#src/startup-error.ts';
import { countOf } from '#text/printed.ts';
import type { Backends } from './open-backends.ts';

type PepperSettings = Pick<Config, 'keyPepper' | 'dataDir' | 'mongoUri'>;

/** A pepper, and where it comes from, in an operator's terms. */
export interface FoundPepper {
  pepper: string;
  /** `KEY_PEPPER`, or the path of the file. */
  name: string;
  /** How to restore another one. */
  remedy: string;
}

const replaceCommand = 'npm run admin -- pepper replace';

/**
 * The pepper from KEY_PEPPER or the data folder; the first start of an embedded store creates one.
 *
 * @throws StartupError if the file is lost and the store was used under it: another pepper would invalidate every key
 * and order.
 */
export async function findPepper(settings: PepperSettings, record: PepperRecord): Promise<FoundPepper> {
  const { keyPepper, dataDir, mongoUri } = settings;
  const path = keyPepperPath(dataDir);
  if (keyPepper !== null) {
    const remedy = `Set KEY_PEPPER to its former value${mongoUri === null ? `, or unset it to use ${path}` : ''}.`;
    return { pepper: keyPepper, name: 'KEY_PEPPER', remedy };
  }
  const remedy = 'Restore the file from a backup, or set KEY_PEPPER to its former value.';
  const pepper = readKeyPepper(dataDir) ?? (await makeFirstPepper(dataDir, record, remedy));
  return { pepper, name: path, remedy };
}

async function makeFirstPepper(dataDir: string, record: PepperRecord, remedy: string): Promise<string> {
  const dependents = await record.countDependents();
  const isUsed = (await record.find()) !== null || hasAny(dependents);
  if (!isUsed) return makeKeyPepper(dataDir);
  // Another process may have created and recorded the pepper since.
  const pepper = readKeyPepper(dataDir);
  if (pepper !== null) return pepper;
  const loss = hasAny(dependents) ? ` It is needed for ${describeDependents(dependents)}.` : '';
  throw new StartupError(
    `${keyPepperPath(dataDir)} is missing.${loss} ${remedy} To continue without ${hasAny(dependents) ? 'them' : 'it'}: ${replaceCommand}`,
  );
}

/**
 * Makes sure that the pepper is the one that the store's keys and orders were made under.
 *
 * @param isService whether it may be recorded for keys and orders of a version that recorded none; a shell in which a
 * command runs is more often set up wrong
 * @param logLine takes a line where it was recorded so
 * @throws StartupError with what to do, where it is another.
 */
export async function requirePepper(
  { pepper, name, remedy }: FoundPepper,
  record: PepperRecord,
  { isService, logLine }: { isService: boolean; logLine: (line: string) => void },
): Promise<void> {
  const confirmation = await confirmPepper(record, pepper, { mayTrust: isService, now: new Date() });
  switch (confirmation.outcome) {
    case 'confirmed':
      return;
    case 'trusted': {
      const made = describeDependents(confirmation.dependents);
      logLine(
        `The store had no record of its key pepper. ${name} is now recorded as the pepper of ${made} made before. If they do not work, restore the right pepper and run: ${replaceCommand}`,
      );
      return;
    }
    case 'unproven': {
      const made = describeDependents(confirmation.dependents);
      throw new StartupError(
        `the store has no record yet of the key pepper that made its ${made}. Start the service once (npm start) to record its pepper.`,
      );
    }
    case 'different': {
      const { kept, dependents } = confirmation;
      const loss = hasAny(dependents) ? `: ${describeDependents(dependents)} would stop working` : '';
      throw new StartupError(
        `${name} is not the key pepper that this store has used since ${kept.since}${loss}. ${remedy} To switch to the new one: ${replaceCommand}`,
      );
    }
  }
}

function hasAny({ keys, orders }: PepperDependents): boolean {
  return keys + orders > 0;
}

/** Such as `1 key and 2 orders`. */
export function describeDependents({ keys, orders }: PepperDependents): string {
  const count = (number: number, noun: string) => (number === 0 ? [] : [countOf(number, noun)]);
  return [...count(keys, 'key'), ...count(orders, 'order')].join(' and ') || 'no key and no order';
}

/** What is usable only under the right pepper. */
type Guarded = Pick<Backends, 'keys' | 'orders' | 'reservations'>;

const pauses = { retries: Number.POSITIVE_INFINITY, minTimeout: 500, maxTimeout: 1_000, unref: true };

/**
 * The keys and orders, once it is certain that the pepper is theirs. Where the store of the production backend is away, it
 * is looked for in the background, and until then every method fails with Problem `store_unavailable`.
 *
 * @param confirm fails with Problem `store_unavailable` while the store is away, otherwise where the pepper is wrong
 * @param onRefused takes that fault where it comes late
 */
export async function guardByPepper(
  { kind, ...guarded }: Pick<Backends, 'kind'> & Guarded,
  confirm: () => Promise<void>,
  { signal, onRefused }: { signal: AbortSignal; onRefused: (fault: unknown) => void },
): Promise<Guarded> {
  try {
    await confirm();
    return guarded;
  } catch (error) {
    if (kind === 'embedded' || !isAway(error)) throw error;
  }
  let isConfirmed = false;
  pRetry(confirm, { ...pauses, signal, shouldRetry: ({ error }) => isAway(error) }).then(
    () => {
      isConfirmed = true;
    },
    (fault) => {
      if (!signal.aborted) onRefused(fault);
    },
  );
  const isOpen = () => isConfirmed;
  return {
    keys: closedUntil(isOpen, guarded.keys),
    orders: closedUntil(isOpen, guarded.orders),
    reservations: closedUntil(isOpen, guarded.reservations),
  };
}

/** The store, with every method waiting for the condition. */
function closedUntil<Store extends object>(isOpen: () => boolean, store: Store): Store {
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...args: unknown[]) => {
        if (isOpen()) return method.apply(target, args);
        const headers = { 'Retry-After': '5' };
        throw new Problem('store_unavailable', 'The store is not available right now. Try again.', { headers });
      };
    },
  });
}

function isAway(error: unknown): boolean {
  return error instanceof Problem && error.code === 'store_unavailable';
}
