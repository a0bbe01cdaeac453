import { hash } from 'node:crypto';
import type { KeptContact } from '#records/contacts/contact.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { emailStatuses } from '#records/vocabularies.ts';
import { unknownStatus } from '#search/contact-filters.ts';
import { contactRow, type RowKind } from '#search/contact-row.ts';
import type { RecordScan, SearchIndex } from '#search/search-index.ts';
import { type Filter, ofRows, type SearchQuery } from '#search/search-query.ts';
import { contactsThatMeet } from './export-rows.ts';

/** A contact of a record that is written to, and its address (see addressOf). */
export type Lead = ReturnType<typeof listLeads>[number];

/**
 * The leads of a query, a row of its contact for each. `repeats`: how many others have the address of one of them; `addresses`:
 * those that are written to.
 */
export type LeadScan = RecordScan & { repeats: number; addresses: LeadAddresses };

interface LeadRequest {
  query: SearchQuery;
  rows: RowKind;
}

/** Of the contact with the address: that a colleague's is invalid does not matter. */
const neverInvalid: Filter = {
  field: 'email_status',
  any: [...emailStatuses.filter((status) => status !== 'invalid'), unknownStatus],
  none: [],
};
/** Programs read these inboxes alone. */
const neverAutomatic: Filter = { field: 'contact_kind', any: ['person', 'desk'], none: [] };

/**
 * The query for contacts that an outbound tool takes: they meet it, are no automatic inbox, and have an address that is not known
 * to be invalid; a filter on `email_status` decides that instead.
 */
export function ofLeads(query: SearchQuery): SearchQuery {
  const filters: Filter[] = [...query.filters, { present: 'email' }, neverAutomatic];
  const choosesStatus = filters.some((filter) => 'field' in filter && filter.field === 'email_status');
  return { ...query, filters: choosesStatus ? filters : [...filters, neverInvalid] };
}

/** The contacts of a record that are written to, best first; with rows of records, only the first. */
function leadsOf(record: MediaRecord, query: SearchQuery, rows: RowKind): KeptContact[] {
  const leads = contactsThatMeet(record, ofLeads(query));
  return rows === 'contacts' ? leads : leads.slice(0, 1);
}

/**
 * The row of who is written to for a lead, from its record as it is now: its contact; if that is hidden or gone, with rows of
 * records, the next lead of the record whose address no other lead has.
 */
export function leadRow(
  record: MediaRecord,
  lead: Lead,
  { query, rows }: LeadRequest,
  addresses: LeadAddresses,
): MediaRecord | undefined {
  const leads = leadsOf(record, query, 'contacts');
  const sameContact = leads.find(({ id }) => id === lead.contact);
  const mayStandIn = (contact: KeptContact) =>
    addressOf(contact) === lead.address || addresses.take(addressOf(contact));
  const contact = sameContact ?? (rows === 'records' ? leads.find(mayStandIn) : undefined);
  return contact && contactRow(record, contact);
}

/** The addresses of leads, four bytes for each, and those of who stands in for one. */
class LeadAddresses {
  readonly #digests: Int32Array;
  readonly #ofStandIns = new Set<string>();

  constructor(digests: Int32Array) {
    this.#digests = digests;
  }

  /** Takes an address for who stands in. False if another lead has it. */
  take(address: string): boolean {
    if (this.#digests.includes(digestAddress(address)) || this.#ofStandIns.has(address)) return false;
    this.#ofStandIns.add(address);
    return true;
  }
}

/**
 * Scans the leads of a query. If several have the same address, it yields the one with the first id, in a record the best one;
 * `repeats` counts the others. To find these, it first reads the scan once or twice. It keeps only four bytes for each lead in
 * memory, and the addresses that seem to repeat. The caller closes the scan.
 *
 * @param findHidden asked before each batch of the export: what is left of a record by then
 */
export async function scanLeads(
  index: Pick<SearchIndex, 'scan'>,
  request: LeadRequest,
  findHidden: () => Promise<(record: MediaRecord) => MediaRecord | null> = async () => (record) => record,
): Promise<LeadScan> {
  const withAddress = { ...request.query, filters: [...request.query.filters, { present: 'email' } as const] };
  const scan = await index.scan(ofRows(withAddress, request.rows), { isKept: true });
  try {
    const { count, repeats, isRepeat, addresses } = await findRepeats(scan, request);
    return {
      total: count - repeats,
      repeats,
      addresses,
      close: () => scan.close(),
      async *[Symbol.asyncIterator]() {
        for await (const batch of scan) {
          const visiblePart = await findHidden();
          yield batch.flatMap((record) => {
            const leads = listLeads(record, request).filter((lead) => !isRepeat(lead));
            const visible = leads.length === 0 ? null : visiblePart(record);
            if (visible === null) return [];
            return leads.flatMap((lead) => leadRow(visible, lead, request, addresses) ?? []);
          });
        }
      },
    };
  } catch (error) {
    await scan.close();
    throw error;
  }
}

/** How many leads there are, their addresses, how many of them have the address of another one, and which these are. */
async function findRepeats(scan: RecordScan, request: LeadRequest) {
  const { digests, count } = await digestAddresses(scan, request);
  const sorted = digests.subarray(0, count).sort();
  const seemRepeated = new Set(sorted.filter((digest, index) => index > 0 && digest === sorted[index - 1]));
  const firsts = new Map<string, Lead>();
  let repeats = 0;
  if (seemRepeated.size > 0) {
    for await (const lead of readLeads(scan, request)) {
      if (!seemRepeated.has(digestAddress(lead.address))) continue;
      const first = firsts.get(lead.address);
      if (first !== undefined) repeats += 1;
      if (first === undefined || lead.record < first.record) firsts.set(lead.address, lead);
    }
  }
  const isRepeat = ({ record, contact, address }: Lead) => {
    const first = firsts.get(address);
    return first !== undefined && (first.record !== record || first.contact !== contact);
  };
  return { count, repeats, isRepeat, addresses: new LeadAddresses(sorted) };
}

/** A digest of the address of each lead. */
async function digestAddresses(scan: RecordScan, request: LeadRequest) {
  const digests = new Int32Array(scan.total);
  let count = 0;
  for await (const { address } of readLeads(scan, request)) {
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
function addressOf({ email }: Pick<KeptContact, 'email'>): string {
  return email?.toLowerCase() ?? '';
}

async function* readLeads(scan: RecordScan, request: LeadRequest): AsyncGenerator<Lead> {
  for await (const batch of scan) {
    for (const record of batch) yield* listLeads(record, request);
  }
}

/** The leads of a record or of a row. */
export function listLeads(record: MediaRecord, { query, rows }: LeadRequest) {
  const leads = leadsOf(record, query, rows);
  return leads.map((contact) => ({ record: record.id, contact: contact.id, address: addressOf(contact) }));
}
