import type { MediaRecord } from '#records/media-record.ts';
import type { SourceRecord } from '#records/normalize/cell-reader.ts';
import type { RecordStore } from '#records/record-store.ts';
import { foldedWords } from '#text/fold.ts';
import { findHost, hostOfUrl } from '#text/hosts.ts';
import type { KeyedRow } from './repeated-rows.ts';

/** So many rows with ids of other media are no coincidence. */
const enoughOthers = 5;

/**
 * The lines of rows that name another medium by its id, if most rows that name a stored one do: many lists number their rows
 * from 1.
 */
export async function linesOfForeignIds(rows: readonly KeyedRow[], find: RecordStore['findAny']): Promise<number[]> {
  const ids = rows.flatMap(({ recordId }) => recordId ?? []);
  if (ids.length === 0) return [];
  const stored = new Map((await find([], ids)).map((record) => [record.id, record]));
  const known = rows.flatMap(({ row, recordId }) => {
    const record = stored.get(recordId ?? '');
    return record === undefined || 'fault' in row ? [] : [{ row, record }];
  });
  const foreign = known.filter(({ row, record }) => isOther(row.source, record));
  const isUsual = foreign.length < enoughOthers || foreign.length <= known.length / 2;
  return isUsual ? [] : foreign.map(({ row }) => row.line);
}

/** Whether a row and a record have names without a common word, and no common host. A row of only a name renames. */
function isOther({ id, kind, name, ...others }: SourceRecord, record: MediaRecord): boolean {
  if (typeof name !== 'string' || name === '' || Object.keys(others).length === 0) return false;
  const { url } = others;
  const words = [record.name, ...record.aliases].flatMap(foldedWords);
  const host = typeof url === 'string' ? findHost(url) : null;
  const isSameHost = host !== null && record.url !== null && host === hostOfUrl(record.url);
  return !isSameHost && !foldedWords(name).some((word) => words.includes(word));
}
