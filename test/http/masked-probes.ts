import type request from 'supertest';
import { contactKinds } from '#records/contacts/contact.ts';
import { filterFields, identityFields, presenceFields, rangeFields } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { emailStatuses, kinds } from '#records/vocabularies.ts';
import { sortKeys } from '#search/search-query.ts';
import { madeContact } from '#testing/made-contact.ts';
import { madeRecord, media } from '#testing/made-record.ts';
import type { TestService } from './test-service.ts';

/** A request that needs no plan. One with a body is a POST. */
export interface Probe {
  path: string;
  body?: object;
}

/** A medium with contacts of each kind. Two differ in nothing but their addresses, so that an order by address would show. */
const crew = madeRecord({
  ...{ id: 'crew', name: 'Crew Weekly', url: 'https://crew-weekly.example/', type: 'magazine', categories: ['travel'] },
  ...{ country: 'US', country_name: 'United States', city: 'Boston', audience: 700, tags: ['dockside'] },
  contacts: [
    madeContact({
      ...{
        id: 'eva',
        name: 'Eva Marsh',
        title: 'Harbour Reporter',
        beats: ['Ports', 'Climate'],
        phone: '+1 20 7946 0001',
      },
      ...{
        email: 'evamarsh.z@crew-weekly.example',
        email_status: 'valid',
        last_verified_at: '2026-05-01T00:00:00.000Z',
      },
    }),
    madeContact({ id: 'sam-1', name: 'Sam Reed', email: 'samreed.two@crew-weekly.example', email_status: 'valid' }),
    madeContact({ id: 'sam-2', name: 'Sam Reed', email: 'samreed.one@crew-weekly.example', email_status: 'valid' }),
    madeContact({
      id: 'lou',
      name: 'Lou Ash',
      title: 'Editor',
      email: 'louash.b@crew-weekly.example',
      email_status: 'invalid',
    }),
    madeContact({ id: 'news', title: 'News desk', email: 'newsdesk.q@crew-weekly.example' }),
    madeContact({ id: 'feed', email: 'noreply@crew-weekly.example' }),
    madeContact({ id: 'mute', name: 'Ivo Mute', title: 'Harbour Reporter' }),
  ],
});

/** What probes ask about. */
export const probedMedia: readonly MediaRecord[] = [...media, crew];

/** An inbox that is told to be automatic (contract A18) hides nothing. */
export const hiddenAddresses = probedMedia.flatMap(({ contacts }) =>
  contacts.flatMap(({ kind, email }) => (kind === 'automatic' ? [] : (email ?? []))),
);
export const hiddenLocalParts = hiddenAddresses
  .map((address) => address.slice(0, address.indexOf('@')))
  .filter((part) => part.length > 1);

/** Everything that a caller without a plan can ask around the stored addresses, with a list of contacts of the account. */
export function listProbes(list: string): Probe[] {
  return [...recordProbes, ...searchProbes, ...otherProbes, ...typedProbes]
    .map((path) => ({ path }))
    .concat(
      [`lists`, `lists/${list}`, `lists/${list}?sort=name`, `lists/${list}?fields=contacts`]
        .concat(['search', 'contacts', 'facets', 'facets?rows=contacts'].map((path) => withParameters(path, { list })))
        .map((path) => ({ path: `/api/v1/${path}` })),
      bodyProbes(list),
    );
}

const recordProbes = [
  ...probedMedia.flatMap(({ id }) => {
    const path = `/api/v1/records/${encodeURIComponent(id)}`;
    return [path, `${path}/similar`, `/media/${encodeURIComponent(id)}`];
  }),
  ...hiddenAddresses.map((address) => `/api/v1/records/${encodeURIComponent(address)}`),
];

/** What counts or lists records or contacts, and takes every filter. */
const searched = ['/api/v1/search', '/api/v1/contacts', '/api/v1/facets', '/api/v1/facets?rows=contacts', '/people'];

const searchProbes = searched.flatMap((path) => [
  path,
  ...listFilters().map((filter) => withParameters(path, filter)),
  ...['eva marsh', 'sam reed', 'harbour reporter', 'crew', 'boston', '"sam reed"', 'climate -eva'].map((q) =>
    withParameters(path, { q }),
  ),
  ...listSorts(path).flatMap((sort) => [withParameters(path, { sort }), withParameters(path, { sort, q: 'crew' })]),
  ...(path.includes('facets') ? [] : ['1', '2', '3'].map((page) => withParameters(path, { page, per_page: '2' }))),
]);

