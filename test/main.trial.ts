import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type ServiceProcess, startService } from '#testing/processes.ts';
import { useFolder } from '#testing/use.ts';
import { talk } from './hostile/raw-client.ts';

describe('the first npm start', () => {
  const folder = useFolder();
  const started: ServiceProcess[] = [];

  const start = async () => {
    const service = await startService({ MASTHEAD_DATA_DIR: join(folder, 'data') });
    started.push(service);
    return service;
  };

  afterAll(async () => {
    for (const service of started) service.process.kill('SIGKILL');
    await Promise.all(started.map((service) => service.ended));
  });

  it('loads sample records into an empty store once, and prints three commands that work', async () => {
    const first = await start();
    expect(first.stdout()).toContain('Masthead serves 5,000 records at http://127.0.0.1:');
    expect(first.stdout()).toContain('The store was empty, so 5,000 sample records were loaded');
    expect(first.stdout()).toContain('npm run --silent admin -- keys issue');

    const urls = [...first.stdout().matchAll(/curl .*'(http[^']+)'/g)].map(([, url]) => url ?? '');
    expect(urls).toHaveLength(3);
    for (const url of urls) {
      const answer = (await (await fetch(url)).json()) as { total: number };
      expect(answer.total, url).toBeGreaterThan(0);
    }
    // The key's command names the data folder, since it is not the default one.
    const [, issue = ''] = /KEY=\$\((.*?)\)/.exec(first.stdout()) ?? [];
    const command = issue.replace('npm run --silent admin --', `"${process.execPath}" admin/main.ts`);
    const key = execFileSync('sh', ['-c', command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env: {} });
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
