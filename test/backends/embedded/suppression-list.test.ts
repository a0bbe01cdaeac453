import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tables } from '#backends/embedded/schema.ts';
import { SqliteSuppressionList } from '#backends/embedded/sqlite-suppression-list.ts';
import { type Maintained, openIndexer } from '#indexer/open-indexer.ts';
import { suppressionKey } from '#records/suppression.ts';
import { madeRecord } from '#testing/made-record.ts';

const firstPage = { sort: { key: 'name', reversed: false }, offset: 0, limit: 100 } as const;

describe('suppressing in the embedded store', () => {
  let dataDir: string;
  let backends: Maintained;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'masthead-test-'));
    backends = await openIndexer({ dataDir });
  });
  afterEach(async () => {
    await backends.close();
    await rm(dataDir, { recursive: true });
  });

  const suppress = (...keys: string[]) =>
    backends.suppressions.add(keys.map((key) => ({ key, reason: null, addedAt: new Date().toISOString() })));
  const found = async () => {
    const { records } = await backends.index.search({ text: null, filters: [] }, firstPage, 'masked');
    return records.map(({ id }) => id);
  };

  it('finds one record without reading all of them, and all others together', async () => {
    await backends.records.merge(
      ['a', 'b', 'c', 'd'].map((id) => madeRecord({ id, name: id, email: `desk@${id}.example` })),
    );
    await suppress(suppressionKey('record', 'a'), suppressionKey('record', 'none'));
    expect(await found()).toEqual(['b', 'c', 'd']);
    await suppress(suppressionKey('record', 'b'), suppressionKey('domain', 'c.example'));
    expect(await found()).toEqual(['d']);
  });
});

it('a list of any length is written with the same number of statements', async () => {
  const database = new DatabaseSync(':memory:');
  database.exec(tables);
  const list = new SqliteSuppressionList(database);
  const prepare = vi.spyOn(database, 'prepare');
  const add = async (count: number) => {
    prepare.mockClear();
    const keys = Array.from({ length: count }, (_, place) => suppressionKey('record', `${count}-${place}`));
    const added = await list.add(keys.map((key) => ({ key, reason: null, addedAt: '2026-11-21T12:00:00.000Z' })));
    expect(added).toBe(count);
    return prepare.mock.calls.length;
  };
  expect(await add(100)).toBe(await add(1));
});
