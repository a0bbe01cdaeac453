import { normalizeId } from '#records/normalize/normalize-values.ts';
import { nameKey } from '#text/fold.ts';
import { hashText } from '#text/name-keys.ts';
import type { Input, Source } from './open-input.ts';
import { readRows } from './read-rows.ts';
import type { Row, RowReader } from './row.ts';

/** A row, the record that its id leads to, and its key: a hash of the id of its record, or of its name as it stands. */
export interface KeyedRow {
  row: Row;
  recordId: string | null;
  key: number | null;
}

export interface Repeats {
  /** By key: rows that are to come, where there are several. */
  left: Map<number, number>;
  /** The headings of the file, or all keys of its rows. */
  headings: readonly string[];
}

export type Resolve = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/**
 * Counts the rows of a file by id or name, so that the import can wait for all that may be of one record, and importing the
 * file again changes nothing. Faults within the file are left to the import.
 *
 * @throws RefusedFile if the input cannot be opened; what `resolve` throws
 */
export async function findRepeats(input: Input, resolve: Resolve, onRead: (source: Source) => void): Promise<Repeats> {
  const counts = new Map<number, number>();
  const readers: RowReader[] = [];
  const source = await input.open();
  try {
    for await (const rows of withoutFaults(readRows(source, input.columns, (reader) => readers.push(reader)))) {
      for (const { key } of await keyRows(rows, resolve)) {
        if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      onRead(source);
    }
  } finally {
    source.close();
  }
  for (const [key, count] of counts) if (count === 1) counts.delete(key);
  return { left: counts, headings: readers[0]?.headings ?? [] };
}

/** The rows up to the first fault of a file, which the import meets too. */
async function* withoutFaults(batches: AsyncGenerator<Row[]>): AsyncGenerator<Row[]> {
  try {
    yield* batches;
  } catch {
    // It is noted when the file is imported.
  }
}

/** @param resolve where the ids of merged records lead */
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
  const given = 'fault' in row ? null : normalizeId(row.source.id);
  return given !== null && 'id' in given ? given.id : null;
}
