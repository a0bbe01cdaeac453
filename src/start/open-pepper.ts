import { keyPepperPath, makeKeyPepper, readKeyPepper } from '#backends/embedded/key-pepper.ts';
import type { PepperDependents, PepperRecord } from '#ports/pepper-record.ts';
import { StartupError } from '#ports/startup-error.ts';
import type { Config } from '#src/settings/config.ts';
import { confirmPepper } from '#usecases/confirm-pepper.ts';

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
 * @param say takes a line where it was recorded so
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
  const count = (number: number, noun: string) => (number === 0 ? [] : [`${number} ${noun}${number === 1 ? '' : 's'}`]);
  return [...count(keys, 'key'), ...count(orders, 'order')].join(' and ') || 'no key and no order';
}
