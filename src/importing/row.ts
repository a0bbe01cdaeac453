import type { SourceRecord } from '#domain/normalize/cell-reader.ts';
import type { Kind } from '#domain/vocabularies.ts';

/** Why a row cannot be read. The reason holds no part of the row. */
export interface RowFault {
  code:
    | 'not_utf8'
    | 'too_long'
    | 'broken_quote'
    | 'too_many_cells'
    | 'too_few_cells'
    | 'not_json'
    | 'not_an_object'
    | 'duplicate_key';
  reason: string;
}

/** A row of a file, with the line it begins on (from 1). */
export type Row = { line: number; source: SourceRecord; isShort: boolean } | { line: number; fault: RowFault };

/** A file's rows, in the batches in which they are read, and what its heading says of all of them. */
export interface RowReader {
  format: 'csv' | 'ndjson';
  /** The kind that the heading makes sure, for rows that do not say theirs. */
  kind: Kind | null;
  /** Headings and keys that mean no field, as far as they have been met. */
  ignored: ReadonlySet<string>;
  /** The rows of these whole lines; a row that goes on waits for more. */
  read(lines: Buffer): Row[];
  /** Takes account of a line that is too long to be read. */
  skipLine(): Row[];
  /** The rows that waited, when the file has ended. */
  end(): Row[];
}

/** Headings that are remembered as ignored, at most. */
const maxIgnored = 100;

/** Adds a heading that means no field, unless there are very many. */
export function rememberIgnored(ignored: Set<string>, heading: string): void {
  if (ignored.size < maxIgnored) ignored.add(heading);
}
