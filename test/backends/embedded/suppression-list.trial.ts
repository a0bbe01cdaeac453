import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { suppressionKey } from '#records/suppression.ts';
import { everything } from '#search/search-query.ts';
import { openEmbeddedForTest } from '#testing/backends.ts';
import { processEnvironment } from '#testing/processes.ts';
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
    const env = processEnvironment({ MASTHEAD_DATA_DIR: backends.stored.dataDir });
    const importer = spawn(process.execPath, ['indexer/main.ts', 'import', '-', '--json'], { env });
    importer.stdin.end(['id,kind,name,url', ...rows, ''].join('\n'));
    importer.stdout.resume();
    const ended = once(importer, 'close');
    const domain = suppressionKey('domain', 'gone.example');
    // Again and again, so that some additions fall between two batches of the import.
    for (let isRunning = true; isRunning; ) {
      const end = ended.then(() => false);
      await suppress(domain);
      expect(await found()).toEqual([]);
      isRunning = await Promise.race([end, new Promise<true>((resolve) => setTimeout(resolve, 5, true))]);
      if (isRunning) await backends.suppressions.remove([domain]);
    }
    expect(await backends.records.count()).toBe(rows.length);
    expect(await found()).toEqual([]);
  });
});
