import type { RangeBound } from '#records/field-definition.ts';
import type { FilterField, IdentityField, PresenceField, RangeField } from '#records/fields.ts';
import type { LatinKeys } from '#text/name-keys.ts';
import type { WebPage } from '#text/pages.ts';
import type { RowKind } from './contact-row.ts';
import type { Part } from './words/parts.ts';

/** A query of search, facets, export or push: all share it, so they see the same records. It knows no HTTP and no engine. */
export interface SearchQuery {
  text: Understanding | null;
  filters: readonly Filter[];
  /** Only records of any of these lists of the caller's account, and of none of those: `openQuery` names them, no index does. */
  lists?: Pick<ValueFilter, 'any' | 'none'>;
  /** Of these records only these contacts, which a list names: rows of contacts and leads are of no others. */
  listedContacts?: ContactIds;
  /** Of these records none of these contacts, for rows of contacts: a list that is left out names them. */
  unlistedContacts?: ContactIds;
  /** Set to find the records nearest in meaning to the text (see meaning/search-by-meaning.ts). */
  match?: 'meaning';
  /** Set to find what is near in meaning beside few results (see meaning/search-by-meaning.ts). */
  also?: true;
  /**
   * What has a result: each record, or each contact, as its record with no other contact (contact-row.ts). Filters of contacts are then
   * about that contact.
   */
  rows?: 'contacts';
}

/** Ids of contacts by that of their record. */
export type ContactIds = ReadonlyMap<string, ReadonlySet<string>>;

/** Whether the lists of a query leave a contact in. */
export function isListed(
  { listedContacts, unlistedContacts }: Pick<SearchQuery, 'listedContacts' | 'unlistedContacts'>,
  recordId: string,
  contactId: string,
): boolean {
  const isIn = listedContacts?.get(recordId)?.has(contactId) ?? true;
  return isIn && !unlistedContacts?.get(recordId)?.has(contactId);
}

/** A record must pass all filters. Values are in the field's canonical form (see the registry). */
export type Filter = ValueFilter | PresenceFilter | IdentityFilter | RangeFilter;

/** Any of `any` (all if empty), none of `none`; an unknown field passes `none`, but not a non-empty `any`. */
export interface ValueFilter {
  field: FilterField;
  any: readonly string[];
  none: readonly string[];
}

export interface PresenceFilter {
  present: PresenceField;
}

/** Any of `any` (every record if empty) and none of `none`: ids, or hosts as `q` finds them when they are typed. */
export interface IdentityFilter {
  identity: IdentityField;
  any: readonly string[];
  none: readonly string[];
}

/** Only records whose value is known and on this side of the bound: a number, or a time as records have it. */
export interface RangeFilter {
  range: RangeField;
  bound: RangeBound;
  value: number | string;
}

export const sortKeys = ['relevance', 'name', 'audience', 'updated', 'created', 'reachable'] as const;
type SortKey = (typeof sortKeys)[number];

/**
 * relevance: best match first; without a text largest audience, then name, then id. name: A–Z by nameKey. audience:
 * largest first. updated, created: newest first. reachable: those with a usable address first, then as relevance without a
 * text. `reversed` reverses the order; unknown values stay last, and ascending id
 * breaks ties.
 */
export interface Sort {
  key: SortKey;
  reversed: boolean;
}

/** The order, unless a caller asks for another. */
export const bestFirst: Sort = { key: 'relevance', reversed: false };

/** How many rows paging can reach; use the export for more. */
export const maxRow = 10_000;

/**
 * A page: `offset` rows skipped, at most `limit` returned. With `after`, the rows behind a position instead, or for null from the
 * first one, in an order that holds while other rows change (walk.ts).
 */
export interface Page {
  sort: Sort;
  offset: number;
  limit: number;
  after?: Position | null;
}

/** Where a page begins: behind a row with these values of the order. Each engine has its own. */
export interface Position {
  /** What was counted to choose the plan of the text. */
  counted: readonly number[];
  values: readonly OrderValue[];
}

export type OrderValue = string | number | null;

/** The first records, best first. */
export function firstPage(limit: number): Page {
  return { sort: bestFirst, offset: 0, limit };
}

/** No records, only how many there are: engines then rank and read none. */
export const onlyTotal: Page = firstPage(0);

/** The query with results of this kind. */
export function ofRows(query: SearchQuery, rows: RowKind): SearchQuery {
  return rows === 'contacts' ? { ...query, rows } : query;
}

/** The query that every record answers. */
export const everything: SearchQuery = { text: null, filters: [] };

/** A filter for only these records. No record has an empty id, so no ids find none. */
export function onlyIds(ids: Iterable<string>): IdentityFilter {
  const any = [...ids];
  return { identity: 'id', any: any.length === 0 ? [''] : any, none: [] };
}

/** What was understood of a typed text (see understand.ts). All words are folded (see fold.ts). */
export interface Understanding {
  /** The whole text, folded like a name, to find a name that equals it. */
  nameKey: string;
  /** Other forms of the whole text in which a name may equal it (see name-keys.ts). */
  otherNameKeys: readonly string[];
  /** The whole text in Latin letters. */
  latinKeys: LatinKeys;
  /** The compact names of a pasted list, any of which is meant. */
  listedNames: readonly string[];
  /** The words in order, without phrases, exclusions and hosts. */
  typedWords: readonly string[];
  /** Those of them that are call signs of stations (see call-signs.ts): another letter is another station. */
  callSigns: readonly string[];
  /** What those words stand for, together or alone (see read-parts.ts). */
  parts: readonly Part[];
  /** The words to find: without small words ("of", "de"), unless there are no others. The last may be unfinished. */
  words: readonly string[];
  phrases: ReadonlyArray<readonly string[]>;
  /** Words and sequences of words that no record may have. */
  excluded: ReadonlyArray<readonly string[]>;
  /** Host names without `www.`, lower case: from typed hosts, URLs without a path, and addresses. */
  hosts: readonly string[];
  /** The pages of typed URLs with a path. */
  pages: readonly WebPage[];
  excludedHosts: readonly string[];
  excludedPages: readonly WebPage[];
  /** The tokens of typed addresses (record-tokens.ts). No plan looks for these. */
  typedAddresses: readonly string[];
  /** Those of them that plans look for: `openQuery` names them, for callers who see addresses (contract A2). */
  addresses: readonly string[];
  /** Set if only the strict plan may answer: without typo tolerance, whatever it finds. */
  isStrict?: true;
  /** Set if a record must have every part of the text, also where a search leaves some out. */
  isWhole?: true;
}

/** The query for the records that have all of what was asked: what exports, pushes and lists take. */
export function withWholeText<Query extends SearchQuery>(query: Query): Query {
  return query.text === null ? query : { ...query, text: { ...query.text, isWhole: true } };
}
