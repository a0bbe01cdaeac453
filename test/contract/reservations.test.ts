import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestStores, testStores } from '#testing/backends.ts';

const now = new Date('2026-03-01T10:06:00.000Z');
const pepper = 'a pepper for tests';

describe.each(testStores)('the reservations for Idempotency-Keys, $name', ({ open }) => {
  let backend: TestStores;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.close());

  const reserve = (key: string, { request = 'a body', at = now } = {}) =>
    backend.reservations.reserve({ key, request, subjectId: randomUUID() }, pepper, at);

  it('give the first one to all requests with one key, even simultaneous ones, and refuse another body', async () => {
    const key = randomUUID();
    const asked = await Promise.all(Array.from({ length: 20 }, () => reserve(key)));
    expect(new Set(asked.map(({ subjectId }) => subjectId)).size).toBe(1);
    expect(await reserve(key)).toEqual(asked[0]);
    await expect(reserve(key, { request: 'another body' })).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  it('last for 24 hours', async () => {
    const key = randomUUID();
    const first = await reserve(key);
    expect(await reserve(key, { at: new Date('2026-03-02T10:06:00.000Z') })).toEqual(first);
    const next = await reserve(key, { at: new Date('2026-03-02T10:06:00.001Z'), request: 'another body' });
    expect(next.subjectId).not.toBe(first.subjectId);
  });

  it('are released for what was not made, but not once they are used, nor for others', async () => {
    const { reservations } = backend;
    const [free, used] = [await reserve('free'), await reserve('used')];
    await reservations.release({ ...free, subjectId: 'another' });
    expect(await reserve('free')).toEqual(free);
    await reservations.release(free);
    expect(await reservations.use(free)).toBe(false);
    expect((await reserve('free')).subjectId).not.toBe(free.subjectId);

    expect(await reservations.use(used)).toBe(true);
    await reservations.release(used);
    expect(await reservations.use(used)).toBe(true);
    expect((await reserve('used')).subjectId).toBe(used.subjectId);
  });
});
