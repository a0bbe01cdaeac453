import { bracketedNamesOfSign, either, namesOfSign, seen, spacelessNamesOfSign } from './address-words.ts';

/** A stretch of a text: from its first code unit to before `end`. */
export interface Span {
  start: number;
  end: number;
}

/** A possible @ of an address, with the spaces and brackets around it. */
export interface Sign extends Span {
  isAt: boolean;
  /** Written unlike "at" in a sentence: `[at]`, or an @ without a space before it. */
  isCertain: boolean;
  /** Whether it is, or stands for, the English word, as opposed to a name of the @ in another language. */
  isPreposition: boolean;
  /** What surrounds a name of the @ on both sides, such as `*`; empty if only spaces do. */
  wrapping: string;
}

const spaceless: readonly string[] = seen(spacelessNamesOfSign);
/** The @, also in mail encoding (`=40`), and its names. A name that touches a letter is part of a word. */
const signs = new RegExp(
  [
    '@+',
    '=40(?=[\\p{L}\\p{N}])',
    `(?<=[([{<] ?)(?:${either(bracketedNamesOfSign)})(?= ?[)\\]}>])`,
    `(?<![\\p{L}\\p{N}])(?:${either(namesOfSign)})(?![\\p{L}\\p{N}])`,
    either(spacelessNamesOfSign),
  ].join('|'),
  'giu',
);
/** `janeATexample.org` */
const gluedSigns = /(?<=[a-z\d])AT(?=[a-z\d])/g;

/** Finds every possible @ in an address view, in order. */
export function findSigns(text: string): Sign[] {
  const found = [...text.matchAll(signs)]
    .map(({ 0: word, index }) => readSign(text, word, index))
    .filter((sign) => sign !== null);
  if (!text.includes('AT')) return found;
  const glued = [...text.matchAll(gluedSigns)].map(({ index }) => ({
    ...{ start: index, end: index + 2 },
    ...{ isAt: false, isCertain: false, isPreposition: true, wrapping: '' },
  }));
  return [...found, ...glued].sort((a, b) => a.start - b.start);
}

/** Null for a name of the @ that nothing separates from its neighbors. */
function readSign(text: string, word: string, index: number): Sign | null {
  const end = index + word.length;
  const isAt = word.startsWith('@');
  const around = unwrap(text, index, end, isAt);
  const isCertain = /[([{<]/.test(around.wrapping) || (isAt && around.start === index);
  const mayTouch = isAt || word === '=40' || spaceless.includes(word);
  const isParted = around.start < index && around.end > end;
  const isPreposition = !isCertain && (isAt || word.toLowerCase() === 'at');
  return mayTouch || isParted ? { ...around, isAt, isCertain, isPreposition } : null;
}

const brackets = '([{<';
const closings: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...brackets].map((bracket) => [bracket, ')]}>'])),
  ...Object.fromEntries([...'*_|~"\'`=+#!:\\/^-'].map((character) => [character, character])),
};
const maxWrapping = 3;

/** Extends a sign by the spaces and wrapping around it; around an @ only brackets, also `[@t]`. */
function unwrap(text: string, start: number, end: number, isAt: boolean): Span & { wrapping: string } {
  let wrapping = '';
  let around = takeSpaces(text, start, isAt && /^t ?[)\]}>]/i.test(text.slice(end, end + 3)) ? end + 1 : end);
  while (wrapping.length < maxWrapping) {
    const opening = text[around.start - 1] ?? '';
    const closing = text[around.end] ?? '';
    const isPair = opening !== '' && closing !== '' && closings[opening]?.includes(closing) === true;
    if (!isPair || (isAt && !brackets.includes(opening))) break;
    wrapping = opening + wrapping;
    around = takeSpaces(text, around.start - 1, around.end + 1);
  }
  return { ...around, wrapping };
}

function takeSpaces(text: string, start: number, end: number): Span {
  return { start: text[start - 1] === ' ' ? start - 1 : start, end: text[end] === ' ' ? end + 1 : end };
}
