import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPushId, noCounts, type Push } from '#outbound/push.ts';
import { type TestStores, testStores } from '#testing/backends.ts';

const made = (startedAt: string): Push => ({
  id: newPushId(),
  keyHash: 'a hash',
  keyPrefix: 'mh_12345678',
  tool: 'smartlead',
  campaignId: '4711',
  status: 'running',
  counts: noCounts,
  details: {},
  failure: null,
  startedAt,
  updatedAt: startedAt,
});

describe.each(testStores)('the push log, $name', ({ open }) => {
  let stores: TestStores;
  beforeAll(async () => {
    stores = await open();
  });
  afterAll(() => stores.close());

  it('returns a push as last saved', async () => {
    const push = made('2026-11-21T10:00:00.000Z');
    await stores.pushes.save(push);
    expect(await stores.pushes.find(push.id)).toEqual(push);
    const ended: Push = {
      ...push,
      status: 'failed',
      counts: { ...noCounts, matched: 5, sent: 3, added: 2, failed: 1 },
      details: { 'block.count$': 1, upload_count: 3 },
      failure: { code: 'tool_failed', detail: 'It failed.' },
      updatedAt: '2026-11-21T10:05:00.000Z',
    };
    await stores.pushes.save(ended);
    expect(await stores.pushes.find(push.id)).toEqual(ended);
  });

  it('lists the latest pushes, newest first', async () => {
    const [early, late, later] = ['01', '02', '03'].map((day) => made(`2027-01-${day}T00:00:00.000Z`)) as [
      Push,
      Push,
      Push,
    ];
    for (const push of [late, early, later]) await stores.pushes.save(push);
    expect(await stores.pushes.list(2)).toEqual([later, late]);
  });
});
