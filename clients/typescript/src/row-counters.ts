import type { ExportFormat } from './types.ts';

/** Follows the bytes of a file, to tell at its end whether it is whole. */
export interface RowCounter {
  add(chunk: Uint8Array): void;
  /** Complete rows so far, without a heading; null where bytes do not tell. */
  rows(): number | null;
  /** Whether the file may end here. */
  isAtEnd(): boolean;
}

/** Bytes of the characters that structure a file. */
const lineFeed = 0x0a;
const quote = 0x22;

/** The counter for a format. Whatever is new is csv, like the formats of outbound tools. */
export function rowCounter(format: ExportFormat): RowCounter {
  if (format === 'ndjson') return countLines();
  if (format === 'xlsx') return watchForEndOfZip();
  return countCsvRows();
}

function countLines(): RowCounter {
  let count = 0;
  let last: number | undefined = lineFeed;
  return {
    add(chunk) {
      for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) count += 1;
      last = chunk.at(-1) ?? last;
    },
    rows: () => count,
    isAtEnd: () => last === lineFeed,
  };
}

/** RFC 4180: a line feed within quotes belongs to a cell; a quote within quotes is doubled, which cancels out. */
function countCsvRows(): RowCounter {
  let count = 0;
  let isQuoted = false;
  let last: number | undefined;
  return {
    add(chunk) {
      for (const byte of chunk) {
        if (byte === quote) isQuoted = !isQuoted;
        else if (byte === lineFeed && !isQuoted) count += 1;
      }
      last = chunk.at(-1) ?? last;
    },
    rows: () => Math.max(count - 1, 0),
    isAtEnd: () => last === lineFeed && !isQuoted,
  };
}

/** A workbook is a zip archive, whose last 22 bytes are a record that begins with PK, 5, 6. */
function watchForEndOfZip(): RowCounter {
  const length = 22;
  let tail: readonly number[] = [];
  return {
    add(chunk) {
      tail = [...tail, ...chunk.subarray(-length)].slice(-length);
    },
    rows: () => null,
    isAtEnd: () => tail.length === length && [0x50, 0x4b, 5, 6].every((byte, place) => tail[place] === byte),
  };
}
