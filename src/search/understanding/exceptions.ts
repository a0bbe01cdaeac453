import { linkingWords } from '#text/name-keys.ts';
import { isOfKind, isPlace, isRecognized, type Part } from '../words/parts.ts';
import { isBut, isFiller, wordsOfException } from '../words/query-words.ts';
import { readPart, readParts } from '../words/read-parts.ts';

/** What a text says that no record may have, until its `end`. */
interface Exception {
  words: readonly string[];
  end: number;
  /** `all` leaves out any words, `recognized` only what stands for something, `no` what hardly is the rest of a name. */
  leavesOut: 'all' | 'recognized' | 'no';
}

/**
 * Splits `newspapers in texas but not dallas` into the words to find and what no record may have: something recognized behind "not",
 * beside something else that is, or any last name behind a kind and more: `alberta tv not ctv`. `news not noise` is a name.
 * Behind "no", only what is recognized at the end and no place, beside a kind, or any last word behind a kind and more: `nba podcasts no espn`.
 */
export function takeExceptions(words: readonly string[]): { words: string[]; exceptions: (readonly string[])[] } {
  const askedWords: string[] = [];
  const exceptions: (readonly string[])[] = [];
  for (let place = 0; place < words.length; ) {
    const exception = exceptionBehind(words, place) ?? exceptionFrom(words, place);
    const rest = exception === null ? [] : readParts([...askedWords, ...words.slice(exception.end)]);
    if (exception !== null && isMeant(exception, rest, words.slice(exception.end).every(isFiller))) {
      exceptions.push(...partsWithin(exception.words));
      askedWords.splice(askedWords.findLastIndex((word) => !isBut(word)) + 1);
      place = exception.end;
    } else {
      askedWords.push(words[place] ?? '');
      place += 1;
    }
  }
  return { words: askedWords, exceptions };
}

/** Whether an exception is one, beside the rest of the text. */
function isMeant({ words, leavesOut }: Exception, rest: readonly Part[], isLast: boolean): boolean {
  const parts = readParts(words);
  const isNo = leavesOut === 'no';
  if (!parts.some(isRecognized)) return isLast && ((!isNo && isClear(rest)) || endsInKind(rest));
  // `no` is "in the" in Portuguese: `rádios de jazz no brasil`.
  const isNoKind = rest.some(isOfKind) && !parts.some(isOfKind);
  return isNo ? isLast && !parts.some(isPlace) && (isClear(rest) || isNoKind) : rest.some(isRecognized);
}

/** Whether a kind is behind others: `nba podcasts`. */
const endsInKind = (parts: readonly Part[]) => parts.length > 1 && parts.slice(-1).every(isOfKind);

/** Whether parts say what kind of media is asked for, and something else of them. */
const isClear = (parts: readonly Part[]) =>
  parts.some(isOfKind) && parts.some((part) => isRecognized(part) && !isOfKind(part));

/** `istanbul hariç`; but `italia escluso roma` leaves out what follows. */
function exceptionBehind(words: readonly string[], place: number): Exception | null {
  const part = readPart(words, place);
  const behind = place + part.words.length;
  const length = saysNot(words, behind).length > 0 ? 0 : wordsOfException(words, behind, 'behind');
  return length === 0 ? null : { words: part.words, end: behind + length, leavesOut: 'all' };
}

/** The telling part behind words such as "not", or behind these and fillers: `not based in`. */
function exceptionFrom(words: readonly string[], place: number): Exception | null {
  const { length, leavesOut } = saysNot(words, place);
  if (length === 0) return null;
  const from = place + length;
  // `los angeles` begins with a small word.
  const mayBegin = (word: string, at: number) => !isFiller(word) || isRecognized(readPart(words, at));
  const start = words.findIndex((word, at) => at >= from && mayBegin(word, at));
  const behind = start < 0 ? [] : words.slice(start);
  const [first, ...more] = readParts(behind);
  if (first === undefined || first.words[0] !== behind[0]) return null;
  if (isRecognized(first)) return { words: first.words, end: start + first.words.length, leavesOut };
  if (leavesOut === 'recognized') return null;
  // A name of several words, at the end: `without 20 minuten`.
  const name = more.some(isRecognized)
    ? first.words
    : behind.slice(0, behind.findLastIndex((word) => !isFiller(word)) + 1);
  return { words: name, end: start + name.length, leavesOut };
}

/** How many words say "not", `but not`, and what they leave out. The last word of a text is none of them: `podcasts not sans`. */
function saysNot(words: readonly string[], place: number): { length: number } & Pick<Exception, 'leavesOut'> {
  const [not, except] = [wordsOfException(words, place, 'not'), wordsOfException(words, place, 'except')];
  const length = Math.max(not, except, words[place] === 'no' ? 1 : 0);
  // `pas de calais`
  const isOther = length === 0 || place + length >= words.length || readPart(words, place).words.length > length;
  if (isOther) return { length: 0, leavesOut: 'no' };
  const leavesOut = not === length ? 'all' : except === length ? 'recognized' : 'no';
  const next = saysNot(words, place + length);
  return next.length === 0 ? { length, leavesOut } : { length: length + next.length, leavesOut: next.leavesOut };
}

/** What "and" joined or a list names: `russia, poland and thailand`. Other words are one name. */
function partsWithin(words: readonly string[]): (readonly string[])[] {
  if (words.length === 0) return [];
  if (!readParts(words).some(isRecognized)) return [words];
  const { words: first } = readPart(words, 0);
  const rest = partsWithin(words.slice(first.length));
  return linkingWords.has(first[0] ?? '') ? rest : [first, ...rest];
}
