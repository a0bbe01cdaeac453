import type { Duplex, Readable } from 'node:stream';
import type { MediaRecord } from '#domain/media-record.ts';
import type { Right } from '#domain/plans/plans.ts';

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
  /** Whether it holds only records with an address that may be written to, as outbound tools want. */
  needsAddress: boolean;
  /** The steps that turn batches of records into the bytes of a file, for `pipeline`. */
  write(batches: AsyncIterable<readonly MediaRecord[]>): readonly [Readable, ...Duplex[]];
}
