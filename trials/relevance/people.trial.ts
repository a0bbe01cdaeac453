import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MediaRecord } from '../../src/records/media-record.ts';
import { generateSample } from '../../src/sample/generate-sample.ts';
import { everything } from '../../src/search/search-query.ts';
import { engines } from '../../test/support/engines.ts';
import { ofForm } from '../../test/support/form.ts';
import { sample } from './names.ts';
import { openScratch, openScratchOn, type Scratch } from './open-scratch.ts';
import { type KnownPerson, peopleClasses, scorePeople, scoreTitlesInPlaces, uniquePersons } from './people.ts';

/** The least share of people who are found, by the way they are asked for (contract A18). */
const floors: Readonly<Record<string, number>> = {
  name: 0.95,
  'name and medium': 0.97,
  'one slip': 0.9,
  begun: 0.9,
  'name and kind': 0.95,
  'name and role': 0.95,
};

const seed = 1;
const inventedRecords = ofForm(1_500, 3_000);
const askedPeople = ofForm(80, 200);

/** In the short form one: that the other one finds the same is for same-results.trial.ts to see. */
const backends = [
  { backend: 'embedded', isAvailable: true, open: () => openScratch() },
  {
    backend: 'production',
    isAvailable: engines.mongodb !== null && engines.elasticsearch !== null,
    open: () => openScratchOn(engines.mongodb ?? '', engines.elasticsearch ?? ''),
  },
].slice(0, ofForm(1, 2));

describe.each(backends)('people among invented media on the $backend backend', ({ isAvailable, open }) => {
  let scratch: Scratch;
  let people: KnownPerson[];
  const records: MediaRecord[] = [];

  beforeAll(async () => {
    if (!isAvailable) return;
    scratch = await open();
    await scratch.records.merge([...generateSample({ count: inventedRecords })]);
    await scratch.settle();
    for await (const batch of await scratch.index.scan(everything)) records.push(...batch);
    records.sort((a, b) => (a.id < b.id ? -1 : 1));
    people = sample(uniquePersons(records), askedPeople, seed);
  });
  afterAll(() => scratch?.close());

  test.skipIf(!isAvailable).each(peopleClasses)('are found by $name, in contacts and in media', async (way) => {
    const { contacts, media, asked, misses } = await scorePeople(scratch.index, people, way, seed);
    const told = `${way.name}: contacts ${contacts}, media ${media} of ${asked}\n${misses.join('\n')}`;
    expect(asked).toBeGreaterThan(askedPeople / 3);
    expect(contacts, told).toBeGreaterThanOrEqual(floors[way.name] ?? 1);
    expect(media, told).toBeGreaterThanOrEqual(floors[way.name] ?? 1);
  });

  test.skipIf(!isAvailable)('all fit a title and a place', async () => {
    const { share, shown, misses } = await scoreTitlesInPlaces(scratch.index, people, records);
    expect(shown).toBeGreaterThan(askedPeople / 3);
    expect(share, misses.join('\n')).toBe(1);
  });
});
