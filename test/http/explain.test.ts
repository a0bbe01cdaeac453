import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashApiKey } from '#domain/plans/api-key.ts';
import { searchAnswer } from '#http/endpoints/search.ts';
import { type TestBackend, testBackends } from '#test/backends.ts';
import { issueKey } from '#usecases/issue-key.ts';
import { addresses, media } from './media.ts';
import { createService, pepper, type TestService, testNow } from './test-service.ts';

describe.each(testBackends)('explain=1, $name', ({ open }) => {
  let backend: TestBackend;
  let service: TestService;
  let operators: string;

  beforeAll(async () => {
    backend = await open();
    await backend.load(media);
    service = createService(backend);
    operators = await issue(30);
  });
  afterAll(() => backend.close());

  async function issue(days: number): Promise<string> {
    const grant = { tier: 'pro', days, email: null, isOperator: true };
    const { key, stored } = await issueKey({ ...backend, operator: 'test' }, pepper, grant, testNow);
    expect(await backend.keys.findByHash(hashApiKey(key, pepper))).toEqual(stored);
    return key;
  }
  async function explain(q: string) {
    const { body } = await service.get(`/api/v1/search?explain=1&q=${q}`, operators);
    expect(searchAnswer.safeParse(body).error).toBeUndefined();
    return body;
  }

  it('tells an operator why each record is found, and what was forgiven', async () => {
    expect((await explain('harbour')).explanations).toEqual([
      { id: 'times', reasons: [{ sentence: expect.stringContaining('`harbour`'), forgiven: false }] },
    ]);
    const { corrected, explanations } = await explain('mriamar');
    expect(corrected).toBe(true);
    expect(explanations[0]).toMatchObject({ id: 'radio', reasons: [{ forgiven: true }] });
    expect(explanations[0].reasons[0].sentence).toContain('`miramar`');
  });

  it('has an explanation for each record, in the order of the results', async () => {
    for (const q of ['tech', 'us podcasts', 'radio miami', 'noticias', 'harbor tmes', 'silent gazete', '-radio']) {
      const { results, explanations } = await explain(q);
      expect(results.length, q).toBeGreaterThan(0);
      expect(explanations.map(({ id }: { id: string }) => id)).toEqual(results.map(({ id }: { id: string }) => id));
      for (const { reasons } of explanations) expect(reasons.length, q).toBeGreaterThan(0);
    }
  });

  it('shows no address in a sentence, whatever is typed', async () => {
    for (const address of addresses) {
      const { explanations } = await explain(encodeURIComponent(address));
      expect(explanations.length).toBeGreaterThan(0);
      expect(JSON.stringify(explanations)).not.toContain(address.slice(0, address.indexOf('@') + 1));
    }
  });

  it('is refused to everybody else, with 403 and no plan to buy', async () => {
    for (const key of [undefined, await service.issueKey('premium'), await issue(-1)]) {
      const { status, body } = await service.get('/api/v1/search?q=harbour&explain=1', key);
      expect([status, body.code]).toEqual([403, 'operator_key_required']);
      expect(body).not.toHaveProperty('buy_url');
    }
  });

  it('is absent unless asked, also for operators', async () => {
    for (const query of ['', '&explain=0', '&explain=']) {
      const { status, body } = await service.get(`/api/v1/search?q=harbour${query}`, operators);
      expect(status).toBe(200);
      expect(body).not.toHaveProperty('explanations');
    }
    expect((await service.get('/api/v1/facets?explain=1', operators)).status).toBe(400);
  });
});
