import { describe, expect, it } from 'vitest';
import { generateApiKey, identifyKey } from '#accounts/api-key.ts';
import { anonymous, type Caller } from '#accounts/stored-key.ts';
import { lookUpRecords } from '#search/look-up-records.ts';
import { firstPage } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { testBackends } from '#testing/backends.ts';
import { readMedia } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

/** Each host shows one rule of contract A19. */
const records = readMedia(new URL('locations.media.tsv', import.meta.url));

const masked: Caller = anonymous;
const full: Caller = {
  key: {
    ...identifyKey(generateApiKey(), 'a pepper for tests'),
    plan: { tier: 'pro', expiresAt: '2099-01-01T00:00:00.000Z' },
    email: null,
    orderId: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    revokedAt: null,
  },
};

describe.each(testBackends)('URLs and addresses, $name', ({ open }) => {
  const backend = useOne(open, (backend) => backend.load(records));

  async function search(q: string): Promise<string[]> {
    const found = await backend.index.search({ text: understand(q), filters: [] }, firstPage(20), 'masked');
    return found.records.map(({ id }) => id);
  }

  async function lookUp(asked: object, caller = masked) {
    const query = { ids: [], domains: [], urls: [], emails: [], kinds: [], ...asked };
    const { lookups } = await lookUpRecords(backend, query, caller, new Date());
    return lookups.map(({ record, matches }) => [record?.id ?? null, matches]);
  }

  it.each([
    ['https://journals.example/lighthouse/', ['lighthouse'], 'lighthouse', 1],
    ['www.journals.example/lighthouse?utm=x#top', ['lighthouse'], 'lighthouse', 1],
    ['journals.example/Lighthouse', ['capital'], 'capital', 1],
    ['https://journals.example/absent', [], null, 3],
    ['https://shows.example/é', ['paper', 'show', 'other-show'], 'paper', 3],
    ['https://alone.example/another/page', ['alone'], 'alone', 1],
    ['https://unheard-of.example/page', [], null, 0],
    ['https://blogspot.com/page', [], null, 1],
  ])(
    'a URL with a path finds the record with that page, else the only one at its host: %s',
    async (url, ids, id, matches) => {
      expect(await search(url)).toEqual(ids);
      expect(await lookUp({ urls: [url], domains: [url] })).toEqual(Array(2).fill([id, matches]));
    },
  );

  it.each([
    ['wzzq.example', ['wzzq', 'traffic', 'garden', 'wzzq-news'], 'wzzq', 4],
    ['https://www.wzzq.example/?utm=x', ['wzzq', 'traffic', 'garden', 'wzzq-news'], 'wzzq', 4],
    ['alone.example', ['alone'], 'alone', 1],
    ['name.blogspot.com', ['blog'], 'blog', 1],
    ['blogspot.com', ['blogs'], null, 1],
    ['gmail.com', ['mailer'], null, 1],
  ])(
    'a host finds the record at its root, an outlet named like it first, else the only one: %s',
    async (host, ids, id, matches) => {
      expect(await search(host)).toEqual(ids);
      expect(await lookUp({ domains: [host], urls: [host] })).toEqual(Array(2).fill([id, matches]));
    },
  );

  it('a host with several records and none at its root finds no single one, and all of them in a search', async () => {
    expect((await search('journals.example')).toSorted()).toEqual(['albatross', 'capital', 'lighthouse']);
    expect(await lookUp({ domains: ['journals.example', 'quay.example'] })).toEqual(Array(2).fill([null, 3]));
  });

  it('an excluded URL excludes its page, not its host', async () => {
    expect((await search('business -journals.example/lighthouse')).toSorted()).toEqual(['albatross']);
  });

  it('an address finds the only record with it for callers who see addresses, else what its host finds', async () => {
    const emails = ['ONE@Quay.example', 'Quay <two@quay.example>', 'absent@quay.example', 'x@alone.example'];
    const ofHosts = [...Array(3).fill([null, 3]), ['alone', 1]];
    expect(await lookUp({ emails }, full)).toEqual([
      ['quay-one', 1],
      [null, 2],
      [null, 3],
      ['alone', 1],
    ]);
    expect(await lookUp({ emails }, masked)).toEqual(ofHosts);
    expect(await lookUp({ domains: emails }, full)).toEqual(ofHosts);
    const ofProvider = ['mailer@gmail.com', 'absent@gmail.com'];
    expect(await lookUp({ emails: ofProvider }, full)).toEqual([
      ['mailer', 1],
      [null, 1],
    ]);
    expect(await lookUp({ emails: ofProvider }, masked)).toEqual(Array(2).fill([null, 1]));
    expect(await lookUp({ emails: ['quay.example', '', '@', 'one@'] }, full)).toEqual(Array(4).fill([null, 0]));
  });

  it('kinds choose among the records before the rules do', async () => {
    const asked = { ids: ['show', 'paper'], domains: ['wzzq.example'], urls: ['shows.example/é'] };
    expect(await lookUp({ ...asked, kinds: ['podcast'] })).toEqual([
      ['show', 1],
      [null, 0],
      ['garden', 1],
      ['show', 2],
    ]);
    expect(await lookUp({ emails: ['two@quay.example'], kinds: ['outlet', 'newsletter'] }, full)).toEqual([
      ['quay-three', 1],
    ]);
  });
});
