import { hash } from 'node:crypto';
import { probeTexts } from '#records/probe-records.ts';
import { once } from '#text/memoize.ts';
import { readDocument } from './read-document.ts';

/** Documents as other tools write them; reading changes each in a different way. */
const probeDocuments: readonly { _id: unknown; [key: string]: unknown }[] = [
  { _id: 'plain', kind: 'outlet', name: 'Plain', updated_at: '2026-02-01T00:00:00.000Z' },
  {
    _id: 'foreign',
    kind: 'Outlet',
    name: ' The <b>Herald</b> &amp; Post\u200b ',
    aliases: 'Herald|Everett Herald',
    url: 'www.Herald.example/contact?mail=jane%40herald.example',
    description:
      'Write to jane@herald.example, jane at herald dot example or jane [at] herald.example.\n\n<p>caf\u00c3\u00a9</p>',
    language: 'Spanish',
    country: 'Germany',
    region: '  Texas ',
    type: 'Daily newspaper',
    categories: ['Tech', 'Arts & Culture', 'nonsense'],
    coverage: 'Nationwide',
    contact_name: 'jane@herald.example',
    contact_title: 'Editor\u0007',
    email: 'mailto:Jane@Herald.example',
    email_status: 'OK',
    email_source: 'https://herald.example/jane@herald.example/about',
    last_verified_at: '31.01.2026',
    phone: '+44 (0)20 7946 0958',
    audience: '5,000',
    frequency: 'every day',
    feed_url: 'feed://herald.example/rss',
    platform: 'x'.repeat(5_000),
    linkedin_url: 'linkedin.com/company/herald',
    updated_at: new Date('2026-02-01T00:00:00Z'),
  },
  {
    _id: 'podcast',
    kind: 'podcast',
    name: 'On Air',
    type: 'radio',
    audience: '1.2M',
    country: 'US',
    language: 'en-us',
  },
  { _id: 'texts', kind: 'outlet', name: 'Texts', aliases: probeTexts },
  { _id: 'no kind', name: 'No kind' },
  { _id: ' spaced ', kind: 'outlet', name: 'Spaced' },
  { _id: 'jane@herald.example', kind: 'outlet', name: 'An address as id' },
  { _id: '', kind: 'outlet', name: 'No id' },
  { _id: 42, kind: 'outlet', name: 'A number as id' },
];

/** Changes whenever the way documents are read as records changes, so an index knows how it was built. */
export const readingForm = once((): string =>
  hash('sha1', JSON.stringify(probeDocuments.map(readDocument)), 'base64url'),
);
