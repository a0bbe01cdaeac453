import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { InstalledServer, served } from './installed-server.ts';
import { blockFor, installUnits } from './steps-in-docs.ts';

it('the steps of docs/operations.md restore the copy of a night under systemd, with the suppressions since', async () => {
  const server = new InstalledServer('HEAD', { PORT: '0', PAYMENTS: 'sandbox' });
  onTestFinished(() => server.remove());
  await server.run(`${installUnits}\nsystemctl daemon-reload && systemctl start masthead`);
  const before = await served(() => server.logOf('masthead'));
  const search = await vi.waitUntil(async () => [await fetch(`${before}/api/v1/search?q=radio`)].find(({ ok }) => ok), {
    timeout: 60_000,
  });
  const { results } = (await search.json()) as { results: { id: string }[] };
  const statusOf = async (url: string, path: string, key: string) =>
    (await fetch(`${url}/api/v1/${path}`, { headers: { Authorization: `Bearer ${key}` } })).status;

  const issueKey = async () =>
    (await server.run('masthead admin keys issue --tier pro --days 30')).split('\n')[0] ?? '';
  const inTheBackup = await issueKey();
  await server.run('systemctl start masthead-backup');
  const [night = ''] = readdirSync(join(server.root, 'var/lib/masthead-backups'));
  const since = await issueKey();
  const optedOut = results[0]?.id ?? '';
  await server.run(`masthead indexer suppress --record ${optedOut}`);
  expect(await statusOf(before, `records/${optedOut}`, inTheBackup)).toBe(404);

  const steps = blockFor('systemd, embedded', 'Back up and restore');
  expect(steps).toMatch(/masthead-backups\/20[\dTZ-]+ /);
  await server.run(steps.replace(/(?<=masthead-backups\/)20[\dTZ-]+/, night), '/');
  const after = await served(() => server.logOf('masthead'));
  await expect.poll(() => server.logOf('masthead')).toMatch(/this store was restored from a backup of/);
  expect(await statusOf(after, 'me', inTheBackup)).toBe(200);
  expect(await statusOf(after, 'me', since)).toBe(401);
  expect(await statusOf(after, `records/${optedOut}`, inTheBackup)).toBe(404);
  expect(await statusOf(after, `records/${results[1]?.id}`, inTheBackup)).toBe(200);
});
