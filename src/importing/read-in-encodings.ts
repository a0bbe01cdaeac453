import { isUtf8 } from 'node:buffer';
import { quoteHeading } from './row.ts';
import { nextLineStart } from './split-lines.ts';

/** Encodings in which lists of media still arrive, the likeliest first. Those of one byte can read any text. */
const likely = ['windows-1252', 'shift_jis', 'gb18030', 'euc-kr', 'windows-1251', 'windows-1250', 'macintosh'] as const;
/** Characters shown before the first odd one. */
const before = 20;

/**
 * How the first line that is not UTF-8 reads in the likely encodings, and which option reads the file so: a person sees
 * at once which reading is right.
 *
 * @param bytes the beginning of a text that is not UTF-8
 */
export function readInEncodings(bytes: Buffer): string {
  const { line, number } = firstOddLine(bytes);
  const labels = new Map<string, string>();
  for (const label of likely) {
    const text = decode(line, label);
    // Of encodings that read it alike, the likeliest.
    if (text !== null && !labels.has(text)) labels.set(text, label);
  }
  const readings = [...labels].map(([text, label]) => `--encoding ${label}: ${quoteHeading(aroundOdd(text))}`);
  return `Line ${number} reads so with: ${readings.join('; ')}. Import it again with the right option`;
}

function firstOddLine(bytes: Buffer): { line: Buffer; number: number } {
  let number = 1;
  for (let start = 0; ; number += 1) {
    const next = nextLineStart(bytes, start);
    const line = bytes.subarray(start, next ?? bytes.length);
    if (next === null || !isUtf8(line)) return { line, number };
    start = next;
  }
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
