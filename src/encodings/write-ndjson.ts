import type { Readable } from 'node:stream';
import { pickKeys } from '#records/fields.ts';
import type { MediaRecord, RecordKey } from '#records/media-record.ts';
import { SliceReader } from './slice-reader.ts';

/** The steps that turn batches of records into lines of JSON, each a record as the API shows it, for `pipeline`. */
export function writeNdjson(
  batches: AsyncIterable<readonly MediaRecord[]>,
  keys: readonly RecordKey[] | undefined,
): [Readable] {
  const encode = (records: readonly MediaRecord[]) =>
    Buffer.from(records.map((record) => `${JSON.stringify(pickKeys(record, keys))}\n`).join(''));
  return [new SliceReader(batches, (records) => [encode(records)])];
}
