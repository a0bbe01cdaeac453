import { wordsOfUsesIn } from '#languages/words.ts';
import { isSpaceless } from '#text/fold.ts';
import { once } from '#text/memoize.ts';
import { placePrepositions, smallWords } from '#text/name-keys.ts';
import { maxWordsOfName } from './concept-words.ts';
import { anyKind, anyNature, anyPlace, isKind, isLikely, isOfKind, isRecognized, type Part } from './parts.ts';
import { addressPreposition, isFiller } from './query-words.ts';
import { conceptsBegunBy, isTypedMost, searchWords } from './search-words.ts';

/** A word of so few letters begins many others. In UTF-16 code units. */
export const maxOfCode = 3;

/** The last part, with what it may begin and no other part says: `mexic` of `new mexic` is not Mexico in another language. */
export function mayBeBegun(words: readonly string[], last: Part, before: readonly Part[]): Part {
  if (last.words.length > 1) return last;
  const longest = Math.min(maxWordsOfName, words.length);
  for (let length = longest; length > 0; length -= 1) {
    const mayBegin = length > 1 || !isRecognized(last) ? conceptsBegunBy(words.slice(-length).join(' ')) : [];
    // `kids tv cana` begins `canal`; `tv stat` is the same kind in more words.
    const isSaid = (concept: string) => length === 1 && before.some(({ concepts }) => concepts.includes(concept));
    const isBehindIn = placePrepositions.has(words.at(-1 - length) ?? '');
    const begun = withoutRare(mayBegin.filter((concept) => !isSaid(concept) && !(isBehindIn && isKind(concept))));
    if (begun.length > 0) return { words: last.words, concepts: [], begun };
  }
  return last;
}

/**
 * Beside a kind, leaves out regions that people hardly type: `maga` means magazines, not Magadan. Beside a subject or a place, leaves
 * out coverage and frequency: `land` of `landwirtschaft` does not ask for national media.
 */
function withoutRare(begun: readonly string[]): readonly string[] {
  const hasKind = begun.some((concept) => anyKind.test(concept));
  const hasOther = begun.some((concept) => !anyNature.test(concept));
  return begun.filter((concept) => {
    if (anyNature.test(concept)) return !hasOther;
    return !hasKind || isTypedMost(concept) || !concept.startsWith('region.');
  });
}

/** People type these in texts of any language, and then go on: `radio and`. */
const englishSmallWords = new Set(wordsOfUsesIn('en', 'small.'));

/** Whether the last part may begin a place, though it also asks for nothing: `newspapers in det`, `kids tv can`. */
export function mayBeginPlace({ words: [word = ''], begun = [] }: Part, words: readonly string[]): boolean {
  if (word !== words.at(-1)) return false;
  const before = words.at(-2) ?? '';
  if (placePrepositions.has(before)) return true;
  const places = begun.filter((concept) => anyPlace.test(concept));
  // `jornais do por`: "por" is a Spanish word, and begins Portugal.
  if (smallWords.has(before) && smallWords.has(word)) return !englishSmallWords.has(word) && places.some(isTypedMost);
  // `jazz radio new or`
  const isTelling = !smallWords.has(word) || conceptsBegunBy(`${before} ${word}`).length > 0;
  return !isFiller(before) && isTelling && places.length > 0;
}

/** The part that is the last typed word alone, which may go on; null for several words, or a script without spaces. */
function lastWordOf(parts: readonly Part[], typedWords: readonly string[]): Part | null {
  const last = parts.at(-1);
  const [word = '', ...more] = last?.words ?? [];
  return last === undefined || more.length > 0 || word !== typedWords.at(-1) || isSpaceless(word) ? null : last;
}

/**
 * The parts with the last word as the beginning of others, if it stands for something and they begin so too: `ne` is Nebraska, and
 * begins `new`. A word alone may begin others even if it stands for nothing: `polis`. Null for any other text.
 */
export function readUnfinished(parts: readonly Part[], typedWords: readonly string[]): readonly Part[] | null {
  const last = lastWordOf(parts, typedWords);
  if (last === null) return null;
  const [word = ''] = last.words;
  if (typedWords.length === 1) return readBegunWord(last, word);
  if (!isRecognized(last) || typedWords.at(-2) === addressPreposition) return null;
  const begun = conceptsBegunBy(word);
  // `television` begins `television station`, that is the same kind, and `israel` begins `israeli`.
  const mayBeWhole = isOfKind(last) || begun.length > 0;
  const isWhole = mayBeWhole && begun.every((concept) => last.concepts.includes(concept));
  const mayBegin = begun.length > 0 || word.length <= maxOfCode;
  return mayBegin && !isWhole ? [...parts.slice(0, -1), { words: last.words, concepts: [], begun }] : null;
}

/** So many letters of a word that stands for nothing say nothing. In UTF-16 code units. */
const maxSayingNothing = 2;

/** The beginnings of small words, which may end as these: `übe`. */
const beginningsOfSmallWords = once(
  () => new Set([...smallWords].flatMap((word) => Array.from(word, (_letter, index) => word.slice(0, index)))),
);

const isCodeAlone = (word: string) => searchWords().byCode.has(word) && !searchWords().byWord.has(word);

/** Whether a text ends in a word that says nothing yet, beside others that do: `newspapers fu`, but not `radio 4`. */
export function endsUnsaid(parts: readonly Part[], typedWords: readonly string[]): boolean {
  const last = lastWordOf(parts, typedWords);
  if (last === null || !parts.slice(0, -1).some(isRecognized)) return false;
  const [word = ''] = last.words;
  if (!/^\p{L}+$/u.test(word)) return false;
  if (!isRecognized(last))
    return beginningsOfSmallWords().has(word) || (word.length <= maxSayingNothing && !isLikely(last));
  const before = typedWords.at(-2) ?? '';
  if (!isCodeAlone(word) || placePrepositions.has(before)) return false;
  // `motorcycle ma` may go on as `magazine`, `podcasts about hi` as `history`; `newspapers ma` and `fishing in ma` name a state.
  return isFiller(before) || !parts.some(isOfKind);
}

/** What a word alone begins. A kind only if it goes on from one: `zeitunge`, but not `loca`, which may be any name. */
function readBegunWord(last: Part, word: string): readonly Part[] | null {
  const beginnings = Array.from(word, (_letter, place) => word.slice(0, place));
  const goesOnFrom = (concept: string) =>
    beginnings.some((beginning) => searchWords().byWord.get(beginning)?.includes(concept));
  const begun = conceptsBegunBy(word).filter((concept) => !isKind(concept) || goesOnFrom(concept));
  // `sunda` is Sundanese, and begins `sunday`.
  const isWhole = begun.every((concept) => last.concepts.includes(concept)) && (!isRecognized(last) || isOfKind(last));
  return isWhole ? null : [{ words: last.words, concepts: [], begun }];
}
