import { type Caller, visibilityFor } from '#accounts/stored-key.ts';
import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { normalizeEmail } from '#records/normalize/normalize-email.ts';
import type { MergedIdLookup } from '#records/record-store.ts';
import type { Kind } from '#records/vocabularies.ts';
import { Problem } from '#src/problem.ts';
import { findPage, pageKey, standsForNobody, typedPage, type WebPage } from '#text/pages.ts';
import { type Condition, hostCondition, pageCondition, tiersByProminence } from './conditions/conditions.ts';
import { tiersAtPage, tiersAtRoot } from './conditions/location-conditions.ts';
import { addressToken } from './indexed/record-tokens.ts';
import type { PlannedQuery } from './plans/plan-query.ts';
import type { FirstRecord, SearchIndex } from './search-index.ts';
import type { Filter } from './search-query.ts';

interface LookUpDeps {
  index: Pick<SearchIndex, 'findMany'>;
  mergedIds: MergedIdLookup;
}

/** The record with this id, or the one it was merged into, masked like in a search. Problem `not_found` if there is none. */
export async function findRecord(deps: LookUpDeps, id: string, caller: Caller, now: Date): Promise<MediaRecord> {
  const record = (await findByIds(deps, [id], visibilityFor(caller, now))).get(id);
  if (record === undefined) throw new Problem('not_found', 'No record has this id.');
  return record;
}

/** How many records one lookup may ask for. */
export const maxLookups = 100;

/** What to look up. An address in `domains` or `urls` counts as its host. */
export interface LookupQuery {
  ids: readonly string[];
  domains: readonly string[];
  urls: readonly string[];
  emails: readonly string[];
  /** Only records of these kinds; of all if empty. */
  kinds: readonly Kind[];
}

/** What an id, domain, URL or address finds. */
export interface Lookup {
  asked: string;
  /** Null if the rules of contract A19 give no single record. */
  record: MediaRecord | null;
  /** The records that it may mean: with this id, page or address, else at the host. */
  matches: number;
  /** The token of the address that was looked for; null without one. */
  address: string | null;
}

/**
 * Finds the record of each id, or the one it was merged into, then of each domain, URL and address, by the rules of contract
 * A19. Only under an active plan are addresses full, and looked for: for others, an address is its host.
 */
export async function lookUpRecords(
  { index, mergedIds }: { index: Pick<SearchIndex, 'findMany' | 'findFirst'>; mergedIds: MergedIdLookup },
  { ids, domains, urls, emails, kinds }: LookupQuery,
  caller: Caller,
  now: Date,
): Promise<{ lookups: Lookup[]; isMasked: boolean }> {
  const visibility = visibilityFor(caller, now);
  const locations = [
    ...[...domains, ...urls].map((asked) => ({ asked, page: typedPage(asked), address: null })),
    ...emails.map((email) => readAddress(email, visibility)),
  ];
  const filters: Filter[] = kinds.length === 0 ? [] : [{ field: 'kind', any: kinds, none: [] }];
  const [byId, firstOf] = await Promise.all([
    findByIds({ index, mergedIds }, [...new Set(ids)], visibility),
    findFirstOf(locations.flatMap(questionsOf), (plans) => index.findFirst(plans, filters, visibility)),
  ]);
  const ofIds = ids.map((asked): Lookup => {
    const record = byId.get(asked);
    const isFound = record !== undefined && (kinds.length === 0 || kinds.includes(record.kind));
    return { asked, record: isFound ? record : null, matches: isFound ? 1 : 0, address: null };
  });
  const ofLocations = locations.map((location): Lookup => {
    const { asked, address } = location;
    return { asked, address, ...chooseRecord(location, firstOf) };
  });
  return { lookups: [...ofIds, ...ofLocations], isMasked: visibility === 'masked' };
}

/** Where the record of a text may be. */
interface Location {
  asked: string;
  /** Null if the text names no host. */
  page: WebPage | null;
  /** The token of its address, if it may be looked for. */
  address: string | null;
}

