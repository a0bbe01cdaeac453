import { describe, expect, it } from 'vitest';
import { kinds } from '#records/vocabularies.ts';
import { madeRecord } from '#testing/made-record.ts';
import { createService, unlimited, useService } from './test-service.ts';

const records = kinds.flatMap((kind) =>
  Array.from({ length: 5 }, (_, index) =>
    madeRecord({
      ...{ id: `${kind}-${index}`, kind, name: `Harbour ${kind} ${index}`, country: 'DE', audience: 1_000 - index },
      ...{ email: `ann${index}@harbour.example`, last_verified_at: '2026-10-02T00:00:00.000Z' },
    }),
  ),
);
const { backend, service } = useService(records);

describe('who thinks of buying', () => {
  it('sees what each plan has, masked media of each kind, and them in a file', async () => {
    const priced = createService(backend, { rateLimits: { ...unlimited, pro: 1_200 } });
    const { text } = await priced.get('/plans');
    expect(text).toMatch(/Requests a minute[^/]*<\/th>.*<td data-label="Pro">1,200</);
    expect(text.match(/<span class="mask">a[*]{3}@harbour\.example</g)).toHaveLength(9);
    expect(text).toContain('<strong>15</strong> checked in the last 90 days');
    const file = await priced.get('/sample.csv');
    expect(file.headers).toMatchObject({ 'content-disposition': 'attachment; filename=masthead-sample.csv' });
    expect(file.text.match(/,a[*]{3}@harbour\.example,/g)).toHaveLength(9);
    for (const sold of [text, file.text]) expect(sold).not.toMatch(/ann\d@/);
  });

  it('sees on the start page what the service has, with searches that find something', async () => {
    const { text } = await service.get('/');
    const { total } = (await service.get('/api/v1/search')).body;
    expect(text).toContain(`<strong>${total}</strong> media`);
    const [, tries = ''] = /<p class="line tries">(.*?)<\/p>/s.exec(text) ?? [];
    const searches = [...tries.matchAll(/href="\.\/(\?q=[^"]+)"[^>]*>[^<]*<small>(\d+)</g)];
    expect(searches.length).toBeGreaterThan(0);
    for (const [, search = '', found] of searches) {
      expect((await service.get(`/api/v1/search${search}`)).body.total, search).toBeGreaterThanOrEqual(Number(found));
    }
    for (const path of ['/?q=news', '/people']) expect((await service.get(path)).text).not.toContain('class="pitch"');
  });

  it('sees who sells, the terms and the way to the money back where the operator has set them', async () => {
    const operator = {
      name: 'A & B',
      termsUrl: 'https://a.example/t',
      privacyUrl: 'https://a.example/p',
      refundDays: 14,
    };
    const named = (await createService(backend, { operator }).get('/plans')).text;
    for (const shown of ['A &amp; B', 'href="https://a.example/t"', 'href="https://a.example/p"', 'Within 14 days'])
      expect(named).toContain(shown);
    const unnamed = (await service.get('/plans')).text;
    for (const absent of ['Terms</a>', 'Privacy</a>', 'Who sells', 'Within']) expect(unnamed).not.toContain(absent);
  });
});
