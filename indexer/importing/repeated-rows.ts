import { normalizeId } from '#records/normalize/normalize-values.ts';
import { nameKey } from '#text/fold.ts';
import { hashText } from '#text/name-keys.ts';
import type { Input, Source } from './reading/open-input.ts';
import { openRows } from './reading/read-rows.ts';
import type { Row } from './row.ts';

/** Returns where the ids of merged records lead; ids of other records are absent. */
export type Resolve = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Rows with the same key may be of one record. It is a hash of the record's id or else of the name; null without both. */
export interface KeyedRow {
  row: Row;
  /** The record that the row's id leads to; null without an id. */
  recordId: string | null;
  key: number | null;
}

/**
 * Reads a file to its end or first fault, and shows its rows to `look`. Leaves the faults to the import, which reads it again.
 * Returns the headings of the file, or all keys of its rows.
 *
 * @throws RefusedFile if the input cannot be opened; what `resolve` and `look` throw
 */
export async function lookAtRows(
  input: Input,
  resolve: Resolve,
  look: (rows: readonly KeyedRow[], source: Source) => Promise<void>,
): Promise<readonly string[]> {
  const source = await input.open();
  try {
    const list = await openRows(source, input.columns).catch(() => null);
    if (list === null) return [];
    for await (const rows of untilFault(list.rows)) await look(await keyRows(rows, resolve), source);
    return list.reader.headings;
  } finally {
    source.close();
  }
}

async function* untilFault(batches: AsyncGenerator<Row[]>): AsyncGenerator<Row[]> {
  try {
    yield* batches;
  } catch {
    // The import will meet it, too.
  }
}

export async function keyRows(rows: readonly Row[], resolve: Resolve): Promise<KeyedRow[]> {
  const ids = rows.map(idOf);
  const leads = await resolve(ids.filter((id) => id !== null));
  return rows.map((row, place) => {
    const id = ids[place] ?? null;
    const recordId = id === null ? null : (leads.get(id) ?? id);
    const name = 'fault' in row ? undefined : row.source.name;
    const text = recordId !== null ? `id ${recordId}` : typeof name === 'string' ? nameKey(name) : null;
    return { row, recordId, key: text === null ? null : hashText(text) };
  });
}

function idOf(row: Row): string | null {
  const idRead = 'fault' in row ? null : normalizeId(row.source.id);
  return idRead !== null && 'id' in idRead ? idRead.id : null;
}

/** Holds rows until the last one with their key has come, so that each record is saved once and its last values win. */
export class RowHolder<Held> {
  readonly #rowsLeft: Map<number, number>;
  readonly #waitingRows = new Map<number, Held[]>();

  constructor(rowsLeft: Map<number, number>) {
    this.#rowsLeft = rowsLeft;
  }

  /** Takes the next row, null if it was rejected. Returns the rows that need not wait any longer. */
  take(row: Held | null, key: number | null): readonly Held[] {
    const rows = row === null ? [] : [row];
    const remaining = key === null ? undefined : this.#rowsLeft.get(key);
    if (key === null || remaining === undefined) return rows;
    this.#rowsLeft.set(key, remaining - 1);
    const heldRows = [...(this.#waitingRows.get(key) ?? []), ...rows];
    if (remaining > 1) {
      this.#waitingRows.set(key, heldRows);
      return [];
    }
    this.#waitingRows.delete(key);
    return heldRows;
  }

  /** The rows that still wait, because a fault ended the reading. */
  rest(): readonly Held[] {
    return [...this.#waitingRows.values()].flat();
  }
}
