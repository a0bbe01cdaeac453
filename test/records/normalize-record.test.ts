import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fields } from '#records/fields.ts';
import type { MediaRecord, RecordPatch } from '#records/media-record.ts';
import { mergeRecord } from '#records/merge-record.ts';
import type { SourceRecord } from '#records/normalize/cell-reader.ts';
import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import type { Kind } from '#records/vocabularies.ts';
import { readCases } from '#testing/cases.ts';
import { ofForm } from '#testing/form.ts';
import { madePatch } from '#testing/made-record.ts';
import { hostileText, plainAddress } from '../text/hostile-text.ts';

/** Rows of sources, and what each is read as. */
const rows = readCases<[SourceRecord, Partial<MediaRecord>]>(new URL('rows.tsv', import.meta.url));

function normalized(source: SourceRecord, defaultKind?: Kind) {
  const result = normalizeRecord({ id: '1', ...source }, defaultKind);
  if ('rejection' in result) throw new Error(result.rejection.message);
  return { ...result, codes: result.notes.map(({ field, code }) => `${field} ${code}`) };
}

function rejectionOf(source: SourceRecord) {
  const result = normalizeRecord(source);
  return 'rejection' in result ? `${result.rejection.field} ${result.rejection.code}` : null;
}

describe('a row of a source', () => {
  it('says nothing about absent cells, and clears with empty ones', () => {
    expect(normalized({ city: '', email: null, aliases: '', categories: [], audience: 'N/A' }).patch).toEqual({
      ...{ id: '1', city: null, aliases: [], categories: [], audience: null },
      contacts: { patches: [{ email: null }], areAll: false },
    });
  });

  it('skips what is unreadable, with a note', () => {
    const { patch, codes } = normalized({
      email: 'desk at x dot example',
      audience: 'many',
      coverage: 'lunar',
      url: 'ftp://x',
    });
    expect(patch).toEqual({ id: '1' });
    expect(codes).toEqual([
      'url not_a_web_address',
      'coverage unknown_value',
      'audience unreadable',
      'email obfuscated',
    ]);
  });

  it.each(rows)('%j is %j', (source, patch) => {
    expect(normalized(source).patch).toEqual({ ...madePatch(patch), id: '1' });
  });

  it("without a kind uses its source's, its own first", () => {
    expect(normalized({ kind: '' }, 'newsletter').patch.kind).toBe('newsletter');
    expect(normalized({ kind: 'multiplatform' }, 'outlet').patch.kind).toBe('outlet');
    expect(normalized({ type: 'tv' }, 'newsletter').patch.kind).toBe('outlet');
  });

  it.each(readCases<[source: SourceRecord, expected: string]>(new URL('rejected-rows.tsv', import.meta.url)))(
    '%j is rejected: %s',
    (source, expected) => {
      expect(rejectionOf(source)).toBe(expected);
    },
  );

  it("uses the country's name if there is no code, and keeps the region it has", () => {
    expect(normalized({ country: '', country_name: 'Scotland' }).patch).toMatchObject({
      country: 'GB',
      region: 'Scotland',
    });
    expect(normalized({ country_name: 'France' }).patch.country).toBe('FR');
    expect(normalized({ country: 'DE', country_name: 'Lumina' })).toMatchObject({
      codes: [],
      patch: { country: 'DE' },
    });
    expect(normalized({ country: 'England', region: 'Kent' }).patch.region).toBe('Kent');
  });

  it.each(readCases<[categories: string, expected: string]>(new URL('topics.tsv', import.meta.url)))(
    'topics %j are %j, and no tags',
    (categories, expected) => {
      const { patch, codes } = normalized({
        categories: categories.includes(',') ? categories : categories.split('|'),
      });
      expect(patch.categories?.join('|')).toBe(expected);
      expect(patch.tags).toBeUndefined();
      expect(codes).toEqual([]);
    },
  );

  it.each(readCases<[row: SourceRecord, expected: string]>(new URL('topics-and-tags.tsv', import.meta.url)))(
    'of words, %j are topics and tags: %s',
    (row, expected) => {
      const { categories = [], tags = [] } = normalized(row).patch;
      expect(`${categories.join('|')}; ${tags.join('|')}`).toBe(expected);
    },
  );

  it('reads of words what the row says nothing else about', () => {
    const said = (row: SourceRecord) => normalized(row).patch;
    const spanish = { type: 'newspaper', categories: [], language: 'es' };
    expect(said({ kind: 'outlet', categories: 'daily newspaper, Spanish' })).toMatchObject(spanish);
    const radio = { kind: 'outlet', type: 'radio', language: 'en' };
    expect(said({ ...radio, categories: 'Newspaper|Spanish' })).toMatchObject({ ...radio, tags: ['Spanish'] });
    expect(said({ country: 'US', categories: 'Texas' })).toMatchObject({ categories: [], region: 'Texas' });
    const ohio = { country: 'US', region: 'Ohio' };
    expect(said({ ...ohio, categories: 'Texas' })).toMatchObject({ ...ohio, categories: [], tags: ['Texas'] });
  });

  it('has other names without repeats, placeholders and addresses, up to the limit', () => {
    expect(normalized({ aliases: 'Uno | Eins|Uno|N/A|' }).patch.aliases).toEqual(['Uno', 'Eins']);
    expect(normalized({ aliases: ['A|B', 'desk@x.example', 7] }).patch.aliases).toEqual(['A|B', '7']);
    const { patch, codes } = normalized({ aliases: Array.from({ length: 101 }, (_, index) => `Name ${index}`) });
    expect(patch.aliases).toHaveLength(100);
    expect(codes).toEqual(['aliases too_many']);
  });

  it('says nothing about an unreadable address, including its status', () => {
    const details = { email_status: 'valid', email_source: 'https://x.example/', last_verified_at: '2026-05-01' };
    expect(normalized({ email: 'd***@x.example', ...details }).patch).toEqual({ id: '1' });
    const { contacts } = normalized({ email: 'desk@x.example', ...details }).patch;
    expect(contacts).toMatchObject({ patches: [{ email_status: 'valid' }] });
  });

  it('resolves a feed given as a path on its own site', () => {
    const { patch } = normalized({ url: 'http://x.example/', feed_url: '/rss' });
    expect(patch.feed_url).toBe('http://x.example/rss');
  });

  it('without an id leaves it empty', () => {
    expect(normalizeRecord({ kind: 'outlet', name: 'One', id: 'null' })).toMatchObject({ patch: { id: '' } });
  });

  const value = fc.oneof(
    hostileText,
    fc.constantFrom(null, 0, 7, true, Number.NaN, Number.POSITIVE_INFINITY, [], {}, ['news', null, {}], [['x']]),
    fc.array(hostileText, { maxLength: 4 }),
    fc.constantFrom('outlet', 'podcast', 'tv', 'UK', 'Rome', 'IT', 'daily', 'desk@x.example', 'https://x.example/a'),
    fc.constantFrom('Rome, IT', 'Milan MI', 'Milan MI, IT', 'EU', 'Global', 'Europe'),
  );
  const row = fc.record(Object.fromEntries(fields.map(({ key }) => [key, value])), { requiredKeys: [] });

  it('never throws, and gives a record whose values are in their vocabularies, with an address only in email', () => {
    let made = 0;
    fc.assert(
      fc.property(row, (source) => {
        const record = recordOf(source);
        if (record === null) return;
        made += 1;
        for (const field of fields) {
          const given = record[field.key];
          if ('vocabulary' in field && given !== null)
            expect(field.vocabulary).toEqual(expect.arrayContaining([given].flat()));
          if (field.key !== 'email' && field.type !== 'url') {
            const shown = field.type === 'contacts' ? record.contacts.map((one) => ({ ...one, email: null })) : given;
            expect(JSON.stringify(shown)).not.toMatch(plainAddress);
          }
        }
      }),
      { numRuns: ofForm(200, 2_000) },
    );
    expect(made).toBeGreaterThan(5);
  });

  it('made from a record says nothing new about it', () => {
    fc.assert(
      fc.property(row, (source) => {
        const record = recordOf(source);
        if (record === null) return;
        const again = normalizeRecord(record);
        if ('rejection' in again) throw new Error(again.rejection.message);
        expect(again.notes).toEqual([]);
        expect(mergeRecord(record, again.patch, new Date())).toMatchObject({ outcome: 'unchanged' });
      }),
      { numRuns: ofForm(200, 2_000) },
    );
  });

  /** The record that a row creates if there is none yet; null if the row is rejected. */
  function recordOf(source: SourceRecord) {
    const named = { id: '1', kind: 'outlet', name: 'One' };
    const result = normalizeRecord({ ...named, ...source });
    if ('rejection' in result) return null;
    const patch: RecordPatch = { kind: 'outlet', name: 'One', ...result.patch };
    const merged = mergeRecord(null, patch, new Date(0));
    if (merged.outcome !== 'created') throw new Error(merged.outcome);
    return merged.record;
  }
});
