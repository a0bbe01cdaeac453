import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { faultOfReason, readSuppression } from '#records/read-suppression.ts';
import {
  hiddenContacts,
  type NamedKind,
  suppressionKey,
  suppressionKeys,
  withoutSuppressed,
} from '#records/suppression.ts';
import { readCases } from '#testing/cases.ts';
import { madeRecord } from '#testing/made-record.ts';

const keyOf = (kind: NamedKind, text: string) => {
  const read = readSuppression(kind, text);
  return 'key' in read ? read.key : null;
};
const faultOf = (kind: NamedKind, text: string) => {
  const read = readSuppression(kind, text);
  return 'fault' in read ? read.fault : null;
};

describe('what is to be suppressed', () => {
  it.each(['Jane <Jane@X.org>', 'mailto:jane@x.org', ' JANE@X.ORG ', '"jane@x.org"'])(
    'accepts an address as people write it: %j',
    (text) => {
      expect(keyOf('address', text)).toBe(suppressionKey('address', 'jane@x.org'));
    },
  );

  it.each(['', 'jane', 'jane at x dot org', 'j***@x.org', 'jane@x.org, joe@x.org'])(
    'rejects %j as an address, without quoting one',
    (text) => {
      expect(faultOf('address', text)).toMatch(/address/);
      expect(faultOf('address', text)).not.toMatch(/jane|joe/);
    },
  );

  it.each(['X.ORG', 'x.org.', 'www.x.org', '*.x.org', '@x.org', 'https://www.x.org:8080/about?page=1#top', 'x．org'])(
    'accepts a domain as people write it: %j',
    (text) => {
      expect(keyOf('domain', text)).toBe('domain x.org');
    },
  );

  it.each([
    ['Bücher.example', 'domain xn--bcher-kva.example'],
    ['news.bbc.co.uk', 'domain news.bbc.co.uk'],
    ['name.blogspot.com', 'domain name.blogspot.com'],
  ])('keeps the part of the domain %s that identifies it', (text, key) => {
    expect(keyOf('domain', text)).toBe(key);
  });

  it.each(['com', 'co.uk', 'www.co.uk', 'https://co.uk/', 'blogspot.com', '*.рф'])(
    'never covers all names under %s, and says what to use instead',
    (text) => {
      expect(faultOf('domain', text)).toMatch(
        /^anybody can register a name under \S+: use the full name, such as example\.\S+/,
      );
    },
  );

  it.each(['', ' ', 'hello', 'hello world', 'http://', 'jane@x.org', 'http://jane@x.org/'])(
    'rejects %j as a domain, without quoting an address',
    (text) => {
      expect(faultOf('domain', text)).toMatch(/domain/);
      expect(faultOf('domain', text)).not.toContain('jane');
    },
  );

  it('accepts the id of a record like an import, keeping its case', () => {
    expect(keyOf('record', ' Outlet-7 ')).toBe('record Outlet-7');
    for (const text of ['', 'jane@x.org', 'a\nb', 'x'.repeat(10_000)]) {
      expect(faultOf('record', text)).toMatch(/id/);
    }
  });

  it('accepts a reason of one line without an address', () => {
    expect(faultOfReason('asked by letter on 3 May')).toBeNull();
    expect(faultOfReason('jane@x.org asked')).toMatch(/email address: remove it/);
    expect(faultOfReason('jane [at] x.org asked')).toMatch(/email address: remove it/);
    expect(faultOfReason('two\nlines')).toMatch(/one line/);
    expect(faultOfReason('x'.repeat(501))).toMatch(/500/);
  });
});

