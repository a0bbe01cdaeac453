import { parse } from 'csv-parse/sync';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLeadTools } from '#src/start/open-lead-tools.ts';
import { openEmbeddedForTest, type TestBackend } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';
import { type SmartleadStandIn, startSmartlead } from '#testing/stand-ins/smartlead-server.ts';
import { media } from './media.ts';
import { createService, type TestService } from './test-service.ts';

const apiKey = 'a-key-of-the-tool-4711';
const campaign = '4711';

/** What a person can type without a meaning: half an address, punctuation, invisible characters. */
const sayingNothing = [
  ...['@', '@@', '@ @', 'x@', 'jane@', 'jane.doe@', '"jane doe"@', 'jane%40', 'jane＠', 'jane﹫', 'jane\u{e0040}'],
  ...['!!!', '...', '""', '"@"', '"jane@"', '-', '- -', '--', '-@', '-jane@', '-"jane@"', '"', '¿?', '()', '*', '|'],
  ...['\u200b', '\u2060\u00ad', '\u0301', '\u{1f600}', 'jane@ -radio', '@ -radio', '!!! -radio', '-@ -radio'],
];

describe('a q without searchable text', () => {
  let backend: TestBackend;
  let service: TestService;
  let premium: string;
  let smartlead: SmartleadStandIn;

  beforeAll(async () => {
    backend = await openEmbeddedForTest();
    await backend.load([...media, madeRecord({ id: 'signs', name: '¡¡¡', email: 'desk@signs.example' })]);
    smartlead = await startSmartlead({ apiKey, campaigns: [campaign] });
    const leadToolBases = { smartlead: smartlead.url, instantly: smartlead.url };
    service = createService(backend, { leadTools: openLeadTools({ leadToolBases }) });
    premium = await service.issueKey('premium');
  });
  afterAll(async () => {
    await smartlead.close();
    await backend.close();
  });

  const found = async (q: string) => {
    const query = `q=${encodeURIComponent(q)}`;
    const search = await service.get(`/api/v1/search?${query}`).expect(200);
    const facets = await service.get(`/api/v1/facets?${query}`).expect(200);
    const file = await service.get(`/api/v1/export?kind=outlet|podcast|newsletter&${query}`, premium).expect(200);
    return {
      search: search.body.total,
      shown: search.body.results.length,
      facets: facets.body.total,
      countries: facets.body.countries,
      export: file.headers['x-total-count'],
      rows: parse(file.text, { columns: true }).length,
    };
  };
  const nothing = { search: 0, shown: 0, facets: 0, countries: [], export: '0', rows: 0 };

  it.each(sayingNothing)('finds nothing in search, facets and exports: %j', async (q) => {
    expect(await found(q)).toEqual(nothing);
  });

  it.each(['@', 'jane@', '!!!', 'jane@ -radio'])('adds nobody to a campaign: %j', async (q) => {
    const { body } = await request(service.app)
      .post('/api/v1/export/push')
      .set('Authorization', `Bearer ${premium}`)
      .send({ tool: 'smartlead', api_key: apiKey, campaign_id: campaign, filters: { q } })
      .expect(200);
    expect(body).toMatchObject({ matched: 0, sent: 0 });
    expect(smartlead.campaigns.get(campaign)?.size ?? 0).toBe(0);
  });

  it('counts as absent if empty, and finds a name that is all punctuation', async () => {
    expect(await found(' ')).toMatchObject({ search: media.length + 1, facets: media.length + 1 });
    expect(await found('¡¡¡')).toMatchObject({ search: 1, rows: 1 });
  });

  it('is ignored next to words with a meaning', async () => {
    expect(await found('jane@ harbour')).toMatchObject({ search: 1 });
    expect(await found('-radio')).toMatchObject({ search: media.length });
    expect(await found('jane@harbour-times.example')).toMatchObject({ search: 1 });
  });
});
