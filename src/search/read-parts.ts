import { findLanguage } from '#records/places/languages.ts';
import { kinds } from '#records/vocabularies.ts';
import { isSpaceless } from '#text/fold.ts';
import { perObject } from '#text/memoize.ts';
import { linkingWords, placePrepositions, smallWords } from '#text/name-keys.ts';
import { maxWordsOfName } from './concept-words.ts';
import { conceptsOf } from './concepts-of.ts';
import {
  addressPreposition,
  isExcept,
  isFiller,
  isFillerOfPeople,
  isLanguageWord,
  isNot,
  isRegionWord,
} from './query-words.ts';
import { conceptsBegunBy, searchWords } from './search-words.ts';

const kind = /^(?:kind|type)\./;
/** The nature of a medium: how far it reaches and how often it appears. */
const nature = /^(?:coverage|frequency)\./;
const language = /^language\./;
const news = /^topic\.(?:general|local)_news$/;
const topic = /^topic\./;
const subject = /^(?:topic|same|network)\./;
const anyPlace = /^(?:country|region|city)\./;
/** Kinds of concepts, of which a medium mostly has one. Several of one kind are alternatives. */
const levels = [
  kind,
  topic,
  /^same\./,
  /^network\./,
  /^country\./,
  language,
  /^region\./,
  /^city\./,
  /^coverage\./,
  /^frequency\./,
];

/** A part of what was typed: words that stand for something together, or one word of a name or a text. */
export interface Part {
  words: readonly string[];
  /** A record has any of them. Empty for a word that stands for nothing. */
  concepts: readonly string[];
  /** Of topics between which there is "and" or "or": a record has one of them. */
  either?: readonly Part[];
  /** What the last word of a text may begin, alone or with those before it: `vermo` → region.us.vt. */
  begun?: readonly string[];
}

/**
 * Reads typed words as parts, the longest first: `newspapers in new mexico` → newspapers: type.newspaper, new mexico:
 * region.us.nm. Leaves out small words ("in") and words of value ("best"), unless nothing else was typed.
 */
export const readParts = perObject((words: readonly string[]) => readTelling(words, isFiller));

/** The same, as people are looked for: `editor` is a word of a title, `covers` asks for nothing. */
export const readPartsOfPeople = perObject((words: readonly string[]) => readTelling(words, isFillerOfPeople));

function readTelling(words: readonly string[], isLeftOut: (word: string) => boolean): readonly Part[] {
  const parts: Part[] = [];
  for (let start = 0; start < words.length; ) {
    const part = readPart(words, start);
    start += part.words.length;
    // `welsh language`, `in portuguese`
    const isBehindIn = words[start - part.words.length - 1] === 'in';
    const isNamed = isLanguageWord(words[start] ?? '');
    const recognized = isBehindIn || isNamed ? part.concepts.filter((concept) => language.test(concept)) : [];
    const languages = recognized.length === 0 && isNamed ? languageNamed(part) : recognized;
    parts.push(languages.length > 0 ? { ...part, concepts: languages } : part);
  }
  const last = parts.pop();
  if (last !== undefined) parts.push(parts.some(isRecognized) ? mayBeBegun(words, last, parts) : last);
  const joined = joinAlternatives(withoutRegionWords(parts));
  const telling = joined.filter((part) => {
    const [word = ''] = part.words;
    return isRecognized(part) || !isLeftOut(word) || (part === joined.at(-1) && mayBeginPlace(part, words));
  });
  return telling.length > 0 ? readNatures(telling) : parts;
}

/** `hmong` of `hmong language`: languages whose names are also other words stand for nothing elsewhere. */
function languageNamed({ words }: Part): string[] {
  const name = words.join(' ');
  const code = name.length > maxOfCode ? findLanguage(name) : null;
  return code === null ? [] : [`language.${code.split('-', 1)[0]}`];
}

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

