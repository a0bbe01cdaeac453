import { hash } from 'node:crypto';
import type { KeptContact } from '#records/contacts/contact.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { RowKind } from '#search/contact-row.ts';
import type { RecordScan, SearchIndex } from '#search/search-index.ts';
import { type Filter, ofRows, type SearchQuery, type ValueFilter } from '#search/search-query.ts';
import { contactRows, contactsThatMeet } from './export-rows.ts';

/** A contact of a record, by which a lead is found again. */
export interface LeadId {
  record: string;
  contact: string;
}

/** The leads of a query, a row of its contact for each. `repeats`: how many others have the address of one of them. */
export type LeadScan = RecordScan & { repeats: number };

/**
 * The contacts of a record that an outbound tool takes: the query is about them, they are no automatic inbox, and they have an
 * address that is not known to be invalid; a filter on `email_status` decides that instead. With rows of records, only the first.
 */
export function leadsOf(
  record: MediaRecord,
  query: Pick<SearchQuery, 'filters' | 'listedContacts'>,
  rows: RowKind,
): KeptContact[] {
  const choosesStatus = query.filters.some(isStatusFilter);
  const leads = contactsThatMeet(record, query).filter(
    ({ kind, email, email_status }) =>
      kind !== 'automatic' && email !== null && (choosesStatus || email_status !== 'invalid'),
  );
  return rows === 'contacts' ? leads : leads.slice(0, 1);
}

export function isStatusFilter(filter: Filter): filter is ValueFilter {
  return 'field' in filter && filter.field === 'email_status';
}

/**
 * Scans the leads of a query. If several have the same address, it yields the one with the first id, in a record the best one;
 * `repeats` counts the others. To find these, it first reads the scan once or twice. It keeps only four bytes for each lead in
 * memory, and the addresses that seem to repeat. The caller closes the scan.
 */
export async function scanLeads(
  index: Pick<SearchIndex, 'scan'>,
  query: SearchQuery,
  rows: RowKind,
): Promise<LeadScan> {
  const withAddress = { ...query, filters: [...query.filters, { present: 'email' } as const] };
  const scan = await index.scan(ofRows(withAddress, rows), { isKept: true });
  const leads = (record: MediaRecord) => leadsOf(record, query, rows);
  try {
    const { count, repeats, isRepeat } = await findRepeats(scan, leads);
    const choose = (record: MediaRecord) => leads(record).filter((contact) => !isRepeat(record, contact));
    return {
      total: count - repeats,
      repeats,
      close: () => scan.close(),
      [Symbol.asyncIterator]: () => contactRows(scan, choose),
    };
  } catch (error) {
    await scan.close();
    throw error;
  }
}

/** How many leads there are, how many of them have the address of another one, and which these are. */
async function findRepeats(scan: RecordScan, leads: (record: MediaRecord) => readonly KeptContact[]) {
  const { digests, count } = await digestAddresses(scan, leads);
  const sorted = digests.subarray(0, count).sort();
  const seemRepeated = new Set(sorted.filter((digest, index) => index > 0 && digest === sorted[index - 1]));
  const firsts = new Map<string, LeadId>();
  let repeats = 0;
  if (seemRepeated.size > 0) {
    for await (const { record, contact, address } of addressesOf(scan, leads)) {
      if (!seemRepeated.has(digestAddress(address))) continue;
      const first = firsts.get(address);
      if (first !== undefined) repeats += 1;
      if (first === undefined || record < first.record) firsts.set(address, { record, contact });
    }
  }
  const isRepeat = (record: MediaRecord, contact: KeptContact) => {
    const first = firsts.get(addressOf(contact));
    return first !== undefined && (first.record !== record.id || first.contact !== contact.id);
  };
  return { count, repeats, isRepeat };
}

/** A digest of the address of each lead. */
async function digestAddresses(scan: RecordScan, leads: (record: MediaRecord) => readonly KeptContact[]) {
  const digests = new Int32Array(scan.total);
  let count = 0;
  for await (const { address } of addressesOf(scan, leads)) {
    digests[count] = digestAddress(address);
    count += 1;
  }
  return { digests, count };
}

/** Four bytes of a hash of the address. Two addresses may share them by chance. */
function digestAddress(address: string): number {
  return hash('sha256', address, 'buffer').readInt32BE();
}

/** As repeats are compared. */
export function addressOf({ email }: Pick<KeptContact, 'email'>): string {
  return email?.toLowerCase() ?? '';
}

/** The leads of a scan with their addresses. */
async function* addressesOf(
  scan: RecordScan,
  leads: (record: MediaRecord) => readonly KeptContact[],
): AsyncGenerator<LeadId & { address: string }> {
  for await (const batch of scan) {
    for (const record of batch) {
      for (const contact of leads(record)) {
        yield { record: record.id, contact: contact.id, address: addressOf(contact) };
      }
    }
  }
}
