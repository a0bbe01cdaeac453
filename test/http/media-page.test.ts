import { describe, expect, it } from 'vitest';
import { madeContact } from '#testing/made-contact.ts';
import { madeRecord } from '#testing/made-record.ts';
import { createService, useService } from './test-service.ts';

const records = [
  madeRecord({
    id: 'harbour times/1',
    name: 'The Harbour Times',
    aliases: ['Harbour Times', 'HT'],
    url: 'https://www.harbour-times.example/',
    description: 'News of the "harbour" & its towns.',
    country: 'GB',
    country_name: 'United Kingdom',
    continent: 'europe',
    city: 'Leeds',
    type: 'newspaper',
    categories: ['politics'],
    contact_name: 'Ada Quill',
    email: 'ada@harbour-times.example',
    email_source: 'https://harbour-times.example/imprint',
    email_status: 'valid',
    last_verified_at: '2026-10-02T00:00:00.000Z',
    feed_url: 'https://harbour-times.example/feed',
    audience: 90_000,
  }),
  madeRecord({
    id: 'radio-b',
    name: 'Radio B',
    contacts: [
      madeContact({ id: 'inbox', email: 'noreply@radio-b.example', kind: 'automatic' }),
      madeContact({ id: 'desk', title: 'News desk', phone: '+44 20 7946 0002' }),
      madeContact({
        id: 'bob',
        kind: 'person',
        name: 'Bob Two',
        email: 'bob@radio-b.example',
        email_status: 'invalid',
      }),
      madeContact({
        ...{ id: 'ann', kind: 'person', name: 'Ann One', title: 'Reporter', beats: ['climate', 'sea <b>'] },
        ...{
          email: 'ann@radio-b.example',
          email_status: 'valid',
          links: ['https://x.com/ann1', 'javascript:alert(1)'],
        },
        ...{ sources: { 'October list': '17' }, isPreferred: true },
      }),
    ],
  }),
  madeRecord({ id: 'quay-post', name: 'Quay Post', country: 'GB', type: 'newspaper', categories: ['politics'] }),
  madeRecord({
    id: 'hostile',
    name: `<b>Bold</b> "onload=alert(1) \u202e ${'w'.repeat(5_000)}`,
    url: 'javascript:alert(2)',
    linkedin_url: 'javascript:alert(3)',
    feed_url: 'data:text/html,<script>alert(4)</script>',
    description: '</script><script>alert(5)</script>"><meta http-equiv="refresh" content="0">',
  }),
];

describe('the page of a record', () => {
  const { backend, service } = useService(records);

  it('shows everything that is known, and others like it', async () => {
    const { status, text } = await service.get('/media/harbour%20times%2F1');
    expect(status).toBe(200);
    for (const part of [
      '<h1 class="name" dir="auto">The Harbour Times</h1>',
      'Harbour Times · HT',
      'href="https://www.harbour-times.example/"',
      'Ada Quill',
      'Checked <time datetime="2026-10-02T00:00:00.000Z" title="Oct 2, 2026">Oct 2026</time>',
      'href="https://harbour-times.example/feed"',
      '<a href="../?country=GB">United Kingdom</a>',
      '90,000 readers',
      '<a href="../media/quay-post">Quay Post</a>',
      'href="https://masthead.example/api/v1/records/harbour%20times%2F1"',
    ]) {
      expect(text.includes(part), part).toBe(true);
    }
  });

  it('shows all people of the record, best first, each with what is known of them', async () => {
    const { text } = await service.get('/media/radio-b');
    const people = /<ul class="people"[\s\S]*?<\/ul>/.exec(text)?.[0] ?? '';
    const shown = people
      .split('<li')
      .slice(1)
      .map((one) =>
        one
          .replace(/^[^>]*>|<[^>]*>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
      );
    expect(shown).toEqual([
      'Select Ann One, Radio B Ann One , Reporter Covers climate, sea &lt;b> a***@radio-b.example Checked x.com',
      'Select Bob Two, Radio B Bob Two b***@radio-b.example Invalid',
      'Select News desk, Radio B News desk +44 20 7946 0002',
      'Select Desk, Radio B n***@radio-b.example Automatic',
    ]);
    expect(text).not.toContain('October list');
  });

  it('has what a preview of a link shows, and one address of its own', async () => {
    const { text } = await service.get('/media/harbour%20times%2F1');
    expect(text).toContain('<title>The Harbour Times – Masthead</title>');
    expect(text).toContain(
      '<meta property="og:description" content="Newspaper, Leeds, United Kingdom. News of the &quot;harbour&quot; &amp; its towns.">',
    );
    expect(text).toContain('<link rel="canonical" href="https://masthead.example/media/harbour%20times%2F1">');
  });

  it('holds the mask alone, whatever key is sent', async () => {
    const { text } = await service.get('/media/harbour%20times%2F1', await service.issueKey('premium'));
    expect(text).toContain('a***@harbour-times.example');
    expect(text).not.toContain('ada@');
    expect(text).not.toContain('imprint');
  });

  it('lets people say that it is wrong, or ask to be removed', async () => {
    const { text } = await service.get('/media/quay-post');
    const page = encodeURIComponent('https://masthead.example/media/quay-post');
    expect(text).toContain(
      `href="mailto:listings@masthead.example?subject=Correction%3A%20Quay%20Post&amp;body=${page}`,
    );
    expect(text).toContain('subject=Removal%3A%20Quay%20Post');
    const nameless = createService(backend, { contactEmail: null });
    expect((await nameless.get('/media/quay-post')).text).toContain('Ask the operator of this service.');
  });

  it('takes no harm from a hostile record', async () => {
    const { status, text } = await service.get('/media/hostile');
    expect(status).toBe(200);
    for (const harm of ['<b>', 'href="javascript:', 'href="data:text', '<script>alert', '<meta http-equiv']) {
      expect(text.includes(harm), harm).toBe(false);
    }
    // What marks a key before the page is painted, the import map, the module, and data.
    expect(text.match(/<script/g)).toHaveLength(4);
  });

  it('is a page with the status where there is no such record', async () => {
    const missing = await service.get('/media/none');
    expect(missing.status).toBe(404);
    expect(missing.headers['content-type']).toMatch(/^text\/html/);
    expect(missing.text).toContain('It may have been removed.');
    expect(missing.text).toContain('<meta name="robots" content="noindex">');
  });
});