function readAddress(typed: string, visibility: Visibility): Location {
  const page = typed.includes('@') ? typedPage(typed) : null;
  const address = normalizeEmail(typed);
  const isKnown = visibility === 'full' && 'email' in address && !address.isFirstOfSeveral;
  return {
    asked: typed,
    page: page && { host: page.host, path: '' },
    address: isKnown ? addressToken(address.email) : null,
  };
}

/** A plan and the text that tells it from others. */
interface Question {
  key: string;
  plan: PlannedQuery;
}

/** Everything that is asked of the index about a location. */
function questionsOf({ page, address }: Location): Question[] {
  return [
    ...(address === null ? [] : [questionOfAddress(address)]),
    ...(page === null || page.path === '' ? [] : [questionOfPage(page)]),
    ...(page === null ? [] : [questionOfHost(page.host)]),
  ];
}

function questionOfAddress(token: string): Question {
  return { key: token, plan: planOf({ is: 'address', token }, []) };
}

function questionOfPage(page: WebPage): Question {
  return { key: pageKey(page), plan: planOf(pageCondition(page), tiersAtPage(page)) };
}

/** Asks for all records at a host, as the filter `domain` does. */
function questionOfHost(host: string): Question {
  return { key: host, plan: planOf(hostCondition([host]), tiersAtRoot(host)) };
}

function planOf(match: Condition, first: readonly Condition[]): PlannedQuery {
  return { match, tiers: tiersByProminence('located', [...first, match]), nameKey: '' };
}

type FirstOf = (question: Question) => FirstRecord;

const nothing: FirstRecord = { record: null, total: 0 };

/** Asks each question once. */
async function findFirstOf(
  questions: readonly Question[],
  find: (plans: PlannedQuery[]) => Promise<FirstRecord[]>,
): Promise<FirstOf> {
  const plans = new Map(questions.map(({ key, plan }) => [key, plan]));
  const answers = plans.size === 0 ? [] : await find([...plans.values()]);
  const byKey = new Map([...plans.keys()].map((key, place) => [key, answers[place] ?? nothing]));
  return ({ key }) => byKey.get(key) ?? nothing;
}

function chooseRecord({ page, address }: Location, firstOf: FirstOf): Pick<Lookup, 'record' | 'matches'> {
  if (address !== null) {
    const { record, total } = firstOf(questionOfAddress(address));
    if (total > 0) return { record: total === 1 ? record : null, matches: total };
  }
  if (page === null) return { record: null, matches: 0 };
  if (page.path !== '') {
    const { record, total } = firstOf(questionOfPage(page));
    if (total > 0) return { record, matches: total };
  }
  const { record, total } = firstOf(questionOfHost(page.host));
  const isAtRoot = page.path === '' && record?.url != null && isRootOf(page.host, record.url);
  const isMeant = !standsForNobody(page.host) && (isAtRoot || total === 1);
  return { record: isMeant ? record : null, matches: total };
}

function isRootOf(host: string, url: string): boolean {
  const page = findPage(url);
  return page !== null && pageKey(page) === host;
}

/** The record of each id, or the one it was merged into. Only ids without a record cost a second lookup. */
async function findByIds(
  { index, mergedIds }: LookUpDeps,
  ids: readonly string[],
  visibility: Visibility,
): Promise<ReadonlyMap<string, MediaRecord>> {
  const find = async (wantedIds: readonly string[]) => {
    const records = wantedIds.length === 0 ? [] : await index.findMany(wantedIds, visibility);
    return new Map(records.map((record) => [record.id, record]));
  };
  const byId = await find(ids);
  const missing = ids.filter((id) => !byId.has(id));
  const keptIds = missing.length === 0 ? new Map<string, string>() : await mergedIds.resolve(missing);
  const keptRecords = await find([...new Set(keptIds.values())]);
  for (const [id, keptId] of keptIds) {
    const record = keptRecords.get(keptId);
    if (record !== undefined) byId.set(id, record);
  }
  return byId;
}