/** The last part, with what it may begin and no other part says: `mexic` of `new mexic` is not Mexico in another language. */
function mayBeBegun(words: readonly string[], last: Part, before: readonly Part[]): Part {
  if (last.words.length > 1) return last;
  const longest = Math.min(maxWordsOfName, words.length);
  for (let length = longest; length > 0; length -= 1) {
    const mayBegin = length > 1 || !isRecognized(last) ? conceptsBegunBy(words.slice(-length).join(' ')) : [];
    // `kids tv cana` begins `canal`; `tv stat` is the same kind in more words.
    const isSaid = (concept: string) => length === 1 && before.some(({ concepts }) => concepts.includes(concept));
    const isBehindIn = placePrepositions.has(words.at(-1 - length) ?? '');
    const begun = mayBegin.filter((concept) => !isSaid(concept) && !(isBehindIn && isKind(concept)));
    if (begun.length > 0) return { words: last.words, concepts: [], begun };
  }
  return last;
}

/** Whether the last part may begin a place, though it also asks for nothing: `newspapers in det`, `kids tv can`. */
function mayBeginPlace({ words: [word = ''], begun = [] }: Part, words: readonly string[]): boolean {
  const before = words.at(-2) ?? '';
  // `jazz radio new or`
  const isTelling = !smallWords.has(word) || conceptsBegunBy(`${before} ${word}`).length > 0;
  const mayBePlace = !isFiller(before) && isTelling && begun.some((concept) => anyPlace.test(concept));
  return word === words.at(-1) && (placePrepositions.has(before) || mayBePlace);
}

/**
 * The parts with the last word as the beginning of others, if it stands for something and they begin so too: `ne` is Nebraska, and
 * begins `new`. A word alone may begin others even if it stands for nothing: `polis`. Null for any other text.
 */
export function readUnfinished(parts: readonly Part[], typedWords: readonly string[]): readonly Part[] | null {
  const last = parts.at(-1);
  const [word = '', ...more] = last?.words ?? [];
  if (last === undefined || more.length > 0 || word !== typedWords.at(-1) || isSpaceless(word)) return null;
  if (typedWords.length === 1) return readBegunWord(last, word);
  if (!isRecognized(last) || typedWords.at(-2) === addressPreposition) return null;
  const begun = conceptsBegunBy(word);
  // `television` begins `television station`, that is the same kind, and `israel` begins `israeli`.
  const mayBeWhole = isOfKind(last) || begun.length > 0;
  const isWhole = mayBeWhole && begun.every((concept) => last.concepts.includes(concept));
  const mayBegin = begun.length > 0 || word.length <= maxOfCode;
  return mayBegin && !isWhole ? [...parts.slice(0, -1), { words: last.words, concepts: [], begun }] : null;
}

/** What a word alone begins. A kind only if it goes on from one: `zeitunge`, but not `loca`, which may be any name. */
function readBegunWord(last: Part, word: string): readonly Part[] | null {
  const beginnings = Array.from(word, (_letter, place) => word.slice(0, place));
  const goesOnFrom = (concept: string) =>
    beginnings.some((beginning) => searchWords().byWord.get(beginning)?.includes(concept));
  const begun = conceptsBegunBy(word).filter((concept) => !isKind(concept) || goesOnFrom(concept));
  const isWhole = begun.every((concept) => last.concepts.includes(concept));
  return isWhole ? null : [{ words: last.words, concepts: [], begun }];
}

/** `sverdlovsk oblast` → `sverdlovsk`, `pitcairn island` → `pitcairn`, `canton de vaud` → `de vaud` */
function withoutRegionWords(parts: readonly Part[]): Part[] {
  const neighbors = parts.filter(({ words: [word = ''] }) => !smallWords.has(word));
  return parts.filter((part) => {
    const place = neighbors.indexOf(part);
    const beside = isRegionWord(part.words[0] ?? '') ? [neighbors[place - 1], neighbors[place + 1]] : [];
    return !beside.some((other) => other?.concepts.some((concept) => /^(?:region|country)\./.test(concept)));
  });
}

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

function readPart(words: readonly string[], start: number): Part {
  const { byWord } = searchWords();
  for (let length = Math.min(maxWordsOfName, words.length - start); length > 1; length -= 1) {
    const name = words.slice(start, start + length);
    const concepts = byWord.get(name.join(' '));
    if (concepts !== undefined) return { words: name, concepts };
  }
  const word = words[start] ?? '';
  const ofCode = conceptsOfCode(words, start);
  const concepts = [...(smallWords.has(word) && ofCode.length === 0 ? [] : conceptsOf(word)), ...ofCode];
  return { words: [word], concepts };
}

