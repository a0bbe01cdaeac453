import { isSpaceless } from '#text/fold.ts';
import { hostAndParents, hostLabel } from '#text/hosts.ts';
import { isGuessable } from './concepts.ts';
import {
  allOf,
  anyOf,
  type Condition,
  hostCondition,
  isName,
  pageCondition,
  phrase,
  type Scope,
  type Tier,
  type TierName,
  tiersByProminence,
  wordsIn,
} from './conditions.ts';
import { wordsInDigits } from './number-words.ts';
import {
  isLikely,
  isOfKind,
  isOfLanguage,
  isPlace,
  isRecognized,
  type Part,
  partsToLeave,
  withoutUnknown,
} from './parts.ts';
import type { Understanding } from './search-query.ts';
import { maxEdits, minMatchingWords } from './typo-tolerance.ts';
import { fuzzyWord, meaningOf, orGuessed, strictWord } from './word-conditions.ts';

type ConditionOfPart = (part: Part) => Condition;

/** What may be missing from a record. */
export interface Missing {
  /** The part that may not, of a short text. */
  rarest: Part | null;
  /** The parts that some records have as they were typed, the rarest first; empty if these were not counted. */
  byRarity: readonly Part[];
  /** Whether a record has everything that is recognized. */
  isFound: boolean;
  /** Whether nothing better is found, so that much of a long text may be missing. */
  isLast: boolean;
  /** Whether also its places and languages may be, which few podcasts say. */
  mayLeavePlaces: boolean;
}

/** So many parts that may be missing make a text long; of one that may be a name, more. */
const minOptional = 3;
const minOptionalOfName = 5;
/** Of a long text so many of the rarest parts are telling, though they are more than half. */
const minTelling = 2;
/** A text of so many words is hardly a name. */
const minWordsOfSentence = 7;

/** Whether a text is a sentence or a long description: of what may be missing, hardly a record has nearly all. */
export function isLong(text: Understanding, optional: readonly Part[]): boolean {
  if (text.typedWords.length >= minWordsOfSentence) return optional.length > 1;
  return (
    optional.length >=
    (text.parts.every((part) => !isRecognized(part) || isOfKind(part)) ? minOptionalOfName : minOptional)
  );
}

/** The rarer half of the parts that some records have, if they were counted. */
export function rarerHalf(byRarity: readonly Part[]): readonly Part[] {
  return byRarity.slice(0, Math.max(Math.ceil(byRarity.length / 2), minTelling));
}

/** Looks for the parts, phrases and hosts of a text. In `radio berlin weathercock`, `radio` and `berlin` are recognized. */
export class PartsPlan {
  /** Whether there is nothing to look for but the name. */
  readonly isEmpty: boolean;
  readonly #text: Understanding;
  readonly #typos: 0 | 1 | 2;
  readonly #parts: readonly Part[];
  readonly #recognized: readonly Part[];
  /** Words that stand for nothing. */
  readonly #words: readonly Part[];
  /** The part that ends the text, and so may be unfinished; null if parts were left out behind it. */
  readonly #last: Part | null;
  readonly #required: readonly Condition[];
  /** Whether something is recognized and is not all of the text, which may be a name, as `berlin` may: only a kind is none. */
  readonly #isDescribed: boolean;

