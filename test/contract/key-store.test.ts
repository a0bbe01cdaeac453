import { describe, expect, it } from 'vitest';
import { apiKeyPrefix, generateApiKey, hashApiKey, identifyKey, type KeyIdentity } from '#accounts/api-key.ts';
import { endKey, opens, rotateSecret, type StoredKey } from '#accounts/stored-key.ts';
import { testStores } from '#testing/backends.ts';
import { useOne } from '#testing/use.ts';

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

function madeIdentity(): KeyIdentity {
  return identifyKey(generateApiKey(), pepper);
}

describe.each(testStores)('the key store, $name', ({ open }) => {
  const backend = useOne(open);

  it('finds a key by its hash, with everything that was saved', async () => {
    const { key, stored } = madeKey({ email: 'buyer@shop.example', orderId: 'order-1' });
    await backend.keys.save(stored);
    expect(await backend.keys.findByHash(hashApiKey(key, pepper))).toEqual(stored);
    expect(await backend.keys.findByHash(hashApiKey(key, 'another pepper'))).toBeNull();
  });

  it('marks a key as revoked once and keeps the first time', async () => {
    const { stored } = madeKey();
    await backend.keys.save(stored);
    for (const at of ['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z']) {
      expect(await backend.keys.change(stored.hash, (key) => endKey(key, at))).not.toBeNull();
    }
    expect(await backend.keys.findByHash(stored.hash)).toMatchObject({ revokedAt: '2026-02-01T00:00:00.000Z' });
    expect(await backend.keys.change('no such hash', (key) => key)).toBeNull();
  });

  it('lists keys by the start of their prefix, newest first', async () => {
    const older = madeKey({ prefix: 'mh_LISTED01', createdAt: '2026-01-01T00:00:00.000Z' }).stored;
    const newer = madeKey({
      prefix: 'mh_LISTED02',
      email: 'Ada@Shop.example',
      createdAt: '2026-01-02T00:00:00.000Z',
    }).stored;
    await backend.keys.save(older);
    await backend.keys.save(newer);
    expect(await backend.keys.list('mh_LISTED')).toEqual([newer, older]);
    expect(await backend.keys.list('mh_LISTED01')).toEqual([older]);
    expect(await backend.keys.list('mh_.*')).toEqual([]);
    expect(await backend.keys.list('mh_LISTED', 'ada@shop.example')).toEqual([newer]);
    expect((await backend.keys.list('')).length).toBeGreaterThanOrEqual(2);
  });

  describe('after a rotation', () => {
    const now = new Date('2026-03-01T12:00:00.000Z');
    const rotate = (hash: string, sent: string, next: KeyIdentity, hours = 24) =>
      backend.keys.change(hash, (key) => rotateSecret(key, { sent, next, overlapHours: hours }, now));
    const opened = async (secret: string) => {
      const key = await backend.keys.findByHash(secret);
      return key !== null && key.revokedAt === null && opens(key, secret, now);
    };

    it('finds the same key by its new and its old secret, with the rest unchanged', async () => {
      const { stored } = madeKey({ orderId: 'order-1', email: 'buyer@shop.example' });
      await backend.keys.save(stored);
      const next = madeIdentity();
      const endsAt = '2026-03-02T12:00:00.000Z';
      const rotated = {
        ...stored,
        prefix: next.prefix,
        secretHash: next.hash,
        retiring: { hash: stored.hash, prefix: stored.prefix, endsAt },
      };
      expect(await rotate(stored.hash, stored.hash, next)).toEqual(rotated);
      expect(await backend.keys.findByHash(next.hash)).toEqual(rotated);
      expect(await backend.keys.findByHash(stored.hash)).toEqual(rotated);
      expect(await backend.keys.find(stored.hash)).toEqual(rotated);
      expect(await backend.keys.list(next.prefix)).toEqual([rotated]);
      expect(await backend.keys.list(stored.prefix)).toEqual([rotated]);
    });

    it('writes nothing for a key that does not exist, or whose sender holds a secret that ended', async () => {
      const { stored } = madeKey();
      await backend.keys.save(stored);
      expect(await rotate(madeIdentity().hash, stored.hash, madeIdentity())).toBeNull();
      const next = madeIdentity();
      await rotate(stored.hash, stored.hash, next, 0);
      expect(await rotate(stored.hash, stored.hash, madeIdentity())).toBeNull();
      expect([await opened(stored.hash), await opened(next.hash)]).toEqual([false, true]);
    });

    it('leaves one new secret of many rotations at once, each of which was written', async () => {
      const { stored } = madeKey();
      await backend.keys.save(stored);
      const made = Array.from({ length: 20 }, madeIdentity);
      const answers = await Promise.all(made.map((next) => rotate(stored.hash, stored.hash, next)));
      expect(answers).not.toContain(null);
      const working = [];
      for (const { hash } of made) if (await opened(hash)) working.push(hash);
      const key = await backend.keys.findByHash(stored.hash);
      expect(working).toEqual([key?.secretHash]);
      expect(await opened(stored.hash)).toBe(true);
    });
  });
});