/** A code beside other words is a place: `tx`. One that is also a small word (`or`) only at the end, behind "in" or a city. */
function conceptsOfCode(words: readonly string[], place: number): readonly string[] {
  const word = words[place] ?? '';
  const concepts = searchWords().byCode.get(word);
  if (concepts === undefined || words.length === 1) return [];
  if (!isFiller(word)) return concepts;
  const [before = [], behind = []] = [words[place - 1], words[place + 1]].map((other = '') => conceptsOf(other));
  // `santiago de chile` is not in Delaware, `portland or seattle` not in Oregon.
  const isAnotherPlace = behind.some((concept) => anyPlace.test(concept)) && !behind.includes('country.us');
  if (isAnotherPlace) return [];
  if (before.some((concept) => concept.startsWith('city.'))) return concepts;
  // `newspapers in bend or`
  const from = words.findLastIndex((other, at) => at < place && placePrepositions.has(other));
  const isAddress = from >= 0 && words.slice(from + 1, place).every((other) => !smallWords.has(other));
  return isAddress && (place === words.length - 1 || words[place - 1] === addressPreposition) ? concepts : [];
}

/** Whether a part stands for something, as "radio" does and "weathercock" does not. */
export const isRecognized = ({ concepts }: Part): boolean => concepts.length > 0;

/** What a part stands for, or else what it begins. */
export const likelyConcepts = ({ concepts, begun = [] }: Part) => (concepts.length > 0 ? concepts : begun);

/** Whether a part stands for something, or begins what does. */
export const isLikely = (part: Part): boolean => likelyConcepts(part).length > 0;

export const isOfLanguage = ({ concepts }: Part): boolean => concepts.some((concept) => language.test(concept));

export const isPlace = (part: Part): boolean => likelyConcepts(part).some((concept) => anyPlace.test(concept));

/** A word of so few letters begins many others. In UTF-16 code units. */
const maxOfCode = 3;
/** A last word of so few letters says nothing yet. In UTF-16 code units. */
const maxHardlyBegun = 2;

/**
 * The parts of which one may be missing from a record: words, beside these also topics (`student paper at harvard`), and beside
 * a place if no record `isFound` (`sports radio boston`).
 */
export function partsToLeave(parts: readonly Part[], isFound: boolean): Part[] {
  const isWord = (part: Part) => likelyConcepts(part).length === 0;
  // Who has typed `pbs ki` goes on: not all that begins so is meant instead.
  const isHardlyBegun = (part: Part) => part === parts.at(-1) && part.words.join('').length <= maxHardlyBegun;
  const mayLeaveTopics = parts.some((part) => (isWord(part) && !isHardlyBegun(part)) || (!isFound && isPlace(part)));
  return parts.filter((part) => isWord(part) || (mayLeaveTopics && isTopic(part)));
}

const isTopic = (part: Part) => !isOfKind(part) && part.concepts.some((concept) => subject.test(concept));

/** Whether these parts may be a name: nothing but words for a kind is recognized. */
export const mayBeName = (parts: readonly Part[]) => parts.every((part) => !isRecognized(part) || isOfKind(part));

/** Whether a part only says what kind of media is meant, as "radio" and "news" do. */
export function isOfKind(part: Part): boolean {
  const concepts = likelyConcepts(part);
  return concepts.length > 0 && concepts.every(isKind);
}

/** Whether a part says what kind of media is meant, or begins what may: `maga` begins Magadan and "magazine". */
export const mayBeOfKind = (part: Part) => isOfKind(part) || (part.begun ?? []).some(isKind);

const isKind = (concept: string) => [kind, news, nature].some((pattern) => pattern.test(concept));

/**
 * Many names have "national" or "weekly". These words stand for a coverage or a frequency only beside something recognized: if
 * another word says the kind (`weekly food newsletters`), or if they are a kind (`weeklies in vermont`). They also stand for
 * media whose coverage or frequency is unknown.
 */
