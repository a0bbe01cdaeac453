import { isAscii, isUtf8 } from 'node:buffer';
import { findAddresses } from '#records/addresses/scrub-addresses.ts';
import { quoteHeading } from './row.ts';
import { nextLineStart } from './split-lines.ts';

/** Encodings in which lists of media still arrive, the likeliest first. Those of one byte can read any text. */
const likely = ['windows-1252', 'shift_jis', 'gb18030', 'euc-kr', 'windows-1251', 'windows-1250', 'macintosh'] as const;
/** Characters shown before the first odd one. */
const before = 20;
/** Bytes looked at on each side of the first odd one: more than are shown and an address beside them have together. */
const reach = 2_000;
const space = 0x20;

/**
 * How the first line that is not UTF-8 reads in the likely encodings, and which option reads the file so: a person sees
 * at once which reading is right. Lines in which only addresses are odd are passed over.
 *
 * @param bytes the beginning of a text that is not UTF-8
 */
export function readInEncodings(bytes: Buffer): string {
  const found = firstOddLine(bytes);
  if (found === null) return `Import it again with its encoding, such as --encoding ${likely[0]}`;
  const labels = new Map<string, string>();
  for (const label of likely) {
    const text = decode(found.line, label);
    // Of encodings that read it alike, the likeliest.
    if (text !== null && !labels.has(text)) labels.set(text, label);
  }
  const readings = [...labels].map(([text, label]) => `--encoding ${label}: ${quoteHeading(aroundOdd(text))}`);
  return `Line ${found.number} reads so with: ${readings.join('; ')}. Import it again with the right option`;
}

/** The part of the line around its first odd byte, without addresses; null if there is no such line. */
function firstOddLine(bytes: Buffer): { line: Buffer; number: number } | null {
  let number = 1;
  for (let start: number | null = 0; start !== null && start < bytes.length; number += 1) {
    const next = nextLineStart(bytes, start);
    const line = bytes.subarray(start, next ?? bytes.length);
    if (!isUtf8(line)) {
      const odd = line.findIndex((byte) => byte >= 0x80);
      const part = withoutAddresses(line.subarray(Math.max(0, odd - reach), odd + reach));
      if (!isAscii(part)) return { line: part, number };
    }
    start = next;
  }
  return null;
}

/** The bytes with spaces for what is an address in one of the encodings: the others would show it in disguise. */
function withoutAddresses(bytes: Buffer): Buffer {
  const rest = Buffer.from(bytes);
  for (const label of likely) {
    const { text, ends } = decodeByBytes(bytes, label);
    for (const { start, end } of findAddresses(text)) rest.fill(space, ends[start - 1] ?? 0, ends[end - 1]);
  }
  return rest;
}

/** The text of bytes, with the byte behind each of its code units. */
function decodeByBytes(bytes: Buffer, label: string): { text: string; ends: number[] } {
  const decoder = new TextDecoder(label);
  const ends: number[] = [];
  let text = '';
  const add = (read: string, end: number) => {
    text += read;
    for (let unit = 0; unit < read.length; unit += 1) ends.push(end);
  };
  for (let at = 0; at < bytes.length; at += 1)
    add(decoder.decode(bytes.subarray(at, at + 1), { stream: true }), at + 1);
  add(decoder.decode(), bytes.length);
  return { text, ends };
}

/** null for a text that the encoding does not have. */
function decode(bytes: Buffer, label: string): string | null {
  try {
    const text = new TextDecoder(label, { fatal: true }).decode(bytes);
    // Bytes without a character in an encoding of one byte become control characters.
    return /[\u0080-\u009f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

function aroundOdd(text: string): string {
  const odd = text.search(/\P{ASCII}/u);
  return text.slice(Math.max(0, odd - before));
}
