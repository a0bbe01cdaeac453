import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { allOf } from '#search/conditions.ts';
import { sortedName } from '#search/name-forms.ts';
import { editsToName } from '#search/order-by-names.ts';
import { isOfKind, isOfLanguage, isPlace } from '#search/parts.ts';
import type { SearchResult } from '#search/search-index.ts';
import { firstPage, type SearchQuery, type Understanding, withWholeText } from '#search/search-query.ts';
import { orGuessed, strictWord } from '#search/word-conditions.ts';
import { nameKey } from '#text/fold.ts';
import { embedText } from './embed.ts';
import { maxRead, type NearDeps, orderNear, withoutExcluded } from './find-near.ts';

/** How many records stand beside results, and how many results are enough without them (contract A19). */
const maxAlso = 10;
/** The least cosine of the meaning of a record and the wanted one. */
const minLikeness = 0.4;

/**
 * What stands beside few results (contract A19): records near in meaning to what the text asks for besides kinds, places and
 * languages, within these and the filters of the query. None beside a name, also with typos or in another order, an address or a page, which are meant alone.
 */
export async function findAlso(
  deps: NearDeps,
  query: SearchQuery,
  page: SearchResult,
  visibility: Visibility,
): Promise<MediaRecord[]> {
  const { text, filters } = query;
  if (text === null || query.rows === 'contacts' || text.isStrict || isOfOne(text)) return [];
  // A page that drops nothing counts the records that have all of the text.
  if (page.dropped.length === 0 && page.total >= maxAlso) return [];
  const subject = subjectOf(text);
  const askedMeaning = embedText(subject);
  if (askedMeaning === null || isNamed(text, page)) return [];
  const inWords = page.dropped.length === 0 && page.records.length === page.total ? page : await findWhole();
  if (inWords.total >= maxAlso || isNamed(text, inWords)) return [];
  const limits = text.parts.filter(isLimit).map((part) => orGuessed(part, strictWord(part, false, 'anywhere')));
  const within = limits.length === 0 ? undefined : allOf(limits);
  const { wanted, near } = await deps.index.findAlike(
    askedMeaning,
    filters,
    { limit: maxRead, minLikeness, within },
    visibility,
  );
  const shownIds = new Set([...page.records, ...inWords.records].map(({ id }) => id));
  const furtherRecords = near.filter(({ id }) => !shownIds.has(id));
  const records = new Map(furtherRecords.map(({ id, record }) => [id, record]));
  const ordered = await orderNear(deps, subject, wanted, { near: furtherRecords, records: [...records.values()] });
  const passing = await withoutExcluded(
    deps.index,
    text,
    ordered.map(({ id }) => id),
  );
  return passing.flatMap((id) => records.get(id) ?? []).slice(0, maxAlso);

  /** The first records that have all of the text, where a page also has others, or not all. */
  function findWhole() {
    return deps.index.search(withWholeText(query), firstPage(maxAlso), visibility);
  }
}

/** Whether a text names hosts, pages or addresses. */
const isOfOne = ({ hosts, pages, typedAddresses }: Understanding) =>
  hosts.length + pages.length + typedAddresses.length > 0;

/** Whether a record or one of its people is called like the text, in any order of its words, or the record by one typo for each eight letters: up to two. */
const isNamed = ({ nameKey: typed }: Understanding, { records }: SearchResult) =>
  records.some(
    (record) =>
      editsToName(typed, record) <= Math.min(2, typed.length >> 3) ||
      [record.name, ...record.aliases, ...record.contacts.flatMap(({ name }) => name ?? [])].some(
        (name) => sortedName(nameKey(name)) === sortedName(typed),
      ),
  );

const isLimit: typeof isOfKind = (part) => isOfKind(part) || isPlace(part) || isOfLanguage(part);

/** What a text asks for besides kinds, places and languages. */
function subjectOf({ parts, phrases }: Understanding): string {
  return [...parts.filter((part) => !isLimit(part)).flatMap(({ words }) => words), ...phrases.flat()].join(' ');
}
