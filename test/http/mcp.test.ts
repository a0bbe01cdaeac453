import { type Client, ProtocolError, SdkHttpError } from '@modelcontextprotocol/client';
import request from 'supertest';
import { afterEach, describe, expect, it } from 'vitest';
import { generateApiKey } from '#accounts/api-key.ts';
import { filterSchema } from '#http/parse/query-parameters.ts';
import { Problem } from '#src/problem.ts';
import { connectMcp, type ProtocolVersion, protocolVersions, textOf } from '#testing/clients.ts';
import { type Listening, listen } from '#testing/listen.ts';
import { media } from '#testing/made-record.ts';
import { withMethods } from '#text/with-methods.ts';
import { createService, publicUrl, type TestService, unlimited, useService } from './test-service.ts';

const filterNames = Object.keys(filterSchema.shape);
const accept = 'application/json, text/event-stream';
const call = (name: string, args: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

describe('/mcp', () => {
  const { backend, service, keys } = useService(media);
  const running: Listening[] = [];
  const clients: Client[] = [];

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await Promise.all(running.splice(0).map((server) => server.close()));
  });

  async function connect(key?: string, version?: ProtocolVersion, from?: TestService): Promise<Client> {
    const server = await listen((from ?? service).app);
    running.push(server);
    const client = await connectMcp(server.url, key, version);
    clients.push(client);
    return client;
  }
  const post = (body: object | string, from = service, key?: string) =>
    from.post('/mcp', key).set('Content-Type', 'application/json').set('Accept', accept).send(body);
  /** What a tool answers, for programs. */
  const use = async (name: string, args: object, key?: string) => {
    const { result } = (await post(call(name, args), service, key)).body;
    expect(result.isError, result.content[0].text).toBeUndefined();
    return result.structuredContent;
  };
  const idsOf = (answer: { results: { id: string }[] }) => answer.results.map(({ id }) => id);

  // The client checks each answer against the output schema of its tool.
  it.each(protocolVersions)('serves tools to a client of %s, of which two write', async (version) => {
    const client = await connect(undefined, version);
    expect(client.getServerVersion()).toMatchObject({ name: 'masthead' });
    expect(client.getInstructions()).toContain('search_media');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...['search_media', 'search_contacts', 'count_media', 'get_record', 'lookup_media'],
      ...['get_lists', 'get_list', 'add_to_list', 'save_search'],
    ]);
    // A model reads all of it before its first call.
    expect(JSON.stringify(tools).length).toBeLessThanOrEqual(16_000);
    expect(JSON.stringify(tools.map(({ outputSchema }) => outputSchema))).not.toContain('"description":"');
    for (const { name, annotations } of tools) {
      const readOnlyHint = !['add_to_list', 'save_search'].includes(name);
      expect(annotations).toMatchObject({ readOnlyHint, destructiveHint: false, openWorldHint: false });
    }
    const found = await client.callTool({
      name: 'search_media',
      arguments: { q: 'harbour', country: ['GB'], per_page: null },
    });
    const times = { id: 'times', city: 'Leeds', email: 'a***@harbour-times.example', contact_name: 'Ada Quill' };
    expect(found.structuredContent).toMatchObject({ total: 1, page: 1, per_page: 10, masked: true, results: [times] });
    expect(JSON.parse(textOf(found))).toMatchObject({ results: [times] });
    expect(found.structuredContent).toMatchObject({ results: [{ page_url: `${publicUrl}/media/times` }] });
    expect(textOf(found)).not.toContain('null');
    for (const [name, args] of [
      ['search_contacts', { q: 'ada quill' }],
      ['count_media', {}],
      ['get_record', { id: 'times' }],
      ['lookup_media', { ids: ['nothing', 'times'] }],
    ] as const) {
      expect((await client.callTool({ name, arguments: args })).isError, name).toBeUndefined();
    }
    await expect(client.callTool({ name: 'drop_media', arguments: {} })).rejects.toThrow(ProtocolError);
    await expect(connect(generateApiKey(), version)).rejects.toThrow(SdkHttpError);
  });

  it('reads the lists of the account, and searches them', async () => {
    const { id } = (await service.post('/api/v1/lists', keys.pro).send({ name: 'Harbours' })).body;
    const add = [{ id: 'times', note: 'Met in May', status: 'contacted' }];
    await service.post(`/api/v1/lists/${id}/records`, keys.pro).send({ add });
    expect(await use('get_lists', {}, keys.pro)).toMatchObject({ lists: [{ id, name: 'Harbours', count: 1 }] });
    expect(await use('get_list', { id, status: ['contacted'] }, keys.pro)).toMatchObject({
      results: [{ record: { id: 'times' }, note: 'Met in May', status: 'contacted' }],
    });
    expect(idsOf(await use('search_media', { list: id }, keys.pro))).toEqual(['times']);
    expect(await use('count_media', { list: id }, keys.pro)).toMatchObject({ total: 1 });
    expect(await fault('get_lists', {})).toContain('key_missing');
  });

  it('saves a search, which has a feed', async () => {
    const saved = await use('save_search', { name: 'Leeds', filters: { q: 'harbour', city: 'Leeds' } }, keys.pro);
    const { searches } = (await service.get('/api/v1/searches', keys.pro)).body;
    expect(searches).toEqual([saved]);
    expect(await fault('save_search', { name: 'Leeds', filters: { citty: 'Leeds' } }, keys.pro)).toContain(
      'filters.citty',
    );
  });

  it('finds people, and keeps them in a list', async () => {
    const found = await use('search_contacts', { q: 'ada quill harbour', named: true }, keys.pro);
    const record = { id: 'times', page_url: `${publicUrl}/media/times` };
    expect(found).toMatchObject({ total: 1, results: [{ contact: { name: 'Ada Quill' }, record }] });
    const masked = await use('search_contacts', { q: 'ada quill' });
    expect(masked).toMatchObject({ masked: true, results: [{ contact: { email: 'a***@harbour-times.example' } }] });
    const { id: list } = (await service.post('/api/v1/lists', keys.pro).send({ name: 'People' })).body;
    const contact_id = found.results[0].contact.id;
    const add = [{ id: 'times', contact_id, note: 'covers harbours' }, { id: 'times' }];
    expect(await use('add_to_list', { list, add }, keys.pro)).toMatchObject({ id: list, count: 2 });
    expect((await use('get_list', { id: list }, keys.pro)).results).toMatchObject([
      { contact_id, contact: { name: 'Ada Quill' }, note: 'covers harbours' },
      { contact_id: null, contact: null },
    ]);
    const nobody = { list, add: [{ id: 'times', contact_id: 'nobody' }] };
    expect(await fault('add_to_list', nobody, keys.pro)).toMatch(/add\.0\.contact_id: .*get_record/);
    expect(await fault('add_to_list', { list, add })).toContain('key_missing');
    expect(await fault('add_to_list', { list }, keys.pro)).toContain('add:');
  });

  it('answers like the API', async () => {
    expect(await use('count_media', { kind: 'outlet' })).toEqual(
      (await service.get('/api/v1/facets?kind=outlet')).body,
    );
    const all = (await service.get('/api/v1/facets')).body;
    expect(await use('count_media', { lists: ['countries'], values: 2 })).toEqual({
      ...{ total: media.length, countries: all.countries.slice(0, 2), more: all.more },
    });
    expect(await use('get_record', { id: 'asahi/朝日' }, keys.pro)).toEqual({
      ...(await service.get('/api/v1/records/asahi%2F%E6%9C%9D%E6%97%A5', keys.pro)).body,
      page_url: `${publicUrl}/media/asahi%2F%E6%9C%9D%E6%97%A5`,
    });
    const shown = { id: 'times', name: 'The Harbour Times', email: 'adaquill7@harbour-times.example' };
    const page_url = `${publicUrl}/media/times`;
    expect(await use('get_record', { id: 'times', fields: ['name', 'email'] }, keys.pro)).toEqual({
      ...shown,
      page_url,
    });
    const asked = { ids: ['nothing', 'pod'], domains: ['https://harbour-times.example/news'], fields: ['name'] };
    const api = await service.post('/api/v1/records/lookup').send(asked);
    const answer = await use('lookup_media', asked);
    expect(answer).toMatchObject(api.body);
    expect(answer.results.map(({ record }: { record: { page_url: string } | null }) => record?.page_url)).toEqual(
      api.body.results.map(({ record }: { record: { id: string } | null }) =>
        record === null ? undefined : `${publicUrl}/media/${record.id}`,
      ),
    );
  });

  const fault = async (name: string, args: object, key?: string) => {
    const { result } = (await post(call(name, args), service, key)).body;
    expect(result.isError).toBe(true);
    return result.content[0].text;
  };

  it('says to a model what is wrong and what is right', async () => {
    expect(await fault('search_media', { kind: ['outlett'], contry: 'US' })).toBe(
      [
        'invalid_request: Invalid request',
        `contry: This parameter does not exist. Use ${[...filterNames, 'sort', 'fields', 'page'].join(', ')} or per_page. Did you mean "country"?`,
        'kind: "outlett" is not a valid kind. Use outlet, podcast or newsletter. Did you mean "outlet"?',
      ].join('\n'),
    );
    expect(await fault('search_media', { per_page: 21 })).toContain('"21" is not a whole number from 1 to 20.');
    expect(await fault('search_media', { page: 1001, per_page: 10 })).toBe(
      'page_too_deep: Page too deep\npage: page × per_page must not exceed 10000. Narrow the search, or get all results from an export, which the person you work for can make, with the same filters.',
    );
    const { result } = (await post(call('get_list', { id: 'lst_none' }), service, keys.pro)).body;
    expect(result.content[0].text).toBe(
      'not_found: Your account has no list with this id. get_lists shows those that it has.',
    );
    expect(await fault('count_media', { lists: ['countrys'] })).toContain('Did you mean "countries"?');
    expect(await fault('get_record', {})).toContain('id: Give the id of a record');
    expect(await fault('get_record', { id: 'nothing' })).toBe('not_found: No record has this id.');
    expect(await fault('lookup_media', { ids: Array.from({ length: 101 }, String) })).toContain('are too many');
  });

  it('offers every filter of the registry, and only what the parameters read', async () => {
    const { body } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const [search, , count] = body.result.tools;
    expect(Object.keys(search.inputSchema.properties)).toEqual([...filterNames, 'sort', 'fields', 'page', 'per_page']);
    expect(Object.keys(count.inputSchema.properties)).toEqual([...filterNames, 'lists', 'values']);
    expect(JSON.stringify(search.inputSchema)).not.toContain('"default"');
    expect(search.inputSchema.required).toBeUndefined();
  });

  it('reads lists, numbers, truth values and null as the parameters would be written', async () => {
    const ids = async (args: object) => idsOf(await use('search_media', args)).toSorted();
    expect(await ids({ country: ['US', 'GB'] })).toEqual(['pod', 'radio', 'times']);
    expect(await ids({ country: ['!US'], kind: 'outlet|newsletter', q: null })).toEqual([
      ...['asahi/朝日', 'letter', 'silent', 'times'],
    ]);
    expect(await ids({ named: true })).toEqual(['pod', 'times']);
    expect(await ids({ named: false, min_audience: 45_000, max_audience: 90_000 })).toEqual(['radio', 'times']);
    expect(await ids({ updated_since: '2026-03-01', kind: [] })).toContain('times');
    expect(await ids({ domain: ['nobody@harbour-times.example'] })).toEqual(['times']);
  });

  it('answers hostile messages with an error, and goes on', async () => {
    const before = service.faults().length;
    const deep = `${'['.repeat(15_000)}${']'.repeat(15_000)}`;
    const hostile = [
      call('search_media', 'text'),
      call('search_media', { q: 'x'.repeat(30_000) }),
      call('search_media', { kind: Array.from({ length: 7_000 }, () => 'x') }),
      call('search_media', { page: 1e21 }),
      call('lookup_media', { ids: [{}] }),
      call('toString', {}),
      JSON.stringify(call('search_media', 'DEEP')).replace('"DEEP"', `{"q":${deep}}`),
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_media","arguments":{"__proto__":{"q":1},"q":1,"page":0}}}',
      { jsonrpc: '2.0', id: 1, method: 'nothing/here' },
      { jsonrpc: '1.0', id: {}, method: 7 },
      {},
    ];
    for (const message of hostile) {
      const { status, body } = await post(message);
      expect(status, JSON.stringify(message).slice(0, 80)).toBeLessThan(500);
      expect(body.error ?? body.result?.isError, JSON.stringify(message).slice(0, 80)).toBeTruthy();
      expect(JSON.stringify(body).length).toBeLessThan(20_000);
    }
    expect(service.faults().slice(before)).toEqual([]);
    expect((await post(call('search_media', {}))).body.result.structuredContent.total).toBe(media.length);
  });

  it.each([
    ['not JSON', '{', 400, -32700, 'invalid_request'],
    ['a batch', [call('search_media', {})], 400, -32600, 'invalid_request'],
    ['a body that is too large', { q: 'x'.repeat(40_000) }, 413, -32000, 'body_too_large'],
  ])('refuses %s', async (_, body, status, code, problem) => {
    const answer = await post(body);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code, data: { status, code: problem } } });
  });

  it('answers only POST, and refuses keys in its URL, other types and other versions', async () => {
    for (const method of ['get', 'delete', 'put'] as const) {
      const answer = await request(service.app)[method]('/mcp').set('Accept', accept);
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toBe('POST, OPTIONS');
      expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { data: { code: 'method_not_allowed' } } });
    }
    const inUrl = await service.post(`/mcp?api_key=${keys.pro}`).send(call('count_media', {}));
    expect(inUrl.status).toBe(400);
    expect(JSON.stringify(inUrl.body)).not.toContain(keys.pro);
    expect((await service.post('/mcp').type('text').send('{}')).status).toBe(415);
    expect((await post(call('count_media', {})).set('Mcp-Protocol-Version', '1999-01-01')).status).toBe(400);
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
  });

  it('counts each message as a request, together with those to the API, and refuses what is too much', async () => {
    const limited = createService(backend, { rateLimits: { ...unlimited, anonymous: 2, pro: 4 } });
    const key = await limited.issueKey('pro');
    await limited.get('/api/v1/search', key);
    for (const left of [2, 1]) {
      const answer = await post(call('count_media', {}), limited, key);
      expect(answer.headers['ratelimit-remaining']).toBe(String(left));
    }
    const usage = await limited.get('/api/v1/me/usage', key);
    expect(usage.body.days.at(-1)).toMatchObject({ requests: 4 });
    const refused = await post(call('count_media', {}), limited, key);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: { code: 'rate_limited' } } });
  });

  it('tells a model when the index fails, and the log with the same id', async () => {
    const down = createService(backend, {
      index: withMethods(backend.index, {
        countFacets: async () => {
          throw new Problem('search_unavailable', 'The search index is not available. Try again in a few seconds.');
        },
        findMany: async () => {
          throw new TypeError('a secret of the engine');
        },
      }),
    });
    const counted = await post(call('count_media', {}), down);
    expect(counted.body.result).toMatchObject({ isError: true });
    expect(counted.body.result.content[0].text).toMatch(/^search_unavailable: /);
    const found = await post(call('get_record', { id: 'x' }), down).set('X-Request-Id', 'mine-7');
    expect(found.body.result.content[0].text).toMatch(/^internal: .* mine-7\.$/);
    expect(JSON.stringify(found.body)).not.toContain('secret');
    expect(down.faults().map((line) => JSON.parse(line).request_id)).toContain('mine-7');
  });

  it('admits pages of the service and of the own machine, and no others', async () => {
    const from = (origin: string) => post(call('count_media', {})).set('Origin', origin);
    for (const origin of [publicUrl, 'http://localhost:6274', 'http://127.0.0.1:8080', 'http://[::1]:1']) {
      const answer = await from(origin);
      expect(answer.status, origin).toBe(200);
      expect(answer.headers['access-control-allow-origin']).toBe(origin);
      const preflight = await request(service.app)
        .options('/mcp')
        .set('Origin', origin)
        .set('Access-Control-Request-Method', 'POST');
      expect(preflight.status).toBe(204);
      expect(preflight.headers['access-control-allow-headers']).toContain('Authorization');
    }
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost.evil.example',
      'file://',
      `${publicUrl}.evil.example`,
    ]) {
      const answer = await from(origin);
      expect(answer.status, origin).toBe(403);
      expect(answer.body.error.data.code).toBe('origin_not_allowed');
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});
