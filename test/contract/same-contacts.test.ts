import { beforeAll, describe, expect, it } from 'vitest';
import type { MediaRecord } from '#records/media-record.ts';
import { Dice } from '#sample/dice.ts';
import { generateSample } from '#sample/generate-sample.ts';
import type { Filter, Page, SearchQuery, Sort } from '#search/search-query.ts';
import { understand } from '#search/understand.ts';
import { hasEngines, type TestBackend, testBackends } from '#testing/backends.ts';
import { isLong } from '#testing/form.ts';
import { foldedWords, nameKey } from '#text/fold.ts';

/** Requests, and records: more of both in the long form (TRIAL=long). */

const count = isLong ? 300 : 40;
const records = [...generateSample({ count: isLong ? 1_500 : 150, seed: 7 })];
const dice = new Dice(11);

const contacts = records.flatMap((record) => record.contacts.map((contact) => ({ record, contact })));
const wordsOf = (text: string | null) => text?.split(/\s+/) ?? [];

/** Another letter in the middle of a word. */
function mistype(text: string): string {
  const at = Math.floor(text.length / 2);
  return `${text.slice(0, at)}q${text.slice(at + 1)}`;
}

/** What somebody may type who looks for a person: her, her work, her medium, and parts and slips of these. */
function inventText(): string | null {
  const { record, contact } = dice.pick(contacts);
  const name = contact.name ?? record.name;
  const beat = contact.beats.length === 0 ? 'climate' : dice.pick(contact.beats);
  const shapes = [
    () => null,
    () => name,
    () => wordsOf(name).toReversed().join(' '),
    () => mistype(name),
    () => name.slice(0, Math.ceil(name.length * 0.7)),
    () => `${wordsOf(name)[0]} ${record.name}`,
    () => `${contact.title ?? 'editor'} ${record.city ?? 'radio'}`,
    () => `${beat} ${record.country_name ?? ''}`,
    () => `${beat} reporter ${record.kind}`,
    () => record.name,
    () => `${wordsOf(record.name)[0]} -${dice.pick(wordsOf(name))}`,
    () => `"${contact.title ?? record.name}"`,
    () => `${beat} weathercock ${record.kind}`,
    () => dice.pick(['@', 'xqzw', 'news editor', 'the']),
  ];
  return dice.pick(shapes)();
}

function inventFilters(): Filter[] {
  const { record, contact } = dice.pick(contacts);
  const [title] = foldedWords(contact.title ?? '');
  const all: readonly Filter[] = [
    { present: 'contact_name' },
    { present: 'email' },
    { field: 'email_status', any: dice.chance(0.5) ? ['valid'] : [], none: dice.chance(0.5) ? ['invalid'] : [] },
    { field: 'contact_kind', any: ['person'], none: [] },
    { field: 'contact_kind', any: [], none: ['desk'] },
    ...(contact.beats[0] ? [{ field: 'beats', any: [nameKey(contact.beats[0])], none: [] } as const] : []),
    ...(title ? [{ field: 'title', any: [title], none: [] } as const] : []),
    { range: 'last_verified_at', bound: 'from', value: '2026-01-01T00:00:00.000Z' },
    { field: 'kind', any: [record.kind], none: [] },
    ...(record.country ? [{ field: 'country', any: [], none: [record.country] } as const] : []),
    { range: 'audience', bound: 'to', value: 50_000 },
  ];
  return [...new Set(Array.from({ length: dice.below(3) }, () => dice.pick(all)))];
}

function inventRequest() {
  const q = inventText();
  const keys = ['relevance', 'relevance', 'name', 'updated'] as const;
  const sort: Sort = { key: dice.pick(keys), reversed: dice.chance(0.2) };
  return { q, filters: inventFilters(), page: { sort, offset: dice.pick([0, 0, 3]), limit: 20 } satisfies Page };
}

const requests = Array.from({ length: count }, inventRequest);
const nameOf = ({ id, contacts: [contact] }: MediaRecord) => `${id} ${contact?.id}`;

async function scanAll(backend: TestBackend, query: SearchQuery): Promise<{ total: number; rows: MediaRecord[] }> {
  const scan = await backend.index.scan(query);
  const rows = (await Array.fromAsync(scan)).flat();
  return { total: scan.total, rows };
}

describe.skipIf(!hasEngines)('both backends', () => {
  let backends: TestBackend[];
  beforeAll(async () => {
    backends = await Promise.all(testBackends.map(({ open }) => open()));
    for (const backend of backends) await backend.load(records);
    return async () => {
      for (const backend of backends) await backend.close();
    };
  });

  it.each(requests)(
    'answer $q under $filters alike: contacts, their facets and exports, and media',
    async (request) => {
      const { q, filters, page } = request;
      const text = q === null ? null : understand(q);
      const answers = await Promise.all(
        backends.map(async (backend) => {
          const query: SearchQuery = { text, filters, rows: 'contacts' };
          const { records: rows, ...found } = await backend.index.search(query, page, 'masked');
          const { audiences: _, ...facets } = await backend.index.countFacets(query);
          const scanned = await scanAll(backend, query);
          const media = await backend.index.search({ text, filters }, { ...page, offset: 0, limit: 1_000 }, 'masked');
          const ids = new Set(media.records.map(({ id }) => id));
          return {
            rows: rows.map((row) => ({ row: nameOf(row), contact: row.contacts[0], name: row.name })),
            found,
            facets,
            scanned: { total: scanned.total, rows: scanned.rows.map(nameOf).toSorted() },
            media: {
              total: media.total,
              isCorrected: media.isCorrected,
              dropped: media.dropped,
              ids: [...ids].toSorted(),
            },
            counted: (await backend.index.countFacets({ text, filters })).counts.beats,
          };
        }),
      );
      const [embedded, production] = answers;
      expect(production).toEqual(embedded);
      if (embedded?.found.dropped.length === 0) expect(embedded.scanned.total).toBe(embedded.found.total);
    },
  );
});
