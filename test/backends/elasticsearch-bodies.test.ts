import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RenderedQuery, renderText } from '#backends/elasticsearch/build-condition.ts';
import { buildFacets, buildGroups } from '#backends/elasticsearch/build-counts.ts';
import { buildNearest, buildSearch } from '#backends/elasticsearch/build-pages.ts';
import { documentId, indexDocument, recordsMapping } from '#backends/elasticsearch/index-document.ts';
import { groupFacets } from '#search/facet-groups.ts';
import { exclusionConditions } from '#search/plans/exclusion-conditions.ts';
import { planFuzzy, planStrict } from '#search/plans/plan-query.ts';
import { type Filter, firstPage, type Page, type Understanding } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { anyCharacter } from '#testing/form.ts';
import { madeRecord } from '#testing/made-record.ts';

const first = firstPage(20);
const contactsOf2026: Filter[] = [
  { present: 'contact_name' },
  { field: 'email_status', any: ['valid'], none: ['invalid'] },
  { range: 'last_verified_at', bound: 'from', value: '2026-01-01T00:00:00.000Z' },
];
const radioInFrance: Filter[] = [
  { field: 'type', any: ['radio'], none: [] },
  { field: 'country', any: ['FR', 'BE'], none: [] },
];

function parsed(q: string): Understanding {
  const text = understand(q);
  if (text === null) throw new Error('the query is empty');
  return text;
}
function strict(q: string): RenderedQuery {
  const text = parsed(q);
  return renderText(planStrict(text), exclusionConditions(text));
}
/** One request, or several. */
function page(form: RenderedQuery | null, filters: Filter[] = [], asked: Partial<Page> = {}) {
  const bodies = buildSearch(form, filters, { ...first, ...asked }, 'masked');
  return bodies.length === 1 ? bodies[0] : bodies;
}

/** Request bodies, named for what they show. */
const bodies = {
  'two words count more in names and in order': page(strict('everett herald')),
  'a host is found by itself or as a name': page(strict('news.bbc.co.uk')),
  'a text under filters': page(strict('jazz'), radioInFrance),
  'one contact meets all filters of contacts': page(null, contactsOf2026),
  'facets with two selections are three requests': groupFacets(radioInFrance).map((group) => buildFacets(null, group)),
  'facets of a text are one request': buildGroups(strict('jazz'), groupFacets(radioInFrance), radioInFrance),
  'records near in meaning under filters': buildNearest(new Int8Array([3, -2, 127]), radioInFrance, 1_000),
} as const;

describe('the request for Elasticsearch', () => {
  it.each(Object.entries(bodies))('%s', async (name, body) => {
    const file = `../golden/elasticsearch/${name.replaceAll(/[ ,]+/g, '-')}.txt`;
    const text = inspect(body, { depth: null, breakLength: 160, compact: 12, maxArrayLength: null });
    await expect(`${text}\n`).toMatchFileSnapshot(file);
  });

  it('has a bounded size and is valid JSON, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 600 }), (q) => {
        const text = understand(q);
        if (text === null) return;
        for (const planned of [planStrict(text), planFuzzy(text)]) {
          const body = JSON.stringify(page(renderText(planned, exclusionConditions(text))));
          expect(body.length).toBeLessThan(200_000);
          expect(body.match(/"(?:term|terms|prefix|fuzzy|match_phrase)":/g)?.length ?? 0).toBeLessThan(600);
          expect(body).not.toMatch(/\\ud[89a-f]/i);
        }
      }),
    );
  });
});

describe('the document of a record', () => {
  const record = madeRecord({
    id: 'times',
    name: "L'Écho de Liège",
    aliases: ['Écho', 'リエージュ'],
    url: 'https://www.echo.example/',
    description: 'Write to the desk.',
    city: 'Liège',
    country: 'BE',
    categories: ['arts'],
    email: 'secret.desk@post.echo.example',
    email_source: 'https://echo.example/contact',
    contact_name: 'Ann Dee',
  });
  const document = indexDocument(record);

  it('contains the address only in its secret', () => {
    const { secret, ...others } = document;
    const [contact] = record.contacts;
    expect(secret).toEqual({ [contact?.id ?? '']: { email: record.email, email_source: record.email_source } });
    expect(JSON.stringify(others)).not.toContain('secret');
    expect(document.record.contacts).toEqual([
      { id: contact?.id, kind: 'person', name: 'Ann Dee', email: 's***@post.echo.example' },
    ]);
    expect(document.record).not.toHaveProperty('email');
  });

  it('stores one copy with the address separate; search fields are indexed but not stored', () => {
    const kept = Object.keys(document).filter((key) => !recordsMapping.mappings._source.excludes.includes(key));
    expect(kept).toEqual(['record', 'secret']);
  });

  it('has numbers for ranges, times too', () => {
    expect(document.within).toEqual({
      audience: null,
      updated_at: Date.UTC(2026, 0, 1),
      created_at: Date.UTC(2026, 0, 1),
    });
  });

  it("has an id that Elasticsearch accepts, however long the record's id is", () => {
    expect(documentId('wd-Q1')).toBe('wd-Q1');
    const long = documentId('報'.repeat(200));
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(512);
    expect(documentId(`${'報'.repeat(199)}告`)).not.toBe(long);
  });

  it('needs no module that some distributions lack', () => {
    const types = JSON.stringify(recordsMapping).match(/"type":"\w+"/g) ?? [];
    expect(new Set(types)).toEqual(
      new Set(
        ['keyword', 'text', 'long', 'boolean', 'object', 'nested', 'whitespace', 'custom', 'dense_vector', 'flat'].map(
          (t) => `"type":"${t}"`,
        ),
      ),
    );
  });
});
