import type { MediaRecord } from '#records/media-record.ts';
import type { SourceRecord } from '#records/normalize/cell-reader.ts';
import type { RecordStore } from '#records/record-store.ts';
import { foldedWords } from '#text/fold.ts';
import { findHost, hostOfUrl } from '#text/hosts.ts';
import type { KeyedRow } from './repeated-rows.ts';
import { quoteHeading, RefusedFile } from './row.ts';

/** So many rows with ids of other media are no coincidence. */
const enoughOthers = 5;

/**
 * Many lists number their rows from 1, so the ids of one list name media of another.
 *
 * @throws RefusedFile if most of the stored records that the rows name by id are other media
 */
export async function checkIds(
  rows: readonly KeyedRow[],
  heading: string,
  find: RecordStore['findAny'],
): Promise<void> {
  const ids = rows.flatMap(({ recordId }) => recordId ?? []);
  if (ids.length === 0) return;
  const stored = new Map((await find([], ids)).map((record) => [record.id, record]));
  const found = rows.flatMap(({ row, recordId }) => {
    const record = stored.get(recordId ?? '');
    return record === undefined || 'fault' in row ? [] : [isOther(row.source, record)];
  });
  const others = found.filter(Boolean).length;
  if (others < enoughOthers || others <= found.length / 2) return;
  const reason = `has ids of ${others} stored records of other media, so they seem to be of another list`;
  throw new RefusedFile('foreign_ids', `${reason}. Leave them out with --ignore ${quoteHeading(heading)}`);
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
