import { either, namesOfDot } from './address-words.ts';
import type { Sign, Span } from './find-signs.ts';

/** Longer than RFC 5321 allows, to cover spelled-out forms. */
const maxLocalPartLength = 320;
const maxQuotedLength = 80;
const maxDotLength = 24;

const noLocal = /[\s<>[\](),;:"]/;
const meaningful = /[\p{L}\p{N}]/u;
/** Scripts without spaces start here: next to a local part in Latin letters they are the surrounding sentence. */
const firstSpaceless = '\u2e80';

const names = either(namesOfDot);
/** `jane [dot] doe`, `jane dot doe`, `jane . doe` */
const dotBefore = new RegExp(
  `(?<=[\\p{L}\\p{N}])(?: ?[[({<*_|~-] ?(?:${names}|\\.) ?[\\])}>*_|~-] ?| (?:${names}|\\.) )$`,
  'iu',
);

/**
 * What precedes a sign and may be a local part: `jane.doe`, `"jane doe"`, `jane(home)`, `jane [dot] doe`; null if
 * nothing does. It starts at `floor` or later.
 */
export function readLocalPart(text: string, sign: Sign, floor: number, isPath: boolean): Span | null {
  const end = sign.start;
  const lowest = Math.max(floor, end - maxLocalPartLength);
  let start = startOfRun(text, end, lowest, sign.isAt && sign.isCertain);
  for (let dot = startOfDot(text, start, lowest); dot !== null; dot = startOfDot(text, start, lowest)) {
    start = startOfRun(text, dot, lowest, false);
  }
  // The handle of a page: `https://example.org/@jane`.
  if (text[end - 1] === '/') return null;
  const run = text.slice(start, end);
  if (isPath || run.includes('//')) start += run.lastIndexOf('/') + 1;
  // Anything that touches an @ may be a local part.
  const isLocal = sign.isAt && sign.isCertain ? start < end : meaningful.test(text.slice(start, end));
  return isLocal ? { start, end } : null;
}

/** Where the part that ends here starts: a run of characters, quoted text, or a comment with what belongs to it. */
function startOfRun(text: string, end: number, lowest: number, touchesAt: boolean): number {
  const last = text[end - 1] ?? '';
  const opening = last === '"' ? '"' : '(';
  const opened = last === '"' || last === ')' ? text.lastIndexOf(opening, end - 2) : -1;
  if (opened >= lowest && end - opened <= maxQuotedLength) {
    return last === '"' ? opened : startOfPlainRun(text, opened, lowest);
  }
  const start = startOfPlainRun(text, end, lowest);
  if (start < end || !touchesAt) return start;
  const before = text.lastIndexOf(' ', end - 1);
  return Math.max(before + 1, lowest);
}

function startOfPlainRun(text: string, end: number, lowest: number): number {
  const isLatin = (text[end - 1] ?? '') < firstSpaceless;
  let start = end;
  while (start > lowest) {
    const character = text[start - 1] ?? '';
    if (noLocal.test(character) || (isLatin && character >= firstSpaceless)) break;
    start -= 1;
  }
  return start;
}

/** Where a spelled-out full stop that ends here starts; null if there is none. */
function startOfDot(text: string, end: number, lowest: number): number | null {
  const found = dotBefore.exec(text.slice(Math.max(lowest, end - maxDotLength), end));
  return found === null ? null : end - found[0].length;
}
