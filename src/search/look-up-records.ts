import { type Caller, visibilityFor } from '#accounts/stored-key.ts';
import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { MergedIdLookup } from '#records/record-store.ts';
import { Problem } from '#src/problem.ts';
import { hostOfUrl, typedHost } from '#text/hosts.ts';
import type { SearchIndex } from './search-index.ts';

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

/** An id or a domain as it was given, and its record; null if there is none. */
export interface Lookup {
  asked: string;
  record: MediaRecord | null;
}

/**
 * Finds the record of each id, or the one it was merged into, and then of each domain: a host, a URL or an address. If a host
 * has several records, it takes the one whose site is at that host, else the one with the largest audience. Addresses are
 * full only under an active plan.
 */
export async function lookUpRecords(
  { index, mergedIds }: { index: Pick<SearchIndex, 'findMany' | 'findAtHosts'>; mergedIds: MergedIdLookup },
  { ids, domains }: { ids: readonly string[]; domains: readonly string[] },
  caller: Caller,
  now: Date,
): Promise<{ lookups: Lookup[]; isMasked: boolean }> {
  const visibility = visibilityFor(caller, now);
  const hostOf = new Map(domains.map((domain) => [domain, typedHost(domain)]));
  const hosts = [...new Set(hostOf.values())].filter((host) => host !== null);
  const [byId, found] = await Promise.all([
    findByIds({ index, mergedIds }, [...new Set(ids)], visibility),
    hosts.length === 0 ? [] : index.findAtHosts(hosts, visibility),
  ]);
  const byHost = new Map(hosts.map((host, place) => [host, chooseRecord(host, found[place] ?? [])]));
  return {
    lookups: [
      ...ids.map((asked) => ({ asked, record: byId.get(asked) ?? null })),
      ...domains.map((asked) => ({ asked, record: byHost.get(hostOf.get(asked) ?? '') ?? null })),
    ],
    isMasked: visibility === 'masked',
  };
}

/** The record of each id, or the one it was merged into. Only ids without a record cost a second lookup. */
async function findByIds(
  { index, mergedIds }: LookUpDeps,
  ids: readonly string[],
  visibility: Visibility,
): Promise<ReadonlyMap<string, MediaRecord>> {
  const find = async (wanted: readonly string[]) => {
    const records = wanted.length === 0 ? [] : await index.findMany(wanted, visibility);
    return new Map(records.map((record) => [record.id, record]));
  };
  const byId = await find(ids);
  const missing = ids.filter((id) => !byId.has(id));
  const keptIds = missing.length === 0 ? new Map<string, string>() : await mergedIds.resolve(missing);
  const kept = await find([...new Set(keptIds.values())]);
  for (const [id, keptId] of keptIds) {
    const record = kept.get(keptId);
    if (record !== undefined) byId.set(id, record);
  }
  return byId;
}

function chooseRecord(host: string, records: readonly MediaRecord[]): MediaRecord | null {
  return records.find(({ url }) => url !== null && hostOfUrl(url) === host) ?? records[0] ?? null;
}
