import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '#test/engines/engine.ts';
import { startOwnEngine } from '#test/engines/own-engine.ts';
import { type OutageTrial, openOutageTrial } from './engine-outage.ts';

const [mongodb, elasticsearch] = await Promise.all([startOwnEngine('mongodb'), startOwnEngine('elasticsearch')]);

/* `npm run trials -- outage` also checks how soon: that is not asked of a machine that does other work. */
describe.skipIf(mongodb === null || elasticsearch === null)('the service under load', () => {
  const engines = { mongodb: mongodb as Engine, elasticsearch: elasticsearch as Engine };
  let trial: OutageTrial;
  beforeAll(async () => {
    trial = await openOutageTrial(engines);
  });
  afterAll(async () => {
    await trial.close();
    await Promise.all([engines.mongodb.stop(), engines.elasticsearch.stop()]);
  });

  it.each([
    ['elasticsearch', 'killed'],
    ['elasticsearch', 'hung'],
    ['mongodb', 'killed'],
    ['mongodb', 'hung'],
  ] as const)('answers rightly or by 503 while %s is %s, and wholly once it is back', async (engine, how) => {
    const { wrong, refused } = await trial.breakEngine(engine, how);
    expect(wrong).toEqual([]);
    expect(refused).toBeGreaterThan(0);
  });
});
