import { describe, expect, it } from 'vitest';
import { suppressionKey } from '#records/suppression.ts';
import { madeContact } from '#testing/made-contact.ts';
import { madeRecord } from '#testing/made-record.ts';
import { testNow, useService } from './test-service.ts';

const numbers = ['000', '001'];
const person = (name: string, number: string) =>
  madeContact({
    id: `${name}-${number}`,
    ...{ kind: 'person', name: `${name} Nr${number}`, email: `${name.toLowerCase()}${number}@paper.example` },
  });
const papers = numbers.map((number) =>
  madeRecord({ id: `p${number}`, name: `Paper ${number}`, contacts: [person('Ann', number), person('Bob', number)] }),
);

/* What a caller with every right gets of a medium where one of two people is hidden. */
describe('a hidden person', () => {
  const { backend, service, keys } = useService(papers);

  const suppress = (number: string) => {
    const entry = { key: suppressionKey('address', `ann${number}@paper.example`), reason: null };
    return backend.maintenance?.suppress([{ ...entry, addedAt: testNow.toISOString() }]);
  };
  const post = async (path: string, body: object) => {
    const request = service.post(path, keys.premium).set('Accept', 'application/json, text/event-stream');
    const answer = await request.set('Content-Type', 'application/json').send(body);
    expect(answer.status, answer.text).toBe(200);
    return answer;
  };

  it('is in no answer of the API and of MCP, and in no export or list; her colleague is in all', async () => {
    const { body: list } = await service.post('/api/v1/lists', keys.premium).send({ name: 'Spring' });
    await post(`/api/v1/lists/${list.id}/records`, {
      add: [{ id: 'p001', contact_id: 'Ann-001' }, { id: 'p001', contact_id: 'Bob-001' }, { id: 'p001' }],
    });
    await suppress('001');
    const call = (name: string, args: object) =>
      post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
    const get = (path: string) => service.get(`/api/v1/${path}`, keys.premium).expect(200);
    const answers = {
      search: await get('search?q=paper+001'),
      contacts: await get('contacts?q=paper+001'),
      record: await get('records/p001'),
      similar: await get('records/p000/similar'),
      lookup: await post('/api/v1/records/lookup', { ids: ['p001'] }),
      export: await get('export?format=csv&q=paper+001'),
      people: await get('export?format=csv&rows=contacts&q=paper+001'),
      json: await get('export?format=ndjson&q=paper+001'),
      leads: await get('export?format=smartlead&q=paper+001'),
      list: await get(`lists/${list.id}`),
      'export of a list': await get(`export?format=csv&rows=contacts&list=${list.id}`),
      'MCP search': await call('search_media', { q: 'paper 001' }),
      'MCP record': await call('get_record', { id: 'p001' }),
      'MCP lookup': await call('lookup_media', { ids: ['p001'] }),
      'MCP list': await call('get_list', { id: list.id }),
    };
    for (const [name, { text }] of Object.entries(answers)) {
      expect([name, text.match(/ann001|Ann Nr001/i)]).toEqual([name, null]);
      expect([name, /bob001|Bob Nr001/i.test(text)]).toEqual([name, true]);
    }
    for (const path of ['search', 'contacts']) {
      for (const q of ['Ann+Nr001', 'ann001@paper.example']) {
        expect((await get(`${path}?q=${q}`)).text).not.toMatch(/ann001@|Ann Nr001/i);
      }
    }
    const { body } = await post('/api/v1/records/lookup', { emails: ['ann001@paper.example'] });
    // As for an address that nobody has: what its host finds.
    const { body: ofNobody } = await post('/api/v1/records/lookup', { emails: ['nobody@paper.example'] });
    expect({ ...body.results[0], asked: '' }).toEqual({ ...ofNobody.results[0], asked: '' });
  });
});