const otherProbes = [
  '/',
  '/lists',
  '/api/v1/search?per_page=1000&kind=nothing',
  '/api/v1/me',
  '/api/v1/nothing',
  '/readyz',
  '/api/v1/changes',
  '/api/v1/export',
  '/api/v1/export?rows=contacts&has_email=1',
  '/api/v1/export?rows=contacts&format=ndjson&contact_kind=person',
  ...['secret', 'imprint-secret-page', 'https://harbour-times.example/imprint-secret-page'].map((q) =>
    withParameters('/api/v1/search', { q }),
  ),
];

/** Requests that have an address or a part of one in them. */
const typedProbes = [...hiddenAddresses, ...hiddenLocalParts].flatMap((text) => [
  ...searched.map((path) => withParameters(path, { q: text })),
  ...searched.slice(0, 2).flatMap((path) => [`"${text}"`, `-${text}`].map((q) => withParameters(path, { q }))),
]);

function bodyProbes(list: string): Probe[] {
  const callTool = (name: string, args: object) => ({
    path: '/mcp',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  });
  return [
    { path: '/api/v1/records/lookup', body: { emails: hiddenAddresses } },
    { path: '/api/v1/records/lookup', body: { domains: hiddenAddresses } },
    { path: '/api/v1/export/push', body: { tool: 'instantly', filters: { has_email: true }, rows: 'contacts' } },
    { path: `/api/v1/lists/${list}/records`, body: { add: [{ id: 'crew', contact_id: 'sam-1' }] } },
    ...[{}, { q: 'harbour reporter' }, { contact_kind: 'person' }, { list }].flatMap((args) =>
      ['search_media', 'search_contacts', 'count_media'].map((tool) => callTool(tool, args)),
    ),
    ...hiddenAddresses.map((q) => callTool('search_contacts', { q })),
    callTool('search_contacts', { has_email: true, email_status: ['valid'], sort: '-name' }),
    callTool('get_record', { id: 'crew' }),
    callTool('lookup_media', { emails: hiddenAddresses }),
    callTool('get_list', { id: list }),
    callTool('add_to_list', { list, add: [{ id: 'crew', contact_id: 'sam-2' }] }),
  ];
}

/** Each filter of the registry, but those by change, with the values that the media and their contacts have, and without them. */
function listFilters(): Record<string, string>[] {
  const vocabularies: Record<string, readonly string[]> = {
    kind: kinds,
    email_status: emailStatuses,
    contact_kind: contactKinds,
  };
  return [
    ...filterFields.flatMap(({ key, filter: { parameter } }) =>
      (vocabularies[key] ?? valuesOf(key)).flatMap((value) => [{ [parameter]: value }, { [parameter]: `!${value}` }]),
    ),
    ...identityFields.flatMap(({ identity: { parameter } }) =>
      ['crew-weekly.example', ...hiddenAddresses.slice(-2)].map((value) => ({ [parameter]: value })),
    ),
    ...presenceFields.map(({ presence: { parameter } }) => ({ [parameter]: '1' })),
    ...rangeFields.flatMap(({ type, range }) =>
      Object.values(range)
        .filter((parameter) => !parameter.startsWith('updated'))
        .map((parameter) => ({ [parameter]: type === 'date' ? '2026-04-01' : '700' })),
    ),
  ];
}

function valuesOf(key: string): string[] {
  const holders = probedMedia.flatMap((record) => [record, ...record.contacts]) as unknown as Record<string, unknown>[];
  return [...new Set(holders.flatMap((holder) => holder[key] as string))].filter((value) => typeof value === 'string');
}

/** Every order but that by change: that something changed is no secret. */
function listSorts(path: string): string[] {
  const keys = path.includes('facets') ? [] : path === '/api/v1/search' ? sortKeys : ['relevance', 'name'];
  return keys.filter((key) => key !== 'updated').flatMap((key) => [key, `-${key}`]);
}

function withParameters(path: string, parameters: Readonly<Record<string, string>>): string {
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(parameters)}`;
}

/** Sends a probe with a key or without one. */
export function sendProbe(service: TestService, { path, body }: Probe, key?: string): request.Test {
  if (body === undefined) return service.get(path, key);
  return service.post(path, key).set('Accept', 'application/json, text/event-stream').send(body);
}

/** Whether the answer to a probe may repeat an address or a part of one because the probe has it. */
export function isTyped({ path, body }: Probe): boolean {
  const asked = decodeURIComponent(`${path} ${JSON.stringify(body)}`);
  return !path.startsWith('/api/v1/search') && hiddenLocalParts.some((part) => asked.includes(part));
}
