import request from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { listPageAnswer } from '#http/api/list-page.ts';
import { listsAnswer } from '#http/api/lists.ts';
import { parseLines } from '#testing/lines.ts';
import { madeContact } from '#testing/made-contact.ts';
import { madeRecord, media } from '#testing/made-record.ts';
import { useService } from './test-service.ts';

const radio = madeRecord({
  id: 'radio-b',
  contacts: [madeContact({ id: 'bob', name: 'Bob Two', email: 'bob@radio-b.example', sources: { list: '1' } })],
});

/** Contract A16, "Lists", over HTTP; what holds of the records in them is in test/contract/lists.test.ts. */
describe('/lists', () => {
  const { service } = useService([...media, radio]);
  let key: string;
  beforeAll(async () => {
    key = await service.issueKey('premium');
  });

  const as = (test: request.Test) => test.set('Authorization', `Bearer ${key}`);
  const post = (path: string, body: object, owner = key) => service.post(`/api/v1/lists${path}`, owner).send(body);
  const ids = media.filter(({ kind }) => kind === 'outlet').map(({ id }) => id);
  const podcast = media.find(({ kind }) => kind === 'podcast')?.id ?? '';

  async function newList(name = 'Spring', add: object[] = []): Promise<{ id: string; etag: string }> {
    const made = await post('', { name });
    expect(made.status).toBe(200);
    expect(service.shapeOf('POST /api/v1/lists').safeParse(made.body).error).toBeUndefined();
    const { id } = made.body;
    if (add.length === 0) return { id, etag: made.headers.etag ?? '' };
    const written = await post(`/${id}/records`, { add });
    expect(written.body).toMatchObject({ id, count: add.length });
    return { id, etag: written.headers.etag ?? '' };
  }

  it('are made, read, renamed and deleted', async () => {
    const { id, etag } = await newList(' Spring ', [{ id: ids[0], note: ' Met in May ', status: 'to_contact' }]);
    const page = await service.get(`/api/v1/lists/${id}`, key);
    expect(listPageAnswer.safeParse(page.body).error).toBeUndefined();
    expect(page.body).toMatchObject({ id, name: 'Spring', count: 1, left: 0, total: 1, masked: false });
    expect(page.body.results[0]).toMatchObject({
      record: { id: ids[0] },
      note: 'Met in May',
      status: 'to_contact',
      added_at: '2026-11-21T12:00:00.000Z',
    });
    const renamed = await as(request(service.app).patch(`/api/v1/lists/${id}`))
      .set('If-Match', page.headers.etag ?? '')
      .send({ name: 'Autumn' });
    expect(renamed.body).toMatchObject({ id, name: 'Autumn', count: 1 });
    expect(renamed.headers.etag).not.toBe(etag);
    const all = await service.get('/api/v1/lists', key);
    expect(listsAnswer.safeParse(all.body).error).toBeUndefined();
    expect(all.body.lists).toContainEqual(renamed.body);
    const stale = await as(request(service.app).delete(`/api/v1/lists/${id}`)).set('If-Match', etag);
    expect([stale.status, stale.body.code]).toEqual([412, 'list_changed']);
    const gone = await as(request(service.app).delete(`/api/v1/lists/${id}`)).set(
      'If-Match',
      renamed.headers.etag ?? '',
    );
    expect(gone.body).toEqual({ deleted: true });
    expect((await service.get(`/api/v1/lists/${id}`, key)).body.code).toBe('not_found');
  });

  it('are paged, sorted, narrowed to a status and to fields', async () => {
    const { id } = await newList(
      'Page',
      ids.map((one, place) => ({ id: one, status: place < 2 ? 'replied' : 'none' })),
    );
    const page = await service.get(`/api/v1/lists/${id}?sort=name&per_page=1&page=2&status=replied&fields=name`, key);
    expect(page.body).toMatchObject({ count: ids.length, total: 2, page: 2, per_page: 1, total_pages: 2 });
    expect(Object.keys(page.body.results[0].record)).toEqual(['id', 'name']);
    expect(page.headers.link).toContain('rel="first"');
    const byStatus = await service.get(`/api/v1/lists/${id}?sort=-status`, key);
    expect(byStatus.body.results.at(-1).status).toBe('none');
    expect((await service.get(`/api/v1/lists/${id}?sort=popular`, key)).body.errors[0].name).toBe('sort');
  });

  it('filter searches, facets and exports, which end with what is noted', async () => {
    const { id } = await newList('Filter', [{ id: ids[0], note: '=1+1', status: 'contacted' }, { id: podcast }]);
    expect((await service.get(`/api/v1/search?list=${id}`, key)).body.total).toBe(2);
    expect((await service.get(`/api/v1/facets?list=${id}`, key)).body.kinds).toHaveLength(2);
    const csv = await service.get(`/api/v1/export?list=${id}&fields=id`, key);
    expect(csv.text).toBe(`id,list_status,list_note\r\n${ids[0]},contacted,'=1+1\r\n`);
    expect(csv.headers).toMatchObject({ 'x-total-count': '1', 'x-excluded-count': '1' });
    const both = await service.get(`/api/v1/export?list=${id}&kind=outlet|podcast&format=ndjson&fields=id`, key);
    expect(both.headers['x-excluded-count']).toBe('0');
    expect(parseLines(both.text)).toContainEqual({ id: podcast, list_status: 'none', list_note: null });
  });

  it('tell when somebody was contacted, to callers who ask', async () => {
    const { id } = await newList('Ünsere / "Liste"', [{ id: ids[0], status: 'contacted' }, { id: ids[1] }]);
    const rows = async (query: string) => (await service.get(`/api/v1/lists/${id}?sort=contacted${query}`, key)).body;
    expect((await rows('')).results[0]).not.toHaveProperty('contacted_at');
    const page = await rows('&dates=1');
    expect(listPageAnswer.safeParse(page).error).toBeUndefined();
    const dates = page.results.map((row: { contacted_at: string | null }) => row.contacted_at);
    expect(dates.slice(0, 2)).toEqual(['2026-11-21T12:00:00.000Z', null]);
    await post(`/${id}/records`, { add: [{ id: ids[0], contacted_at: ' 2026-11-02 ' }] });
    const csv = await service.get(`/api/v1/export?list=${id}&fields=id&dates=1`, key);
    expect(csv.text).toContain(`id,list_contacted_at,list_status,list_note\r\n`);
    expect(csv.text).toContain(`${ids[0]},2026-11-02T00:00:00.000Z,contacted,\r\n`);
    expect(csv.headers['content-disposition']).toBe(
      `attachment; filename="_nsere Liste-2026-11-21.csv"; filename*=UTF-8''%C3%9Cnsere%20Liste-2026-11-21.csv`,
    );
    const ndjson = await service.get(`/api/v1/export?list=${id}&format=ndjson&fields=id&dates=1`, key);
    expect(ndjson.text).toContain('"list_contacted_at":"2026-11-02T00:00:00.000Z","list_status":"contacted"');
    await post(`/${id}/records`, { add: [{ id: ids[0], contacted_at: '' }] });
    expect((await rows('&dates=1')).results[0].contacted_at).toBe(null);
  });

  it('name people of media, each in an entry of its own', async () => {
    const { id } = await newList('People', [{ id: 'radio-b', contact_id: 'bob', note: 'rang' }, { id: 'radio-b' }]);
    const [own, bob] = (await service.get(`/api/v1/lists/${id}?fields=name`, key)).body.results.toReversed();
    expect(Object.keys(bob)).toEqual(['record', 'contact_id', 'contact', 'note', 'status', 'added_at']);
    expect(bob).toMatchObject({ contact_id: 'bob', contact: { name: 'Bob Two', email: 'bob@radio-b.example' } });
    expect(bob.contact).not.toHaveProperty('sources');
    expect(own).toMatchObject({ contact_id: null, contact: null, note: null });
    const csv = await service.get(`/api/v1/export?list=${id}&rows=contacts&fields=id`, key);
    expect(csv.text).toBe('id,contact_id,list_status,list_note\r\nradio-b,bob,none,rang\r\n');
    const page = await service.get(`/api/v1/lists/${id}?per_page=1`, key);
    expect(listPageAnswer.safeParse(page.body).error).toBeUndefined();
    expect((await post(`/${id}/records`, { remove: [{ id: 'radio-b', contact_id: null }] })).body.count).toBe(1);
    expect((await post(`/${id}/records`, { remove: ['radio-b'] })).body.count).toBe(0);
  });

  it('belong to an account alone', async () => {
    const { id } = await newList('Mine', [{ id: ids[0] }]);
    const other = await service.issueKey('pro');
    for (const path of [`lists/${id}`, `search?list=${id}`, `facets?list=${id}`, `export?list=${id}`]) {
      expect((await service.get(`/api/v1/${path}`, other)).status).toBe(404);
      expect((await service.get(`/api/v1/${path}`)).status).toBe(401);
    }
    const all = (await service.get('/api/v1/search', key)).body.total;
    expect((await service.get(`/api/v1/search?list=!${id}`, key)).body.total).toBe(all - 1);
    expect((await service.get(`/api/v1/contacts?list=!${id}`, other)).status).toBe(404);
    for (const wrong of ['!', '1|2|3|4|5|6'])
      expect((await service.get(`/api/v1/search?list=${wrong}`, key)).body.errors[0].name).toBe('list');
    // The page is of nobody: its module asks for the list.
    const page = await service.get(`/?list=${id}`, key);
    expect([page.status, page.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
    expect((await service.get('/api/v1/lists', other)).body).toEqual({ lists: [] });
    expect((await post(`/${id}/records`, { remove: [ids[0]] }, other)).status).toBe(404);
  });

  it('say what is wrong with a write, and change nothing', async () => {
    const { id } = await newList();
    const wrong: [object, string][] = [
      [{}, 'add'],
      [{ add: [{ id: 'nobody' }] }, 'add.0.id'],
      [{ add: [{ id: ids[0], status: 'contcted' }] }, 'add.0.status'],
      [{ add: [{ id: ids[0], stats: 'contacted' }] }, 'add.0.stats'],
      [{ add: [{ id: ids[0], contacted_at: 'last May' }] }, 'add.0.contacted_at'],
      [{ add: [{ id: ids[0], note: 'x'.repeat(1_001) }] }, 'add.0.note'],
      [{ add: Array.from({ length: 1_001 }, () => ({ id: ids[0] })) }, 'add'],
      [{ add: [{ id: 'radio-b', contact_id: 'nobody' }] }, 'add.0.contact_id'],
      [{ add: [{ id: 'radio-b', contact_id: 1 }] }, 'add.0.contact_id'],
      [{ remove: [''] }, 'remove.0'],
      [{ remove: [7] }, 'remove.0'],
      [{ remove: [{ id: 'radio-b' }] }, 'remove.0.contact_id'],
      [{ remove: [{ id: 'radio-b', contact_id: 'bob', all: true }] }, 'remove.0'],
    ];
    for (const [body, name] of wrong) {
      const { status, body: problem } = await post(`/${id}/records`, body);
      expect([status, problem.code, problem.errors[0].name]).toEqual([400, 'invalid_request', name]);
    }
    expect((await post('', { name: ' ' })).body.errors[0].name).toBe('name');
    expect((await service.get(`/api/v1/lists/${id}?status=lost`, key)).status).toBe(400);
    expect((await service.get(`/api/v1/lists/${id}`, key)).body.count).toBe(0);
  });

  it('take writes only of an active plan, and methods that they know', async () => {
    const over = await service.issueKey('pro', -1);
    expect((await service.get('/api/v1/lists', over)).status).toBe(200);
    expect((await post('', { name: 'Late' }, over)).body.code).toBe('plan_expired');
    const put = await as(request(service.app).put('/api/v1/lists'));
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
    expect((await service.post('/api/v1/lists').send({ name: 'x' })).status).toBe(401);
  });
});
