import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ofForm } from '../../test/support/form.ts';
import { newTestDatabase } from '../../test/support/mongo-database.ts';
import { seed } from '../../test/support/seed.ts';
import { mongodb } from '../breakable-engines.ts';
import { limitTransactions } from './limit-transactions.ts';
import { runSequences } from './run-sequences.ts';

const plan = { sequences: ofForm(6, 1_000), seed };

it('ends as a model says in the embedded store when imports, deletions and undos are killed', async () => {
  const place = await mkdtemp(join(tmpdir(), 'masthead-undo-'));
  const result = await runSequences({ place, ...plan }).finally(() => rm(place, { recursive: true }));
  expect(result).toMatchObject({ faults: [] });
  expect(result.kills).toBeGreaterThan(0);
});

it.skipIf(mongodb === null)(
  'ends as a model says in MongoDB when imports, deletions and undos are killed',
  async () => {
    const database = newTestDatabase(mongodb?.url ?? '');
    const restoreLimit = await limitTransactions(database.client);
    const result = await runSequences({ place: database.uri, ...plan }).finally(async () => {
      await restoreLimit();
      await database.drop();
    });
    expect(result).toMatchObject({ faults: [] });
    expect(result.kills).toBeGreaterThan(0);
  },
);
