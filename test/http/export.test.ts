import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { fields } from '#records/fields.ts';
import { parseLines } from '#testing/lines.ts';
import { listen } from '#testing/listen.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';
import { createService, useService } from './test-service.ts';

const outlets = Array.from({ length: 30 }, (_, index) =>
  madeRecord({
    id: `outlet-${index}`,
    name: index === 0 ? '=HYPERLINK("http://evil.example")' : `Outlet ${index}`,
    country: index % 2 === 0 ? 'GB' : 'FR',
    ...(index % 3 === 0 && {
      email: `desk${index}@outlet.example`,
      email_status: index % 2 === 0 ? 'valid' : 'invalid',
    }),
  }),
);
const podcasts = [
  ...Array.from({ length: 10 }, (_, index) =>
    madeRecord({ id: `podcast-${index}`, kind: 'podcast', email: `cast${index}@pod.example` }),
  ),
  // More shows of one host, which tools get once.
  ...Array.from({ length: 300 }, (_, index) =>
    madeRecord({
      id: `podcast-3-${index}`,
      kind: 'podcast',
      email: index % 2 === 0 ? 'CAST3@Pod.example' : 'cast3@pod.example',
    }),
  ),
];
/** Much to send, little to index. */
const longWord = 'x'.repeat(250);
const bulky = Array.from({ length: 4_000 }, (_, index) =>
  madeRecord({ id: `letter-${index}`, kind: 'newsletter', description: `${index} ${longWord} `.repeat(14) }),
);

const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);

