import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { madeRecord } from '#testing/made-record.ts';
import { useService } from './test-service.ts';

const records = [
  madeRecord({ id: 'voz', name: 'La Voz', tags: ['Hispanic', 'Gray Television'], email: 'a@voz.example', audience: 9 }),
  madeRecord({ id: 'sol', name: 'El Sol', tags: ['HISPANIC', 'São Media'], categories: ['faith'], audience: 8 }),
  madeRecord({ id: 'campus', name: 'The Campus', tags: ['College', 'Hispanic'], audience: 7 }),
  madeRecord({ id: 'gray', name: 'Gray', audience: 6 }),
  madeRecord({ id: 'many', name: 'Many', kind: 'podcast', tags: Array.from({ length: 30 }, (_, n) => `Rare ${n}`) }),
  ...['a', 'b', 'c'].map((id) =>
    madeRecord({ id, kind: 'newsletter', tags: Array.from({ length: 30 }, (_, n) => `Rare ${id}${n}`) }),
  ),
];

/** What A16 says of tags. */
describe('tags', () => {
  const { service } = useService(records);
  let key: string;
  beforeAll(async () => {
    key = await service.issueKey('premium');
  });

  const idsOf = async (query: string) => {
    const { body } = await service.get(`/api/v1/search?${query}`).expect(200);
    return body.results.map(({ id }: { id: string }) => id);
  };

  it.each([undefined, 'premium'])('are a key of a record before its contacts, for plan %s', async (plan) => {
    const { text } = await service.get('/api/v1/records/voz', plan && key).expect(200);
    expect(Object.entries(JSON.parse(text)).at(-3)).toEqual(['tags', ['Hispanic', 'Gray Television']]);
  });

  it('are found by text, below names, and as phrases within one tag', async () => {
    expect(await idsOf('q=hispanic+television')).toEqual(['voz']);
    expect(await idsOf('q=gray')).toEqual(['gray', 'voz']);
    expect(await idsOf('q="hispanic+gray"')).toEqual([]);
    expect((await idsOf('q=hispanic+-college')).toSorted()).toEqual(['sol', 'voz']);
  });

  it('are counted by their commonest spelling: the hundred largest, and how many more there are', async () => {
    const { body } = await service.get('/api/v1/facets').expect(200);
    expect(body.tags.slice(0, 2)).toEqual([
      { value: 'Hispanic', label: 'Hispanic', count: 3 },
      { value: 'College', label: 'College', count: 1 },
    ]);
    expect(body.tags).toHaveLength(100);
    expect(body.more.tags).toBe(24);
    const few = await service.get('/api/v1/facets?q=voz&tag=College').expect(200);
    expect(few.body.tags.map(({ value }: { value: string }) => value)).toEqual(['Gray Television', 'Hispanic']);
    expect(few.body.more.tags).toBe(0);
  });

  it('are the last column of csv, and whole in ndjson', async () => {
    const csv = await service.get('/api/v1/export?tag=gray+television', key).expect(200);
    const [header = [], row = []]: string[][] = parse(csv.text);
    expect([header.at(-1), row.at(-1)]).toEqual(['tags', 'Hispanic|Gray Television']);
    const ndjson = await service.get('/api/v1/export?format=ndjson&tag=college&fields=tags', key).expect(200);
    expect(JSON.parse(ndjson.text)).toEqual({ id: 'campus', tags: ['College', 'Hispanic'] });
  });
});
