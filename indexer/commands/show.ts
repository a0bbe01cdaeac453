import type { Command } from 'commander';
import { type IndexerBackends, withReadyBackends } from '#indexer/open-indexer.ts';
import { everSince } from '#outbound/late-suppressions.ts';
import { bestFirst } from '#records/contacts/contact.ts';
import { fields } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { normalizeEmail } from '#records/normalize/normalize-email.ts';
import { firstPage } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { type JsonFlag, printResult, reportFault, UsageError } from '#src/command-line/command-line.ts';
import { countRecords } from '#src/command-line/progress.ts';
import { nameKey } from '#text/fold.ts';
import { hostOfUrl } from '#text/hosts.ts';
import {
  describeFields,
  describeSource,
  describeValue,
  type ShownChange,
  showHistory,
} from '../records/change-sets.ts';
import { type ExplainedHiding, explainHiding, type HidingEntry } from '../records/explain-hiding.ts';
import { describeQuery, type ExplainedQuery, explainQuery } from '../records/explain-query.ts';
import { findKnown, type KnownOfAddress } from '../records/known-of-address.ts';

type ShowFlags = JsonFlag & { query?: string; history?: boolean };

/** How many changes are listed without --history. */
const shownChanges = 5;
const maxChanges = 1_000;

interface ShownRecord {
  record: MediaRecord;
  /** The id that was passed, if its record was merged into this one. */
  merged_id: string | null;
  is_searchable: boolean;
  /** The suppressions that hide it. */
  suppressed_by: HidingEntry[];
  /** Its contacts that suppressions hide, which `record` does not show. */
  hidden_contacts: ExplainedHiding['hidden_contacts'];
  /** Its last changes, newest first. */
  history: ShownChange[];
  /** How --query was answered, and why the record stands where it stands. */
  query: ExplainedQuery | null;
}

export function addTo(program: Command): void {
  program
    .command('show')
    .description(
      'show a record with its contacts, what hides it, and where a query finds it; or all that is known of an address',
    )
    .argument('<record>', 'its id, URL or name, or an address')
    .option('--query <text>', 'a search, to see where it finds the record, and whether it was corrected')
    .option('--history', 'print all changes that commands made to it instead, with old and new values')
    .action(showRecord);
}

async function showRecord(typed: string, { query, history, json }: ShowFlags): Promise<void> {
  const address = normalizeEmail(typed);
  if ('email' in address) {
    if (history || query !== undefined) throw new UsageError('an address is shown with its history and takes no query');
    return printKnown(address.email, json);
  }
  if (history) return printHistory(typed.trim(), json);
  const text = query === undefined ? null : understand(query);
  if (query !== undefined && text === null)
    throw new UsageError('the query is empty. Pass words, such as --query radio.');
  await withReadyBackends(async ({ records, index, suppressions, changes, mergedIds }) => {
    const keptId = (await mergedIds.resolve([typed.trim()])).get(typed.trim());
    const matching = await findMatching({ records, index }, keptId ?? typed);
    const [record, ...otherMatches] = matching;
    if (record === undefined)
      return reportFault('No record has this id, URL or name. A suppressed record is found only by its id.');
    if (otherMatches.length > 0)
      return reportFault(`Several records match. Pass the id of one: ${matching.map(describeMatch).join('; ')}.`);
    const list = await suppressions.list();
    const { visible, ...hiding } = explainHiding(record, list);
    const suppressed = new Set(list.map(({ key }) => key));
    const shownRecord: ShownRecord = {
      record: visible,
      merged_id: keptId === undefined ? null : typed.trim(),
      is_searchable: (await index.findMany([record.id], 'masked')).length > 0,
      ...hiding,
      history: await showHistory(changes, record.id, { limit: shownChanges, suppressed }),
      query: text && (await explainQuery(index, record, text)),
    };
    printResult(shownRecord, describeShown, json);
  });
}

/** `wd-Q1 The Herald, newspaper, Glasgow, GB` */
function describeMatch({ id, name, type, kind, city, country }: MediaRecord): string {
  return [`${id} ${name}`, type ?? kind, city, country].filter((value) => value !== null).join(', ');
}

