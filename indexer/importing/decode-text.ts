import { isAscii, isUtf8 } from 'node:buffer';
import { RefusedFile } from './row.ts';
import { atLeast, joined } from './split-lines.ts';

/** How much of a file decides its encoding. */
const probeSize = 64 * 1024;

const saveAs = 'save the file as "CSV UTF-8"';

const signatures: ReadonlyArray<{ bytes: readonly number[]; what: string }> = [
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    what: 'a zip archive, or an Excel workbook on standard input; unpack the archive, or pass the workbook as a file',
  },
  {
    bytes: [0xd0, 0xcf, 0x11, 0xe0],
    what: 'an old Excel workbook (.xls) or one with a password; save it as .xlsx without a password',
  },
  { bytes: [0x42, 0x5a, 0x68], what: 'compressed with bzip2; decompress it first' },
  { bytes: [0xfd, 0x37, 0x7a, 0x58], what: 'compressed with xz; decompress it first' },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], what: 'compressed with zstd; decompress it first' },
  { bytes: [0x1f, 0x8b], what: 'compressed twice; decompress it first' },
  { bytes: [0x25, 0x50, 0x44, 0x46], what: 'a PDF; use CSV or NDJSON' },
];

/**
 * The text of a file as UTF-8 without its byte order mark. UTF-16 is recognized by its mark; without a mark the first
 * 64 KiB must be UTF-8. Later invalid bytes are passed through: see markInvalid.
 *
 * @param encoding how the text is encoded if it has no mark, and the first that is more than ASCII is not UTF-8: a label of
 *   the WHATWG Encoding Standard
 * @throws RefusedFile for an empty file, another encoding, or a file that is not text.
 */
export async function* decodeText(chunks: AsyncGenerator<Buffer>, encoding: string | null): AsyncGenerator<Buffer> {
  const probe = await atLeast(chunks, probeSize);
  if (probe.length === 0) throw new RefusedFile('empty', 'is empty');
  const all = joined(probe, chunks);
  if (startsWith(probe, [0xff, 0xfe, 0, 0]) || startsWith(probe, [0, 0, 0xfe, 0xff])) {
    throw new RefusedFile('not_utf8', `is UTF-32; ${saveAs}`);
  }
  if (startsWith(probe, [0xff, 0xfe])) yield* transcoded(all, new TextDecoder('utf-16le'));
  else if (startsWith(probe, [0xfe, 0xff])) yield* transcoded(all, new TextDecoder('utf-16be'));
  else if (startsWith(probe, [0xef, 0xbb, 0xbf])) yield* withoutMark(all);
  else {
    refuseBinary(probe);
    if (encoding !== null) yield* transcodedUnlessUtf8(all, encoding);
    else {
      refuseUnlessUtf8(probe);
      yield* all;
    }
  }
}

function startsWith(buffer: Buffer, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => buffer[index] === byte);
}

function refuseBinary(probe: Buffer): void {
  const known = signatures.find(({ bytes }) => startsWith(probe, bytes));
  if (known) throw new RefusedFile('not_text', `is ${known.what}`);
  const start = probe.subarray(0, probeSize);
  const nuls = start.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0);
  if (nuls > start.length / 4) {
    throw new RefusedFile('not_utf8', `is not text, or is UTF-16 without a byte order mark; ${saveAs}`);
  }
}

function refuseUnlessUtf8(probe: Buffer): void {
  // A shorter one is all of the file: its end splits no character.
  const isWhole = probe.length < probeSize;
  if (isWhole ? isUtf8(probe) : startsOf(probe).some(isUtf8)) return;
  const encodings = 'windows-1252 (Western Europe), windows-1251 (Cyrillic), shift_jis or gb18030';
  throw new RefusedFile(
    'not_utf8',
    `is not UTF-8. Import it again with its --encoding, such as ${encodings}, or ${saveAs}`,
  );
}

/** Whether the text has more than ASCII, and that is UTF-8. */
function isBeyondAsciiInUtf8(probe: Buffer): boolean {
  return startsOf(probe).some((start) => isUtf8(start) && !isAscii(start));
}

/** The probe whole, and without a character that its end may split. */
function startsOf(probe: Buffer): Buffer[] {
  const length = Math.min(probe.length, probeSize);
  return [0, 1, 2, 3].map((cut) => probe.subarray(0, Math.max(0, length - cut)));
}

/**
 * The text as UTF-8, whether it is in this encoding or already UTF-8. The first bytes beyond ASCII decide, wherever they
 * come: no other encoding gives what is UTF-8 by chance.
 */
async function* transcodedUnlessUtf8(chunks: AsyncGenerator<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding);
  for (;;) {
    const chunk = await atLeast(chunks, 1);
    if (chunk.length === 0) break;
    const odd = isAscii(chunk) ? chunk.length : chunk.findIndex((byte) => byte >= 0x80);
    // Decoded too: in ISO-2022-JP all text is in bytes of ASCII.
    yield encoded(decoder, decoder.decode(chunk.subarray(0, odd), { stream: true }));
    if (odd === chunk.length) continue;
    const rest = joined(chunk.subarray(odd), chunks);
    const probe = await atLeast(rest, probeSize);
    const all = joined(probe, rest);
    if (!isBeyondAsciiInUtf8(probe)) yield* transcoded(all, decoder);
    else {
      yield encoded(decoder, decoder.decode());
      yield* all;
    }
    return;
  }
  yield encoded(decoder, decoder.decode());
}

async function* withoutMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let mark = 3;
  for await (const chunk of chunks) {
    yield chunk.subarray(mark);
    mark = 0;
  }
}

async function* transcoded(chunks: AsyncIterable<Buffer>, decoder: TextDecoder): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield encoded(decoder, decoder.decode(chunk, { stream: true }));
  yield encoded(decoder, decoder.decode());
}

/** What a decoder read, as UTF-8. */
function encoded({ encoding }: TextDecoder, text: string): Buffer {
  // No text in another encoding has U+FFFD: there it stands for bytes that mean nothing.
  return Buffer.from(encoding.startsWith('utf-') ? text : text.replaceAll('\ufffd', invalidMark));
}

/** Stands for bytes that are not UTF-8. It is a noncharacter, so no text contains it. */
export const invalidMark = '\ufdd0';

const replacement = Buffer.from('\ufffd');

/** Text with the invalid mark in place of every byte that is not UTF-8; valid UTF-8 is returned unchanged. */
export function markInvalid(bytes: Buffer): Buffer {
  if (isUtf8(bytes)) return bytes;
  const parts: string[] = [];
  for (let start = 0; start <= bytes.length; ) {
    const found = bytes.indexOf(replacement, start);
    const end = found < 0 ? bytes.length : found;
    parts.push(bytes.toString('utf8', start, end).replaceAll('\ufffd', invalidMark));
    start = end + replacement.length;
  }
  return Buffer.from(parts.join('\ufffd'));
}
