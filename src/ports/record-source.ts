import type { MediaRecord } from '#domain/media-record.ts';

/** A place in the history of the records: all before it is in, all after it is still to come. */
export interface Position {
  /** What the store needs to go on from there; nobody else reads it. */
  token: string;
  /** Grows with the history; what is written to an index under it never takes the place of what came later. */
  version: bigint;
}

/** A record as it stands: what it holds, or why it is none that could be searched; the reason quotes nothing of it. */
export type RecordState = { record: MediaRecord } | { unreadable: string };

/** Records with ids after one and up to another, in the order of their ids' UTF-8 bytes; null: to the very end. */
export interface IdRange {
  after: string;
  upTo: string | null;
}

/** Changes that follow each other in the history, each record and suppression once. */
export interface ChangeBatch {
  /** The ids of records that came, changed or went, each with the version of its last change. */
  changed: ReadonlyMap<string, bigint>;
  /** The suppressions that were added, by their keys; see domain/suppression.ts. */
  suppressed: ReadonlyMap<string, bigint>;
  /** Whether the list of suppressions is another than before. */
  hasNewSuppressions: boolean;
  /** The marks that were set. */
  marks: readonly string[];
  /** How many changes there were, those of the same record each. */
  events: number;
  /** When the last of them was made; where there are none, a time until which there were none. */
  until: Date;
  /** Whether more of them are waiting behind it: whoever follows is behind. */
  hasMore: boolean;
  /** Where the history stands behind the batch. */
  position: Position;
}

/** The store can no longer tell what happened since a position: only a rebuild makes an index equal to it again. */
export class HistoryLost extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'HistoryLost';
  }
}

/**
 * The records as an index follows them.
 * Methods fail with Problem `store_unavailable` when the store does not answer.
 */
export interface RecordSource {
  /** Where the history stands now. */
  now(): Promise<Position>;
  /**
   * All changes after a position, in their order, until the signal; an empty batch now and then where nothing changes,
   * so that the position goes on. The next batch is read when it is asked for.
   *
   * @throws HistoryLost
   */
  follow(from: Position, signal: AbortSignal): AsyncIterable<ChangeBatch>;
  /** Sets a mark behind all that was written until now; a batch that `follow` gives will name it. */
  mark(): Promise<string>;
  /** The records with these ids as they are now, or later than the changes that `follow` gave; absent: there is none. */
  read(ids: readonly string[]): Promise<ReadonlyMap<string, RecordState>>;
  /** The first of the records in a range, in the order of their ids; fewer than the limit: that is all of them. */
  readRange(range: IdRange, limit: number): Promise<ReadonlyMap<string, RecordState>>;
  /** Ids that part the records into about this many ranges of about the same size, in order. */
  findBoundaries(ranges: number): Promise<string[]>;
  /** How many there are, readable or not. */
  count(): Promise<number>;
}