describe('GET /export', () => {
  const { backend, service, keys } = useService([...outlets, ...podcasts, ...bulky]);
  const server = useOne(() => listen(service.app));

  const rowsOf = (text: string): Record<string, string>[] => parse(text, { columns: true, record_delimiter: '\r\n' });
  const exported = async (query: string, key: string) =>
    rowsOf((await service.get(`/api/v1/export${query}`, key).expect(200)).text);

  /** A request whose answer is read manually. */
  async function start(path: string, key: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
    const request = get(`${server.url}${path}`, {
      agent: false,
      headers: { Authorization: `Bearer ${key}`, ...headers },
    });
    request.on('error', () => {});
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  }
  const hasLetGo = () => expect.poll(() => backend.holdsScan()).toBe(false);

  it('by default returns outlets as csv, with a file name, a count and full addresses', async () => {
    const response = await service.get('/api/v1/export', keys.pro).expect(200);
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(response.headers['content-disposition']).toBe('attachment; filename="masthead-outlets-2026-11-21.csv"');
    expect(response.headers['x-total-count']).toBe('30');
    expect(response.headers['cache-control']).toBe('private, no-store');
    expect(response.headers.vary).toBe('Authorization, Accept-Encoding');
    const rows = rowsOf(response.text);
    expect(rows.map(({ id }) => id).toSorted()).toEqual(outlets.map(({ id }) => id).toSorted());
    expect(rows.find(({ id }) => id === 'outlet-3')?.email).toBe('desk3@outlet.example');
    expect(rows.find(({ id }) => id === 'outlet-0')?.name).toBe('\'=HYPERLINK("http://evil.example")');
  });

  it('accepts the filters and q of a search', async () => {
    expect(await exported('?country=GB', keys.pro)).toHaveLength(15);
    expect(await exported('?country=!GB&has_email=1', keys.pro)).toHaveLength(5);
    expect(await exported('?q=outlet+7', keys.pro)).toContainEqual(expect.objectContaining({ id: 'outlet-7' }));
    expect(await exported('?kind=podcast|newsletter&id=outlet-1|podcast-1|letter-1', keys.premium)).toHaveLength(2);
    expect(await exported('?kind=!newsletter', keys.premium)).toHaveLength(340);
    expect(await exported('?kind=&format=', keys.pro)).toHaveLength(30);
    expect(await exported('?kind=|', keys.pro)).toHaveLength(30);
  });

  it('gives outbound tools the rows that can be written to, unless a status is requested', async () => {
    expect(await exported('?format=instantly', keys.premium)).toHaveLength(5);
    expect(await exported('?format=lemlist&email_status=invalid', keys.premium)).toHaveLength(5);
  });

  it('gives outbound tools an address once, the first by id, and counts what follows', async () => {
    const response = await service.get('/api/v1/export?format=lemlist&kind=podcast', keys.premium).expect(200);
    expect(response.headers['content-disposition']).toContain('masthead-podcasts-lemlist-2026-11-21.csv');
    expect(response.headers['x-total-count']).toBe('10');
    const ids = Array.from({ length: 10 }, (_, index) => `podcast-${index}`);
    expect(rowsOf(response.text).map((row) => row.recordId)).toEqual(expect.arrayContaining(ids));
    const several = await exported('?format=instantly&kind=podcast&id=!podcast-3', keys.premium);
    expect(several.map((row) => row.record_id)).toContain('podcast-3-0');
    expect(several).toHaveLength(10);
  });

  it('writes whole records as lines of JSON, as a search shows them', async () => {
    const ids = 'outlet-0|outlet-1|outlet-2';
    const file = await service.get(`/api/v1/export?format=ndjson&id=${ids}`, keys.premium).buffer(true).expect(200);
    expect(file.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    expect(file.headers['content-disposition']).toContain('masthead-outlets-2026-11-21.ndjson');
    expect(file.text.endsWith('\n')).toBe(true);
    const lines = parseLines(file.text);
    const { body } = await service.get(`/api/v1/search?id=${ids}`, keys.premium);
    expect(lines.toSorted(byId)).toEqual(body.results.toSorted(byId));
    for (const line of lines) expect(Object.keys(line)).toEqual(fields.map(({ key }) => key));
    const none = await service.get('/api/v1/export?format=ndjson&country=JP', keys.premium).buffer(true).expect(200);
    expect([none.text, none.headers['x-total-count']]).toEqual(['', '0']);
    await service.get('/api/v1/export?format=ndjson', keys.pro).expect(403);
  });

  it('writes a workbook, which is not compressed again', async () => {
    const file = await start('/api/v1/export?format=xlsx&country=GB', keys.premium, { 'Accept-Encoding': 'gzip' });
    expect(file.headers).toMatchObject({
      'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'content-disposition': 'attachment; filename="masthead-outlets-2026-11-21.xlsx"',
      'x-total-count': '15',
      trailer: 'Content-Digest',
    });
    expect(file.headers['content-encoding']).toBeUndefined();
    expect((await readAll(file)).subarray(0, 4).toString('latin1')).toBe('PK\x03\x04');
    await service.get('/api/v1/export?format=xlsx', keys.pro).expect(403);
  });

  it('writes only the fields that were asked for', async () => {
    const csv = await service.get('/api/v1/export?fields=name,country&id=outlet-1', keys.pro).expect(200);
    expect(csv.text).toBe('id,name,country\r\noutlet-1,Outlet 1,FR\r\n');
    const lines = await service.get('/api/v1/export?fields=name&format=ndjson&id=outlet-1', keys.premium).buffer(true);
    expect(lines.text).toBe('{"id":"outlet-1","name":"Outlet 1"}\n');
    const refused = await service.get('/api/v1/export?fields=name&format=lemlist&bom=1', keys.premium).expect(400);
    expect(refused.body.errors).toMatchObject([
      { name: 'fields', code: 'not_in_format', message: 'This format has no fields. Use it with csv, ndjson or xlsx.' },
      { name: 'bom', code: 'not_in_format', message: 'This format has no bom. Use it with csv.' },
    ]);
    await service.get('/api/v1/export?format=lemlist&bom=0', keys.premium).expect(200);
  });

  it.each(['identity', 'gzip'])('ends with the digest of the bytes as they were sent: %s', async (encoding) => {
    for (const query of ['?format=ndjson&country=JP', '?format=csv', '?kind=newsletter']) {
      const response = await start(`/api/v1/export${query}`, keys.premium, { 'Accept-Encoding': encoding });
      expect(response.headers.trailer).toBe('Content-Digest');
      const bytes = await readAll(response);
      const digest = createHash('sha256').update(bytes).digest('base64');
      expect(response.trailers).toEqual({ 'content-digest': `sha-256=:${digest}:` });
    }
  });

  it('has no trailer where there can be none: under HTTP/1.0 and for HEAD', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(`GET /api/v1/export?country=GB HTTP/1.0\r\nAuthorization: Bearer ${keys.pro}\r\n\r\n`);
    const answer = (await readAll(socket)).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).not.toMatch(/trailer|content-digest/i);
    expect(answer.split('\r\n\r\n')[1]?.split('\r\n')).toHaveLength(17);
    const request = get(`${server.url}/api/v1/export`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${keys.pro}` },
    });
    const [head] = (await once(request, 'response')) as [IncomingMessage];
    expect([head.statusCode, head.headers.trailer]).toEqual([200, undefined]);
    head.resume();
  });

  it('depends on the plan: outlets as csv for Pro, everything else for Premium', async () => {
    await service.get('/api/v1/export').expect(401);
    const expired = await service.issueKey('premium', -1);
    const ended = await service.get('/api/v1/export', expired).expect(403);
    expect(ended.body).toMatchObject({ code: 'plan_expired', required_plan: 'pro' });
    for (const query of ['?kind=podcast', '?kind=outlet|podcast', '?kind=!podcast', '?format=lemlist']) {
      const refused = await service.get(`/api/v1/export${query}`, keys.pro).expect(403);
      expect(refused.body).toMatchObject({ code: 'plan_required', required_plan: 'premium' });
      expect(refused.body.plans_url).toMatch(/\/api\/v1\/plans$/);
    }
    for (const query of ['?kind=outlet', '?kind=outlet&kind=outlet', '?format=csv', '?format=CSV']) {
      expect(await exported(query, keys.pro)).toHaveLength(30);
    }
  });

  it('names every invalid parameter before it checks the plan', async () => {
    const refused = await service
      .get('/api/v1/export?format=instently&page=2&sort=name&kind=blog', keys.pro)
      .expect(400);
    const names = refused.body.errors.map(({ name }: { name: string }) => name);
    expect(names.toSorted()).toEqual(['format', 'kind', 'page', 'sort']);
    expect(refused.body.errors.find(({ name }: { name: string }) => name === 'format').did_you_mean).toBe('instantly');
    await service.get('/api/v1/export?format=csv&format=csv', keys.pro).expect(400);
  });

  it('is compressed for clients that accept gzip, and only for them', async () => {
    const plain = await start('/api/v1/export?kind=newsletter', keys.premium, {
      'Accept-Encoding': 'gzip;q=0, identity',
    });
    const packed = await start('/api/v1/export?kind=newsletter', keys.premium, { 'Accept-Encoding': 'br, gzip' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(packed.headers['content-encoding']).toBe('gzip');
    const [text, zipped] = await Promise.all([readAll(plain), readAll(packed)]);
    expect(zipped.length).toBeLessThan(text.length / 3);
    expect(gunzipSync(zipped).equals(text)).toBe(true);
  });

  it('runs two at once per key over all processes, and answers a third with 429 until one has ended', async () => {
    // Another process is another app on the same stores.
    const another = createService(backend);
    const running = [
      await start('/api/v1/export?kind=newsletter', keys.premium),
      await start('/api/v1/export?kind=newsletter', keys.premium),
    ];
    for (const process of [service, another]) {
      const refused = await process.get('/api/v1/export', keys.premium).expect(429);
      expect(refused.body.code).toBe('rate_limited');
      expect(refused.body.detail).toMatch(/^This key already runs 2 exports/);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      await process.get('/api/v1/export', keys.pro).expect(200);
    }
    await Promise.all(running.map(readAll));
    // Who has all of an export may begin the next one: nothing is waited for.
    await another.get('/api/v1/export', keys.premium).expect(200);
    await service.get('/api/v1/export', keys.premium).expect(200);
  });

  it('releases everything when readers disconnect, at once or midway', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => service.issueKey('premium')));
    await Promise.all(
      keys.flatMap((key, index) =>
        [0, 1].map(async () => {
          const response = await start('/api/v1/export?kind=newsletter', key);
          if (index % 2 === 0) await once(response, 'readable');
          response.destroy();
        }),
      ),
    );
    for (const key of keys) {
      const request = get(`${server.url}/api/v1/export?kind=newsletter`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      request.on('error', () => {});
      request.destroy();
    }
    await hasLetGo();
    for (const key of keys) await expect.poll(async () => (await service.get('/api/v1/export', key)).status).toBe(200);
  });

  it('waits for a slow reader', async () => {
    const response = await start('/api/v1/export?kind=newsletter', keys.premium);
    response.pause();
    // Other requests are answered meanwhile: enough turns to read all, were nothing waiting for the reader.
    for (let asked = 0; asked < 100; asked += 1) await service.get('/healthz').expect(200);
    expect(await backend.holdsScan()).toBe(true);
    expect(rowsOf((await readAll(response)).toString())).toHaveLength(4_000);
    await hasLetGo();
  });

  it('logs no address', async () => {
    await exported('?format=smartlead', keys.premium);
    expect(service.logged.join('')).toContain('/api/v1/export');
    expect(service.logged.join('')).not.toMatch(/@(outlet|pod)\.example/);
  });
});

async function readAll(response: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks);
}