describe('a suppression', () => {
  /** What it hides of a record: all, a contact, or nothing. */
  const hidden = (kind: NamedKind, text: string, given: Parameters<typeof madeRecord>[0]) => {
    const record = madeRecord(given);
    const visible = withoutSuppressed(record, new Set([keyOf(kind, text) ?? 'none']));
    if (visible === null) return 'all';
    return visible.contact_count < record.contact_count ? 'contact' : 'nothing';
  };
  const hides = (...given: Parameters<typeof hidden>) => hidden(...given) !== 'nothing';

  it('of an address hides every contact with it, in any case, and no other', () => {
    expect(hidden('address', 'jane@x.org', { id: '1', email: 'JANE@x.org' })).toBe('contact');
    expect(hidden('address', 'jane@x.org', { id: '1', email: 'jan@x.org' })).toBe('nothing');
    expect(hidden('address', 'jane@x.org', { id: '1', url: 'https://x.org' })).toBe('nothing');
  });

  it.each(
    readCases<[suppressed: string, email: string, expected: boolean]>(new URL('hidden-addresses.tsv', import.meta.url)),
  )('of %s hides %s: %s', (suppressed, email, expected) => {
    expect(hides('address', suppressed, { id: '1', email })).toBe(expected);
  });

  it('of a Gmail address that an older version stored with its dots still hides it', () => {
    const kept = hash('sha256', 'masthead suppression j.ane@gmail.com', 'base64url');
    const record = madeRecord({ id: '1', email: 'J.Ane@gmail.com' });
    expect(withoutSuppressed(record, new Set([`address ${kept}`]))).toMatchObject({ contacts: [], email: null });
  });

  it('of linkedin.com hides LinkedIn itself, and not everybody with a page there', () => {
    const page = 'https://www.linkedin.com/company/x';
    expect(hides('domain', 'linkedin.com', { id: '1', linkedin_url: page })).toBe(false);
    expect(hides('domain', 'linkedin.com', { id: '1', url: page })).toBe(true);
  });

  it.each([
    { email: 'desk@x.org' },
    { email: 'desk@mail.de.x.org' },
    { url: 'https://x.org/about' },
    { url: 'http://WWW.News.X.org:8080/' },
    { feed_url: 'https://feeds.x.org./rss' },
    { email: 'desk@mail.example', email_source: 'https://www.x.org/imprint' },
    { linkedin_url: 'https://x.org/company' },
    { name: 'X.org' },
    { aliases: ['The X', 'news.x.org'] },
  ])('of a domain hides everything below it: %j', (given) => {
    expect(hidden('domain', 'x.org', { id: '1', ...given })).toBe('email' in given ? 'contact' : 'all');
  });

  it.each([
    { email: 'desk@notx.org' },
    { email: 'desk@x.org.example' },
    { url: 'https://elsewhere.example/x.org' },
    { linkedin_url: 'https://www.linkedin.com/company/x.org' },
    { name: 'X org' },
    { name: 'The people behind x.org' },
    { description: 'x.org' },
    { platform: 'x.org' },
  ])('of a domain leaves alone what only looks like it: %j', (given) => {
    expect(hides('domain', 'x.org', { id: '1', ...given })).toBe(false);
  });

  it('of a record hides that record', () => {
    expect(hides('record', 'a', { id: 'a' })).toBe(true);
    expect(hides('record', 'a', { id: 'A' })).toBe(false);
  });

  it('is stored without the address and the name', () => {
    for (const key of suppressionKeys(madeRecord({ id: '1', contact_name: 'Jane Doe', email: 'jane.doe@x.org' }))) {
      expect(key).not.toMatch(/jane|doe|@/);
    }
  });
});

it('a suppressed address hides every contact with the name of its person at the medium, and no colleague', () => {
  const contacts = [
    { id: 'a', name: 'Ann One', email: 'ann@x.example' },
    { id: 'b', name: 'One, Ann', email: 'ann.one@mail.example' },
    { id: 'c', name: 'Bob Two', email: 'bob@x.example' },
  ];
  const hidden = hiddenContacts('1', contacts, new Set([suppressionKey('address', 'ann@x.example')]));
  expect([...hidden].map(({ id }) => id)).toEqual(['a', 'b']);
});
