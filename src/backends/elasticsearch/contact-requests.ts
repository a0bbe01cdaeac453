import type { MediaRecord } from '#records/media-record.ts';
import { contactRow } from '#search/contact-row.ts';
import { UnusableAnswer } from './elasticsearch-faults.ts';
import type { SearchBody } from './search-body.ts';
import type { Ask, SearchResponse } from './search-requests.ts';

/** The same requests to the index of contacts: a contact is not nested in a document there, but is the document. Counts of contacts and of documents are the same. */
export function askingContacts(ask: Ask): Ask {
  return (...bodies) => ask(...bodies.map((body) => withoutNesting(body) as SearchBody));
}

function withoutNesting(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutNesting);
  if (typeof part !== 'object' || part === null) return part;
  const { nested, reverse_nested, ...aggregation } = part as { nested?: { query?: object }; reverse_nested?: object };
  if (nested?.query !== undefined) return withoutNesting(nested.query);
  if (nested !== undefined || reverse_nested !== undefined)
    return withoutNesting({ filter: { match_all: {} }, ...aggregation });
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withoutNesting(value)]));
}

/**
 * The rows of a page of contacts, as the documents of their records show them at this moment: a record that another process hides
 * or changes meanwhile gives no row of what it no longer shows.
 */
export async function readContactRows(
  { hits }: Pick<SearchResponse, 'hits'>,
  findMany: (ids: readonly string[]) => Promise<MediaRecord[]>,
): Promise<MediaRecord[]> {
  const named = hits.hits.map(({ fields }) => {
    const [record, contact] = ['order.id', 'order.contact'].map((name): unknown => fields?.[name]?.[0]);
    if (typeof record !== 'string' || typeof contact !== 'string') throw new UnusableAnswer('a contact has no id');
    return { record, contact };
  });
  const ids = [...new Set(named.map(({ record }) => record))];
  const records = new Map((await findMany(ids)).map((record) => [record.id, record]));
  return named.flatMap(({ record: id, contact: contactId }) => {
    const record = records.get(id);
    const contact = record?.contacts.find((candidate) => candidate.id === contactId);
    return record && contact ? [contactRow(record, contact)] : [];
  });
}
