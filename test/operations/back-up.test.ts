import { cp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openIndexer } from '#indexer/open-indexer.ts';
import { steady } from '#testing/embedded-store.ts';
import { type ServiceProcess, startService } from '#testing/processes.ts';
import { runHere } from '#testing/run-here.ts';
import { useFolder } from '#testing/use.ts';

interface Found {
  total: number;
  results: { id: string; name: string; kind: string; url: string }[];
}

/* The drill of docs/operations.md, command by command, as an operator goes through it. */
describe('a backup of the embedded store', () => {
  const parent = useFolder();
  let dataDir: string;
  let copy: string;
  let service: ServiceProcess;

  const run = async (...args: string[]) => {
    const ended = await runHere(args, { MASTHEAD_DATA_DIR: dataDir });
    expect(ended.code, ended.stderr).toBe(0);
    return ended.stdout;
  };
  const ask = (path: string, init: RequestInit = {}) => fetch(`${service.url}${path}`, init);
  const find = async (query: string) => (await (await ask(`/api/v1/search?${query}`)).json()) as Found;

  async function readIdentity(folder: string): Promise<string> {
    const backends = await openIndexer({ dataDir: folder });
    const id = await backends.identity.find();
    await backends.close();
    return id;
  }

  beforeAll(async () => {
    dataDir = join(parent, 'data');
    copy = join(parent, 'copies', 'monday');
    const backends = await openIndexer({ dataDir });
    await backends.records.merge(steady(60));
    await backends.close();
    service = await startService({ MASTHEAD_DATA_DIR: dataDir });
  });
  afterAll(async () => {
    service.process.kill('SIGKILL');
    await service.ended;
  });

  it('restores records, keys, unclaimed orders and suppressions after the folder is lost', async () => {
    const key = (await run('admin/main.ts', 'keys', 'issue', '--tier', 'pro', '--days', '30')).trim();
    const checkout = await ask('/api/v1/checkout', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"tier":"pro"}',
    });
    const { order_id, claim_token } = (await checkout.json()) as Record<string, string>;
    await ask(`/sandbox/${order_id}/pay`, { method: 'POST' });
    const [hidden] = (await find('kind=outlet')).results;
    if (hidden === undefined) throw new Error('there is nothing to hide');
    await run('indexer/main.ts', 'suppress', '--record', hidden.id);
    const identity = await readIdentity(dataDir);
    const before = await find('');
    expect(before.total).toBe(59);

    // The service runs on, and is asked, while the copy is made.
    const [said] = await Promise.all([
      run('admin/main.ts', 'backup', copy),
      ...Array.from({ length: 20 }, () => find('q=herald')),
    ]);
    expect(said).toContain(`MASTHEAD_DATA_DIR=${copy}`);
    expect((await readdir(copy)).toSorted()).toEqual(['key-pepper', 'masthead.db']);
    for (const name of await readdir(copy)) expect((await stat(join(copy, name))).mode & 0o077, name).toBe(0);

    service.process.kill('SIGKILL');
    await service.ended;
    await rm(dataDir, { recursive: true });
    await cp(copy, dataDir, { recursive: true });
    service = await startService({ MASTHEAD_DATA_DIR: dataDir });

    expect(await find('')).toEqual(before);
    await service.logs('this store was restored from a backup of 20');
    expect(await readIdentity(dataDir)).not.toBe(identity);
    expect((await ask('/api/v1/me', { headers: { Authorization: `Bearer ${key}` } })).status).toBe(200);
    const order = (await (await ask(`/api/v1/orders/${order_id}?claim_token=${claim_token}`)).json()) as {
      api_key: string;
    };
    expect(order.api_key).toMatch(/^mh_/);
    // Hidden still, and hidden when it is imported once more.
    expect((await ask(`/api/v1/records/${hidden.id}`)).status).toBe(404);
    const { id, kind, name, url } = hidden;
    const file = join(parent, 'again.ndjson');
    await writeFile(file, `${JSON.stringify({ id, kind, name, url })}\n`);
    await run('indexer/main.ts', 'import', '--keep-sample', file);
    expect((await ask(`/api/v1/records/${id}`)).status).toBe(404);
    expect((await find('')).total).toBe(before.total);
  });
});
