import { describe, expect, it } from 'vitest';
import { madeRecord } from '#testing/made-record.ts';
import { createService, unlimited, useService } from './test-service.ts';

const records = [
  ...Array.from({ length: 25 }, (_, index) =>
    madeRecord({
      id: `paper-${index}`,
      name: `Hafenblatt ${index}`,
      country: 'DE',
      email: `desk${index}@hafenblatt.example`,
      email_source: 'https://hafenblatt.example/imprint',
      audience: 1_000 - index,
      updated_at: `2026-02-${String(index + 1).padStart(2, '0')}T00:00:00.000Z`,
    }),
  ),
  madeRecord({
    id: 'cafe',
    kind: 'newsletter',
    name: 'Café Times',
    description: 'NEWS of the cafés, and tea.',
    audience: 5,
  }),
  madeRecord({ id: 'china', kind: 'newsletter', name: '人民之声报', audience: 6 }),
  madeRecord({
    id: 'sample-hostile',
    kind: 'podcast',
    name: '</script><script>alert(1)</script> Hour',
    url: 'javascript:alert(2)',
    audience: 900_000,
    description: `"><img src=x onerror=alert(3)> \u202e ${'m'.repeat(5_000)}`,
  }),
];

/** What the module of a page reads. */
function readData(html: string) {
  return JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null');
}

