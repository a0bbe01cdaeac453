import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { groups, languages, wordsOfLanguage, wordsOfUse, wordsOfUses } from '#languages/words.ts';
import { fields } from '#records/fields.ts';
import {
  categories,
  citySizes,
  coverages,
  emailStatuses,
  frequencies,
  kinds,
  outletTypes,
} from '#records/vocabularies.ts';
import { cityConcept } from '#search/words/concepts.ts';

const folder = new URL('../../src/languages/', import.meta.url);

const valuesOf = { kind: kinds, type: outletTypes, coverage: coverages, frequency: frequencies, category: categories };
const sourceValues = { ...valuesOf, city_size: citySizes, email_status: emailStatuses };

/** Every use that the code reads, but those of places. */
const uses = new Set([
  ...Object.entries({ ...valuesOf, topic: categories }).flatMap(([name, values]) =>
    values.map((one) => `${name}.${one}`),
  ),
  ...Object.entries(sourceValues).flatMap(([name, values]) => values.map((one) => `value.${name}.${one}`)),
  ...['1e3', '1e4', '1e6', '1e8', '1e9'].map((factor) => `value.factor.${factor}`),
  ...fields.flatMap(({ key }) => [`heading.field.${key}`, `heading.whole.${key}`]),
  ...['beats', 'beside', 'flag', 'job', 'owner', 'vague', 'part.first', 'part.last', 'opt_out'].map(
    (use) => `heading.${use}`,
  ),
  ...['cell.above', 'cell.total', 'cell.no', 'search.but', 'search.not_behind'],
  ...['filler', 'asking', 'role', 'language', 'region', 'except', 'not', 'no_place'].map((use) => `search.${use}`),
  ...['with', 'least', 'most', 'thousand', 'million', 'often', 'audience'].map((use) => `audience.${use}`),
  ...['article', 'article_in_names', 'and', 'and_in_names', 'or', 'preposition'].map((use) => `small.${use}`),
  ...['sentence.word', 'organization.word', 'organization.desk', 'organization.part', 'inbox.automatic'],
  ...[...Array(20).keys()].map((number) => `number.${number + 1}`),
  ...[30, 40, 50, 60, 70, 80, 90].map((number) => `number.${number}`),
  ...groups.keys(),
]);
const place =
  /^(?:country\.[a-z]{2}|city\.[a-z]{2}\.[a-z_]+|region\.[a-z]{2}\.[a-z\d]+|continent\.[a-z_]+|language\.[a-z]{2,3}|network\.[a-z]+|same\.[a-z\d_]+)$/;

async function readLines(file: string): Promise<string[]> {
  const text = await readFile(new URL(file, folder), 'utf8');
  expect(text.endsWith('\n'), `${file} ends with a line break`).toBe(true);
  return text.slice(0, -1).split('\n');
}

describe.each([...languages.map((language) => `words/${language}.tsv`), 'groups.tsv'])('%s', (file) => {
  it('is sorted, with a line for each word', async () => {
    const lines = await readLines(file);
    expect(lines).toEqual([...new Set(lines)].sort());
    expect(lines.filter((line) => !/^[^\t\s]+\t\S(?:[^\t]*\S)?$/.test(line))).toEqual([]);
  });
});

it.each(languages)('%s has only words of uses that the code reads', (language) => {
  const unread = [...wordsOfLanguage(language).keys()].filter((use) => !uses.has(use) && !place.test(use));
  expect(unread).toEqual([]);
});

it('has no other files among those of languages', async () => {
  const files = await readdir(new URL('words/', folder));
  expect(files.filter((file) => !/^[a-z]{2}\.tsv$/.test(file))).toEqual([]);
});

it('finds the words of a use in every language', () => {
  expect(wordsOfUse('search.role')).toContain('editor');
  expect(wordsOfUse('kind.newsletter')).toEqual(expect.arrayContaining(['newsletter', 'infolettre', 'rundbrief']));
  expect(wordsOfUses('small.').get('article')).toEqual(expect.arrayContaining(['the', 'das']));
});

describe('the cities of an area', () => {
  it('are those that records have: a name that stands for another city would find nothing, or elsewhere', () => {
    const cities = [...groups.values()].flat().filter((concept) => concept.startsWith('city.'));
    expect(cities.length).toBeGreaterThan(500);
    for (const concept of cities) {
      const [, country = '', name = ''] = concept.split('.');
      expect(cityConcept(name.replaceAll('_', ' '), country.toUpperCase())).toBe(concept);
    }
  });
});