function readNatures(parts: readonly Part[]): Part[] {
  return parts.flatMap((part, place) => {
    if (!hasNature(part)) return [part];
    const { words, concepts } = part;
    const natures = concepts.filter((concept) => nature.test(concept));
    const asNature = {
      words,
      concepts: [...natures, ...new Set(natures.map((concept) => concept.replace(/\..*/, unknownNature)))],
    };
    const isBeside = [parts[place - 1], parts[place + 1]].some(
      (neighbor) => neighbor !== undefined && likelyConcepts(neighbor).length > 0,
    );
    const saysKind = parts.some((other) => hasKind(other) && other !== part && !(hasNature(other) && hasKind(part)));
    if (saysKind && isBeside) return [asNature];
    if (saysKind || !hasKind(part)) return words.map((word) => ({ words: [word], concepts: [] }));
    return [{ words, concepts: concepts.filter((concept) => kind.test(concept)) }, ...(isBeside ? [asNature] : [])];
  });
}

const unknownNature = '.unknown';

/** An unfinished word may begin one kind. `sho` begins several, and says none. */
const hasKind = ({ concepts, begun = [] }: Part) =>
  concepts.some((concept) => kind.test(concept)) ||
  (concepts.length === 0 && begun.filter((concept) => kind.test(concept)).length === 1);
const hasNature = ({ concepts }: Part) => concepts.some((concept) => nature.test(concept));

/** The part without `frequency.unknown` and `coverage.unknown`; null if it has neither. */
export function withoutUnknown({ words, concepts }: Part): Part | null {
  const knownNatures = concepts.filter((concept) => !concept.endsWith(unknownNature));
  return knownNatures.length < concepts.length ? { words, concepts: knownNatures } : null;
}

/** Joins kinds, communities, places or languages around "and" or "or" to one part: `radio in spain, portugal and italy`. */
function joinAlternatives(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const typed of parts.map(asKindAmongKinds)) {
    const [before, link] = joined.slice(-2);
    const isLinked = linkingWords.has(link?.words[0] ?? '');
    const part = before && isLinked ? asAlternative(typed, before) : typed;
    if (before && link && isLinked && areAlternatives([before, part])) {
      joined.pop();
      const alternatives = joined.splice(joined.findLastIndex((other) => !areAlternatives([other, part])) + 1);
      const words = [...alternatives, link, part].flatMap(({ words }) => words);
      const either = [...alternatives, part].flatMap((alternative) => alternative.either ?? [alternative]);
      const isOfTopics = part.concepts.some((concept) => topic.test(concept));
      joined.push({ words, concepts: either.flatMap(({ concepts }) => concepts), ...(isOfTopics && { either }) });
    } else joined.push(part);
  }
  return joined;
}

/** A last word as what it begins of the level of the part before: `oklah` of `texas or oklah`. */
function asAlternative(part: Part, before: Part): Part {
  const { words, begun = [] } = part;
  const concepts = begun.filter((concept) => areAlternatives([before, { words, concepts: [concept] }]));
  return concepts.length > 0 ? { words, concepts } : part;
}

/** `diarios y radios`: what also says how often is only a kind where "and" joins it to one. */
function asKindAmongKinds(part: Part, at: number, parts: readonly Part[]): Part {
  const isJoined = [-1, 1].some((step) => {
    const [link, other] = [parts[at + step], parts[at + 2 * step]];
    return link && other && linkingWords.has(link.words[0] ?? '') && hasKind(other) && !hasNature(other);
  });
  const kinds = part.concepts.filter((concept) => kind.test(concept));
  return isJoined && kinds.length > 0 && hasNature(part) ? { ...part, concepts: kinds } : part;
}

/** Whether all parts say what kind a medium is, or all whom it is for, or where it is, or in which language. */
export function areAlternatives(parts: readonly Part[]): boolean {
  const isSame = (level: RegExp) => parts.every(({ concepts }) => concepts.some((concept) => level.test(concept)));
  const isOfLevel = (concept: string) => [...levels, news].some((level) => level.test(concept));
  const areAlike = new Set(parts.map(hasNature)).size === 1 && levels.some(isSame);
  // In `quali sono i giornali`, "i" is an article.
  const isOfAnyKind = parts.some(({ concepts }) => kinds.every((name) => concepts.includes(`kind.${name}`)));
  return areAlike && !isOfAnyKind && parts.flatMap(({ concepts }) => concepts).every(isOfLevel);
}

/** Whether all parts can only be that. Washington may be a city or a state: `seattle, washington, usa`. */
export function areOfOneLevel(parts: readonly Part[]): boolean {
  return levels.some((level) =>
    parts.every(({ concepts: [...names] }) => names.length > 0 && names.every((concept) => level.test(concept))),
  );
}