  /** @param typos how many a word may have: with 0, it is looked for as it was typed */
  constructor(text: Understanding, typos: 0 | 1 | 2, parts = text.parts) {
    this.#text = text;
    this.#typos = typos;
    this.#parts = parts;
    this.#recognized = parts.filter(isRecognized);
    this.#words = parts.filter((part) => !isRecognized(part));
    const last = parts.at(-1);
    this.#last = last !== undefined && last.words.at(-1) === text.typedWords.at(-1) ? last : null;
    this.#required = [
      ...text.phrases.map((run) => phrase(run, 'anywhere')),
      ...text.hosts.map((host) => (typos === 0 ? hostCondition([host]) : nearHost(host))),
      ...text.pages.map((page) => pageCondition(page)),
    ];
    this.isEmpty = this.#required.length + parts.length === 0;
    const isOnlyPart = text.parts.length + text.excluded.length === 1;
    this.#isDescribed = this.#recognized.length > 0 && (!isOnlyPart || isKindAlone(text));
  }

  /** Every part, anywhere in a record, or guessed of it. */
  get match(): Condition {
    return allOf([...this.#required, ...this.#conditionsOrGuesses(this.#parts)]);
  }

  /** The same without guesses. */
  get asSaid(): Condition {
    return allOf([...this.#required, ...this.#conditionsOf(this.#parts, 'anywhere')]);
  }

  /** Whether an index guesses a part of records that do not say it. */
  get mayBeGuessed(): boolean {
    return this.#recognized.some(({ concepts }) => concepts.some(isGuessable));
  }

  /** Every word in names; empty without words. */
  get inNames(): Condition[] {
    return this.#words.length === 0 ? [] : [allOf(this.#conditionsOf(this.#words, 'names'))];
  }

  /** What must be there, the rarest word and most others: beside a place or a topic all but one, else minMatchingWords. */
  mostOf({ rarest, isFound }: Missing): Condition {
    const optional = partsToLeave(this.#parts, isFound);
    const missable = optional.filter((part) => part.words[0] !== rarest?.words[0]);
    const ofAll = this.#parts.filter(isLikely).every(isOfKind)
      ? minMatchingWords(optional.length)
      : optional.length - 1;
    const count = ofAll - (optional.length - missable.length);
    return allOf([...this.#allBut(missable), ...atLeast(count, this.#conditionsOf(missable, 'anywhere'))]);
  }

  /**
   * Of a long text, the records that have one of its telling parts: what is recognized, and the rarer half of all. First those with most
   * of these as typed; of as many, those with more of all. Null for a short text.
   */
  someOf({ byRarity, isFound, isLast, mayLeavePlaces }: Missing): { match: Condition; byCount: Condition[] } | null {
    const mayBeLeft = (part: Part) => mayLeavePlaces && (isPlace(part) || isOfLanguage(part));
    const missable = [...partsToLeave(this.#parts, isFound), ...this.#parts.filter(mayBeLeft)];
    if (!isLast || !isLong(this.#text, missable)) return null;
    const counted = byRarity.filter((part) => missable.includes(part));
    const rarer = counted.length === 0 ? missable : rarerHalf(counted);
    const telling = missable.filter((part) => isRecognized(part) || rarer.includes(part));
    const needed = this.#allBut(missable);
    const have = (count: number, parts: readonly Part[]) =>
      atLeast(
        count,
        parts.map((part) => strictWord(part, false, 'anywhere')),
      );
    const byCount = telling.flatMap((_, place) => {
      const count = telling.length - place;
      const most = [...needed, ...have(count, telling)];
      return [allOf([...most, ...have(count + 1, missable)]), allOf(most)];
    });
    return { match: allOf([...needed, ...atLeast(1, this.#conditionsOf(telling, 'anywhere'))]), byCount };
  }

  /**
   * Two parts of a text of three or more, whichever they are: first those with most, of as many those of the asked kind, of these those
   * in the asked place. All words for a kind are one part. Null for a shorter text.
   */
  get anyTwo(): { match: Condition; byCount: Condition[] } | null {
    const [kinds, telling] = [this.#parts.filter(isOfKind), this.#parts.filter((part) => !isOfKind(part))];
    const ofKind = kinds.length === 0 ? [] : [allOf(this.#conditionsOf(kinds, 'anywhere'))];
    const conditions = [...ofKind, ...this.#conditionsOrGuesses(telling)];
    if (conditions.length < 3) return null;
    const have = (count: number) => allOf([...this.#required, { is: 'atLeast', count, of: conditions }]);
    const inPlaces = this.#conditionsOrGuesses(telling.filter(isPlace));
    const first = [[...ofKind, ...inPlaces], ofKind, inPlaces].filter(({ length }) => length > 0);
    const byCount = conditions.slice(2).flatMap((_, place) => {
      const most = have(conditions.length - 1 - place);
      return [...first.map((besides) => allOf([most, ...besides])), most];
    });
    return { match: have(2), byCount };
  }

  /** What is asked beside the parts that may be missing. */
  #allBut(missable: readonly Part[]): Condition[] {
    return [...this.#required, ...this.#conditionsOrGuesses(this.#parts.filter((part) => !missable.includes(part)))];
  }

  /** All words in names, in names and traits, and what is recognized by its meaning. Whole words come first. */
  get tiers(): Tier[] {
    if (this.#parts.length === 0) return [];
    const mayGoOn = this.#last !== null && !isRecognized(this.#last);
    return [...this.#nameBesideMeaning(), ...(mayGoOn ? this.#tiersOf(false) : []), ...this.#tiersOf(true)];
  }

  /** Records that are all that the text says, if every part of it is recognized: `student newspapers in texas`. */
  get described(): Tier[] {
    return [
      ...tiersByProminence(this.#nameOfTier('name and meaning'), this.#nameBeforeLast()),
      ...tiersByProminence(this.#nameOfTier('described'), this.#describing()),
    ];
  }

  #describing(): Condition[] {
    if (!this.#isDescribed || this.#words.length > 0) return [];
    const ways = this.#waysToMean();
    // "Student" by the word itself, sooner than by education or a university.
    const byWord = (way: ConditionOfPart) => (part: Part) =>
      hasOwnWord(part) ? anyOf(wordsIn(part.words, 'traits')) : way(part);
    const bySame = this.#recognized.some(hasOwnWord) ? ways.map(byWord) : [];
    // Of synonyms first as typed: "marketing" before its stem "market".
    const asTyped = (way: ConditionOfPart) => (part: Part) =>
      isOfSame(part) ? anyOf(wordsIn(part.words, 'traits').slice(0, 1)) : byWord(way)(part);
    const byTyped = this.#recognized.some(isOfSame) ? ways.map(asTyped) : [];
    // A guessed topic comes after the word itself, in descriptions too: a language has hardly a word in them.
    const inLanguage = (part: Part) => (isOfLanguage(part) ? orGuessed(part, meaningOf(part)) : meaningOf(part));
    const guessed = this.#recognized.some(isOfLanguage) ? [inLanguage] : [];
    return [...byTyped, ...bySame, ...ways, ...guessed].map((way) => this.#meantBy(way, 'anywhere'));
  }

  /** A whole name beside a place or a kind: `the times london`. */
  #nameBesideMeaning(): Tier[] {
    const name = this.#isDescribed ? this.#words.flatMap(({ words }) => words).join('') : '';
    if (name === '') return [];
    const isNamed = isName('compact', [name]);
    return tiersByProminence(this.#nameOfTier('name and meaning'), [
      allOf([...this.#recognized.map(meaningOf), isNamed, ...this.#required]),
    ]);
  }

  /** A whole name before its kind, `asian journal news`, or its place, `channels tv nigeria`, unless it is only one part: `berlin news`. */
  #nameBeforeLast(): Condition[] {
    const last = this.#last;
    const isBesidePlace = last !== null && isPlace(last) && this.#words.length === 0 && this.#parts.length > 2;
    if (last === null || !(isOfKind(last) || isBesidePlace)) return [];
    const name = this.#text.typedWords.slice(0, -last.words.length);
    if (name.length <= (this.#parts[0]?.words.length ?? 0)) return [];
    const isNamed = isName('compact', [name.join(''), wordsInDigits(name).join('')]);
    return [allOf([isNamed, ...(isBesidePlace ? [this.match] : []), ...this.#required])];
  }

  /** @param mayGoOn whether the last word is also found as a beginning: `weath` in "Weathercock" */
  #tiersOf(mayGoOn: boolean): Tier[] {
    const { words } = this.#text;
    // Several words may be a name with a typo. A single word is a whole name, or asks for the best-known records.
    const comparesNames = words.length > 1 || words.some(isSpaceless);
    const byWords = (['names', 'traits'] as const).map((scope): Tier => {
      return {
        name: this.#nameOfTier('words'),
        condition: allOf([...this.#required, ...this.#conditionsOf(this.#parts, scope, mayGoOn)]),
        comparesNames,
      };
    });
    if (!this.#isDescribed || this.#words.length === 0) return byWords;
    const ways = this.#waysToMean();
    const meantIn = (scope: Scope) =>
      tiersByProminence(
        this.#nameOfTier('words and meaning'),
        ways.map((way) => this.#meantBy(way, scope, mayGoOn)),
      );
    return [...meantIn('names'), ...byWords, ...meantIn('anywhere')];
  }

  #nameOfTier(asTyped: TierName): TierName {
    return this.#typos === 0 ? asTyped : 'corrected';
  }

  /** What is recognized by its meaning, and the other words in a scope. */
  #meantBy(way: ConditionOfPart, scope: Scope, mayGoOn = true): Condition {
    return allOf([...this.#recognized.map(way), ...this.#conditionsOf(this.#words, scope, mayGoOn), ...this.#required]);
  }

  /** Records that are known to be weekly come before those of an unknown frequency. */
  #waysToMean(): ConditionOfPart[] {
    const withKnownNature = (part: Part) => meaningOf(withoutUnknown(part) ?? part);
    return this.#recognized.some(withoutUnknown) ? [withKnownNature, meaningOf] : [meaningOf];
  }

  #conditionsOrGuesses(parts: readonly Part[]): Condition[] {
    return this.#conditionsOf(parts, 'anywhere').map((condition, place) => {
      const part = parts[place] as Part;
      // Where other parts may be missing, what an unfinished word may begin is not guessed as well.
      return this.#typos === 2 && !isRecognized(part) ? condition : orGuessed(part, condition);
    });
  }

  #conditionsOf(parts: readonly Part[], scope: Scope, mayGoOn = true): Condition[] {
    return parts.map((part) => {
      const isLast = mayGoOn && part === this.#last;
      if (this.#typos === 0) return strictWord(part, isLast, scope);
      return fuzzyWord(part, isLast, scope, this.#typos, this.#text);
    });
  }
}

/** Nothing to meet if `count` is 0 or less. */
function atLeast(count: number, conditions: readonly Condition[]): Condition[] {
  return count < 1 ? [] : [{ is: 'atLeast', count, of: conditions }];
}

/** Whether a text is one kind of media, `radio`: it asks for those that are best known, not for names that begin with the word. */
export function isKindAlone({ parts, excluded, typedWords }: Understanding): boolean {
  const [part] = parts;
  // `diario para` may be a name, though "para" is a small word.
  if (part === undefined || part.words.length < typedWords.length || excluded.length > 0) return false;
  return part.concepts.length > 0 && part.concepts.every((conceptName) => /^(?:kind|type)\./.test(conceptName));
}

/** Whether records may have the word itself: it stands for a topic or a synonym, not for a country or a kind. */
function hasOwnWord(part: Part): boolean {
  const isOf = (kinds: RegExp) => part.concepts.some((conceptName) => kinds.test(conceptName));
  return isOf(/^(?:topic|same)\./) && !isOf(/^country\./) && !isOfKind(part);
}

const isOfSame = ({ concepts }: Part) =>
  concepts.length > 0 && concepts.every((conceptName) => conceptName.startsWith('same.'));

function nearHost(host: string): Condition {
  return { is: 'host', hosts: [host, ...hostAndParents(host)], edits: maxEdits(hostLabel(host)) };
}