async function printKnown(address: string, json?: boolean): Promise<void> {
  await withReadyBackends(async (backends) => {
    const progress = countRecords(await backends.records.count(), { isSilent: json });
    const result = await findKnown(backends, address, (recordCount) => progress.show('reading', recordCount)).finally(
      progress.stop,
    );
    if (Object.values(result).every(({ length }) => length === 0))
      return reportFault('Nothing is known of this address.');
    printResult(result, describeKnown, json);
  });
}

function describeKnown({ contacts, history, list_entries, suppressions }: KnownOfAddress): string {
  const places = contacts.map(({ record_id, record_name, contact, sources, is_hidden, suppressed_by }) => {
    const hidden = is_hidden
      ? ` (hidden${suppressed_by.length === 0 ? '' : ` by ${suppressed_by.map(describeEntry).join(', ')}`})`
      : '';
    const values = Object.entries({ ...contact, sources: Object.keys(sources) }).map(
      ([key, value]) => `  ${key}: ${[value ?? []].flat().join(', ')}`,
    );
    return [`${record_id} ${record_name}${hidden}`, ...values.filter((line) => !line.endsWith(': '))].join('\n');
  });
  const changes = history.map((change) =>
    [`${change.record_id} ${describeSource(change)}`, ...describeFields(change.fields).map((line) => `  ${line}`)].join(
      '\n',
    ),
  );
  const entryLines = list_entries.map(
    ({ record_id, list_id, status, note, added_at }) =>
      `${record_id} is in the list ${list_id} of a customer since ${added_at}: ${[status, note ?? []].flat().join(', ')}`,
  );
  const entries = suppressions.map((entry) => `It is suppressed by ${describeEntry(entry)} since ${entry.added_at}.`);
  return [...places, ...changes, ...entryLines, ...entries].join('\n');
}

async function printHistory(id: string, json?: boolean): Promise<void> {
  await withReadyBackends(async ({ changes, records, suppressions }) => {
    const suppressed = await suppressions.listKeysSince(everSince);
    const history = await showHistory(changes, id, { limit: maxChanges, suppressed });
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
  typed: string,
): Promise<MediaRecord[]> {
  const withThisId = await records.find(typed.trim());
  if (withThisId !== null) return [withThisId];
  const text = understand(typed);
  if (text === null) return [];
  const hosts = [...text.hosts, ...text.pages.map((page) => page.host)];
  const { records: candidates } = await index.search({ text, filters: [] }, firstPage(100), 'full');
  return candidates.filter(({ name, aliases, url }) => {
    const host = url === null ? null : hostOfUrl(url);
    return (
      [name, ...aliases].some((recordName) => nameKey(recordName) === text.nameKey) ||
      (host !== null && hosts.includes(host))
    );
  });
}

function describeShown(shownRecord: ShownRecord): string {
  const { record, merged_id, is_searchable, suppressed_by, hidden_contacts, history, query } = shownRecord;
  const values = fields.flatMap(({ key }) => {
    const value =
      key === 'contacts' ? describeContacts(record) : [record[key] ?? []].flat().map(describeValue).join(', ');
    return value === '' ? [] : [`${key}: ${value}`];
  });
  const hidden = [
    ...suppressed_by.map((entry) => `It is suppressed by ${describeEntry(entry)}.`),
    ...hidden_contacts.map(({ id, suppressed_by: by }) => {
      return `Contact ${id} is suppressed${by.length === 0 ? '' : ` by ${by.map(describeEntry).join(', ')}`}.`;
    }),
  ];
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

/** The contacts of a record, best first, with the ids by which commands know them. */
function describeContacts({ contacts }: MediaRecord): string {
  return bestFirst(contacts)
    .map((contact) => `${describeValue(contact)} (${contact.id})`)
    .join(' | ');
}

function describeEntry({ kind, value, reason }: HidingEntry): string {
  return `${kind} ${value}${reason === null ? '' : ` (${reason})`}`;
}
