import { hash } from 'node:crypto';
import type { ListEntry } from '#accounts/media-list.ts';
import type { Right } from '#accounts/plans.ts';
import { type PlanDefinition, requireRight } from '#accounts/plans.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import { firstContact } from '#records/contacts/first-contact.ts';
import type { MediaRecord, RecordKey } from '#records/media-record.ts';
import type { RecordScan, SearchIndex } from '#search/search-index.ts';
import type { Filter, SearchQuery, ValueFilter } from '#search/search-query.ts';
import { countMatches } from '#search/search-records.ts';
import { Problem } from '#src/problem.ts';
import { formatNumber } from '#text/printed.ts';
import { filterSuppressed, type LateSuppressions } from './late-suppressions.ts';

export interface ExportDeps {
  plans: readonly PlanDefinition[];
  index: Pick<SearchIndex, 'scan'>;
  suppressions: LateSuppressions;
}

export interface ExportRequest {
  query: SearchQuery;
  format: ExportFormat;
}

/**
 * Starts an export: a scan of the records that the query finds. If the query names no kind, only outlets. If the format needs
 * addresses, only leads (see scanLeads). Records that are suppressed meanwhile are left out. The caller closes the scan.
 * Throws Problem `plan_expired`, `plan_required` or `too_many_rows`.
 */
export async function exportRecords(
  { plans, index, suppressions }: ExportDeps,
  { query, format }: ExportRequest,
  key: StoredKey,
  now: Date,
): Promise<RecordScan> {
  requireRight(plans, key.plan, rightToExport(query, format.right), now);
  const asked = defaultToOutlets(query);
  if (format.needsAddress) {
    return filterSuppressed(await scanLeads(index, asked), suppressions, now);
  }
  const scan = await index.scan(asked);
  const { name, maxRecords = Number.POSITIVE_INFINITY } = format;
  if (scan.total <= maxRecords) return filterSuppressed(scan, suppressions, now);
  await scan.close();
  const [found, most] = [scan.total, maxRecords].map(formatNumber);
  throw new Problem(
    'too_many_rows',
    `These are ${found} records, and ${name} holds at most ${most}. Narrow the filters, or use csv or ndjson.`,
  );
}

/** How many matches of other kinds an export leaves out because its query names no kind. */
export async function countExcluded(
  index: Pick<SearchIndex, 'search'>,
  { query, format }: ExportRequest,
): Promise<number> {
  if (defaultToOutlets(query) === query) return 0;
  const others: SearchQuery = { ...query, filters: [...query.filters, { field: 'kind', any: [], none: ['outlet'] }] };
  const asked = format.needsAddress ? outboundPart(others) : others;
  return countMatches(index, asked);
}

const neverInvalid: Filter = { field: 'email_status', any: [], none: ['invalid'] };

/** Restricts a query to records with an address, unless it is `invalid`. A filter on `email_status` decides that instead. */
export function outboundPart(query: SearchQuery): SearchQuery {
  const filters: Filter[] = [...query.filters, { present: 'email' }];
  const choosesStatus = filters.some((filter) => 'field' in filter && filter.field === 'email_status');
  return { ...query, filters: choosesStatus ? filters : [...filters, neverInvalid] };
}

/**
 * Scans the records of a query that outbound tools may get. If several have the same address, it yields the one with the first
 * id; `repeats` counts the others. To find these, it first reads the scan once or twice. It keeps only four bytes for each
 * lead in memory, and the addresses that seem to repeat.
 */
export async function scanLeads(
  index: Pick<SearchIndex, 'scan'>,
  query: SearchQuery,
): Promise<RecordScan & { repeats: number }> {
  const scan = await index.scan(outboundPart(query), { isKept: true });
  try {
    const { firsts, repeats } = await findRepeats(scan);
    return {
      total: scan.total - repeats,
      repeats,
      close: () => scan.close(),
      async *[Symbol.asyncIterator]() {
        for await (const batch of scan) {
          yield batch.filter((record) => (firsts.get(addressOf(record) ?? '') ?? record.id) === record.id);
        }
      },
    };
  } catch (error) {
    await scan.close();
    throw error;
  }
}

/** The first id of each address that seems to repeat, and how many records have the address of another one. */
async function findRepeats(scan: RecordScan): Promise<{ firsts: ReadonlyMap<string, string>; repeats: number }> {
  const digests = new Int32Array(scan.total);
  let count = 0;
  for await (const { address } of addressesOf(scan)) {
    digests[count] = digestAddress(address);
    count += 1;
  }
  digests.sort();
  const seemRepeated = new Set(digests.filter((digest, index) => index > 0 && digest === digests[index - 1]));
  const firsts = new Map<string, string>();
  let repeats = 0;
  if (seemRepeated.size === 0) return { firsts, repeats };
  for await (const { id, address } of addressesOf(scan)) {
    if (!seemRepeated.has(digestAddress(address))) continue;
    const first = firsts.get(address);
    if (first !== undefined) repeats += 1;
    if (first === undefined || id < first) firsts.set(address, id);
  }
  return { firsts, repeats };
}

/** The address of a record's first contact in lower case, as repeats are compared; null if it has none. */
function addressOf(record: MediaRecord): string | null {
  return firstContact(record).email?.toLowerCase() ?? null;
}

/** Four bytes of a hash of the address. Two addresses may share them by chance. */
function digestAddress(address: string): number {
  return hash('sha256', address, 'buffer').readInt32BE();
}

async function* addressesOf(scan: RecordScan): AsyncGenerator<{ id: string; address: string }> {
  for await (const batch of scan) {
    for (const record of batch) {
      const address = addressOf(record);
      if (address !== null) yield { id: record.id, address };
    }
  }
}

export interface ExportFormat {
  /** `name` is for requests, `title` for people; `doc` says what is in it. */
  name: string;
  title: string;
  doc: string;
  contentType: string;
  extension: string;
  /** The right that exports of outlets need in this format. Other kinds need `export_all` in every format. */
  right: Right;
  /** Whether it has only records with an address that is not known to be invalid, as outbound tools want. */
  needsAddress: boolean;
  isCompressed: boolean;
  maxRecords?: number;
  choices: ReadonlyArray<'fields' | 'bom'>;
  write(batches: AsyncIterable<readonly MediaRecord[]>, choices?: FileChoices): AsyncIterable<Buffer>;
}

export interface FileChoices {
  /** The fields of a record to write, in order; absent for all. */
  fields?: readonly RecordKey[] | undefined;
  /** In the export of a list: the account's entries by record id, for the last columns. */
  list?: ReadonlyMap<string, ListEntry> | undefined;
  /** Whether a byte order mark comes first, so that Excel reads the file as UTF-8. */
  hasMark?: boolean | undefined;
}

const outletsOnly: ValueFilter = { field: 'kind', any: ['outlet'], none: [] };

/** What an export or push contains: what the query finds, or only outlets if it names no kind. */
export function defaultToOutlets(query: SearchQuery): SearchQuery {
  return query.filters.some(isKindFilter) ? query : { ...query, filters: [...query.filters, outletsOnly] };
}

/** The right that an export needs: its format's right if it has only outlets, otherwise `export_all`. */
function rightToExport({ filters }: SearchQuery, rightOfFormat: Right): Right {
  const isOfOutlets = filters
    .filter(isKindFilter)
    .every(({ any, none }) => any.length === 1 && any[0] === 'outlet' && none.length === 0);
  return isOfOutlets ? rightOfFormat : 'export_all';
}

function isKindFilter(filter: Filter): filter is ValueFilter {
  return 'field' in filter && filter.field === 'kind' && filter.any.length + filter.none.length > 0;
}
