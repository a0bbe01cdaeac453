import type { FilterField } from '#domain/fields.ts';

/**
 * What is asked for, free of HTTP and of any engine. Search, facets, export and push share it,
 * so that they see the same set.
 */
export interface SearchQuery {
  text: TextQuery | null;
  filters: readonly Filter[];
}

/** All filters of a query hold together. Values are in the field's canonical form (see the registry). */
export type Filter = ValueFilter | PresenceFilter;

/**
 * Any of `any` (all values where it is empty) and none of `none`;
 * a record where the field is unknown passes `none`, but not a non-empty `any`.
 */
export interface ValueFilter {
  field: FilterField;
  any: readonly string[];
  none: readonly string[];
}

/** Only records where the field is known. */
export interface PresenceFilter {
  present: 'contact_name' | 'email';
}

export const sortKeys = ['relevance', 'name', 'audience', 'updated'] as const;
export type SortKey = (typeof sortKeys)[number];

/**
 * relevance: best match first; without a text largest audience, then name, then id.
 * name: A–Z by nameKey. audience: largest first. updated: newest first.
 * `reversed` turns the order round; unknown values stay last, and id ascending decides in the end.
 */
export interface Sort {
  key: SortKey;
  reversed: boolean;
}

/** How many rows of an order can be reached by pages; whoever needs more takes the export. */
export const deepestRow = 10_000;

/** A stretch of an order: `offset` rows skipped, at most `limit` given. */
export interface Page {
  sort: Sort;
  offset: number;
  limit: number;
}

/** What a person typed, taken apart. All words are folded (see fold.ts). */
export interface TextQuery {
  /** Everything typed, folded as names are: for finding the name that is exactly this. */
  nameKey: string;
  /** The words in order, without phrases, exclusions and hosts. */
  typedWords: readonly string[];
  /** Those of them to find: without small words ("of", "de"), unless there are no others. The last may be unfinished. */
  words: readonly string[];
  /** Each a run of words that must follow each other. */
  phrases: ReadonlyArray<readonly string[]>;
  /** Each a word, or a run of words, that must not be there. */
  excluded: ReadonlyArray<readonly string[]>;
  /** Host names without `www.`, lower case: of hosts, URLs and addresses that were typed. */
  hosts: readonly string[];
  excludedHosts: readonly string[];
}
