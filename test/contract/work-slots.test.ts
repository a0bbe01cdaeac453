import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestStores, testStores } from '#testing/backends.ts';

describe.each(testStores)('the slots for work, $name', ({ open }) => {
  let stores: TestStores;
  beforeAll(async () => {
    stores = await open();
  });
  afterAll(() => stores.close());

  it('are limited for each key and each kind of work, and free again once released', async () => {
    const { slots } = stores;
    const [key, other] = [randomUUID(), randomUUID()];
    const first = await slots.take('export', key, 2);
    const second = await slots.take('export', key, 2);
    expect([first, second]).not.toContain(null);
    expect(await slots.take('export', key, 2)).toBeNull();
    expect(await slots.take('push', key, 2)).not.toBeNull();
    expect(await slots.take('export', other, 2)).not.toBeNull();

    await first?.release();
    // Released twice, it frees no other slot.
    await first?.release();
    expect(await slots.take('export', key, 2)).not.toBeNull();
    expect(await slots.take('export', key, 2)).toBeNull();
  });

  it('go to as many simultaneous requests as there are slots', async () => {
    const key = randomUUID();
    const taken = await Promise.all(Array.from({ length: 20 }, () => stores.slots.take('push', key, 2)));
    const held = taken.filter((slot) => slot !== null);
    expect(held).toHaveLength(2);
    await Promise.all(held.map((slot) => slot.release()));
    const next = await Promise.all(Array.from({ length: 5 }, () => stores.slots.take('push', key, 2)));
    expect(next.filter((slot) => slot !== null)).toHaveLength(2);
  });
});
