import { foldedWords, isSpaceless } from '#text/fold.ts';
import { cached, perObject } from '#text/memoize.ts';
import { looseSpellings, otherSpellings } from '#text/spellings.ts';
import { conceptOfFlag, joinNeighbors, tokensOf, wordsForEmoji } from '../indexed/searchable-text.ts';
import type { Understanding } from '../search-query.ts';
import { guessedConcept, isGuessable } from '../words/concepts.ts';
import { conceptsNear } from '../words/concepts-near.ts';
import { digitsOf } from '../words/number-words.ts';
import { anyNature, isOfKind, isRecognized, likelyConcepts, type Part } from '../words/parts.ts';
import { otherNamesOfPlace } from '../words/place-names.ts';
import { addressPreposition } from '../words/query-words.ts';
import { searchWords } from '../words/search-words.ts';
import { stemsOfTyped } from '../words/stems.ts';
import { anyOf, type Condition, concept, isName, phrase, type Scope, wordIn, wordsIn } from './conditions.ts';
import { maxEdits, stretchesOf } from './typo-tolerance.ts';

/** A shorter word is hardly two words that were typed without a space. In UTF-16 code units. */
const minJoined = 6;

/** What a part stands for: `radio` → `type.radio`; `sports` → `topic.sports`, or "sports" in a name or a tag. */
export function meaningOf({ words, concepts, either }: Part): Condition {
  if (either !== undefined) return anyOf(either.map(meaningOf));
  const isTopic = concepts.some((conceptName) => conceptName.startsWith('topic.'));
  return anyOf([...concepts.map(concept), ...(isTopic ? wordsIn(words, 'traits') : [])]);
}

/** Meets a condition on a part, or is what an index guesses of records that do not say it. */
export function orGuessed(part: Part, condition: Condition): Condition {
  return anyOf([condition, ...likelyConcepts(part).filter(isGuessable).map(guessedConcept).map(concept)]);
}

/** The plans of a text and their tiers look for the same words, so each condition is made only once. */
const conditionsOf = perObject((_part: Part) => new Map<string, Condition>());

/**
 * A part as it was typed, in other spellings, by its stems and by what it stands for. One that `isLast` may be unfinished:
 * `weath` finds "weathercock".
 */
export function strictWord(part: Part, isLast: boolean, scope: Scope): Condition {
  return cached(conditionsOf(part), `${isLast} ${scope}`, () => makeStrictWord(part, isLast, scope));
}

/** Whether a part may be unfinished. Only a word that stands for nothing may go on; `radio` and `12` are complete. */
export function mayGoOn({ words: [word = '', ...more], concepts }: Part): boolean {
  return more.length === 0 && concepts.length === 0 && !/^\d{1,3}$/.test(word);
}

function makeStrictWord({ words, concepts, either, begun = [] }: Part, isLast: boolean, scope: Scope): Condition {
  if (either !== undefined) return anyOf(either.map((alternative) => strictWord(alternative, false, scope)));
  const [word = '', ...more] = words;
  const stands = [...meaningsIn(scope, concepts), ...otherNames(words, scope)];
  if (more.length > 0) return anyOf([phrase(words, scope), ...stands]);
  if (isSpaceless(word)) return anyOf([strictRun(word, scope), ...stands]);
  const isUnfinished = isLast && mayGoOn({ words, concepts });
  // Many descriptions contain words for a kind and are about something else.
  const looked = isOfKind({ words, concepts }) && scope === 'anywhere' ? 'traits' : scope;
  // In most texts, a code of two letters is another word: `in` is also Indiana.
  const within = concepts.length > 0 && word.length < 3 && isWide(looked) ? 'names' : looked;
  return anyOf([
    ...[word, ...otherSpellings(word)].map((spelling) => wordIn(spelling, within, isUnfinished)),
    ...(isWide(scope) ? stemsOfTyped(word).map((stem) => wordIn(stem, within)) : []),
    ...stands,
    ...(isUnfinished && scope === 'anywhere' ? begun.map(concept) : []),
    ...inDigits(word),
    ...meaningOfEmoji(word, scope),
  ]);
}

