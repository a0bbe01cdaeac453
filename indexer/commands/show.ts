import type { Command } from 'commander';
import { type IndexerBackends, withReadyBackends } from '#indexer/open-indexer.ts';
import { fields } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { showKey, suppressionKeys } from '#records/suppression.ts';
import { parseTextQuery } from '#search/parse-text-query.ts';
import type { SearchIndex } from '#search/search-index.ts';
import { firstPage } from '#search/search-query.ts';
import { type JsonFlag, printResult, reportFault, UsageError } from '#src/command-line/command-line.ts';
import { nameKey } from '#text/fold.ts';
import { hostOfUrl } from '#text/hosts.ts';
import { describeFields, describeSource, type ShownChange, showHistory } from '../records/change-sets.ts';

interface ShowFlags extends JsonFlag {
  query?: string;
  history?: boolean;
}

/** How many changes are listed without --history. */
const shownChanges = 5;
const maxChanges = 1_000;

type TextQuery = NonNullable<ReturnType<typeof parseTextQuery>>;

/** The results among which --query looks for the record. */
const page = firstPage(100);

interface ShownRecord {
  record: MediaRecord;
  /** The id that was passed, if its record was merged into this one. */
  merged_id: string | null;
  is_searchable: boolean;
  /** The suppressions that hide it. The value of an address is the start of its hash. */
  suppressed_by: { kind: string; value: string; reason: string | null }[];
  /** Its last changes, newest first. */
  history: ShownChange[];
  /** Its place among the results of --query, from 1; null if it is not among the first hundred. */
  query: { place: number | null; total: number; is_corrected: boolean } | null;
}

export function addTo(program: Command): void {
  program
    .command('show')
    .description('show a record with its address, what hides it, and where a query finds it')
    .argument('<record>', 'its id, URL or name')
    .option('--query <text>', 'a search, to see where it finds the record, and whether it was corrected')
    .option('--history', 'print all changes that commands made to it instead, with old and new values')
    .action(showRecord);
}

async function showRecord(wanted: string, { query, history, json }: ShowFlags): Promise<void> {
  if (history) return printHistory(wanted.trim(), json);
  const text = query === undefined ? null : parseTextQuery(query);
  if (query !== undefined && text === null)
    throw new UsageError('the query is empty. Pass words, such as --query radio.');
  await withReadyBackends(async ({ records, index, suppressions, changes, mergedIds }) => {
    const keptId = (await mergedIds.resolve([wanted.trim()])).get(wanted.trim());
    const matching = await findMatching({ records, index }, keptId ?? wanted);
    const [record, ...others] = matching;
    if (record === undefined)
      return reportFault('No record has this id, URL or name. A suppressed record is found only by its id.');
    if (others.length > 0)
      return reportFault(`Several records match. Pass the id of one: ${matching.map(({ id }) => id).join(', ')}.`);
    const keys = new Set(suppressionKeys(record));
    const hiding = (await suppressions.list()).filter(({ key }) => keys.has(key));
    const shown: ShownRecord = {
      record,
      merged_id: keptId === undefined ? null : wanted.trim(),
      is_searchable: (await index.findMany([record.id], 'masked')).length > 0,
      suppressed_by: hiding.map(({ key, reason }) => ({ ...showKey(key), reason })),
      history: await showHistory(changes, record.id, shownChanges),
      query: text && (await tryQuery(index, record, text)),
    };
    printResult(shown, describeShown, json);
  });
}

async function printHistory(id: string, json?: boolean): Promise<void> {
  await withReadyBackends(async ({ changes, records }) => {
    const history = await showHistory(changes, id, maxChanges);
    if (history.length === 0 && (await records.find(id)) === null)
      return reportFault('No record has this id, and no change of it is kept.');
    const lines = history.flatMap((change) => [
      describeSource(change),
      ...describeFields(change.fields).map((line) => `  ${line}`),
    ]);
    printResult(history, () => lines.join('\n') || 'No change of it is kept.', json);
  });
}

/** The record with this id. If there is none, those with this name or alias, or with a page at this host. */
async function findMatching(
  { records, index }: Pick<IndexerBackends, 'records' | 'index'>,
  wanted: string,
): Promise<MediaRecord[]> {
  const known = await records.find(wanted.trim());
  if (known !== null) return [known];
  const text = parseTextQuery(wanted);
  if (text === null) return [];
  const { records: found } = await index.search({ text, filters: [] }, page, 'full');
  return found.filter(({ name, aliases, url }) => {
    const host = url === null ? null : hostOfUrl(url);
    return [name, ...aliases].some((one) => nameKey(one) === text.nameKey) || (host !== null && text.hosts[0] === host);
  });
}

async function tryQuery(index: SearchIndex, { id }: MediaRecord, text: TextQuery) {
  const { records: found, total, isCorrected } = await index.search({ text, filters: [] }, page, 'masked');
  const place = found.findIndex((one) => one.id === id) + 1;
  return { place: place > 0 ? place : null, total, is_corrected: isCorrected };
}

function describeShown({ record, merged_id, is_searchable, suppressed_by, history, query }: ShownRecord): string {
  const values = fields.flatMap(({ key }) => {
    const value = [record[key] ?? []].flat().join(', ');
    return value === '' ? [] : [`${key}: ${value}`];
  });
  const hidden = suppressed_by.map(
    ({ kind, value, reason }) => `It is suppressed by ${kind} ${value}${reason === null ? '' : ` (${reason})`}.`,
  );
  const state = is_searchable ? 'Searches can find it.' : 'Searches do not find it.';
  const changes = history.map((change) => {
    const names = Object.keys(change.fields).join(', ');
    return `- ${describeSource(change)}${names === '' ? '' : `: ${names}`}`;
  });
  const past = changes.length === 0 ? [] : ['Last changes:', ...changes];
  const merge = merged_id === null ? [] : [`${merged_id} was merged into this record.`];
  return [...values, '', ...merge, state, ...hidden, ...past, ...(query === null ? [] : [describeQuery(query)])].join(
    '\n',
  );
}

function describeQuery({ place, total, is_corrected }: NonNullable<ShownRecord['query']>): string {
  if (place === null) return `The query does not find it among its first ${Math.min(page.limit, total)} results.`;
  const how = is_corrected ? ', after a typo was forgiven or a word left out' : '';
  return `The query finds it as result ${place} of ${total}${how}.`;
}
