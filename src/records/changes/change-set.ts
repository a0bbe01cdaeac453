import { randomInt } from 'node:crypto';

export type ChangeAction = 'import' | 'set' | 'delete' | 'merge' | 'undo' | 'check-emails' | 'bounces';

export interface ImportedFile {
  /** The path as it was given, or `standard input`. */
  name: string;
  /** The SHA-256 of the file as it is stored; null if it was not read to its end. */
  sha256: string | null;
  /** Bytes as stored. */
  size: number;
}

/** One run of a command that changes records. Times are ISO 8601, UTC. */
export interface ChangeSet {
  id: string;
  action: ChangeAction;
  /** Who ran the command, as in the audit log. */
  operator: string;
  startedAt: string;
  /** Null while it runs, and for good if it was killed: its changes are complete as far as it came. */
  endedAt: string | null;
  /** The change set that it takes back; null unless the action is `undo`. */
  undoes: string | null;
  files: readonly ImportedFile[];
  /** What the command counted, by name; empty while it runs. */
  counts: Readonly<Record<string, number>>;
  /** How many changes it made, and about how many bytes they take. */
  changes: number;
  bytes: number;
}

export type NewChangeSet = Pick<ChangeSet, 'id' | 'action' | 'operator' | 'startedAt' | 'undoes'>;

const letters = '0123456789abcdefghjkmnpqrstvwxyz';

/** The id of a new change set: its day and seven random characters that are not mistaken for each other. */
export function newChangeSetId(now: Date): string {
  const random = Array.from({ length: 7 }, () => letters[randomInt(letters.length)]).join('');
  return `${now.toISOString().slice(0, 10).replaceAll('-', '')}-${random}`;
}
