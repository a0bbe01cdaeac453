import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { steady } from '#testing/embedded-store.ts';
import { useService } from './test-service.ts';

/* The embedded store is spoilt behind the server's back, as a failing disk or a careless hand would. */
describe('when the embedded store is damaged', () => {
  const { backend, service } = useService(steady(3));
  let key: string;

  beforeAll(async () => {
    key = await service.issueKey('pro');
    // On a busy machine the first search may take longer than one may.
    await vi.waitFor(() => service.get('/readyz').expect(200), { timeout: 60_000 });

    const intruder = new DatabaseSync(join(backend.stored.dataDir, 'masthead.db'));
    intruder.exec(
      'PRAGMA foreign_keys = OFF; DROP TABLE documents; DROP TABLE records; ALTER TABLE api_keys RENAME TO lost_keys',
    );
    intruder.close();
  });

  it.each(['/api/v1/search', '/api/v1/facets', '/api/v1/records/any'])(
    '%s answers 503 with Retry-After, and nothing from the engine',
    async (path) => {
      const answer = await service.get(path);
      expect(answer.status).toBe(503);
      expect(answer.body.code).toBe('search_unavailable');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(answer.text).not.toMatch(/documents|table|sql/i);
      expect(service.logged.at(-2)).toContain('no such table');
    },
  );

  it('a caller with a key learns that the key store is down, never that the key is wrong', async () => {
    const answer = await service.get('/api/v1/me', key);
    expect(answer.status).toBe(503);
    expect(answer.body.code).toBe('store_unavailable');
    expect(answer.headers).toMatchObject({ 'retry-after': '5', 'ratelimit-limit': '100000' });
    expect(answer.text).not.toMatch(/api_keys|table|sql/i);
  });

  it('the service is alive but not ready, and says what is missing', async () => {
    const readiness = await service.get('/readyz');
    expect(readiness.status).toBe(503);
    expect(readiness.body).toEqual({ status: 'not ready', missing: ['search index', 'key store'] });
    expect((await service.get('/healthz')).body).toEqual({ status: 'ok' });
  });
});
