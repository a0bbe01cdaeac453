import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppDeps } from '#http/app-deps.ts';
import { startServer } from '#http/start-server.ts';
import { openIndexer } from '#indexer/open-indexer.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { createSandbox } from '#src/payments/sandbox.ts';
import { openTestMails } from '#test/http/test-mails.ts';
import { createService, type TestService, testNow } from '#test/http/test-service.ts';
import { madeContact } from '#testing/made-contact.ts';
import { madeRecord } from '#testing/made-record.ts';

/** The service with its pages, listening, on its own embedded store. */
interface PageService extends Pick<TestService, 'issueKey' | 'revoke'> {
  url: string;
  dataDir: string;
  close(): Promise<void>;
}

/** `smtpUrl`: the mail server of the service, if it sends mail. */
export async function servePages(given: Partial<AppDeps> = {}, smtpUrl?: string): Promise<PageService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'masthead-pages-'));
  const backends = await openIndexer({ dataDir });
  await backends.records.merge(records);
  let service: TestService | undefined;
  const server = await startServer({ host: '127.0.0.1', port: 0, publicUrl: null }, (publicUrl) => {
    const mails = smtpUrl === undefined ? null : openTestMails(backends, { smtpUrl, publicUrl, now: () => testNow });
    service = createService(backends, { publicUrl, payments: createSandbox(publicUrl), mails, ...given });
    return service.app;
  });
  if (service === undefined) throw new Error('the service was not made');
  return {
    url: server.url,
    dataDir,
    issueKey: service.issueKey,
    revoke: service.revoke,
    async close() {
      await server.drain(0);
      await backends.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Makes a list of these records in the account of the key; returns its id. */
export async function makeList(url: string, key: string, name: string, ids: readonly string[]): Promise<string> {
  const post = async (path: string, body: object) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as { id: string };
  };
  const { id } = await post('lists', { name });
  await post(`lists/${id}/records`, { add: ids.map((each) => ({ id: each })) });
  return id;
}

/** The people of a podcast: somebody of each kind, and more than a row of results shows. */
const hosts = [
  madeContact({ id: 'inbox', email: 'noreply@founders-afloat.example', kind: 'automatic' }),
  madeContact({ id: 'desk', title: 'Booking desk', email: 'booking@founders-afloat.example' }),
  madeContact({
    ...{ id: 'ann', kind: 'person', name: 'Ann One', title: 'Host', beats: ['climate', 'harbours'] },
    ...{ email: 'ann.one.of.the.founders@founders-afloat.example', email_status: 'valid', phone: '+1 20 7946 0001' },
    ...{ last_verified_at: '2026-10-02T00:00:00.000Z', links: ['https://x.com/ann1', 'https://social.example/@ann'] },
  }),
  madeContact({
    ...{ id: 'bob', kind: 'person', name: 'Bob Two', title: 'Producer' },
    ...{ email: 'bob@founders-afloat.example', email_status: 'invalid' },
  }),
  madeContact({ id: 'cem', kind: 'person', name: 'Cem Three', email: 'cem@founders-afloat.example' }),
];

/** 45 German papers, 3 American podcasts, and one record whose every field would do harm in a careless page. */
const records: readonly MediaRecord[] = [
  ...Array.from({ length: 45 }, (_, index) =>
    madeRecord({
      id: `paper-${index}`,
      name: `Hafenblatt ${index}`,
      url: `https://hafenblatt-${index}.example/`,
      description: 'News of the harbour and the towns around it. Ferries sail on Mondays.',
      country: 'DE',
      country_name: 'Germany',
      continent: 'europe',
      city: index % 3 === 0 ? 'Kiel' : 'Bremen',
      language: 'de',
      type: index % 5 === 0 ? 'magazine' : 'newspaper',
      categories: ['local_news'],
      coverage: 'regional',
      contact_name: 'Ada Quill',
      contact_title: 'Editor',
      email: `desk${index}@hafenblatt-${index}.example`,
      email_status: index === 44 ? 'invalid' : 'valid',
      last_verified_at: '2026-10-02T00:00:00.000Z',
      audience: 90_000 - index,
    }),
  ),
  ...Array.from({ length: 3 }, (_, index) =>
    madeRecord({
      id: `pod-${index}`,
      kind: 'podcast',
      name: `Founders Afloat ${index}`,
      country: 'US',
      country_name: 'United States',
      continent: 'north_america',
      language: 'en',
      categories: ['business'],
      email: `host${index}@founders-afloat.example`,
      audience: 500,
      ...(index === 2 && { contacts: hosts }),
    }),
  ),
  madeRecord({
    id: 'hostile',
    name: '<img src=x onerror=alert(1)> Gazette',
    url: 'javascript:alert(1)',
    feed_url: 'javascript:alert(2)',
    description: '</script><script>alert(3)</script>',
    contact_name: '"><svg onload=alert(4)>',
    contact_title: 't'.repeat(5_000),
    city: `\u202e${'w'.repeat(5_000)}`,
    aliases: ['a'.repeat(5_000)],
    phone: '5'.repeat(5_000),
    audience: 1,
  }),
];
