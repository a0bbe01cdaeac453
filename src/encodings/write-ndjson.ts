import type { Readable } from 'node:stream';
import type { FileChoices } from '#outbound/export-records.ts';
import { pickKeys } from '#records/fields.ts';
import type { MediaRecord, RecordKey } from '#records/media-record.ts';
import { SliceReader } from './slice-reader.ts';

/** The steps that turn batches of records into lines of JSON, each a record as the API shows it, for `pipeline`. */
export function writeNdjson(
  batches: AsyncIterable<readonly MediaRecord[]>,
  keys: readonly RecordKey[] | undefined,
  list?: FileChoices['list'],
): [Readable] {
  const noted = ({ id }: MediaRecord) => {
    if (list === undefined) return {};
    const { status = 'none', note = null } = list.get(id) ?? {};
    return { list_status: status, list_note: note };
  };
  const encode = (records: readonly MediaRecord[]) =>
    Buffer.from(
      records.map((record) => `${JSON.stringify({ ...pickKeys(record, keys), ...noted(record) })}\n`).join(''),
    );
  return [new SliceReader(batches, (records) => [encode(records)])];
}
