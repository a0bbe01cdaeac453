import { linkingWords } from '#text/name-keys.ts';
import { isOfKind, isPlace, isRecognized, type Part } from './parts.ts';
import { isExcept, isFiller, isNot } from './query-words.ts';
import { readPart, readParts } from './read-parts.ts';

/**
 * Splits `newspapers in texas but not dallas` into the words to find and what no record may have: something recognized behind "not",
 * beside something else that is, or any last name behind a kind and more: `alberta tv not ctv`. `news not noise` is a name.
 * Behind "no", only what is recognized at the end, or any last word right behind a kind: `nba podcasts no espn`.
 */
export function takeExceptions(words: readonly string[]): { words: string[]; exceptions: (readonly string[])[] } {
  const askedWords: string[] = [];
  const exceptions: (readonly string[])[] = [];
  for (let place = 0; place < words.length; ) {
    const word = words[place] ?? '';
    const { part, end } = isExcept(word) || word === no ? readException(words, place + 1) : noException;
    const rest = part === null ? [] : readParts([...askedWords, ...words.slice(end)]);
    if (part !== null && isExcepted(word, part, rest, end === words.length)) {
      exceptions.push(...partsWithin(part.words));
      place = end;
    } else {
      askedWords.push(word);
      place += 1;
    }
  }
  return { words: askedWords, exceptions };
}

const no = 'no';

/** Whether a part behind a word such as "not" is left out, beside the rest of the text. */
function isExcepted(word: string, part: Part, rest: readonly Part[], isLast: boolean): boolean {
  if (!isRecognized(part)) return isLast && ((word !== no && isClear(rest)) || endsInKind(rest));
  // `no` is "in the" in Portuguese: `rádios de jazz no brasil`.
  return word === no ? isLast && !isPlace(part) && isClear(rest) : rest.some(isRecognized);
}

/** Whether a kind is behind others: `nba podcasts`. */
const endsInKind = (parts: readonly Part[]) => parts.length > 1 && parts.slice(-1).every(isOfKind);

/** Whether parts say what kind of media is asked for, and something else of them. */
const isClear = (parts: readonly Part[]) =>
  parts.some(isOfKind) && parts.some((part) => isRecognized(part) && !isOfKind(part));

const noException = { part: null, end: -1 };

/** The telling part that begins here or behind fillers, `not based in`, and where it ends. */
function readException(words: readonly string[], from: number): { part: Part | null; end: number } {
  // `los angeles` begins with a small word.
  const mayBegin = (word: string, at: number) => !isFiller(word) || isRecognized(readPart(words, at));
  const start = words.findIndex((word, at) => at >= from && !isExcept(word) && mayBegin(word, at));
  const excepted = start < 0 ? [] : words.slice(start);
  const [first, ...more] = readParts(excepted);
  if (first === undefined || first.words[0] !== excepted[0]) return noException;
  if (isRecognized(first)) return { part: first, end: start + first.words.length };
  if (words[from - 1] !== no && !isNot(words[from - 1] ?? '')) return noException;
  // A name of several words, at the end: `without 20 minuten`.
  const part = more.some(isRecognized) ? first : { words: excepted, concepts: [] };
  return { part, end: start + part.words.length };
}

/** What "and" joined or a list names: `russia, poland and thailand`. Other words are one name. */
function partsWithin(words: readonly string[]): (readonly string[])[] {
  if (words.length === 0) return [];
  if (!readParts(words).some(isRecognized)) return [words];
  const { words: first } = readPart(words, 0);
  const rest = partsWithin(words.slice(first.length));
  return linkingWords.has(first[0] ?? '') ? rest : [first, ...rest];
}
