import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startService } from '#testing/processes.ts';
import { useFolder } from '#testing/use.ts';
import { talk } from './hostile/raw-client.ts';

describe('the first npm start', () => {
  const folder = useFolder();
  const dataDir = join(folder, 'data');
  const start = async () => {
    const service = await startService({ MASTHEAD_DATA_DIR: dataDir });
    onTestFinished(() => void service.close());
    return service;
  };

  it('loads sample records into an empty store once and whole, and prints three commands that work', async () => {
    // What a kill would leave at each of these moments.
    const stored = new Set([countStored(dataDir)]);
    const watching = setInterval(() => stored.add(countStored(dataDir)), 20);
    const first = await start();
    clearInterval(watching);
    stored.add(countStored(dataDir));
    expect([...stored]).toEqual([0, 5_000]);
    expect(first.stdout()).toContain('Masthead serves 5,000 records at http://127.0.0.1:');
    expect(first.stdout()).toContain('The store was empty, so 5,000 sample records were loaded');
    expect(first.stdout()).toContain('npm run --silent admin -- keys issue');

    const urls = [...first.stdout().matchAll(/curl .*'(http[^']+)'/g)].map(([, url]) => url ?? '');
    expect(urls).toHaveLength(3);
    for (const url of urls) {
      const total = async () => ((await (await fetch(url)).json()) as { total: number }).total;
      await expect.poll(total, { message: url }).toBeGreaterThan(0);
    }
    // The key's command names the data folder, since it is not the default one.
    const [, issue = ''] = /KEY=\$\((.*?)\)/.exec(first.stdout()) ?? [];
    const command = issue.replace('npm run --silent admin --', `"${process.execPath}" admin/main.ts`);
    const key = execFileSync('sh', ['-c', command], { encoding: 'utf8', stdio: 'pipe', env: {} });
    const account = await fetch(`${first.url}/api/v1/me`, { headers: { Authorization: `Bearer ${key.trim()}` } });
    expect(account.status).toBe(200);
    // Without a setting, it answers to the names of this machine alone.
    const rebound = 'GET /api/v1/plans HTTP/1.1\r\nHost: rebind.example\r\nConnection: close\r\n\r\n';
    expect((await talk(first.url, rebound)).statuses).toEqual([421]);
    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);

    const second = await start();
    expect(second.stdout()).toContain('Masthead serves 5,000 records');
    expect(second.stdout()).not.toContain('The store was empty');
    second.process.kill('SIGINT');
    expect(await second.ended).toBe(0);
  });
});

/** How many records another process finds in a store, which may not be there yet. */
function countStored(dataDir: string): number {
  try {
    using database = new DatabaseSync(join(dataDir, 'masthead.db'), { readOnly: true });
    return Number(database.prepare('SELECT count(*) AS count FROM records').get()?.count);
  } catch {
    return 0;
  }
}
