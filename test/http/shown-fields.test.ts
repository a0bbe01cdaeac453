import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { shownFields } from '#http/pages/page.ts';
import type { FieldDefinition } from '#records/field-definition.ts';
import { fields } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { kinds } from '#records/vocabularies.ts';
import { loadConfig } from '#src/settings/config.ts';
import { madeRecord } from '#testing/made-record.ts';
import { renderPage } from '#web/render.js';

type ShownFields = Parameters<typeof renderPage>[0]['fields'];

/** A record of which every field is known, and no value is part of another. */
const whole: MediaRecord = madeRecord({
  id: 'whole',
  ...{ kind: 'outlet', name: 'Harbour Times', aliases: ['The Quayside'], url: 'https://site.example/' },
  ...{
    description: 'About boats.',
    language: 'pt',
    continent: 'europe',
    country: 'GB',
    country_name: 'United Kingdom',
  },
  ...{ region: 'Yorkshire', city: 'Leeds', city_size: 'medium', type: 'radio', categories: ['gaming'] },
  ...{ coverage: 'regional', contact_name: 'Ada Quill', contact_title: 'Desk chief', email: 'ada@mail.example' },
  ...{
    email_status: 'valid',
    email_source: 'https://seen.example/imprint',
    last_verified_at: '2026-10-02T00:00:00.000Z',
  },
  ...{ phone: '+44 20 7946 0000', audience: 91_234, frequency: 'biweekly', feed_url: 'https://feed.example/rss' },
  ...{ platform: 'Ghost', linkedin_url: 'https://linkedin.example/c', updated_at: '2026-03-04T00:00:00.000Z' },
  ...{ created_at: '2025-02-05T00:00:00.000Z' },
  ...{ tags: ['pirates'] },
});

/** What a visitor reads of each field. */
const visible: Partial<Record<string, string>> = {
  url: 'site.example',
  country: 'United Kingdom',
  language: 'Portuguese',
  kind: 'Outlet',
  type: 'Radio',
  categories: 'Gaming',
  coverage: 'Regional',
  email_status: 'Checked',
  email_source: 'seen.example',
  last_verified_at: 'Oct 2, 2026',
  audience: '91,234',
  frequency: 'Biweekly',
  feed_url: 'feed.example',
  linkedin_url: 'linkedin.example',
  updated_at: 'Mar 4, 2026',
  created_at: 'Feb 5, 2025',
  contacts: 'Ada Quill',
};

const textIn = (page: string) => page.replace(/<script[\s\S]*?<\/script>/g, '').replace(/<[^>]*>/g, ' ');

const request = { root: './', contactEmail: null, operator: loadConfig({}).operator };
const nothing = { fault: null, contactEmail: null, apiUrl: '', pageUrl: '' };

/** The page of a record, as a caller with a plan sees it. */
function pageOf(record: object, shown: ShownFields = shownFields): string {
  const data = { ...nothing, record, similar: [] };
  return renderPage({ ...request, fields: shown, page: 'media', data, query: new URLSearchParams() }).body;
}

/** The table of a search with these columns. */
function tableOf(record: object, columns: string, shown: ShownFields = shownFields): string {
  const found = { results: [record], total: 1, page: 1, per_page: 20, total_pages: 1, masked: false };
  const service = { filters: [], formats: [], tools: [], wholePlans: [], serviceUrl: '', pitch: null };
  const data = { ...nothing, found, facets: null, ...service };
  const query = new URLSearchParams({ view: 'table', columns });
  return renderPage({ ...request, fields: shown, page: 'explorer', data, query }).body.replace(/^[\s\S]*<tbody>/, '');
}

describe('each field of a record', () => {
  const known: readonly FieldDefinition[] = fields;

  it.each(known.map((field) => [field.key, field] as const))(
    '%s is on the page of the record, or says why not',
    (key, field) => {
      if ('nowhere' in field.shown) {
        expect(field.shown.nowhere).toMatch(/^[A-Z].*\.$/);
        return;
      }
      const value = [Object(whole)[key]].flat()[0];
      expect(value, 'the record of this test needs a value for it').toBeTruthy();
      expect(textIn(pageOf(whole))).toContain(visible[key] ?? value);
    },
  );

  it('of a kind is among what a search of pages can have', async () => {
    const module = await readFile(new URL('../../src/web/search-state.js', import.meta.url), 'utf8');
    expect(module).toContain(`everyKind = '${kinds.join('|')}'`);
  });

  it('with a column is in the table', () => {
    const table = textIn(tableOf(whole, shownFields.columns.map(({ name }) => name).join('|')));
    // Of an outlet, the column shows its type instead of its kind.
    for (const { key, column } of known.filter((one) => one.column && one.key !== 'kind')) {
      const value = [Object(whole)[key]].flat()[0];
      expect(table, `${key} in ${column?.[0]}`).toContain(visible[key] ?? value);
    }
  });

  it('is shown too if only the registry knows it', () => {
    const owner = { key: 'owner', type: 'text', isWord: false, filter: 'owner' } as const;
    const shown: ShownFields = {
      rows: [...shownFields.rows, { ...owner, part: 'details', label: 'Owner' }],
      columns: [...shownFields.columns, { name: 'owner', field: owner }],
    };
    const record = { ...whole, owner: 'Acme & Sons' };
    const link = '<a href="./?owner=Acme+%26+Sons">Acme &amp; Sons</a>';
    expect(pageOf(record, shown)).toContain(`<dt>Owner</dt><dd dir="auto">${link}</dd>`);
    expect(tableOf(record, 'owner', shown)).toMatch(/<td data-label="Owner"[^>]*><bdi>Acme &amp; Sons<\/bdi>/);
  });
});
