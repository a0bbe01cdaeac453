import { CsvReader } from './csv-reader.ts';
import { decodeText } from './decode-text.ts';
import { NdjsonReader } from './ndjson-reader.ts';
import { RefusedFile } from './refused-file.ts';
import type { Row, RowReader } from './row.ts';
import { splitLines } from './split-lines.ts';

/**
 * Reads the rows of a CSV or NDJSON file, detected by how it starts, in constant memory. `begin` is called once, before
 * the first rows, with the reader that knows the header.
 *
 * @throws RefusedFile if nothing of the file can be read, before any row is returned.
 */
export async function* readRows(
  chunks: AsyncGenerator<Buffer>,
  begin: (reader: RowReader) => void,
): AsyncGenerator<Row[]> {
  let reader: RowReader | null = null;
  for await (const lines of splitLines(decodeText(chunks))) {
    if ('tooLong' in lines) {
      if (reader === null) throw new RefusedFile('bad_header', 'starts with a line longer than 1 MiB');
      yield reader.skipLine();
      continue;
    }
    let { bytes } = lines;
    if (reader === null) {
      const opened = openReader(bytes);
      reader = opened.reader;
      bytes = bytes.subarray(opened.start);
      begin(reader);
    }
    yield reader.read(bytes);
  }
  if (reader === null) throw new RefusedFile('empty', 'is empty');
  yield reader.end();
}

function openReader(beginning: Buffer): { reader: RowReader; start: number } {
  const first = beginning.toString('utf8', 0, 1_000).trimStart().charAt(0);
  if (first === '{' || first === '[') return { reader: new NdjsonReader(beginning), start: 0 };
  const reader = new CsvReader(beginning);
  return { reader, start: reader.headerEnd };
}
