import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { suppressionKey } from '#records/suppression.ts';
import { everything } from '#search/search-query.ts';
import { openEmbeddedForTest } from '#testing/backends.ts';
import { type Ended, runCommand } from '#testing/processes.ts';
import { useEach } from '#testing/use.ts';
import { page } from '../../support/embedded-store.ts';

describe('suppressing in the embedded store while it is written', () => {
  const backends = useEach(openEmbeddedForTest);

  const suppress = (...keys: string[]) =>
    backends.suppressions.add(keys.map((key) => ({ key, reason: null, addedAt: new Date().toISOString() })));
  const found = async () => {
    const { records } = await backends.index.search(everything, page, 'masked');
    return records.map(({ id }) => id);
  };

  it('misses no record that another process writes meanwhile', async () => {
    const rows = Array.from({ length: 3_000 }, (_, place) => `${place},outlet,Outlet ${place},https://gone.example`);
    const input = ['id,kind,name,url', ...rows, ''].join('\n');
    const settings = { MASTHEAD_DATA_DIR: backends.stored.dataDir };
    const importing = runCommand(['indexer/main.ts', 'import', '-', '--json'], settings, { input });
    const domain = suppressionKey('domain', 'gone.example');
    // Again and again, so that some additions fall between two batches of the import.
    let imported: Ended | null = null;
    while (imported === null) {
      await suppress(domain);
      expect(await found()).toEqual([]);
      // In milliseconds. SQLite gives its lock to nobody in turn, so the import needs some time of its own.
      imported = await Promise.race([importing, setTimeout(25, null)]);
      if (imported === null) await backends.suppressions.remove([domain]);
    }
    expect(imported.code, imported.stderr).toBe(0);
    expect(await backends.records.count()).toBe(rows.length);
    expect(await found()).toEqual([]);
  });
});
