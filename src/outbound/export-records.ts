import type { Right } from '#accounts/plans.ts';
import { type PlanDefinition, requireRight } from '#accounts/plans.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import type { MediaRecord, RecordKey } from '#records/media-record.ts';
import type { RowKind } from '#search/contact-row.ts';
import type { EntriesByRecord } from '#search/lists/list-entries.ts';
import type { RecordScan, SearchIndex } from '#search/search-index.ts';
import { type Filter, ofRows, type SearchQuery, type ValueFilter } from '#search/search-query.ts';
import { countMatches } from '#search/search-records.ts';
import { Problem } from '#src/problem.ts';
import { formatNumber } from '#text/printed.ts';
import { rowsWithContact } from './export-rows.ts';
import { filterSuppressed, findLateSuppressions, type LateSuppressions } from './late-suppressions.ts';
import { ofLeads, scanLeads } from './scan-leads.ts';

export interface ExportDeps {
  plans: readonly PlanDefinition[];
  index: Pick<SearchIndex, 'scan'>;
  suppressions: LateSuppressions;
}

export interface ExportRequest {
  query: SearchQuery;
  format: ExportFormat;
  rows: RowKind;
}

/**
 * Starts an export: a scan of its rows. These are the records that the query finds; or the contacts that meet it, a record with
 * only that contact for each (see contactRow). If the query names no kind, only outlets and their contacts. If the format needs
 * addresses, only leads (see scanLeads). What is suppressed meanwhile is left out; leads have their stand-ins (see leadRow). The
 * caller closes the scan.
 * Throws Problem `plan_expired`, `plan_required` or `too_many_rows`.
 */
export async function exportRecords(
  { plans, index, suppressions }: ExportDeps,
  request: ExportRequest,
  key: StoredKey,
  now: Date,
): Promise<RecordScan> {
  const { format } = request;
  requireRight(plans, key.plan, rightToExport(request.query, format.right), now);
  const scan = await scanRows({ index, suppressions }, { ...request, query: defaultToOutlets(request.query) }, now);
  if (scan.total > (format.maxRecords ?? Number.POSITIVE_INFINITY)) {
    await scan.close();
    throw tooManyRows(scan.total, request);
  }
  return scan;
}

async function scanRows(
  { index, suppressions }: Pick<ExportDeps, 'index' | 'suppressions'>,
  { query, format, rows }: ExportRequest,
  begun: Date,
): Promise<RecordScan> {
  if (format.needsAddress) return scanLeads(index, { query, rows }, () => findLateSuppressions(suppressions, begun));
  const visible = filterSuppressed(await index.scan(ofRows(query, rows)), suppressions, begun);
  return rows === 'contacts' ? { ...visible, [Symbol.asyncIterator]: () => rowsWithContact(visible) } : visible;
}

function tooManyRows(total: number, { format, rows }: ExportRequest): Problem {
  const [rowCount, most] = [total, format.maxRecords ?? 0].map(formatNumber);
  return new Problem(
    'too_many_rows',
    `These are ${rowCount} ${rows}, and ${format.name} holds at most ${most}. Narrow the filters, or use csv or ndjson.`,
  );
}

/** How many rows of other kinds an export leaves out because its query names no kind. Of leads, repeats count too. */
export async function countExcluded(
  index: Pick<SearchIndex, 'search'>,
  { query, format, rows }: ExportRequest,
): Promise<number> {
  if (defaultToOutlets(query) === query) return 0;
  const ofOtherKinds: SearchQuery = {
    ...query,
    filters: [...query.filters, { field: 'kind', any: [], none: ['outlet'] }],
  };
  const countedQuery = format.needsAddress ? ofLeads(ofOtherKinds) : ofOtherKinds;
  return countMatches(index, ofRows(countedQuery, rows));
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
  /** Whether it has only leads: contacts to write to, as outbound tools want. */
  needsAddress: boolean;
  isCompressed: boolean;
  maxRecords?: number;
  choices: ReadonlyArray<'fields' | 'bom'>;
  /** Set for JSON, where a row of a record can have all its contacts. */
  holdsContacts?: true;
  write(batches: AsyncIterable<readonly MediaRecord[]>, choices?: FileChoices): AsyncIterable<Buffer>;
}

export interface FileChoices {
  /** What has a row; `records` if absent. Rows of contacts are records with only that contact. */
  rows?: RowKind;
  /** The fields of a record to write, in order; absent for all. */
  fields?: readonly RecordKey[] | undefined;
  /** In the export of a list: the account's entries, for the last columns. */
  list?: EntriesByRecord | undefined;
  /** Whether these columns begin with the date on which somebody was contacted. */
  hasDates?: boolean | undefined;
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
