import type request from 'supertest';
import { afterAll, describe, expect, it } from 'vitest';
import type { KeptContact } from '#records/contacts/contact.ts';
import { withContacts } from '#records/contacts/with-contacts.ts';
import { testBackends } from '#testing/backends.ts';
import { ofForm } from '#testing/form.ts';
import { late, useOne } from '#testing/use.ts';
import { daysAfter } from '#text/days.ts';
import {
  hiddenAddresses,
  hiddenLocalParts,
  isTyped,
  listProbes,
  type Probe,
  probedMedia,
  sendProbe,
} from './masked-probes.ts';
import { createService, type TestService, testNow } from './test-service.ts';

/* On the engines it takes both cores for half a minute: only in the long form. */
describe.each(ofForm(testBackends.slice(0, 1), testBackends))('a caller who may see only masks: $name', ({ open }) => {
  const keys = { pro: '', expired: '' };
  let made: TestService;
  let probes: Probe[] = [];
  const service = late(() => made);
  const backend = useOne(open, async (backend) => {
    await backend.load(probedMedia);
    made = createService(backend);
    keys.pro = await made.issueKey('pro');
    keys.expired = await made.issueKey('premium', -1);
    probes = listProbes(await makeListBeforeTheEnd(backend));
  });
  afterAll(() => made.end());

  /** A list of contacts that the account made while its plan was active. */
  async function makeListBeforeTheEnd(backend: Parameters<typeof createService>[0]): Promise<string> {
    const earlier = createService(backend, { now: () => new Date(daysAfter(testNow, -2)) });
    const { id } = (await earlier.post('/api/v1/lists', keys.expired).send({ name: 'People' })).body;
    const add = ['eva', 'sam-1', 'sam-2', 'news'].map((contact_id) => ({ id: 'crew', contact_id }));
    const written = await earlier
      .post(`/api/v1/lists/${id}/records`, keys.expired)
      .send({ add: [...add, { id: 'times' }] });
    expect(written.body).toMatchObject({ count: 5 });
    await earlier.end();
    return id;
  }

  it('without a key finds no stored address in any body, header or log line', async () => {
    for (const probe of probes) showsNoSecret(probe, await sendProbe(service, probe));
    expect(service.logged.length).toBeGreaterThan(0);
    expect(secretsIn(service.logged.join(''))).toEqual([]);
  });

  it('is the only one: with a plan the same requests do show the addresses', async () => {
    const { text } = await service.get('/api/v1/contacts', keys.pro);
    for (const address of hiddenAddresses) expect(text).toContain(address);
  });

  it('gets other ETags than a caller with a plan, and the same as any other masked caller', async () => {
    for (const path of ['/api/v1/search', '/api/v1/contacts']) {
      const tag = async (key?: string) => (await service.get(path, key)).headers.etag;
      expect(await tag()).toBe(await tag(keys.expired));
      expect(await tag()).not.toBe(await tag(keys.pro));
      expect((await service.get(path).set('If-None-Match', `${await tag(keys.pro)}`)).status).toBe(200);
    }
  });

  it.each(['search', 'contacts', 'facets', 'facets?rows=contacts'])(
    'finds by somebody@host exactly what nobody@host finds: %s',
    async (path) => {
      for (const address of hiddenAddresses) {
        const host = address.slice(address.indexOf('@') + 1);
        const url = (q: string) => `/api/v1/${path}${path.includes('?') ? '&' : '?'}q=${encodeURIComponent(q)}`;
        const [real, invented, bare] = await Promise.all(
          [address, `nobody@${host}`, host].map((q) => service.get(url(q))),
        );
        expect([invented?.body, bare?.body]).toEqual([real?.body, real?.body]);
        expect(real?.headers.etag).toBe(invented?.headers.etag);
      }
    },
  );

  it('with an expired plan finds no stored address, and sees no difference if only the part before the @ changes', async () => {
    const before = await answersNow();
    await backend.load(withLocalParts((local) => `${local.charAt(0)}${[...local.slice(1), '-'].reverse().join('')}`));
    expect(await answersNow()).toEqual(before);

    await backend.load(withLocalParts((local) => local.replace(/^a/, 'q')));
    const differing = (await answersNow()).filter(({ answer }, place) => answer !== before[place]?.answer);
    expect(differing.length).toBeGreaterThan(0);
    for (const { answer, probe } of differing)
      expect(answer, JSON.stringify(probe)).toContain('q***@harbour-times.example');
    await backend.load(probedMedia);
    const log = service.logged.join('');
    expect(secretsIn(log)).toEqual([]);
    expect(log).not.toContain(keys.expired);
  });

  /** With an expired plan, which reads its lists, too. One after the other, so that a busy machine answers each: two outages would be equal and show nothing. */
  async function answersNow(): Promise<{ probe: Probe; answer: string }[]> {
    const answers = [];
    for (const probe of probes) {
      const { status, headers, text, body } = await sendProbe(service, probe, keys.expired);
      expect(status, JSON.stringify(probe)).toBeLessThan(500);
      showsNoSecret(probe, { text, body, headers });
      answers.push({
        probe,
        answer: `${status} ${headers.link} ${etagOf(text, headers.etag)} ${withoutMoments(text)}`,
      });
    }
    return answers;
  }
});

type Shown = Pick<request.Response, 'text' | 'body' | 'headers'>;
/** Links and suggestions repeat what the caller typed; only the rest counts. */
function showsNoSecret(probe: Probe, { text, body, headers }: Shown): void {
  const { instance: _typed, suggestions: _parts, ...others } = body;
  const { link: _own, ...otherHeaders } = headers;
  const shown = probe.path.startsWith('/api/') ? JSON.stringify(others) : text;
  if (!isTyped(probe)) expect(secretsIn(`${shown} ${JSON.stringify(otherHeaders)}`), JSON.stringify(probe)).toEqual([]);
}

function secretsIn(text: string): string[] {
  return [...hiddenLocalParts, 'secret-page'].filter((secret) => text.includes(secret));
}

/** That something changed is no secret, nor is when it did. */
function withoutMoments(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?|[A-Z][a-z]{2} (?:\d{1,2}, )?\d{4}|"request_id":"[^"]*"/g, '');
}

/** The ETag of an answer that tells no moment. */
function etagOf(text: string, etag: string | undefined): string | undefined {
  return withoutMoments(text) === text ? etag : undefined;
}

/** The media with other parts before the @ of all addresses but of automatic inboxes and those of one character. */
function withLocalParts(change: (local: string) => string) {
  const changed = (contact: KeptContact): KeptContact => {
    const [local = '', host] = contact.email?.split('@') ?? [];
    const stays = contact.kind === 'automatic' || local.length < 2;
    return stays ? contact : { ...contact, email: `${change(local)}@${host}` };
  };
  return probedMedia.map((record) => withContacts(record, record.contacts.map(changed)));
}
