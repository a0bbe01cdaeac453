import type { Logger } from 'pino';
import type { Backends } from './open-backends.ts';

/** At the first start from a backup, logs what has to be done by hand. */
export async function announceRestore(
  { identity, whenPrepared }: Pick<Backends, 'identity' | 'whenPrepared'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  await whenPrepared();
  const { restoredFrom } = await identity.open();
  if (restoredFrom === null) return;
  log.warn(
    `this store was restored from a backup of ${restoredFrom}: orders, keys and suppressions since then are not in it (docs/operations.md, "After a restore")`,
  );
}
