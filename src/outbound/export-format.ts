import type { Duplex, Readable } from 'node:stream';
import type { Right } from '#accounts/plans.ts';
import type { MediaRecord, RecordKey } from '#records/media-record.ts';

/** A form in which a set of records is handed over as a file. */
export interface ExportFormat {
  /** What requests call it, such as `csv`. */
  name: string;
  /** What people call it. */
  title: string;
  /** A description of its content, shown after its name and a colon. */
  doc: string;
  contentType: string;
  /** Of file names, without the dot. */
  extension: string;
  /** The right that exports of outlets need in this format. Other kinds need `export_all` in every format. */
  right: Right;
  /** Whether it holds only records with an address that is not known to be invalid, as outbound tools want. */
  needsAddress: boolean;
  /** How a file begins, for the API reference. */
  example: string;
  /** Whether its bytes are compressed already. */
  isCompressed: boolean;
  /** The records it can hold; absent: any number. */
  maxRecords?: number;
  /** The parameters of an export that it follows. */
  choices: ReadonlyArray<'fields' | 'bom'>;
  /** The steps that turn batches of records into the bytes of a file, for `pipeline`. */
  write(batches: AsyncIterable<readonly MediaRecord[]>, choices?: FileChoices): readonly [Readable, ...Duplex[]];
}

/** What a caller chose about a file. */
export interface FileChoices {
  /** The fields to write, in the order of records; absent: all. */
  fields?: readonly RecordKey[];
  /** Whether it begins with a byte order mark. */
  hasMark?: boolean;
}
