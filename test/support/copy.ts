import { afterEach, beforeEach } from 'vitest';
import { type ChangesCursor, makeCursor } from '#outbound/changes-cursor.ts';
import { currentCursor, type RecordUpdate, readChanges } from '#outbound/read-changes.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { kinds as allKinds, type Kind } from '#records/vocabularies.ts';
import { everything } from '#search/search-query.ts';
import { Problem } from '#src/problem.ts';
import type { ProductionTestBackend, TestBackend } from './backends.ts';
import { useEach } from './use.ts';

/** What a copy is made from. */
export type Copied = Pick<TestBackend, 'changeFeed' | 'identity' | 'index'>;

/** All records of these kinds that an export of now has. */
export async function exported({ index }: Pick<Copied, 'index'>, kinds: readonly Kind[] = allKinds) {
  const records = new Map<string, MediaRecord>();
  for await (const batch of await index.scan(everything)) {
    for (const record of batch) if (kinds.includes(record.kind)) records.set(record.id, record);
  }
  return records;
}

/** A copy as a client keeps it: of an export, and then only by changes. */
export class Copy {
  records: Map<string, MediaRecord> = new Map();
  /** Where the ids of merged records lead. */
  readonly merged = new Map<string, string>();
  readonly kinds: readonly Kind[];
  readonly #from: Copied;
  #cursor: ChangesCursor = makeCursor('', 0, new Date(0));

  private constructor(from: Copied, kinds: readonly Kind[]) {
    this.#from = from;
    this.kinds = kinds;
  }

  static async begin(from: Copied, kinds: readonly Kind[] = allKinds): Promise<Copy> {
    const copy = new Copy(from, kinds);
    const cursor = await currentCursor(from, new Date());
    if (cursor === null) throw new Error('the feed has not begun');
    copy.#cursor = cursor;
    copy.records = await exported(from, kinds);
    return copy;
  }

  /** Applies what changed since the last time, and returns it. */
  async catchUp(limit = 100): Promise<RecordUpdate[]> {
    const all: RecordUpdate[] = [];
    for (let hasMore = true; hasMore; ) {
      const query = { after: this.#cursor, kinds: this.kinds, limit };
      const page = await untilAnswered(() => readChanges(this.#from, query, new Date()));
      for (const update of page.changes) {
        this.#apply(update);
      }
      all.push(...page.changes);
      this.#cursor = page.next;
      hasMore = page.hasMore;
    }
    return all;
  }

  #apply(update: RecordUpdate): void {
    this.records.delete(update.id);
    this.merged.delete(update.id);
    if (update.change === 'upsert') this.records.set(update.id, update.record);
    else if (update.mergedInto !== null) this.merged.set(update.id, update.mergedInto);
  }

  /** The id that a merged one leads to, over any number of merges. */
  keptIdOf(id: string): string | undefined {
    const keptId = this.merged.get(id);
    return keptId === undefined ? undefined : (this.keptIdOf(keptId) ?? keptId);
  }
}

/** Asks again while the answer is that a new index is not followed yet, as clients do at a 503. */
async function untilAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'search_unavailable')) throw error;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Opens a backend for each test, whose changes are heard of: in production, the sync follows them. */
export function useFollowed(open: () => Promise<TestBackend>): TestBackend {
  const backend = useEach(open);
  let sync: ReturnType<ProductionTestBackend['follow']> | null;
  beforeEach(async () => {
    sync = 'follow' in backend ? (backend as ProductionTestBackend).follow() : null;
    await untilHeard(backend);
  });
  afterEach(() => sync?.stop());
  return backend;
}

/** Resolves when callers can read of every change until now. In production, needs a sync. */
export async function untilHeard({ syncDeps }: Pick<TestBackend, 'syncDeps'>): Promise<void> {
  if (syncDeps === null) return;
  const { source, feed, generations } = syncDeps;
  const { version } = await source.now();
  for (;;) {
    const state = await feed.findState();
    const isThere = state !== null && state.position.version >= version;
    if (isThere && state.index === (await generations.findServed())) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
