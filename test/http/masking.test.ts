import { describe, expect, it } from 'vitest';
import type { KeptContact } from '#records/contacts/contact.ts';
import { withContacts } from '#records/contacts/with-contacts.ts';
import { sortKeys } from '#search/search-query.ts';
import { addresses, media } from '#testing/made-record.ts';
import { useService } from './test-service.ts';

const localParts = addresses.map((address) => address.slice(0, address.indexOf('@'))).filter((part) => part.length > 1);

/** Everything that a caller without a plan can ask around the stored addresses. */
const probes = [
  ...media.flatMap(({ id }) => {
    const path = `/api/v1/records/${encodeURIComponent(id)}`;
    return [path, `${path}/similar`];
  }),
  ...addresses.map((address) => `/api/v1/records/${encodeURIComponent(address)}`),
  ...sortKeys
    .filter((key) => key !== 'updated')
    .flatMap((key) => [`/api/v1/search?sort=${key}`, `/api/v1/search?sort=-${key}`]),
  '/api/v1/search?has_email=1',
  '/api/v1/search?email_status=valid|webmail',
  '/api/v1/search?per_page=1&page=2',
  '/api/v1/search?per_page=1000&kind=nothing',
  ...[...addresses, ...localParts].flatMap((text) =>
    ['search', 'facets', 'contacts'].flatMap((path) => [
      `/api/v1/${path}?q=${encodeURIComponent(text)}`,
      `/api/v1/${path}?q=${encodeURIComponent(`"${text}"`)}`,
      `/api/v1/${path}?q=-${encodeURIComponent(text)}`,
    ]),
  ),
  ...['secret', 'imprint-secret-page', 'https://harbour-times.example/imprint-secret-page'].map(
    (text) => `/api/v1/search?q=${encodeURIComponent(text)}`,
  ),
  ...['relevance', '-relevance', 'name', '-name'].map((sort) => `/api/v1/contacts?sort=${sort}`),
  ...[
    'has_email=1',
    'email_status=valid|webmail',
    'email_status=!valid',
    'contact_kind=person',
    'per_page=1&page=2',
  ].map((search) => `/api/v1/contacts?${search}`),
  '/api/v1/facets?rows=contacts',
  '/api/v1/facets?rows=contacts&has_email=1',
  '/api/v1/facets',
  '/api/v1/facets?has_email=1',
  '/api/v1/facets?email_status=!valid',
  '/api/v1/me',
  '/api/v1/nothing',
  '/readyz',
];

describe('a caller who may only see masks', () => {
  const { backend, service, keys } = useService(media);

  it.each([['without a key'], ['with an expired plan']])(
    '%s finds no stored address in any body, header or log line',
    async (who) => {
      const key = who === 'without a key' ? undefined : keys.expired;
      for (const probe of probes) {
        const answer = await service.get(probe, key);
        const { instance: _typed, suggestions: _parts, ...body } = answer.body;
        // Links and suggestions repeat what the caller typed; only the rest counts.
        const { link: _own, ...headers } = answer.headers;
        const seen = `${JSON.stringify(body)} ${JSON.stringify(headers)}`;
        for (const address of addresses) expect(seen, probe).not.toContain(address);
        for (const part of localParts) expect(seen, probe).not.toContain(part);
        expect(seen, probe).not.toContain('secret-page');
      }
      const log = service.logged.join('');
      expect(service.logged.length).toBeGreaterThan(0);
      for (const part of [...addresses, ...localParts, 'secret-page']) expect(log).not.toContain(part);
      expect(log).not.toContain(keys.expired);
    },
  );

  it('is the only one: with a plan the same requests do show the addresses', async () => {
    const answer = await service.get('/api/v1/search', keys.pro);
    for (const address of addresses) expect(answer.text).toContain(address);
  });

  it('gets other ETags than a caller with a plan, and the same as any other masked caller', async () => {
    const tag = async (key?: string) => (await service.get('/api/v1/search', key)).headers.etag;
    expect(await tag()).toBe(await tag(keys.expired));
    expect(await tag()).not.toBe(await tag(keys.pro));
    const replayed = await service.get('/api/v1/search').set('If-None-Match', (await tag(keys.pro)) ?? '');
    expect(replayed.status).toBe(200);
  });

  it.each(['search', 'contacts'])('finds by somebody@host exactly what nobody@host finds: %s', async (path) => {
    for (const address of addresses) {
      const host = address.slice(address.indexOf('@') + 1);
      const [real, invented, bare] = await Promise.all(
        [address, `nobody@${host}`, host].map((q) => service.get(`/api/v1/${path}?q=${encodeURIComponent(q)}`)),
      );
      expect(real?.body).toEqual(invented?.body);
      expect(real?.body).toEqual(bare?.body);
      expect(real?.headers.etag).toBe(invented?.headers.etag);
    }
  });

  it('sees no difference if only the part before the @ of a stored address changes', async () => {
    const answersNow = async () => {
      const answers: string[] = [];
      // One after the other, so that a busy machine answers each: two outages would be equal and show nothing.
      for (const probe of probes) {
        const { status, headers, body } = await service.get(probe);
        expect(status, probe).toBeLessThan(500);
        const { request_id: _, ...shown } = body;
        // That something changed is no secret.
        const answer = JSON.stringify({ status, link: headers.link, body: shown });
        answers.push(answer.replaceAll(/"updated_at":"[^"]*"/g, ''));
      }
      return answers;
    };
    const before = await answersNow();
    const withAddresses = (change: (email: string) => string) =>
      media.map((record) => {
        const changed = (contact: KeptContact) => ({ ...contact, email: contact.email && change(contact.email) });
        return withContacts(record, record.contacts.map(changed));
      });
    await backend.load(withAddresses((email) => email.replace(/^(.).+@/, '$1-wholly-other.and-longer@')));
    expect(await answersNow()).toEqual(before);

    await backend.load(withAddresses((email) => email.replace(/^a/, 'q')));
    const differing = (await answersNow()).filter((answer, index) => answer !== before[index]);
    expect(differing.length).toBeGreaterThan(0);
    for (const answer of differing) expect(answer).toContain('q***@harbour-times.example');
    await backend.load(media);
  });
});
