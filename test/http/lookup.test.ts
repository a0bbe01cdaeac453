import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { lookupAnswer } from '#http/api/records.ts';
import { fields } from '#records/fields.ts';
import { readCases } from '#testing/cases.ts';
import { addresses, madeRecord, media } from '#testing/made-record.ts';
import { createService, useService } from './test-service.ts';

const path = '/api/v1/records/lookup';

describe('POST /records/lookup', () => {
  const { backend, service, keys } = useService([
    ...media,
    madeRecord({ id: 'lookup', name: 'Look Up' }),
    madeRecord({ id: 'blog', name: 'A Blog', url: 'https://blog.pair.example/', audience: 900 }),
    madeRecord({ id: 'pair', name: 'The Pair', url: 'https://www.pair.example/', audience: 5 }),
    madeRecord({ id: 'a|b', name: 'Odd' }),
  ]);

  const lookUp = (body: object | string, key?: string) =>
    service.post(path, key).set('Content-Type', 'application/json').send(body);
  const idsOf = async (body: object) => {
    const answer = await lookUp(body).expect(200);
    expect(lookupAnswer.safeParse(answer.body).error).toBeUndefined();
    return answer.body.results.map(({ asked, record }: { asked: string; record: { id: string } | null }) => [
      asked,
      record?.id ?? null,
    ]);
  };

  it('answers in the order asked, ids before domains, and names what is unknown', async () => {
    expect(
      await idsOf({
        domains: ['radio-miramar.example', 'unheard-of.example', 'not a host', ''],
        ids: ['pod', 'absent', 'asahi/朝日', ' pod ', 'a|b', 'POD'],
      }),
    ).toEqual([
      ['pod', 'pod'],
      ['absent', null],
      ['asahi/朝日', 'asahi/朝日'],
      [' pod ', 'pod'],
      ['a|b', 'a|b'],
      ['POD', null],
      ['radio-miramar.example', 'radio'],
      ['unheard-of.example', null],
      ['not a host', null],
      ['', null],
    ]);
  });

  it('takes a domain as a host, a URL or an address, and prefers the record whose site it is', async () => {
    expect(
      await idsOf({
        domains: [
          'https://WWW.Harbour-Times.example/news?x=1',
          'anybody@harbour-times.example',
          '"Doe, Jane" <jane@harbour-times.example>',
          'pair.example',
          'blog.pair.example',
          'harbour-tmies.example',
        ],
      }),
    ).toEqual([
      ['https://WWW.Harbour-Times.example/news?x=1', 'times'],
      ['anybody@harbour-times.example', 'times'],
      ['"Doe, Jane" <jane@harbour-times.example>', 'times'],
      ['pair.example', 'pair'],
      ['blog.pair.example', 'blog'],
      ['harbour-tmies.example', null],
    ]);
  });

  it('answers ids, domains, URLs and addresses in this order, each with the number of records that it may mean', async () => {
    const body = {
      emails: ['adaquill7@harbour-times.example', 'nobody@pair.example'],
      urls: ['https://www.pair.example/?utm=x', 'https://pair.example/absent'],
      domains: ['pair.example'],
      ids: ['pod'],
      kind: ['outlet', 'podcast'],
    };
    const { results } = (await lookUp(body, keys.pro).expect(200)).body;
    expect(
      results.map(({ asked, record, matches }: { asked: string; record: { id: string } | null; matches: number }) => {
        return [asked, record?.id ?? null, matches];
      }),
    ).toEqual([
      ['pod', 'pod', 1],
      ['pair.example', 'pair', 2],
      ['https://www.pair.example/?utm=x', 'pair', 2],
      ['https://pair.example/absent', null, 2],
      ['adaquill7@harbour-times.example', 'times', 1],
      ['nobody@pair.example', 'pair', 2],
    ]);
  });

  it('answers with whole records, masked without a plan', async () => {
    const body = { ids: ['times'], domains: ['tech-lighthouse.example'] };
    const [masked, full, expired] = await Promise.all([
      lookUp(body),
      lookUp(body, keys.pro),
      service.issueKey('pro', -1).then((key) => lookUp(body, key)),
    ]);
    expect(Object.keys(masked.body)).toEqual(['results', 'masked']);
    expect(Object.keys(masked.body.results[0])).toEqual(['asked', 'record', 'matches']);
    expect(Object.keys(masked.body.results[0].record)).toEqual(fields.map(({ key }) => key));
    for (const { text, body } of [masked, expired]) {
      expect(body.masked).toBe(true);
      for (const address of addresses) expect(text).not.toContain(address);
    }
    expect(full.body.masked).toBe(false);
    expect(full.body.results[0].record.email).toBe('adaquill7@harbour-times.example');
    expect(full.headers['cache-control']).toBe('private, no-store');
  });

  it('takes 100 in all, as one request against the limit', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `a${index}.example`);
    const limited = createService(backend, { rateLimits: { anonymous: 2, pro: 2, premium: 2, checkout: 2 } });
    const answer = await request(limited.app)
      .post(path)
      .send({ ids: many(50), domains: many(50) })
      .expect(200);
    expect(answer.body.results).toHaveLength(100);
    expect(answer.headers['ratelimit-remaining']).toBe('1');
    const tooMany = [
      { ids: many(101) },
      { ids: many(1), domains: many(100) },
      { ids: many(20), domains: many(20), urls: many(20), emails: many(41) },
    ];
    for (const body of tooMany) {
      const refused = await lookUp(body).expect(400);
      expect(refused.body.errors).toMatchObject([{ in: 'body', code: 'too_many_values' }]);
      expect(refused.body.errors[0].message).toBe('101 values are too many. Use at most 100 in all.');
    }
  });

  it.each(readCases<[body: object, name: string, code: string]>(new URL('refused-lookups.tsv', import.meta.url)))(
    'names what is wrong: %j',
    async (body, name, code) => {
      const { body: problem } = await lookUp(body).expect(400);
      expect(problem.errors).toMatchObject([{ in: 'body', name, code }]);
    },
  );

  it('takes only POST, and leaves its word to records as an id', async () => {
    expect((await service.get(path)).body.id).toBe('lookup');
    await request(service.app).put(path).expect(405).expect('Allow', 'GET, HEAD, POST, OPTIONS');
    await service.post(path).type('text').send('times').expect(415);
    await service.post(path).type('application/json;charset=UTF8').send('{}').expect(200);
    await service.post(`${path}?ids=times`).send({}).expect(400);
  });
});
