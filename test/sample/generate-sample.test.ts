import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { filterFields } from '#records/fields.ts';
import { mergeRecord } from '#records/merge-record.ts';
import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import { generateSample } from '#sample/generate-sample.ts';
import { contentOf } from '#testing/made-record.ts';

const sample = [...generateSample({ count: 5000 })];

describe('The sample generator', () => {
  test('gives the same records for the same seed, and the first n of any larger count', () => {
    const more = generateSample({ count: 1_000_000 }).take(1000);
    expect([...more]).toEqual(sample.slice(0, 1000));
    expect([...generateSample({ count: 3, seed: 2 })]).not.toEqual(sample.slice(0, 3));
  });

  test('numbers its records and gives none for a count of zero', () => {
    expect(sample.map(({ id }) => id).slice(0, 2)).toEqual(['sample-000001', 'sample-000002']);
    expect(new Set(sample.map(({ id }) => id)).size).toBe(5000);
    expect([...generateSample({ count: 0 })]).toEqual([]);
  });

  test('uses only values that filters know', () => {
    const unknown = sample.flatMap((record) =>
      filterFields.flatMap(({ key, filter }) =>
        [record[key] ?? []].flat().filter((value) => {
          const canonical = filter.canonical(value);
          const isOpen = key === 'region' || key === 'city' || key === 'tags';
          return isOpen ? canonical === null : canonical !== value;
        }),
      ),
    );
    expect(unknown).toEqual([]);
  });

  test('keeps every address and host under .example, and every host well formed', () => {
    const label = '(?!-)[a-z0-9-]{1,63}(?<!-)';
    const url = new RegExp(`^https://(?:${label}\\.)+example/[a-z/.]*$`);
    const linkedIn = new RegExp(`^https://linkedin\\.example/company/${label}$`);
    const address = new RegExp(`^[a-z0-9.-]+@(?:${label}\\.)+example$`);
    for (const record of sample) {
      for (const value of [record.url, record.email_source, record.feed_url]) {
        if (value !== null) expect(value).toMatch(url);
      }
      if (record.linkedin_url !== null) expect(record.linkedin_url).toMatch(linkedIn);
      if (record.email !== null) expect(record.email).toMatch(address);
    }
    for (const key of ['url', 'email_source', 'feed_url', 'linkedin_url', 'email'] as const) {
      expect(sample.filter((record) => record[key] !== null).length, key).toBeGreaterThan(100);
    }
  });

  test('says nothing about an address if there is none', () => {
    const bare = sample.filter(({ email }) => email === null);
    expect(bare.length).toBeGreaterThan(100);
    expect(bare.filter((record) => record.email_status ?? record.email_source ?? record.last_verified_at)).toEqual([]);
  });

  test('makes records that an import accepts unchanged, without a note', () => {
    const read = sample.map((record) => {
      const result = normalizeRecord(JSON.parse(JSON.stringify(record)));
      if ('rejection' in result) return result;
      const merged = mergeRecord(null, result.patch, new Date(0));
      return { record: 'record' in merged ? contentOf(merged.record) : merged.outcome, notes: result.notes };
    });
    expect(
      read.filter(
        (result, place) => !isDeepStrictEqual(result, { record: contentOf(sample[place] ?? null), notes: [] }),
      ),
    ).toEqual([]);
  });
});
