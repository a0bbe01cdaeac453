import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openLeadTools } from '#src/start/open-lead-tools.ts';
import { openEmbeddedForTest, type TestBackend } from '#test/backends.ts';
import { type SmartleadStandIn, startSmartlead } from '#testing/stand-ins/smartlead-server.ts';
import { media } from './media.ts';
import { createService, type TestService } from './test-service.ts';
import { blanks, signs } from './white-space.ts';

describe('white space in parameters', () => {
  let backend: TestBackend;
  let service: TestService;
  let premium: string;
  let smartlead: SmartleadStandIn;

  beforeAll(async () => {
    backend = await openEmbeddedForTest();
    await backend.load(media);
    smartlead = await startSmartlead({ apiKey: 'a-key-of-the-tool-4711', campaigns: ['4711'] });
    const leadToolBases = { smartlead: smartlead.url, instantly: smartlead.url };
    service = createService(backend, { leadTools: openLeadTools({ leadToolBases }) });
    premium = await service.issueKey('premium');
  });
  afterAll(async () => {
    await smartlead.close();
    await backend.close();
  });

  const idsOf = async (query: string) => {
    const { body } = await service.get(`/api/v1/search${query}`);
    return body.results?.map(({ id }: { id: string }) => id) ?? body.errors;
  };

  it.each(blanks)('%j changes nothing around a value, and alone counts as an absent one', async (blank) => {
    const space = encodeURIComponent(blank);
    const outlets = await idsOf('?kind=outlet&sort=name');
    expect(outlets.length).toBeGreaterThan(1);
    expect(await idsOf(`?kind=${space}outlet${space}&sort=${space}NAME${space}&page=${space}1&q=${space}`)).toEqual(
      outlets,
    );
    expect(await idsOf(`?kind=${space}|outlet|${space}&has_email=${space}&sort=name&nothing=${space}`)).toEqual(
      outlets,
    );
    expect(await idsOf(`?kind=!${space}podcast|!newsletter&sort=name`)).toEqual(outlets);
  });

  it('is part of a value if `trim` leaves it', async () => {
    for (const sign of signs) {
      const errors = await idsOf(`?has_email=1${encodeURIComponent(sign)}`);
      expect(errors, JSON.stringify(sign)).toMatchObject([{ name: 'has_email', code: 'unknown_value' }]);
    }
  });

  it('is accepted around the key and the campaign of a push as described', async () => {
    const { body } = await service.get('/openapi.json');
    const { schema } = body.paths['/api/v1/export/push'].post.requestBody.content['application/json'];
    for (const blank of [...blanks, ...signs]) {
      const sent = {
        tool: 'smartlead',
        api_key: `${blank}a-key-of-the-tool-4711${blank}`,
        campaign_id: '4711',
        filters: { kind: 'podcast' },
      };
      const { status } = await request(service.app)
        .post('/api/v1/export/push')
        .set('Authorization', `Bearer ${premium}`)
        .send(sent);
      expect(status === 200, JSON.stringify(blank)).toBe(z.fromJSONSchema(schema).safeParse(sent).success);
    }
  });
});
