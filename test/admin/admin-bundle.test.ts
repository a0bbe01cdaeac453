import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FaultLog } from '#backends/fault-log.ts';
import { createLogger } from '#src/start/create-logger.ts';
import { openEmbeddedForTest } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';
import { runHere } from '#testing/run-here.ts';
import { useFolder, useOne } from '#testing/use.ts';

const folder = useFolder();
const backend = useOne(openEmbeddedForTest, (one) =>
  one.load([madeRecord({ id: 'a', name: 'Alpha Herald', contact_name: 'Ann Example', email: 'ann@alpha.example' })]),
);

it('a bundle says what runs how and what failed last, and nothing secret or personal', async () => {
  const faults = new FaultLog();
  faults.open(backend.keyed);
  const log = createLogger('info', { write() {} }, { onLine: (line) => faults.note(line) });
  log.info({ request_id: 'quiet' }, 'request');
  log.error({ request_id: 'r-1', err: new Error('row "Ann Example" of ann@alpha.example is wrong') }, 'it failed');
  await faults.write();

  const file = join(folder, 'bundle.json');
  const settings = {
    ...backend.settings,
    CONTACT_EMAIL: 'ann@alpha.example',
    STRIPE_SECRET_KEY: 'sk_test_1234567890',
    STRIPE_WEBHOOK_SECRET: 'whsec_1234567890',
    RATE_LIMIT_PRO: '700',
  };
  expect(await runHere(['admin/main.ts', 'bundle', file], settings)).toMatchObject({ code: 0, stderr: '' });
  const text = await readFile(file, 'utf8');
  expect(text).not.toMatch(/ann@|Ann |sk_test_1|whsec_1|Alpha/);
  expect((await stat(file)).mode & 0o077).toBe(0);
  const { versions, settings: shown, store, checks } = JSON.parse(text);
  expect(versions).toMatchObject({
    masthead: expect.any(String),
    node: process.versions.node,
    sqlite: expect.any(String),
  });
  expect(shown).toMatchObject({ STRIPE_SECRET_KEY: '(set)', CONTACT_EMAIL: '(set)', RATE_LIMIT_PRO: '700' });
  expect(store).toMatchObject({ kind: 'embedded', records: 1, fault: null, last_backup: null });
  expect(store.processes).toMatchObject([
    {
      faults: [
        {
          requestId: 'r-1',
          message: 'it failed: row … of [address] is wrong',
          stack: expect.arrayContaining([expect.stringContaining('admin-bundle.test.ts')]),
        },
      ],
    },
  ]);
  expect(checks.map(({ check }: { check: string }) => check)).toContain('file');

  const lost = await runHere(['admin/main.ts', 'bundle', join(folder, 'lost.json')], {
    MASTHEAD_DATA_DIR: join(folder, 'nowhere'),
  });
  expect(lost.code).toBe(0);
  expect(JSON.parse(await readFile(join(folder, 'lost.json'), 'utf8')).store.fault).toMatch(/contains no store/);
});
