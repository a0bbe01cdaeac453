import request from 'supertest';
import { describe, expect, it } from 'vitest';
import type { AppDeps } from '#http/app-deps.ts';
import { media } from '#testing/made-record.ts';
import { until } from '#testing/until.ts';
import { daysAfter } from '#text/days.ts';
import { createService, testNow, useService } from './test-service.ts';

const path = '/api/v1/changes';

describe('GET /changes', () => {
  const { backend, service, keys } = useService(media);
  const changes = (query = '', key = keys.premium, from = service) => from.get(`${path}?${query}`, key);
  const nextOf = async (query = '', key = keys.premium) => (await changes(query, key)).body.next;
  const amend = (id: string, city: string) => backend.records.merge([{ id, city }]);

  it('begins now, and then has what changed', async () => {
    const begun = await changes();
    expect(begun.body).toEqual({ changes: [], next: expect.any(String), has_more: false });
    expect(begun.headers).toMatchObject({ 'cache-control': 'private, no-store' });
    expect(begun.headers.etag).toBeUndefined();
    await amend('times', 'York');
    await backend.records.remove(['pod']);
    const answer = await changes(`after=${begun.body.next}`);
    expect(service.shapeOf('GET /api/v1/changes').safeParse(answer.body).error).toBeUndefined();
    const record = (await service.get('/api/v1/records/times', keys.premium)).body;
    expect(answer.body).toEqual({
      changes: [
        { id: 'times', change: 'upsert', record },
        { id: 'pod', change: 'gone' },
      ],
      next: expect.any(String),
      has_more: false,
    });
    expect(record).toMatchObject({ email: 'adaquill7@harbour-times.example', city: 'York' });
    const picked = await changes(`after=${begun.body.next}&limit=1&fields=city`);
    expect(picked.body).toMatchObject({
      changes: [{ id: 'times', change: 'upsert', record: { id: 'times', city: 'York' } }],
      has_more: true,
    });
    expect((await changes(`after=${picked.body.next}`)).body.changes).toEqual([{ id: 'pod', change: 'gone' }]);
    expect((await changes(`after=${answer.body.next}`)).body).toMatchObject({ changes: [], has_more: false });
  });

  it('goes on from the cursor of an export, which pages of other origins may read', async () => {
    const file = await service.get('/api/v1/export?kind=outlet', keys.pro);
    expect(file.headers['access-control-expose-headers']).toContain('X-Changes-Cursor');
    await amend('times', 'Hull');
    const { body } = await changes(`kind=outlet&after=${file.headers['x-changes-cursor']}`, keys.pro);
    expect(body.changes).toMatchObject([{ id: 'times', change: 'upsert', record: { city: 'Hull' } }]);
  });

  it('is open to plans as an export is, and has of Pro outlets alone', async () => {
    const after = await nextOf();
    await backend.records.merge([
      { id: 'new-pod', kind: 'podcast', name: 'Pod' },
      { id: 'new-paper', kind: 'outlet', name: 'Paper' },
    ]);
    const ids = async (key: string) =>
      (await changes(`after=${after}`, key)).body.changes.map(({ id }: { id: string }) => id);
    expect(await ids(keys.premium)).toEqual(['new-pod', 'new-paper']);
    expect(await ids(keys.pro)).toEqual(['new-paper']);
    expect((await changes('kind=podcast', keys.pro)).body).toMatchObject({
      code: 'plan_required',
      required_plan: 'premium',
    });
    expect((await changes('', keys.expired)).body).toMatchObject({ code: 'plan_expired' });
    expect((await service.get(path)).body).toMatchObject({ code: 'key_missing' });
  });

  it('names what is wrong with a parameter', async () => {
    for (const [query, code] of [
      ['after=yesterday', 'invalid_cursor'],
      ['limit=1001', 'out_of_range'],
      ['wait=26', 'out_of_range'],
      ['kind=blog', 'unknown_value'],
      ['fields=colour', 'unknown_value'],
    ]) {
      const { status, body } = await changes(query);
      expect([status, body.errors]).toMatchObject([400, [{ name: query?.split('=')[0], code }]]);
    }
  });

  it('answers 410 to a cursor that is older than 90 days, and says what to do', async () => {
    const after = await nextOf();
    const later = createService(backend, { now: () => new Date(daysAfter(testNow, 91)) });
    const key = await later.issueKey('premium', 200);
    const { status, body } = await changes(`after=${after}`, key, later);
    expect([status, body.code]).toEqual([410, 'cursor_expired']);
    expect(body.detail).toContain('Export everything again');
  });

  it('counts the records it shows as exported rows, and none for a HEAD', async () => {
    const key = await service.issueKey('premium');
    const after = await nextOf();
    await amend('times', 'Bath');
    await changes(`after=${after}`, key);
    await request(service.app).head(`${path}?after=${after}`).set('Authorization', `Bearer ${key}`);
    const { days } = (await service.get('/api/v1/me/usage', key)).body;
    expect(days.at(-1)).toMatchObject({ exported_rows: 1 });
  });

  describe('with wait', () => {
    /** A service that counts how often it looks at the feed. */
    function counted(given: Partial<AppDeps> = {}) {
      const { changeFeed } = backend;
      const feed = {
        looks: 0,
        findPosition() {
          feed.looks += 1;
          return changeFeed.findPosition();
        },
        read: changeFeed.read.bind(changeFeed),
        purge: changeFeed.purge.bind(changeFeed),
      };
      return { feed, waiting: createService(backend, { ...given, changeFeed: feed }) };
    }

    it('answers as soon as there is a change of these kinds, to all who wait, with one look for all', async () => {
      const { feed, waiting } = counted();
      const after = await nextOf();
      const answers = Promise.all(
        Array.from({ length: 5 }, () => changes(`after=${after}&kind=outlet&wait=25`, keys.premium, waiting)),
      );
      const begun = 5 * 2;
      await until(() => feed.looks > begun + 2);
      await backend.records.merge([{ id: 'waited-for', kind: 'podcast', name: 'Pod' }]);
      const before = feed.looks;
      await until(() => feed.looks > before + begun);
      await amend('times', 'Ely');
      for (const { body } of await answers) expect(body.changes).toMatchObject([{ id: 'times', change: 'upsert' }]);
    });

    it('answers at once if the service stops, or if ten requests of the key wait already', async () => {
      const stopping = new AbortController();
      const { feed, waiting } = counted({ stopping: stopping.signal });
      const key = await waiting.issueKey('premium');
      const after = await nextOf();
      const wait = () => changes(`after=${after}&wait=25`, key, waiting);
      const ten = Promise.all(Array.from({ length: 10 }, wait));
      await until(() => feed.looks > 10 * 2 + 2);
      expect((await wait()).body).toMatchObject({ changes: [], has_more: false });
      stopping.abort();
      for (const { body } of await ten) expect(body).toMatchObject({ changes: [], has_more: false });
    });
  });
});
