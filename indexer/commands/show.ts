import type { Command } from 'commander';
import { type IndexerBackends, withReadyBackends } from '#indexer/open-indexer.ts';
import { everSince } from '#outbound/late-suppressions.ts';
import { bestFirst } from '#records/contacts/contact.ts';
import { fields } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { normalizeEmail } from '#records/normalize/normalize-email.ts';
import { describe, describePlan, describeText } from '#search/describe-plan.ts';
import { explainChoice, partMetBy, tierOf } from '#search/explain-search.ts';
import { nearestName } from '#search/order-by-names.ts';
import { prominenceOf, prominencePoints } from '#search/prominence.ts';
import type { SearchIndex } from '#search/search-index.ts';
import { firstPage } from '#search/search-query.ts';
import { understand } from '#search/understand.ts';
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
import { findKnown, type KnownOfAddress } from '../records/known-of-address.ts';

type ShowFlags = JsonFlag & { query?: string; history?: boolean };

/** How many changes are listed without --history. */
const shownChanges = 5;
const maxChanges = 1_000;

type Understanding = NonNullable<ReturnType<typeof understand>>;

/** The results among which --query looks for the record. */
const page = firstPage(100);
/** How many results before the record are shown. */
const shownBefore = 5;

/** A result, and what decides its place: its tier, then how near its name is (in tiers that compare names), then its prominence, then its id. */
interface RankedRecord {
  place: number;
  id: string;
  name: string;
  /** From 1; null if it meets no tier. */
  tier: number | null;
  /** How many edits from the text to its nearest name; null in tiers that compare no names, and where they are many. */
  edits: number | null;
  /** Its name or alias that is nearest to the text; null in tiers that compare no names, and where edits are many. */
  nearest_name: string | null;
  /** In the points of trials/relevance/README.md. */
  prominence: number;
}

interface ExplainedQuery {
  /** Its place among the results, from 1; null if it is not among the first hundred. */
  place: number | null;
  total: number;
  is_corrected: boolean;
  /** The words of each part of the query that some results lack. */
  dropped: string[];
  /** What was understood, a line for each part. */
  understood: string[];
  plan: string;
  why: string;
  /** What the plan finds, and its tiers, best first, a line each (describePlan); empty if only exclusions were typed. */
  tiers: string[];
  /** The tiers that have the record or a result before it. */
  tiers_up_to_it: number[];
  /** The record itself, as the plan ranks it. */
  record: Omit<RankedRecord, 'place'>;
  /** What it meets of all that the plan finds; null if the plan does not find it. */
  meets: string | null;
  /** What its prominence is made of. */
  points: Readonly<Record<string, number>>;
  /** The results directly before it. */
  before: RankedRecord[];
  /** The result directly behind it; null if there is none, or if it is itself no result. */
  behind: RankedRecord | null;
}

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

async function showRecord(wanted: string, { query, history, json }: ShowFlags): Promise<void> {
  const address = normalizeEmail(wanted);
  if ('email' in address) {
    if (history || query !== undefined) throw new UsageError('an address is shown with its history and takes no query');
    return printKnown(address.email, json);
  }
  if (history) return printHistory(wanted.trim(), json);
  const text = query === undefined ? null : understand(query);
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
    const list = await suppressions.list();
    const { visible, ...hiding } = explainHiding(record, list);
    const suppressed = new Set(list.map(({ key }) => key));
    const shown: ShownRecord = {
      record: visible,
      merged_id: keptId === undefined ? null : wanted.trim(),
      is_searchable: (await index.findMany([record.id], 'masked')).length > 0,
      ...hiding,
      history: await showHistory(changes, record.id, { limit: shownChanges, suppressed }),
      query: text && (await tryQuery(index, record, text)),
    };
    printResult(shown, describeShown, json);
  });
}

