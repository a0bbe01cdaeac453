import { CsvReader } from './csv-reader.ts';
import { decodeText } from './decode-text.ts';
import { JsonArrayReader } from './json-array-reader.ts';
import { NdjsonReader } from './ndjson-reader.ts';
import { atLeast, joined, type Source } from './open-source.ts';
import { RefusedFile } from './refused-file.ts';
import type { LineReader, Row, RowReader } from './row.ts';
import { splitLines } from './split-lines.ts';

/** How much of a file says whether it is a JSON array. */
const startLength = 1_000;

type Begin = (reader: RowReader) => void;

/**
 * Reads the rows of a list, in constant memory; the format is detected by how it starts. `begin` is called once, before
 * the first rows, with the reader that knows the header.
 *
 * @throws RefusedFile if nothing of the file can be read, before any row is returned.
 */
export async function* readRows(source: Source, begin: Begin): AsyncGenerator<Row[]> {
  const chunks = decodeText(source.chunks, source.encoding);
  const start = await atLeast(chunks, startLength);
  const all = joined(start, chunks);
  const isArray = start.toString('utf8', 0, startLength).trimStart().startsWith('[');
  const batches = isArray ? readArray(all, source, begin) : readLines(all, source, begin);
  for await (const rows of batches) yield source.columns.complete(rows);
}

async function* readArray(chunks: AsyncIterable<Buffer>, { columns }: Source, begin: Begin): AsyncGenerator<Row[]> {
  const reader = new JsonArrayReader(columns);
  begin(reader);
  for await (const chunk of chunks) yield reader.read(chunk);
  reader.end();
}

async function* readLines(chunks: AsyncIterable<Buffer>, source: Source, begin: Begin): AsyncGenerator<Row[]> {
  let reader: LineReader | null = null;
  for await (const lines of splitLines(chunks)) {
    if ('tooLong' in lines) {
      if (reader === null) throw new RefusedFile('bad_header', 'starts with a line longer than 1 MiB');
      yield reader.skipLine();
      continue;
    }
    let { bytes } = lines;
    if (reader === null) {
      const opened = openReader(bytes, source);
      reader = opened.reader;
      bytes = bytes.subarray(opened.start);
      begin(reader);
    }
    yield reader.read(bytes);
  }
  if (reader === null) throw new RefusedFile('empty', 'is empty');
  yield reader.end();
}

function openReader(beginning: Buffer, { isSheet, columns }: Source): { reader: LineReader; start: number } {
  const first = beginning.toString('utf8', 0, startLength).trimStart().charAt(0);
  if (first === '{' && !isSheet) return { reader: new NdjsonReader(beginning, columns), start: 0 };
  const reader = new CsvReader(beginning, columns, isSheet ? 'xlsx' : 'csv');
  return { reader, start: reader.headerEnd };
}
