import { randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ChangeBatch,
  HistoryLost,
  type IdRange,
  type Position,
  type RecordSource,
  type RecordState,
} from '#ports/record-source.ts';
import { type ChangeKind, ChangeLog } from './change-log.ts';
import { transact } from './database.ts';
import type { RecordRow } from './record-row.ts';
import { readState } from './record-state.ts';
import { runOnStore } from './sqlite-errors.ts';

/** Changes of one batch. */
const mostEvents = 1_000;
/** SQLite tells no process what another one wrote: so often it is looked, in milliseconds. */
const lookEveryMs = 25;
/** How long nothing may change before an empty batch says so, in milliseconds. */
const quietMs = 1_000;

/** A row of `record_changes`. */
type Change = { kind: ChangeKind } & Record<'change' | 'subject' | 'at', SQLOutputValue>;

/** The records in SQLite, followed by the changes that are written down in the same transaction. */
export class SqliteRecordSource implements RecordSource {
  readonly #database: DatabaseSync;
  readonly #changes: ChangeLog;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#changes = new ChangeLog(database);
  }

  async now(): Promise<Position> {
    return runOnStore(() => positionOf(this.#changes.last()));
  }

  async *follow(from: Position, signal: AbortSignal): AsyncIterable<ChangeBatch> {
    let last = Number(from.token);
    let toldAt = performance.now();
    while (!signal.aborted) {
      const readAt = new Date();
      const changes = await runOnStore(() => this.#readChanges(last));
      if (changes.length > 0 || performance.now() - toldAt >= quietMs) {
        const batch = gather(changes, last, readAt);
        last = Number(batch.position.token);
        yield batch;
        toldAt = performance.now();
      } else {
        await pause(lookEveryMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  async mark(): Promise<string> {
    const mark = randomUUID();
    await runOnStore(() => transact(this.#database, () => this.#changes.note('mark', mark)));
    return mark;
  }

  async read(ids: readonly string[]): Promise<ReadonlyMap<string, RecordState>> {
    return runOnStore(() => {
      const select = this.#database.prepare('SELECT id, body, email, email_source FROM records WHERE id = ?');
      return statesOf(ids.map((id) => select.get(id)).filter((row) => row !== undefined));
    });
  }

  async readRange({ after, upTo }: IdRange, limit: number): Promise<ReadonlyMap<string, RecordState>> {
    return runOnStore(() =>
      statesOf(
        this.#database
          .prepare(
            // No text is larger than a blob.
            `SELECT id, body, email, email_source FROM records WHERE id > ? AND id <= ifnull(?, x'')
             ORDER BY id LIMIT ?`,
          )
          .all(after, upTo, limit),
      ),
    );
  }

  async findBoundaries(ranges: number): Promise<string[]> {
    return runOnStore(() => {
      const size = Math.max(1, Math.ceil(this.#count() / ranges));
      const next = this.#database.prepare('SELECT id FROM records WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?');
      const boundaries: string[] = [];
      for (let last = ''; boundaries.length < ranges - 1; ) {
        const row = next.get(last, size - 1);
        if (row === undefined) break;
        last = String(row.id);
        boundaries.push(last);
      }
      return boundaries;
    });
  }

  async count(): Promise<number> {
    return runOnStore(() => this.#count());
  }

  #count(): number {
    return Number(this.#database.prepare('SELECT count(*) AS count FROM records').get()?.count);
  }

  /** Numbers follow each other without a gap: a change that is not there was forgotten, or is of another store. */
  #readChanges(after: number): Change[] {
    const changes = this.#database
      .prepare('SELECT change, kind, subject, at FROM record_changes WHERE change > ? ORDER BY change LIMIT ?')
      .all(after, mostEvents) as Change[];
    const isLost = changes[0] === undefined ? this.#changes.last() < after : changes[0].change !== after + 1;
    if (isLost) throw new HistoryLost('The store no longer has every change since then.');
    return changes;
  }
}

function statesOf(rows: readonly RecordRow[]): Map<string, RecordState> {
  return new Map(rows.map((row) => [String(row.id), readState(row)]));
}

function positionOf(change: number): Position {
  return { token: String(change), version: BigInt(change) };
}

function gather(changes: readonly Change[], after: number, readAt: Date): ChangeBatch {
  const changed = new Map<string, bigint>();
  const suppressed = new Map<string, bigint>();
  const marks: string[] = [];
  let hasNewSuppressions = false;
  for (const { change, kind, subject } of changes) {
    if (kind === 'mark') marks.push(String(subject));
    else if (kind === 'record') changed.set(String(subject), BigInt(Number(change)));
    else hasNewSuppressions = true;
    if (kind === 'suppressed') suppressed.set(String(subject), BigInt(Number(change)));
  }
  const last = changes.at(-1);
  return {
    changed,
    suppressed,
    hasNewSuppressions,
    marks,
    events: changes.length - marks.length,
    until: last === undefined ? readAt : new Date(Number(last.at)),
    hasMore: changes.length === mostEvents,
    position: positionOf(last === undefined ? after : Number(last.change)),
  };
}
