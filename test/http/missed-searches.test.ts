import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmbeddedForTest, type TestBackend } from '#test/backends.ts';
import { MissedSearchCounter } from '#usecases/missed-search-counter.ts';
import { media } from './media.ts';
import { createService, type TestService } from './test-service.ts';

describe('a service that counts searches without a result', () => {
  let backend: TestBackend;
  let service: TestService;
  let counter: MissedSearchCounter;
  const warnings: object[] = [];

  beforeEach(async () => {
    backend = await openEmbeddedForTest();
    await backend.load(media);
    const log = { warn: (fields: object) => warnings.push(fields) };
    counter = new MissedSearchCounter(backend.missedSearches, { log, now: () => new Date('2026-11-23T08:00:00Z') });
    service = createService(backend, { reportMissedSearch: (typed) => counter.count(typed) });
  });
  afterEach(() => backend.close());

  const search = (query: string) => service.get(`/api/v1/search?${query}`);
  async function counted() {
    await counter.write();
    return (await backend.missedSearches.list(100)).map(({ query, count }) => `${count} ${query}`);
  }

  it('counts them folded, whoever typed them', async () => {
    for (const q of ['Zzyzx%20Gazette', 'zzyzx+gazette', 'ZZYZX-GAZETTE'])
      expect((await search(`q=${q}`)).body.total).toBe(0);
    expect(await counted()).toEqual(['3 zzyzx gazette']);
    await search('q=zzyzx+gazette');
    expect(await counted()).toEqual(['4 zzyzx gazette']);
  });

  it('counts nothing that was found, was filtered, says nothing or is a whole text', async () => {
    expect((await search('q=harbour')).body.total).toBeGreaterThan(0);
    await search('q=zzyzx&country=GB');
    await search('q=zzyzx&strict=1');
    await search('country=AQ');
    await search('q=@');
    await search(`q=${'zzyzx+'.repeat(30)}`);
    expect(await counted()).toEqual([]);
  });

  it('never counts an address, in whatever form it was typed', async () => {
    for (const q of [
      'jane.zzyzx@zzyzx.example',
      'jane at zzyzx dot example',
      'jane%40zzyzx.example zzyzx',
      'jane[at]zzyzx.example',
    ])
      await search(`q=${encodeURIComponent(q)}`);
    expect(await counted()).toEqual([]);
  });

  it('answers and only warns if they cannot be stored', async () => {
    backend.missedSearches.add = async () => {
      throw new Error('the store is away');
    };
    expect((await search('q=zzyzx')).status).toBe(200);
    await counter.write();
    expect(warnings).toEqual([{ reason: 'the store is away' }]);
  });
});
