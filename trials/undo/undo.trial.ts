import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startOwnEngine } from '../../test/support/engines/start-engine.ts';
import { ofForm } from '../../test/support/form.ts';
import { newTestDatabase } from '../../test/support/mongo-database.ts';
import { seed } from '../../test/support/seed.ts';
import { runSequences } from './run-sequences.ts';

const plan = { sequences: ofForm(4, 1_000), seed };

const mongod = await startOwnEngine('mongodb');
afterAll(() => mongod?.stop());

it('ends as a model says in the embedded store when imports, deletions and undos are killed', async () => {
  const place = await mkdtemp(join(tmpdir(), 'masthead-undo-'));
  const result = await runSequences({ place, ...plan }).finally(() => rm(place, { recursive: true }));
  expect(result).toMatchObject({ faults: [] });
  expect(result.kills).toBeGreaterThan(0);
});

it.skipIf(mongod === null)('ends as a model says in MongoDB when imports, deletions and undos are killed', async () => {
  const { client, uri, drop } = newTestDatabase(mongod?.url ?? '');
  // The transaction of a killed process locks its records until its end, which MongoDB brings about after a minute.
  await client.db('admin').command({ setParameter: 1, transactionLifetimeLimitSeconds: 2 });
  const result = await runSequences({ place: uri, ...plan }).finally(drop);
  expect(result).toMatchObject({ faults: [] });
  expect(result.kills).toBeGreaterThan(0);
});
