import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { maxFurtherKeys } from '#accounts/further-key.ts';
import { makeFurtherKey } from '#accounts/keys.ts';
import { proofKind } from '#accounts/pepper.ts';
import { hashToken, startSession } from '#accounts/session.ts';
import { maxTries, typedCode } from '#accounts/sign-in-codes.ts';
import { UsageMeter } from '#accounts/usage.ts';
import { openLocks } from '#backends/leases.ts';
import { newPushId, noCounts, type Push } from '#outbound/push.ts';
import { LockTaken } from '#search/job-locks.ts';
import { testStores } from '#testing/backends.ts';
import { useOne } from '#testing/use.ts';

const now = new Date('2026-03-01T10:06:00.000Z');
const later = new Date('2026-12-01T00:00:00.000Z');

/* keyed-store.test.ts has what all of them keep in the same way. */
describe.each(testStores)('kept under keys, $name,', ({ open }) => {
  const stores = useOne(open);

  describe('the pepper', () => {
    const first = 'the first pepper of these tests, 32 or more';
    const other = 'another pepper of these tests, 32 or more';

    it('is one of those that many processes use first at the same time', async () => {
      const peppers = Array.from({ length: 12 }, (_, place) => `pepper ${place} of these tests, 32 or more`);
      const others = await Promise.all(peppers.map((pepper) => stores.pepper.findOther(pepper, now)));
      expect(others.filter((since) => since === null)).toHaveLength(1);
      await stores.keyed(proofKind).change('proof', () => null);
    });

    it('is an HMAC of a known text, told apart from any other, and can be replaced, which is audited', async () => {
      const { pepper, audit } = stores;
      expect(await pepper.find()).toBeNull();
      expect(await pepper.findOther(first, now)).toBeNull();
      // printf 'masthead: the pepper of this store' |
      //   openssl dgst -sha256 -hmac 'the first pepper of these tests, 32 or more' -binary | base64 | tr '+/' '-_' | tr -d =
      const proof = { proof: 'kR66qjJnhvwp1dd4pcyZAwf9ulC8BYvCdgb8zEywSFQ', since: now.toISOString() };
      expect(await pepper.findOther(other, later)).toBe(now.toISOString());
      expect(await pepper.find()).toEqual(proof);
      await pepper.replace(other, { audit, operator: 'ada' }, later);
      expect(await pepper.findOther(other, later)).toBeNull();
      expect(await pepper.findOther(first, later)).toBe(later.toISOString());
      expect(await audit.list(1)).toMatchObject([{ action: 'pepper replace', operator: 'ada' }]);
    });
  });

  it('a push is as it was last saved', async () => {
    const startedAt = now.toISOString();
    const push: Push = {
      ...{ id: newPushId(), keyHash: 'a hash', keyPrefix: 'mh_12345678', tool: 'smartlead', campaignId: '4711' },
      ...{ status: 'running', counts: noCounts, details: {}, failure: null, startedAt, updatedAt: startedAt },
    };
    const failure = { code: 'tool_failed', detail: 'It failed.' } as const;
    const ended: Push = { ...push, status: 'failed', details: { 'block.count$': 1 }, failure };
    for (const state of [push, ended]) await stores.pushes.change(state.id, () => state);
    expect(await stores.pushes.find(push.id)).toEqual(ended);
    expect(await stores.pushes.list({ limit: 2 })).toEqual([ended]);
  });

  describe('reservations for Idempotency-Keys', () => {
    const reserve = (key: string, { request = 'a body', at = now } = {}) =>
      stores.reservations.reserve({ key, request, subjectId: randomUUID() }, 'a pepper for tests', at);

    it('give the first one to all requests with one key for 24 hours, and refuse another body', async () => {
      const asked = await Promise.all(Array.from({ length: 20 }, () => reserve('many')));
      expect(new Set(asked.map(({ subjectId }) => subjectId)).size).toBe(1);
      expect(await reserve('many', { at: new Date('2026-03-02T10:06:00.000Z') })).toEqual(asked[0]);
      await expect(reserve('many', { request: 'another' })).rejects.toMatchObject({ code: 'idempotency_conflict' });
      const next = await reserve('many', { at: new Date('2026-03-02T10:06:00.001Z'), request: 'another body' });
      expect(next.subjectId).not.toBe(asked[0]?.subjectId);
    });

    it('are released for what was not made, but not for others', async () => {
      const { reservations } = stores;
      const free = await reserve('free');
      await reservations.release({ ...free, subjectId: 'another' });
      expect(await reserve('free')).toEqual(free);
      await reservations.release(free);
      expect((await reserve('free')).subjectId).not.toBe(free.subjectId);
    });
  });

  describe('the use of keys', () => {
    it('adds up by key and day over all processes, and knows the last use', async () => {
      const at = (time: string) => ({ log: { warn: () => {} }, now: () => new Date(time) });
      const [late, early] = ['2026-11-21T10:00:00.000Z', '2026-11-21T08:00:00.000Z'];
      for (const [time, counts] of [
        ['2026-11-20T09:00:00.000Z', { requests: 3, exportedRows: 100 }],
        [late, { requests: 1, pushedLeads: 7 }],
        [early, { requests: 2, pushedLeads: 1 }],
      ] as const) {
        const meter = new UsageMeter(stores.usage, at(time));
        meter.count('a', counts);
        await meter.write();
      }
      expect(await stores.usage.list({ owner: 'a' })).toMatchObject([
        { date: '2026-11-21', requests: 3, exportedRows: 0, pushedLeads: 8, lastUsedAt: late },
        { date: '2026-11-20', requests: 3, exportedRows: 100, pushedLeads: 0 },
      ]);
      expect(await stores.usage.list({ owner: 'a', from: '2026-11-21' })).toHaveLength(1);
    });

    it('has every count of a meter once it wrote, those included that the store refused before', async () => {
      const warnings: object[] = [];
      let isAway = true;
      const kept = {
        change: (...given: Parameters<typeof stores.usage.change>) =>
          isAway ? Promise.reject(new Error('away')) : stores.usage.change(...given),
        list: (query: Parameters<typeof stores.usage.list>[0]) => stores.usage.list(query),
      };
      const log = { warn: (fields: object) => void warnings.push(fields) };
      const meter = new UsageMeter(kept, { log, now: () => now });
      meter.count('metered', { requests: 1 });
      meter.count('metered', { exportedRows: 20 });
      await expect(meter.write()).rejects.toThrow('away');
      expect(warnings).toEqual([{ reason: 'away' }]);
      meter.count('metered', { requests: 1, pushedLeads: 3 });
      isAway = false;
      const days = await meter.read('metered');
      expect(days).toHaveLength(30);
      expect(days.at(-1)).toEqual({ date: '2026-03-01', requests: 2, exportedRows: 20, pushedLeads: 3 });
    });
  });

  it('a lock lets one process do a job, and tells others who does it', async () => {
    const locks = openLocks(stores.keyed);
    const lock = await locks.acquire('reindex');
    const refused = await locks.acquire('reindex').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(LockTaken);
    expect(String(refused)).toContain(`process ${process.pid} on `);
    const other = await locks.acquire('sync');
    await lock.release();
    expect((await locks.list()).map(({ job }) => job)).toEqual(['sync']);
    await (await locks.acquire('reindex')).release();
    await other.release();
    expect(await locks.list()).toEqual([]);
  });

  it('slots go to as many requests as there are, for each key and kind of work, and are free once released', async () => {
    const { slots } = stores;
    const [key, other] = [randomUUID(), randomUUID()];
    const taken = await Promise.all(Array.from({ length: 20 }, () => slots.take('export', key, 2)));
    const [first, ...held] = taken.filter((slot) => slot !== null);
    expect(held).toHaveLength(1);
    expect([await slots.take('push', key, 2), await slots.take('export', other, 2)]).not.toContain(null);
    // Released twice, it frees no other slot.
    for (let times = 0; times < 2; times += 1) await first?.release();
    expect(await slots.take('export', key, 2)).not.toBeNull();
    expect(await slots.take('export', key, 2)).toBeNull();
  });

  it('sessions are found by the hash of a cookie, and listed and ended by their own account', async () => {
    const start = (at: Date) => startSession({ hash: 'ada', secret: 'secret' }, 'Firefox on Linux', at);
    const [first, second] = [start(now), start(later)];
    for (const { session } of [first, second]) await stores.sessions.change(session.hash, () => session);
    expect(await stores.sessions.find(hashToken(first.token))).toEqual(first.session);
    expect(await stores.sessions.find(first.token)).toBeNull();
    expect((await stores.sessions.list({ owner: 'ada' })).map(({ id }) => id)).toEqual([
      second.session.id,
      first.session.id,
    ]);
    await stores.sessions.change(second.session.hash, () => null);
    expect(await stores.sessions.list({ owner: 'ada' })).toEqual([first.session]);
  });

  describe('sign-in codes', () => {
    const pepper = 'a pepper of these tests, 32 or more';
    const target = { account: 'ada', secret: 'secret' };
    const codes = () => stores.signInCodes;
    const make = async () => (await codes().make(target, typedCode, pepper, now)).code;
    const use = (code: string, at = now) => codes().use(code, pepper, at);
    const wrong = (code: string) => `${code.slice(0, 9)}${code.endsWith('0') ? '1' : '0'}`;

    it('work once, however many use one at the same time, and as people type them', async () => {
      const code = await make();
      const uses = await Promise.all(Array.from({ length: 8 }, () => use(code)));
      expect(uses.filter((used) => used !== null)).toEqual([target]);
      const typed = (await make()).toLowerCase().replace('0', 'o').replace('1', 'l');
      expect(await use(`${typed.slice(0, 5)} - ${typed.slice(5)}`)).toEqual(target);
    });

    it('work for ten minutes', async () => {
      const [first, second] = [await make(), await make()];
      expect(await use(first, new Date(now.getTime() + 10 * 60_000 - 1))).toEqual(target);
      expect(await use(second, new Date(now.getTime() + 10 * 60_000))).toBeNull();
    });

    it('have five tries, also if all come at the same time', async () => {
      const [first, second] = [await make(), await make()];
      const guess = (code: string, times: number) => Promise.all(Array.from({ length: times }, () => use(wrong(code))));
      expect(await guess(first, maxTries - 1)).toEqual(Array(maxTries - 1).fill(null));
      expect(await use(first)).toEqual(target);
      await guess(second, 5);
      expect(await use(second)).toBeNull();
    });
  });

  it('further keys are of their account, as many as it may have', async () => {
    const { furtherKeys } = stores;
    const make = (account: string) =>
      makeFurtherKey({ furtherKeys, pepper: 'p' }, { account, name: 'A notebook', scopes: ['search'] }, now);
    const attempts = await Promise.allSettled(Array.from({ length: maxFurtherKeys }, () => make('ada')));
    expect(attempts.map(({ status }) => status)).not.toContain('rejected');
    await expect(make('ada')).rejects.toMatchObject({ code: 'too_many_keys' });
    const { furtherKey } = await make('bob');
    expect((await furtherKeys.list({ owner: 'ada' })).map(({ hash }) => hash).toSorted()).toEqual(
      attempts.flatMap((one) => (one.status === 'fulfilled' ? one.value.furtherKey.hash : [])).toSorted(),
    );
    expect(await furtherKeys.find(furtherKey.hash)).toEqual(furtherKey);
  });
});
