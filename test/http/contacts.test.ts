import { describe, expect, it } from 'vitest';
import { madeContact } from '#testing/made-contact.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useService } from './test-service.ts';

const ann = madeContact({
  id: 'ann',
  name: 'Ann Oneill',
  title: 'Education Reporter',
  beats: ['Schools'],
  email: 'ann@daily-a.example',
  email_source: 'https://daily-a.example/staff',
  email_status: 'valid',
  sources: { list: null },
  isPreferred: true,
});
const bob = madeContact({ id: 'bob', name: 'Bob Twomey', title: 'Sports Editor', email: 'bob@daily-a.example' });
const media = [
  madeRecord({
    id: 'a',
    name: 'Daily Albatross',
    url: 'https://daily-a.example/',
    type: 'newspaper',
    country: 'US',
    country_name: 'United States',
    city: 'Boston',
    description: 'Never in a row of a contact.',
    contacts: [bob, ann],
  }),
  madeRecord({ id: 'b', name: 'Gazette Bittern', country: 'FR' }),
];

describe('GET /contacts', () => {
  const { service, keys } = useService(media);
  const find = (search: string, key?: string) => service.get(`/api/v1/contacts?${search}`, key);
  const idsOf = ({ body }: { body: { results: { contact: { id: string } }[] } }) =>
    body.results.map(({ contact }) => contact.id);

  it('answers with exactly the keys of the contract, in order, and with masks', async () => {
    const { text, body, status } = await find('q=education+reporter');
    expect(status).toBe(200);
    expect(Object.keys(JSON.parse(text))).toEqual(['results', 'total', 'page', 'per_page', 'total_pages', 'masked']);
    const [{ contact, record }] = body.results;
    expect(Object.keys(contact)).toEqual([
      ...['id', 'kind', 'name', 'title', 'beats', 'email', 'email_status', 'email_source', 'last_verified_at', 'phone'],
      'links',
    ]);
    expect(Object.keys(record)).toEqual([
      ...['id', 'kind', 'name', 'url', 'language', 'country', 'country_name', 'region', 'city', 'type', 'categories'],
      ...['coverage', 'audience'],
    ]);
    expect(contact).toMatchObject({ email: 'a***@daily-a.example', email_source: null });
    expect(body).toMatchObject({ total: 1, masked: true });
  });

  it('shows addresses, and finds by them, under a plan alone', async () => {
    const { body } = await find('q=ann@daily-a.example', keys.pro);
    expect(body).toMatchObject({
      total: 1,
      masked: false,
      results: [{ contact: { email: 'ann@daily-a.example', email_source: 'https://daily-a.example/staff' } }],
    });
    expect((await find('q=ann@daily-a.example')).body).toMatchObject({ total: 2, masked: true });
    expect((await find('q=ann@daily-a.example', keys.expired)).body).toMatchObject({ total: 2, masked: true });
    const search = await service.get('/api/v1/search?q=ann@daily-a.example&fields=id', keys.pro);
    expect(search.body).toMatchObject({ total: 1, results: [{ id: 'a' }] });
    expect((await service.get('/api/v1/facets?q=bob@daily-a.example&rows=contacts', keys.pro)).body.total).toBe(1);
    expect((await service.get('/api/v1/facets?q=bob@daily-a.example&rows=contacts')).body.total).toBe(2);
  });

  it('pages with links, and answers 304', async () => {
    const { headers, body } = await find('per_page=1&named=1');
    expect(body).toMatchObject({ total: 2, per_page: 1, total_pages: 2 });
    expect(headers.link).toContain('/api/v1/contacts?named=1&per_page=1&page=2>; rel="next"');
    expect(idsOf(await find('per_page=1&named=1&page=2'))).toEqual(['bob']);
    expect(idsOf(await find('sort=-name'))).toEqual(['bob', 'ann']);
    expect((await find('per_page=1&named=1').set('If-None-Match', headers.etag ?? '')).status).toBe(304);
  });

  it('suggests other requests where nothing is found', async () => {
    const { body } = await find('q=education+reporter&country=FR');
    expect(body).toMatchObject({
      total: 0,
      suggestions: [{ q: 'education reporter', drops: 'country', total: 1 }],
    });
  });

  it.each([
    ['sort=audience', 'sort', '"audience" is not a valid sort order of contacts.'],
    ['match=meaning', 'match', 'This parameter does not exist.'],
    ['contact_kind=people', 'contact_kind', '"people" is not a valid contact_kind.'],
    ['page=101&per_page=100', 'page', 'page × per_page must not exceed 10000.'],
    ['fields=name', 'fields', 'This parameter does not exist.'],
  ])('refuses %s', async (search, name, message) => {
    const { status, body } = await find(search);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ name, message: expect.stringContaining(message) }]);
  });
});
