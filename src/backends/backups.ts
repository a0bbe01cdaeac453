import type { KeyedKind, OpenKeyed } from '#records/keyed-store.ts';

/** The last copy that `admin backup` made of the store. */
interface Backup {
  /** When it was begun, in ISO 8601. */
  at: string;
}

export const backupKind: KeyedKind<Backup> = { name: 'backups', orderOf: ({ at }) => at };

/** The key of the only value. */
export const backupKey = 'last';

/** When `admin backup` last made a copy of the store; null if it never did. */
export async function findLastBackup(open: OpenKeyed): Promise<Date | null> {
  const last = await open(backupKind).find(backupKey);
  return last === null ? null : new Date(last.at);
}
