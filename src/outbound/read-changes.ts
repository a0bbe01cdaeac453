import type { ChangeFeed, FeedEntry } from '#records/change-feed.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { Kind } from '#records/vocabularies.ts';
import type { SearchIndex } from '#search/search-index.ts';
import { Problem } from '#src/problem.ts';
import { type ChangesCursor, makeCursor, requireCurrent } from './changes-cursor.ts';

export interface ChangesDeps {
  changeFeed: ChangeFeed;
  identity: { find(): Promise<string> };
  index: Pick<SearchIndex, 'findMany'>;
}

/** What became of a record: how the API shows it now, or that it shows it no more. */
export type RecordUpdate =
  | { id: string; change: 'upsert'; record: MediaRecord }
  | { id: string; change: 'gone'; mergedInto: string | null };

export type ChangesPage = Awaited<ReturnType<typeof readChanges>>;

/** How often an index that was replaced meanwhile is read again. */
const tries = 3;

/** The cursor of this moment: what searches and exports that begin afterwards show is as new. Null while the feed cannot say. */
export async function currentCursor(
  { changeFeed, identity }: Pick<ChangesDeps, 'changeFeed' | 'identity'>,
  now: Date,
): Promise<ChangesCursor | null> {
  const position = await changeFeed.findPosition();
  return position && makeCursor(await identity.find(), position.version, now);
}

/** The same. @throws Problem `search_unavailable` while the feed cannot say */
export async function requireCursor(deps: ChangesDeps, now: Date): Promise<ChangesCursor> {
  const cursor = await currentCursor(deps, now);
  if (cursor === null) throw notFollowed();
  return cursor;
}

/**
 * What changed of records of these kinds since a cursor, the oldest first. A record that has left them is gone.
 *
 * @throws Problem `cursor_expired`; `search_unavailable` while the feed follows another index than searches use
 */
export async function readChanges(
  deps: ChangesDeps,
  { after, kinds, limit }: { after: ChangesCursor; kinds: readonly Kind[]; limit: number },
  now: Date,
) {
  const storeId = await deps.identity.find();
  for (let tried = 0; tried < tries; tried += 1) {
    const position = await deps.changeFeed.findPosition();
    if (position === null) break;
    requireCurrent(after, { storeId, reached: position.version, now });
    const query = { after: after.version, since: after.since, upTo: position.version, kinds, limit: limit + 1 };
    const { entries, since } = await deps.changeFeed.read(query);
    const hasMore = entries.length > limit;
    const page = entries.slice(0, limit);
    const changes = await showAll(deps, page, kinds);
    if ((await deps.changeFeed.findPosition())?.index !== position.index) continue;
    const last = hasMore ? page.at(-1) : undefined;
    const next = last ? cursorBehind(after, last) : { ...makeCursor(storeId, position.version, now), since };
    return { changes, next, hasMore };
  }
  throw notFollowed();
}

/** Not older than the cursor before it, also where the clock was set back. */
function cursorBehind(before: ChangesCursor, { version, notedAt }: FeedEntry): ChangesCursor {
  const { store, hour } = makeCursor(before.store, version, notedAt);
  return { store, version, since: before.since, hour: Math.max(hour, before.hour) };
}

/** As the index shows the records, unless it knows already that one is of another kind: then another entry will follow. */
async function showAll(
  { index }: Pick<ChangesDeps, 'index'>,
  entries: readonly FeedEntry[],
  kinds: readonly Kind[],
): Promise<RecordUpdate[]> {
  const isOfKinds = ({ kind }: { kind: Kind | null }) => kind !== null && kinds.includes(kind);
  const shownIds = entries.filter(isOfKinds).map(({ id }) => id);
  const foundRecords = shownIds.length === 0 ? [] : await index.findMany(shownIds, 'full');
  const recordsById = new Map(foundRecords.filter(isOfKinds).map((record) => [record.id, record]));
  return entries.map(({ id, leadsTo }) => {
    const record = recordsById.get(id);
    return record === undefined ? { id, change: 'gone', mergedInto: leadsTo } : { id, change: 'upsert', record };
  });
}

function notFollowed(): Problem {
  return new Problem(
    'search_unavailable',
    'Changes cannot be read yet: the search index is new, and the sync has not taken it over. Try again.',
    { headers: { 'Retry-After': '5' } },
  );
}
