import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestStores, testStores } from '#testing/backends.ts';

const first = 'the first pepper of these tests, 32 or more';
const other = 'another pepper of these tests, 32 or more';
const now = new Date('2026-11-21T13:00:00.000Z');
const later = new Date('2026-12-01T00:00:00.000Z');

describe.each(testStores)('the pepper of a store, $name', ({ open }) => {
  let stores: TestStores;
  beforeEach(async () => {
    stores = await open();
  });
  afterEach(() => stores.close());

  it('is recorded at its first use as an HMAC of a known text, with the time, and told apart from any other', async () => {
    const { pepper } = stores;
    expect(await pepper.find()).toBeNull();
    expect(await pepper.findOther(first, now)).toBeNull();
    // printf 'masthead: the pepper of this store' |
    //   openssl dgst -sha256 -hmac 'the first pepper of these tests, 32 or more' -binary | base64 | tr '+/' '-_' | tr -d =
    const proof = { proof: 'kR66qjJnhvwp1dd4pcyZAwf9ulC8BYvCdgb8zEywSFQ', since: now.toISOString() };
    expect(await pepper.find()).toEqual(proof);
    expect(await pepper.findOther(first, later)).toBeNull();
    expect(await pepper.findOther(other, later)).toBe(now.toISOString());
    expect(await pepper.find()).toEqual(proof);
  });

  it('is one of those that many processes use first at the same time, and the same for all', async () => {
    const peppers = Array.from({ length: 12 }, (_, place) => `pepper ${place} of these tests, 32 or more`);
    const others = await Promise.all(peppers.map((pepper) => stores.pepper.findOther(pepper, now)));
    expect(others.filter((since) => since === null)).toHaveLength(1);
  });

  it('can be replaced, which is audited', async () => {
    const { pepper, audit } = stores;
    await pepper.findOther(first, now);
    await pepper.replace(other, { audit, operator: 'ada' }, later);
    expect(await pepper.findOther(other, later)).toBeNull();
    expect(await pepper.findOther(first, later)).toBe(later.toISOString());
    expect(await audit.list(1)).toMatchObject([{ action: 'pepper replace', operator: 'ada', at: later.toISOString() }]);
  });
});
