import { bestFirst, type KeptContact } from '#records/contacts/contact.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { conditionsMetByContact } from '#search/conditions/meets-condition.ts';
import { meetsContactFilters, splitFilters } from '#search/contact-filters.ts';
import { contactRow } from '#search/contact-row.ts';
import { planningOf } from '#search/plans/planning.ts';
import type { RecordScan, ScanOptions } from '#search/search-index.ts';
import { type Filter, isListed, type SearchQuery, withWholeText } from '#search/search-query.ts';
import { buildCondition, type RenderedQuery } from './build-condition.ts';
import { buildCount } from './build-counts.ts';
import { chooseQuery } from './choose-query.ts';
import type { Cluster } from './connect-elasticsearch.ts';
import { contactsOf } from './contact-document.ts';
import { askingContacts } from './contact-requests.ts';
import type { KnownTerms } from './known-terms.ts';
import { scanRecords } from './open-scan.ts';
import { withSearchRequests } from './search-requests.ts';

/**
 * Scans all contacts of a query at one point in time: that of the records, which hold their contacts. The engine finds the records
 * that may have such contacts, and this process looks at each contact of them, best first. They are counted first, so they are read twice.
 */
export async function openContactScan(
  cluster: Cluster,
  index: string,
  searchQuery: SearchQuery,
  options: ScanOptions,
  knownTerms: KnownTerms,
): Promise<RecordScan> {
  const wholeQuery = withWholeText(searchQuery);
  const { query } = await withSearchRequests(cluster, contactsOf(index), [wholeQuery], (ask) =>
    chooseQuery(askingContacts(ask), wholeQuery, (tried) => [buildCount(tried, wholeQuery.filters)], {
      known: knownTerms,
    }),
  );
  const mayHave = buildCondition(query && { ...query, exclusions: [] }, withoutNegated(wholeQuery.filters));
  const choose = chooserOf(wholeQuery, query);
  const records = await scanRecords(cluster, index, mayHave);
  const close = () => records.close();
  try {
    let total = 0;
    for await (const batch of records) for (const record of batch) total += choose(record).length;
    return {
      total,
      close,
      async *[Symbol.asyncIterator]() {
        try {
          for await (const batch of records) {
            yield batch.flatMap((record) => choose(record).map((contact) => contactRow(record, contact)));
          }
        } finally {
          if (!options.isKept) await close();
        }
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What a contact may not be is asked of each of them: another contact of its record may be that. */
function withoutNegated(filters: readonly Filter[]): Filter[] {
  const { ofRecord, ofContact } = splitFilters(filters);
  return [...ofRecord, ...ofContact];
}

function chooserOf(wholeQuery: SearchQuery, query: RenderedQuery | null): (record: MediaRecord) => KeptContact[] {
  const { text, filters } = wholeQuery;
  const match = query?.planned?.match ?? null;
  const excluded = text === null ? [] : planningOf(wholeQuery).excluded(text);
  return (record) =>
    bestFirst(record.contacts).filter((contact) => {
      if (!isListed(wholeQuery, record.id, contact.id) || !meetsContactFilters(contact, filters)) return false;
      const meets = text === null ? () => true : conditionsMetByContact(record, contact);
      return (match === null || meets(match)) && !excluded.some(meets);
    });
}
