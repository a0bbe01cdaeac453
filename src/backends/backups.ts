import type { KeyedKind } from '#records/keyed-store.ts';

/** The last copy that `admin backup` made of the store. */
export interface Backup {
  /** When it was begun, in ISO 8601. */
  at: string;
}

export const backupKind: KeyedKind<Backup> = { name: 'backups', orderOf: ({ at }) => at };

/** The key of the only value. */
export const backupKey = 'last';
