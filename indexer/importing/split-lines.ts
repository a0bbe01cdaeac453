/** Complete lines of a file, or the report of a line that is too long to read. */
export type Lines = { bytes: Buffer } | { tooLong: true };

/** Maximum line length in bytes. A record of a medium has a few hundred. */
export const maxLineBytes = 1024 * 1024;

const lineFeed = 10;
const carriageReturn = 13;

/**
 * Chunks split so that each ends with a line, the last with the file. Of a line longer than maxLineBytes only the
 * report is kept, whatever its length. Lines end with LF, CRLF or CR.
 */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Lines> {
  let carry: Buffer = Buffer.alloc(0);
  let skipping: 'no' | 'line' | 'line feed' = 'no';
  for await (const chunk of chunks) {
    let rest = chunk;
    if (skipping === 'line') {
      const start = nextLineStart(rest, 0);
      if (start === null) continue;
      skipping = start === rest.length && rest.at(-1) === carriageReturn ? 'line feed' : 'no';
      rest = rest.subarray(start);
    } else if (skipping === 'line feed' && rest.length > 0) {
      if (rest[0] === lineFeed) rest = rest.subarray(1);
      skipping = 'no';
    }
    const bytes = carry.length === 0 ? rest : Buffer.concat([carry, rest]);
    const end = lastLineEnd(bytes);
    if (end > 0) yield { bytes: bytes.subarray(0, end) };
    carry = bytes.subarray(end);
    if (carry.length > maxLineBytes) {
      yield { tooLong: true };
      carry = Buffer.alloc(0);
      skipping = 'line';
    }
  }
  if (carry.length > 0) yield { bytes: carry };
}

/** Where the last complete line ends. A CR at the very end may be half of a CRLF. */
function lastLineEnd(bytes: Buffer): number {
  const feed = bytes.lastIndexOf(lineFeed);
  if (feed >= 0) return feed + 1;
  return bytes.length < 2 ? 0 : bytes.lastIndexOf(carriageReturn, bytes.length - 2) + 1;
}

/** Where the line after the one at `offset` starts; null if the bytes end before. */
export function nextLineStart(bytes: Buffer, offset: number): number | null {
  const feed = bytes.indexOf(lineFeed, offset);
  const carriage = bytes.subarray(0, feed < 0 ? bytes.length : feed).indexOf(carriageReturn, offset);
  if (carriage >= 0 && carriage + 1 !== feed) return carriage + 1;
  return feed < 0 ? null : feed + 1;
}

/** The first chunks of a source as one of at least `length` bytes, or everything there is. */
export async function atLeast(chunks: AsyncIterator<Buffer>, length: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let total = 0; total < length; ) {
    const { value, done } = await chunks.next();
    if (done) break;
    parts.push(value);
    total += value.length;
  }
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
}

/** Puts back what was taken from the front. */
export async function* joined(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  yield* rest;
}
