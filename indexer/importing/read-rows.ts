import { CsvReader } from './csv-reader.ts';
import { decodeText } from './decode-text.ts';
import { findWrappedArray, JsonArrayReader, type WrappedArray } from './json-array-reader.ts';
import { NdjsonReader } from './ndjson-reader.ts';
import type { Source } from './open-input.ts';
import { type Sample, sampleOf, settleColumns } from './propose-columns.ts';
import { BrokenFile, type LineReader, RefusedFile, type Row, type RowReader } from './row.ts';
import { atLeast, joined, splitLines } from './split-lines.ts';

/** How much of a file says what it is: its format, and what its columns are. */
const startLength = 64 * 1024;

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
  const columns = settleColumns(source.columns, await takeSample(start, source));
  for await (const rows of readText(start, chunks, { ...source, columns }, begin)) yield columns.complete(rows);
}

/**
 * The values of a list's first rows, by heading.
 *
 * @throws RefusedFile if nothing of the file can be read
 */
export async function readSample(source: Source): Promise<Sample> {
  return takeSample(await atLeast(decodeText(source.chunks, source.encoding), startLength), source);
}

async function takeSample(start: Buffer, source: Source): Promise<Sample> {
  const lastLine = start.lastIndexOf('\n') + 1;
  const whole = start.length < startLength || lastLine === 0 ? start : start.subarray(0, lastLine);
  const columns = source.columns.with(new Map(), 'look');
  const rows: Row[] = [];
  let headings: readonly string[] = [];
  const begin: Begin = (reader) => {
    headings = reader.headings;
  };
  try {
    for await (const batch of readText(whole, nothing(), { ...source, columns }, begin)) rows.push(...batch);
  } catch (error) {
    // It ends within the file, or where the import will say what is wrong.
    if (!(error instanceof BrokenFile)) throw error;
  }
  return sampleOf(headings, rows);
}

async function* nothing(): AsyncGenerator<Buffer> {}

async function* readText(
  start: Buffer,
  rest: AsyncGenerator<Buffer>,
  source: Source,
  begin: Begin,
): AsyncGenerator<Row[]> {
  const text = start.toString('utf8', 0, startLength);
  const isArray = text.trimStart().startsWith('[');
  const wrapped = isArray || source.isSheet || !holdsArray(text, source) ? null : findWrappedArray(text);
  if (!isArray && wrapped === null) yield* readLines(joined(start, rest), source, begin);
  else yield* readArray(joined(start.subarray(wrapped?.offset ?? 0), rest), source, wrapped, begin);
}

/** Whether a text begins with an object that is no row: it spans lines, or is alone in the file and has no name, URL or id. */
function holdsArray(text: string, { columns }: Source): boolean {
  const [first = '', ...others] = text.trimStart().split(/\r\n|\n|\r/);
  if (!first.startsWith('{')) return false;
  try {
    const keys = Object.keys(JSON.parse(first)).map((key) => columns.fieldOf(key));
    const isRow = keys.some((key) => key === 'id' || key === 'name' || key === 'url');
    return !isRow && others.every((line) => line.trim() === '');
  } catch {
    return true;
  }
}

async function* readArray(
  chunks: AsyncIterable<Buffer>,
  { columns }: Source,
  wrapped: WrappedArray | null,
  begin: Begin,
): AsyncGenerator<Row[]> {
  const reader = new JsonArrayReader(columns, wrapped);
  begin(reader);
  for await (const chunk of chunks) yield reader.read(chunk);
  reader.end();
}

async function* readLines(chunks: AsyncIterable<Buffer>, source: Source, begin: Begin): AsyncGenerator<Row[]> {
  let reader: LineReader | null = null;
  for await (const lines of splitLines(chunks)) {
    if ('tooLong' in lines) {
      if (reader === null)
        throw new RefusedFile(
          'bad_header',
          'starts with a line longer than 1 MiB. JSON must be an array of records, an object with one, or one object per line',
        );
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
