import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../testing/engines/engine.ts';
import { isLong } from '../../testing/form.ts';
import { elasticsearch, mongodb } from '../breakable-engines.ts';
import { type OutageTrial, openOutageTrial } from './engine-outage.ts';

describe.skipIf(mongodb === null || elasticsearch === null)('the service under load', () => {
  const engines = { mongodb: mongodb as Engine, elasticsearch: elasticsearch as Engine };
  let trial: OutageTrial;
  beforeAll(async () => {
    trial = await openOutageTrial(engines);
  });
  afterAll(() => trial.close());

  it.each([
    ['elasticsearch', 'killed'],
    ['elasticsearch', 'hung'],
    ['mongodb', 'killed'],
    ['mongodb', 'hung'],
  ] as const)(
    'answers correctly or with 503 while %s is %s, and always correctly once it is back',
    async (engine, how) => {
      const { wrong, late, refused } = await trial.breakEngine(engine, how);
      expect(wrong).toEqual([]);
      expect(refused).toBeGreaterThan(0);
      if (isLong) expect(late).toEqual([]);
    },
  );
});
