import { isSpaceless } from '#text/fold.ts';
import type { WebPage } from '#text/pages.ts';
import type { NameForm } from '../indexed/name-forms.ts';
import type { PageStanding } from '../indexed/record-tokens.ts';
import { tokensOf } from '../indexed/searchable-text.ts';
import { wordsOfSame } from '../words/concepts.ts';
import { stemsOfTyped } from '../words/stems.ts';

/**
 * Where to look for a word. `names`, `traits` and `anywhere` of a record each contain the one before. `people`, only within `contact`:
 * the name, title and beats of a contact.
 */
export type Scope = 'names' | 'traits' | 'anywhere' | 'people';

/**
 * A condition on a record, or on a contact and its medium (see SearchQuery.rows). All words are folded. Of words and names within
 * `edits`, engines try only the first, unless it `takesAllNear`.
 */
export type Condition =
  /** This word, or one within `edits` that has the same first letter. If `unfinished`, also one that starts with it. */
  | { is: 'word'; word: string; unfinished: boolean; edits: 0 | 1 | 2; takesAllNear?: true; in: Scope }
  | { is: 'phrase'; words: readonly string[]; in: Scope }
  /** A property of the record, see concepts.ts. */
  | { is: 'concept'; concept: string }
  /** One of the hosts, also as words in a name, or a host within `edits` of the first one. */
  | { is: 'host'; hosts: readonly string[]; edits: 0 | 1 | 2; takesAllNear?: true }
  /** The record stands so to this page (see record-tokens.ts). */
  | { is: 'page'; page: WebPage; standing: PageStanding }
  /** A contact of the record, or within `contact` that one, has the address of this token. Only for callers who see addresses. */
  | { is: 'address'; token: string }
  /** A name of the record is one of these in this form, or within `edits` of it with the same first letter. */
  | { is: 'name'; form: NameForm; keys: readonly string[]; edits: 0 | 1 | 2; takesAllNear?: true }
  /** A name of the record begins with this key: `new yo` finds "New York Times". */
  | { is: 'nameBeginning'; key: string }
  /**
   * One and the same contact of the record meets all of this; where contacts are searched, the contact itself. Within it are only words
   * and phrases in `people`, the name in its form `sorted`, topics of beats, an address, and `all`, `any`, `atLeast` of these.
   */
  | { is: 'contact'; meets: Condition }
  | { is: 'all'; of: readonly Condition[] }
  | { is: 'any'; of: readonly Condition[] }
  | { is: 'atLeast'; count: number; of: readonly Condition[] };

export function wordsIn(words: readonly string[], scope: Scope): Condition[] {
  const [word = '', ...more] = words;
  return more.length > 0
    ? [phrase(words, scope)]
    : [wordIn(word, scope), ...stemsOfTyped(word).map((stem) => wordIn(stem, scope))];
}

export function wordIn(word: string, scope: Scope, unfinished = false): Condition {
  return isSpaceless(word) && tokensOf(word).length > 1
    ? phrase([word], scope)
    : { is: 'word', word, unfinished, edits: 0, in: scope };
}

export function isName(form: NameForm, keys: readonly string[]): Condition {
  return { is: 'name', form, keys: [...new Set(keys)], edits: 0 };
}

export function allOf(conditions: readonly Condition[]): Condition {
  const [first] = conditions;
  return first !== undefined && conditions.length === 1 ? first : { is: 'all', of: conditions };
}

export function anyOf(conditions: readonly Condition[]): Condition {
  const [first] = conditions;
  return first !== undefined && conditions.length === 1 ? first : { is: 'any', of: conditions };
}

export function phrase(words: readonly string[], scope: Scope): Condition {
  return { is: 'phrase', words, in: scope };
}

/** A property of records, such as `type.radio`. A concept `same.…` stands for synonyms: a record has one of these words. */
export function concept(name: string): Condition {
  const sameWords = wordsOfSame(name);
  return sameWords === null
    ? { is: 'concept', concept: name }
    : anyOf(
        sameWords.flatMap(({ words: [word = '', ...more], goesOn }) =>
          goesOn && more.length === 0 ? wordIn(word, 'anywhere', true) : wordsIn([word, ...more], 'anywhere'),
        ),
      );
}

export function contactWith(...conditions: readonly Condition[]): Condition {
  return { is: 'contact', meets: allOf(conditions) };
}

export function hostCondition(hosts: readonly string[]): Condition {
  return { is: 'host', hosts, edits: 0 };
}

export function pageCondition(page: WebPage, standing: PageStanding = 'at'): Condition {
  return { is: 'page', page, standing };
}

/** What the records of a tier have in common: docs/search.md explains each. */
export type TierName =
  | 'located'
  | 'whole'
  | 'same'
  | 'handle'
  | 'begun'
  | 'longer'
  | 'described'
  | 'name and meaning'
  | 'words and meaning'
  | 'words'
  | 'abbreviated'
  | 'exact'
  | 'near'
  | 'far'
  | 'consonants'
  | 'shorter'
  | 'outlined'
  | 'corrected'
  | 'people'
  | 'rest';

export interface Tier {
  name: TierName;
  condition: Condition;
  /** Whether the records with the nearest names come first: see order-by-names.ts. */
  comparesNames: boolean;
  /** In a plan that leaves out more and more of a text: what these records need not have, for people. */
  step?: string;
}

/** A tier for each condition, in which the nearest names come first. */
export const tiersByName = (name: TierName, conditions: readonly Condition[]): Tier[] =>
  conditions.map((condition) => ({ name, condition, comparesNames: true }));
/** A tier for each condition, in which the best known records come first. */
export const tiersByProminence = (name: TierName, conditions: readonly Condition[]): Tier[] =>
  conditions.map((condition) => ({ name, condition, comparesNames: false }));