/** The same, or with typos: so many changed letters, a space too many or too few. A part of several words has none. */
export function fuzzyWord(part: Part, isLast: boolean, scope: Scope, typos: 0 | 1 | 2, text: Understanding): Condition {
  return cached(conditionsOf(part), `${isLast} ${scope} ${typos}`, () =>
    makeFuzzyWord(part, isLast, scope, typos, text),
  );
}

function makeFuzzyWord(
  part: Part,
  isLast: boolean,
  scope: Scope,
  typos: 0 | 1 | 2,
  { typedWords, callSigns }: Understanding,
): Condition {
  const [word = '', ...more] = part.words;
  const strict = strictWord(part, isLast, scope);
  if (more.length > 0 || callSigns.includes(word)) return strict;
  if (isSpaceless(word)) return anyOf([strict, ...stretchesOf(word).map((stretch) => strictRun(stretch, scope))]);
  const edits = Math.min(maxEdits(word), typos) as 0 | 1 | 2;
  const place = typedWords.indexOf(word);
  const joined = joinNeighbors(typedWords.slice(Math.max(0, place - 1), place + 2));
  const isTwoWords = word.length >= minJoined && scope !== 'people';
  // Where other parts may be missing, a beginning is not enough in texts, but the word is: `port` is in portable.
  if (part.begun !== undefined && typos === 2 && scope === 'anywhere')
    return anyOf([strictWord(part, isLast, 'traits'), wordIn(word, scope), ...part.begun.map(concept)]);
  // A word that stands for something, or begins what does, is hardly another word with a typo.
  if (isRecognized(part) || part.begun !== undefined) {
    const begun = isLast && typos === 1 && mayBeCode(word, typedWords) ? [wordIn(word, 'names', true)] : [];
    return anyOf([strict, ...begun, ...joined.map((spelling) => wordIn(spelling, scope))]);
  }
  return anyOf([
    strict,
    ...[word, ...otherSpellings(word)].map(
      (spelling): Condition => ({ is: 'word', word: spelling, unfinished: false, edits, in: scope }),
    ),
    ...looseSpellings(word).map((spelling) => wordIn(spelling, scope, isLast)),
    ...joined.map((spelling) => wordIn(spelling, scope)),
    ...(typos > 0 && scope === 'anywhere' ? conceptsNearIn(word, typedWords).map(concept) : []),
    ...(isTwoWords ? [isName('joined', [word])] : []),
  ]);
}

/** A word alone says no nature, though it may beside a kind: `communit`. */
const conceptsNearIn = (word: string, typedWords: readonly string[]) =>
  conceptsNear(word).filter((near) => typedWords.length > 1 || !anyNature.test(near));

/** Whether a last word is the code of a place only perhaps: `ne` is Nebraska, or begins `new`. */
function mayBeCode(word: string, typedWords: readonly string[]): boolean {
  return searchWords().byCode.has(word) && typedWords.at(-2) !== addressPreposition;
}

const isWide = (scope: Scope) => scope === 'traits' || scope === 'anywhere';

function meaningsIn(scope: Scope, concepts: readonly string[]): Condition[] {
  return isWide(scope) ? concepts.map(concept) : [];
}

/** A place by its other names in texts: `munich` → "Radio München". */
function otherNames(words: readonly string[], scope: Scope): Condition[] {
  if (scope === 'people') return [];
  return otherNamesOfPlace(words.join(' ')).map((name) => {
    const [word = '', ...more] = foldedWords(name);
    return more.length > 0 ? phrase([word, ...more], scope) : wordIn(word, scope);
  });
}

/** In names, a number may be in digits: `radio four` → "Radio 4". */
function inDigits(word: string): Condition[] {
  const digits = digitsOf(word);
  return digits === null ? [] : [wordIn(digits, 'names')];
}

/** The name of an emoji, or the country of a flag: `🇩🇪` → `country.de`. */
function meaningOfEmoji(word: string, scope: Scope): Condition[] {
  const words = wordsForEmoji(word);
  const country = conceptOfFlag(word);
  return [...(words.length > 0 ? [phrase(words, scope)] : []), ...(country === null ? [] : [concept(country)])];
}

/** A run in a script without spaces: a record must have its characters in this order. */
function strictRun(run: string, scope: Scope): Condition {
  return tokensOf(run).length === 1 ? wordIn(run, scope, true) : phrase([run], scope);
}
