import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SourceRecord } from '#records/normalize/cell-reader.ts';
import { normalizeId } from '#records/normalize/normalize-values.ts';
import type { Kind } from '#records/vocabularies.ts';
import { nameKey } from '#text/fold.ts';
import { once } from '#text/memoize.ts';
import { hashText } from '#text/name-keys.ts';
import type { Input, Source } from './open-input.ts';
import { readRows } from './read-rows.ts';
import type { Row, RowReader } from './row.ts';

/** A row, its usable id, and its key: a hash of the id of its record, or of its name as it stands. */
export interface KeyedRow {
  row: Row;
  id: string | null;
  /** The record that the id leads to. */
  recordId: string | null;
  key: number | null;
}

export interface Repeats {
  /** By key: rows that are to come, where there are several; null for input that is read once. */
  left: Map<number, number> | null;
  /** The headings of the file, or all keys of its rows; null if it is read only once. */
  headings: readonly string[] | null;
  /** Whether there were too many keys to track all. */
  isIncomplete: boolean;
}

/** Keys that are tracked, about 100 MB. */
const maxKeys = 2_000_000;

export type Resolve = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/**
 * Counts the rows of a file by id or name, so that the import can wait for all that may be of one record, and importing the
 * file again changes nothing. Input that can be read only once (standard input, a pipe) is not scanned. Faults within the
 * file are left to the import.
 *
 * @throws RefusedFile if the input cannot be opened; what `resolve` throws
 */
export async function findRepeats(input: Input, resolve: Resolve, onRead: (source: Source) => void): Promise<Repeats> {
  if (!input.isRereadable) return { left: null, headings: null, isIncomplete: false };
  const counts = new Map<number, number>();
  const readers: RowReader[] = [];
  let isIncomplete = false;
  const source = await input.open();
  try {
    for await (const rows of withoutFaults(readRows(source, input.columns, (reader) => readers.push(reader)))) {
      for (const { key } of await keyRows(rows, resolve)) {
        const count = key === null ? undefined : counts.get(key);
        if (key === null || (count === undefined && counts.size >= maxKeys)) isIncomplete ||= key !== null;
        else counts.set(key, (count ?? 0) + 1);
      }
      onRead(source);
    }
  } finally {
    source.close();
  }
  for (const [key, count] of counts) if (count === 1) counts.delete(key);
  return { left: counts, headings: readers[0]?.headings ?? null, isIncomplete };
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
    return { row, id, recordId, key: text === null ? null : hashText(text) };
  });
}

function idOf(row: Row): string | null {
  const given = 'fault' in row ? null : normalizeId(row.source.id);
  return given !== null && 'id' in given ? given.id : null;
}

/** 132 bits: no two rows share a digest by chance. */
const digestLength = 22;

/**
 * The digest of what a row says, and of everything that decides what becomes of it: rows with the same digest give the
 * same patch, and merging that into the same record gives the same. `kind`: of rows that have none.
 */
export function digestRow(source: SourceRecord, kind: Kind | null): string {
  return hash('sha256', formOfImports() + JSON.stringify([kind, source]), 'base64url').slice(0, digestLength);
}

/**
 * The form in which this version reads and merges rows: src/records/ and src/text/ do all of it. Another
 * version, package or Node reads every row again.
 */
const formOfImports = once(() => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const files = ['src/records', 'src/text'].flatMap((room) =>
    readdirSync(`${root}${room}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|json)$/.test(name))
      .map((name) => `${root}${room}/${name}`),
  );
  const texts = files.toSorted().map((path) => readFileSync(path, 'utf8'));
  return hash('sha256', JSON.stringify([process.versions, readFileSync(`${root}package-lock.json`, 'utf8'), texts]));
});