describe('the explorer as the server sends it', () => {
  const { backend, service } = useService(records);

  it('contains the results, filters and pages of its URL', async () => {
    const { status, text } = await service.get('/?q=hafenblatt&sort=name');
    expect(status).toBe(200);
    expect(text).toContain('25 results');
    expect(text.match(/<article/g)).toHaveLength(20);
    expect(text).toMatch(/<input type="checkbox" form="search" name="country" value="DE"\/>/);
    expect(text).toContain('href="./?q=hafenblatt&amp;sort=name&amp;page=2"');
    expect(text).toContain('<option value="name" selected>');
    const second = await service.get('/?q=hafenblatt&sort=name&page=2');
    expect(second.text.match(/<article/g)).toHaveLength(5);
  });

  it('shows people as masked as the API does, with URLs of their own page', async () => {
    const { text } = await service.get('/people?country=DE&sort=name', await service.issueKey('premium'));
    const { of, found, facets } = readData(text);
    expect(of).toBe('people');
    expect(found).toEqual((await service.get('/api/v1/contacts?country=DE&sort=name')).body);
    expect(facets).toEqual((await service.get('/api/v1/facets?audiences=1&country=DE&rows=contacts')).body);
    expect(text).toContain('d***@hafenblatt.example');
    expect(text).not.toContain('desk1@');
    expect(text).toContain('href="./people?country=DE&amp;sort=name&amp;page=2"');
    expect(text).toContain('href="./?country=DE"');
    expect((await service.get('/?country=DE')).text).toContain('href="./people?country=DE"');
    const commas = await service.get('/people?country=DE,FR&utm_source=letter');
    expect([commas.status, commas.headers.location]).toEqual([302, './people?country=DE%2CFR']);
    expect((await service.get('/people?match=meaning')).status).toBe(400);
  });

  it('gives its module the answers that the API gives', async () => {
    const { found, facets } = readData((await service.get('/?country=DE')).text);
    expect(found).toEqual((await service.get('/api/v1/search?country=DE')).body);
    expect(facets).toEqual((await service.get('/api/v1/facets?audiences=1&country=DE')).body);
  });

  it('says which records are invented', async () => {
    expect((await service.get('/?kind=podcast')).text).toContain('Sample data.');
    expect((await service.get('/?country=DE')).text).not.toContain('Sample data.');
  });

  it('shows one box for a country, and every bound in a field that holds it', async () => {
    const { text } = await service.get('/?country=DE&updated_since=2026-01-31T10:30');
    expect(text.match(/name="country"/g)).toHaveLength(1);
    expect(text).toMatch(/type="text"[^>]*value="2026-01-31T10:30"|value="2026-01-31T10:30"[^>]*type="text"/);
    expect((await service.get('/?updated_since=2026-01-31')).text).toMatch(
      /type="date"[^>]*value="2026-01-31"|value="2026-01-31"[^>]*type="date"/,
    );
  });

  it('holds no whole address, whatever key is sent', async () => {
    const { text } = await service.get('/?q=hafenblatt', await service.issueKey('premium'));
    expect(text).toContain('d***@hafenblatt.example');
    expect(text).not.toMatch(/desk\d+@/);
    expect(text).not.toContain('imprint');
  });

  it('shows a hostile record as text', async () => {
    const { text } = await service.get('/?kind=podcast');
    expect(text).toContain('Hour</a></bdi></h3>');
    for (const harm of ['<script>alert', '<img', 'href="javascript:']) expect(text.includes(harm), harm).toBe(false);
    expect(readData(text).found.results).toEqual((await service.get('/api/v1/search?kind=podcast')).body.results);
  });

  it('says what is wrong with its URL, with a link that corrects it', async () => {
    const { status, text } = await service.get('/?country=Germny&kind=outlet');
    expect(status).toBe(400);
    expect(text).toContain('This search is not valid');
    expect(text).toContain('<a class="button" href="./?kind=outlet&amp;country=Germany">Use Germany</a>');
    expect(text).toContain('<a href="./?kind=outlet">Remove country</a>');
    expect(readData(text).fault).toMatchObject({ status: 400, code: 'invalid_request' });
    expect((await service.get('/?page=501')).text).toContain('No more pages');
  });

  it('stays small for any URL, also where it is refused', async () => {
    const limited = createService(backend, { rateLimits: { ...unlimited, anonymous: 0 } });
    const list = (count: number, value: (index: number) => string) => Array.from({ length: count }, (_, i) => value(i));
    for (const [query, status] of [
      [list(2_700, (i) => `${i.toString(36)}=1`).join('&'), 400],
      [`kind=${'x'.repeat(15_000)}`, 400],
      [`city=${list(99, (i) => `c${i}${'('.repeat(140)}`).join('|')}`, 400],
      [`view=table&country=!FR&city=${list(30, (i) => `!c${i}${'x'.repeat(50)}`).join('|')}`, 200],
      [`id=${list(30, (i) => `${i}${'x'.repeat(50)}`).join('|')}`, 200],
    ] as const) {
      const page = await service.get(`/?${query}`);
      expect(page.status, query.slice(0, 30)).toBe(status);
      expect(page.text.length, query.slice(0, 30)).toBeLessThan(200_000);
      const refused = await limited.get(`/?${query}`);
      expect(refused.status).toBe(429);
      expect(refused.text.length, query.slice(0, 30)).toBeLessThan(100_000);
    }
  });

  it('says how long its URL may be, and shows no part of a longer one', async () => {
    const { text } = await service.get(`/?country=DE&kind=${'x'.repeat(7_000)}`);
    expect(text).toContain('This page shows searches of at most 2000 characters and 60 values.');
    expect(text).not.toContain('xxxx');
    expect(text).not.toContain('name="country" value="DE"');
  });

  it.each(['한', 'ह', '🗞', 'e\u0301'])('takes the longest text that the API takes, of %s', async (character) => {
    const query = new URLSearchParams({ q: `  ${character.repeat(500)} `, country: 'KR' });
    expect((await service.get(`/api/v1/search?${query}`)).status).toBe(200);
    const page = await service.get(`/?${query}`);
    expect(page.status).toBe(200);
    expect(page.text.length).toBeLessThan(400_000);
  });

  it('does not take what only programs ask for', async () => {
    for (const query of ['per_page=5', 'fields=name']) {
      expect((await service.get(`/?${query}`)).status).toBe(400);
    }
  });

  it('is found below a second slash too, and other pages without one at their end', async () => {
    expect((await service.get('//?q=cafe')).status).toBe(200);
    for (const [path, location] of [
      ['/plans/', '../plans'],
      ['/lists/?x=1', '../lists?x=1'],
      ['/media/a%2Fb/', '../a%2Fb'],
    ]) {
      const moved = await service.get(path ?? '');
      expect([moved.status, moved.headers.location]).toEqual([308, location]);
    }
  });

  it('drops what mailings and advertisements add to links, instead of refusing it', async () => {
    const tracked = await service.get('/?utm_source=letter&q=cafe&fbclid=x&country=FR&country=GB');
    expect([tracked.status, tracked.headers.location]).toEqual([302, './?q=cafe&country=FR&country=GB']);
    expect((await service.get('/?gclid=x')).headers.location).toBe('./');
    expect((await service.get('/?utm=x')).status).toBe(400);
  });

  it('leads lists in the forms that the API takes to the form of pages', async () => {
    const leadsTo = async (query: string) => (await service.get(`/?${query}`)).headers.location;
    expect(await leadsTo('q=cafe,tea&country=FR,GB&view=table')).toBe('./?q=cafe%2Ctea&country=FR%7CGB&view=table');
    expect(await leadsTo('kind[]=outlet&kind[]=podcast')).toBe('./?kind=outlet%7Cpodcast');
    for (const plain of ['q=a,b', 'city=Washington,+D.C.', 'country=FR|GB', 'country=FR,Atlantis', 'odd[]=x']) {
      expect(await leadsTo(plain), plain).toBeUndefined();
    }
  });

  it('marks what is searched for in names and descriptions, in any case and without accents', async () => {
    const { text } = await service.get('/?q=cafe%20and%20news%20-milk');
    expect(text).toContain('<title>cafe and news -milk – Masthead</title>');
    expect(text).toContain('<mark>Café</mark> Times</a></bdi></h3>');
    expect(text).toContain('<mark>NEWS</mark> of the <mark>cafés</mark>, and tea');
    expect((await service.get('/?q=%E4%BA%BA%E6%B0%91')).text).toContain('<mark>人民</mark>之声报');
  });

  it('shows a table with the columns of its URL, which sorts by its headings', async () => {
    const { status, text } = await service.get('/?q=hafenblatt&view=table&columns=email|updated&sort=name');
    expect(status).toBe(200);
    expect(Array.from(text.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g), ([, head]) => head)).toEqual([
      '<a href="./?q=hafenblatt&amp;sort=-name&amp;view=table&amp;columns=email%7Cupdated">Name<span aria-hidden="true"> ↑</span></a>',
      'Email',
      '<a href="./?q=hafenblatt&amp;sort=updated&amp;view=table&amp;columns=email%7Cupdated">Updated<span aria-hidden="true"></span></a>',
    ]);
    expect(text).toContain('aria-sort="ascending"');
    expect(text.match(/<tr class="row"/g)).toHaveLength(20);
    // On a phone a cell has its label, which is not in the direction of the text.
    expect(text).toMatch(/<td data-label="Updated" class="cell-updated "><bdi>/);
    expect((await service.get('/?view=table&columns=nonsense')).text).toContain('<th scope="col"');
    expect((await service.get('/api/v1/search?view=table')).status).toBe(400);
  });

  it('says that spellings were forgiven, and offers what was typed', async () => {
    const { text } = await service.get('/?q=hafenblat%20nr');
    expect(text).toContain('These results include similar spellings, or lack a word.');
    expect(text).toContain('href="./?q=hafenblat+nr&amp;strict=1"');
    const { text: strict } = await service.get('/?q=hafenblat%20nr&strict=1');
    expect(strict).not.toContain('similar spellings');
    expect(strict).toContain('Nothing found');
    expect(strict).toContain('Exactly as typed');
  });

  it('says what to leave out where nothing is found, and how much that finds', async () => {
    const { text } = await service.get('/?q=hafenblatt&city=nowhere');
    expect(text).toContain('<a href="./?q=hafenblatt">Without “City”</a> <small>25 results</small>');
  });

  it('offers what is near in meaning where words find few, and the words beside what is near', async () => {
    expect((await service.get('/?q=zzqqxx')).text).toContain('match=meaning');
    const { text } = await service.get('/?q=news&match=meaning');
    expect(text).toContain('nearest in meaning');
    expect(text).toContain('Search for the words “news”');
  });

  it('is revalidated with its ETag', async () => {
    const { headers } = await service.get('/?q=hafenblatt');
    expect(headers['cache-control']).toBe('private, no-cache');
    const again = await service.get('/?q=hafenblatt').set('If-None-Match', headers.etag ?? '');
    expect(again.status).toBe(304);
  });

  it('counts as one request of its address, and says so when there were too many', async () => {
    const limited = createService(backend, { rateLimits: { ...unlimited, anonymous: 2 } });
    expect((await limited.get('/')).headers['ratelimit-remaining']).toBe('1');
    await limited.get('/api/v1/search', await limited.issueKey('premium'));
    expect((await limited.get('/?q=radio')).status).toBe(200);
    const refused = await limited.get('/');
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect(refused.headers['content-type']).toMatch(/^text\/html/);
    expect(refused.text).toContain('Too many requests in a minute');
  });

  it('is a page also when the service fails, with the fault in the log alone', async () => {
    const broken = createService(backend, {
      now: () => {
        throw new Error('the clock has stopped');
      },
    });
    const { status, text } = await broken.get('/?q=radio');
    expect(status).toBe(500);
    expect(text).toContain('Something went wrong');
    expect(text).not.toContain('clock');
    expect(broken.faults().join()).toContain('the clock has stopped');
  });
});
