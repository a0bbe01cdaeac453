import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKeyPrefix, generateApiKey, hashApiKey } from '#domain/plans/api-key.ts';
import type { StoredKey } from '#domain/plans/stored-key.ts';
import { type TestStores, testStores } from '#test/backends.ts';

const pepper = 'a pepper for tests';

function madeKey(given: Partial<StoredKey> = {}): { key: string; stored: StoredKey } {
  const key = generateApiKey();
  const stored: StoredKey = {
    hash: hashApiKey(key, pepper),
    prefix: apiKeyPrefix(key),
    plan: { tier: 'pro', expiresAt: '2027-01-01T00:00:00.000Z' },
    email: null,
    orderId: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    revokedAt: null,
    ...given,
  };
  return { key, stored };
}

describe.each(testStores)('the key store, $name', ({ open }) => {
  let backend: TestStores;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.close());

  it('finds a key by its hash, with everything that was saved', async () => {
    const { key, stored } = madeKey({ email: 'buyer@shop.example', orderId: 'order-1' });
    await backend.keys.save(stored);
    expect(await backend.keys.findByHash(hashApiKey(key, pepper))).toEqual(stored);
    expect(await backend.keys.findByHash(hashApiKey(key, 'another pepper'))).toBeNull();
  });

  it('refuses to save a key twice', async () => {
    const { stored } = madeKey();
    await backend.keys.save(stored);
    await expect(backend.keys.save(stored)).rejects.toThrow();
  });

  it('marks a key as revoked once and keeps the first time', async () => {
    const { stored } = madeKey();
    await backend.keys.save(stored);
    expect(await backend.keys.revoke(stored.hash, new Date('2026-02-01T00:00:00Z'))).toBe(true);
    expect(await backend.keys.revoke(stored.hash, new Date('2026-03-01T00:00:00Z'))).toBe(true);
    expect(await backend.keys.findByHash(stored.hash)).toMatchObject({ revokedAt: '2026-02-01T00:00:00.000Z' });
    expect(await backend.keys.revoke('no such hash', new Date())).toBe(false);
  });

  it('lists keys by the start of their prefix, newest first', async () => {
    const older = madeKey({ prefix: 'mh_LISTED01', createdAt: '2026-01-01T00:00:00.000Z' }).stored;
    const newer = madeKey({ prefix: 'mh_LISTED02', createdAt: '2026-01-02T00:00:00.000Z' }).stored;
    await backend.keys.save(older);
    await backend.keys.save(newer);
    expect(await backend.keys.list('mh_LISTED')).toEqual([newer, older]);
    expect(await backend.keys.list('mh_LISTED01')).toEqual([older]);
    expect(await backend.keys.list('mh_.*')).toEqual([]);
    expect((await backend.keys.list('')).length).toBeGreaterThanOrEqual(2);
  });
});
