import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ContactKind } from '#records/contacts/contact.ts';
import { mediumFilterFields } from '#records/fields.ts';
import { mergeRecord } from '#records/merge-record.ts';
import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import type { Category } from '#records/vocabularies.ts';
import beats from '#sample/beats.json' with { type: 'json' };
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
      mediumFilterFields.flatMap(({ key, filter }) =>
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
    const profileOrPage = new RegExp(`^https://(?:${label}\\.)+example/(?:in/|@)?[a-z/.-]*$`);
    const address = new RegExp(`^[a-z0-9.-]+@(?:${label}\\.)+example$`);
    for (const record of sample) {
      for (const value of [record.url, record.email_source, record.feed_url]) {
        if (value !== null) expect(value).toMatch(url);
      }
      if (record.linkedin_url !== null) expect(record.linkedin_url).toMatch(linkedIn);
      for (const { email, email_source, links } of record.contacts) {
        if (email !== null) expect(email).toMatch(address);
        for (const page of [email_source ?? [], links].flat()) expect(page).toMatch(profileOrPage);
      }
    }
    for (const key of ['url', 'email_source', 'feed_url', 'linkedin_url', 'email'] as const) {
      expect(sample.filter((record) => record[key] !== null).length, key).toBeGreaterThan(100);
    }
  });

  test('gives a third of the media two to five people, each with a title of its own, beats of the topics and profiles', () => {
    const several = sample.filter(({ contacts }) => contacts.filter(({ title }) => title !== null).length > 1);
    expect(several.length / sample.length).toBeCloseTo(1 / 3, 1);
    const sizes = new Set(several.map(({ contacts }) => contacts.filter(({ title }) => title !== null).length));
    expect([...sizes].toSorted()).toEqual([2, 3, 4, 5]);
    const covered = (topics: readonly Category[]) => new Set(topics.flatMap((topic) => beats[topic]));
    for (const { categories, contacts } of several) {
      const possible = covered(categories);
      expect(contacts.flatMap((contact) => contact.beats).filter((beat) => !possible.has(beat))).toEqual([]);
      const names = contacts.flatMap(({ name }) => name ?? []);
      expect(new Set(names).size).toBe(names.length);
    }
    for (const key of ['beats', 'links'] as const) {
      expect(
        several.filter(({ contacts }) => contacts.some((contact) => contact[key].length > 0)).length,
        key,
      ).toBeGreaterThan(1000);
    }
  });

  test('has desks, and an automatic inbox at one medium in fifty', () => {
    const kinds = sample.map(({ contacts }) => contacts.map(({ kind }) => kind));
    const countWith = (kind: ContactKind) => kinds.filter((all) => all.includes(kind)).length;
    expect(countWith('automatic') / sample.length).toBeCloseTo(1 / 50, 2);
    expect(countWith('desk')).toBeGreaterThan(1000);
    expect(countWith('person')).toBeGreaterThan(2500);
  });

  test('says nothing about an address if there is none', () => {
    const bare = sample.filter(({ email }) => email === null);
    expect(bare.length).toBeGreaterThan(100);
    expect(bare.filter((record) => record.email_status ?? record.email_source ?? record.last_verified_at)).toEqual([]);
  });

  test('makes records that an import accepts unchanged, without a note', () => {
    const read = sample.slice(0, 1_000).map((record) => {
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
