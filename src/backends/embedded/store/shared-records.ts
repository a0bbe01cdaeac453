import type { MediaRecord } from '#records/media-record.ts';
import { formsOfAll, type NewRecordForms } from '../index/record-forms.ts';

/** Records whose forms two threads make, one from the start and one from the end, until they meet. */
export interface SharedRecords {
  records: readonly MediaRecord[];
  /** A flag in shared memory for each part of the records: 1 as soon as a thread begins it. */
  begun: Int32Array;
}

const recordsAPart = 50;

export function shareRecords(records: readonly MediaRecord[]): SharedRecords {
  const parts = Math.ceil(records.length / recordsAPart);
  return { records, begun: new Int32Array(new SharedArrayBuffer(parts * Int32Array.BYTES_PER_ELEMENT)) };
}

/** The forms of the first records; runs in the thread of records-ahead.ts. */
export function formsFromFirst({ records, begun }: SharedRecords): NewRecordForms[] {
  const forms: NewRecordForms[] = [];
  for (let part = 0; begins(begun, part); part += 1) forms.push(...formsOfAll(partOf(records, part)));
  return forms;
}

/** The forms of the last records. */
export function formsFromLast({ records, begun }: SharedRecords): NewRecordForms[] {
  const parts: NewRecordForms[][] = [];
  for (let part = begun.length - 1; begins(begun, part); part -= 1) parts.unshift(formsOfAll(partOf(records, part)));
  return parts.flat();
}

function begins(begun: Int32Array, part: number): boolean {
  return part >= 0 && part < begun.length && Atomics.exchange(begun, part, 1) === 0;
}

function partOf(records: readonly MediaRecord[], part: number): readonly MediaRecord[] {
  return records.slice(part * recordsAPart, (part + 1) * recordsAPart);
}