async function printKnown(address: string, json?: boolean): Promise<void> {
  await withReadyBackends(async (backends) => {
    const progress = countRecords(await backends.records.count(), { isSilent: json });
    const known = await findKnown(backends, address, (read) => progress.show('reading', read)).finally(progress.stop);
    if (Object.values(known).every(({ length }) => length === 0))
      return reportFault('Nothing is known of this address.');
    printResult(known, describeKnown, json);
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
  const listed = list_entries.map(
    ({ record_id, list_id, status, note, added_at }) =>
      `${record_id} is in the list ${list_id} of a customer since ${added_at}: ${[status, note ?? []].flat().join(', ')}`,
  );
  const entries = suppressions.map((entry) => `It is suppressed by ${describeEntry(entry)} since ${entry.added_at}.`);
  return [...places, ...changes, ...listed, ...entries].join('\n');
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
  wanted: string,
): Promise<MediaRecord[]> {
  const withThisId = await records.find(wanted.trim());
  if (withThisId !== null) return [withThisId];
  const text = understand(wanted);
  if (text === null) return [];
  const hosts = [...text.hosts, ...text.pages.map((page) => page.host)];
  const { records: found } = await index.search({ text, filters: [] }, page, 'full');
  return found.filter(({ name, aliases, url }) => {
    const host = url === null ? null : hostOfUrl(url);
    return [name, ...aliases].some((one) => nameKey(one) === text.nameKey) || (host !== null && hosts.includes(host));
  });
}

async function tryQuery(index: SearchIndex, record: MediaRecord, text: Understanding): Promise<ExplainedQuery> {
  const { records: results, total, isCorrected, dropped } = await index.search({ text, filters: [] }, page, 'masked');
  const { name: planName, why, plan } = await explainChoice(index, text);
  const rank = (one: MediaRecord): Omit<RankedRecord, 'place'> => {
    const tier = plan === null ? null : tierOf(plan, one);
    const comparesNames = tier !== null && plan?.tiers[tier - 1]?.comparesNames === true;
    const nearest = comparesNames ? nearestName(text.nameKey, one) : null;
    const { edits = null, name = null } = nearest === null || nearest.areMany ? {} : nearest;
    return { id: one.id, name: one.name, tier, edits, nearest_name: name, prominence: prominenceOf(one) / 10 };
  };
  const ranked = results.map((one, index) => ({ place: index + 1, ...rank(one) }));
  const place = results.findIndex(({ id }) => id === record.id) + 1;
  const first = Math.max(0, place - 1 - shownBefore);
  const rankOfIt = rank(record);
  const met = plan === null ? null : partMetBy(record, plan.match);
  const tiersUpTo = new Set([rankOfIt, ...ranked.slice(0, place)].map(({ tier }) => tier ?? 0));
  return {
    place: place > 0 ? place : null,
    total,
    is_corrected: isCorrected,
    dropped: dropped.map((words) => words.join(' ')),
    understood: describeText(text),
    plan: planName,
    why,
    tiers: plan === null ? [] : describePlan(plan),
    tiers_up_to_it: [...tiersUpTo].sort((a, b) => a - b),
    record: rankOfIt,
    meets: met && describe(met),
    points: prominencePoints(record),
    before: ranked.slice(first, Math.max(0, place - 1)),
    behind: (place > 0 && ranked[place]) || null,
  };
}

function describeShown(shown: ShownRecord): string {
  const { record, merged_id, is_searchable, suppressed_by, hidden_contacts, history, query } = shown;
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

/** In UTF-16 code units. Only a condition that engines need is longer; --json has all of it. */
const maxLine = 200;

function describeQuery({ place, total, is_corrected, ...explained }: ExplainedQuery): string {
  const { understood, plan, why, tiers, tiers_up_to_it: numbers, record, before, behind, dropped } = explained;
  const { meets, points } = explained;
  // The first line is what the plan finds, of which the record meets a part.
  const shownTiers = tiers.filter((_, place) => numbers.includes(place));
  const left = Math.max(0, tiers.length - 1) - shownTiers.length;
  const lacking = dropped.length > 0 ? `, of which some lack ${dropped.join(', ')}` : ', after a typo was forgiven';
  const how = is_corrected ? lacking : '';
  const made = Object.entries(points).flatMap(([name, one]) => (one === 0 ? [] : `${name} ${one.toFixed(1)}`));
  return [
    place === null
      ? `The query does not find it among its first ${Math.min(page.limit, total)} results.`
      : `The query finds it as result ${place} of ${total}${how}.`,
    ...(understood.length === 0 ? [] : ['Understood:', ...understood.map((line) => `- ${line}`)]),
    `The ${plan} plan answers it: ${why}.`,
    ...shownTiers.map((line) => (line.length > maxLine ? `${line.slice(0, maxLine)}…` : line)),
    ...(left === 0 ? [] : [`No result up to this one is in the ${left} other tiers; --json has them.`]),
    record.tier === null
      ? 'This record is in no tier.'
      : `This record is in tier ${describeRank(record)} (${made.join(', ') || 'no points'}).`,
    ...(meets === null ? [] : [`It meets: ${meets}`]),
    ...[...before, ...(behind === null ? [] : [behind])].map(
      (one) => `${one.place}. ${one.id} ${one.name}: tier ${describeRank(one)}`,
    ),
  ].join('\n');
}

function describeRank({ name, tier, edits, nearest_name, prominence }: Omit<RankedRecord, 'place'>): string {
  const alias = nearest_name === name ? 'its name' : `its alias "${nearest_name}"`;
  const nearness = edits === null ? '' : `, ${edits} edits to ${alias}`;
  return `${tier ?? 'none'}${nearness}, prominence ${prominence.toFixed(1)}`;
}
