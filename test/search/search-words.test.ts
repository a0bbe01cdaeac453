import { expect, it } from 'vitest';
import { namesOfCity } from '#records/places/city-names.ts';
import { understand } from '#search/understanding/understand.ts';
import { conceptsOf, wordsWithin } from '#search/words/concepts-of.ts';
import { otherNamesOfPlace } from '#search/words/place-names.ts';
import { readParts } from '#search/words/read-parts.ts';
import { searchWords } from '#search/words/search-words.ts';

it.each(['central', 'columbia', 'indie', 'lets', 'north'])('%s is a word of English, no place', (word) => {
  expect(conceptsOf(word)).toEqual([]);
});

it.each(['germany', 'deutschland', 'германию'])('%s is Germany', (word) => {
  expect(conceptsOf(word)).toContain('country.de');
});

it.each(['maine', 'ohio', 'texas', 'utah'])('%s is a state', (word) => {
  expect(conceptsOf(word)).toEqual([expect.stringMatching(/^region\.us\...$/)]);
});

it.each([
  ['tuscany', 'region.it.52'],
  ['baviere', 'region.de.by'],
  ['英字', 'language.en'],
  ['сша', 'country.us'],
  ['свердловскои', 'region.ru.sve'],
  ['львівськоі', 'region.ua.46'],
  ['神奈川', 'region.jp.14'],
  ['בירושלים', 'city.il.jerusalem'],
  ['chorwacji', 'country.hr'],
  ['magyarorszagon', 'country.hu'],
  ['polskich', 'country.pl'],
  ['turkiyedeki', 'country.tr'],
  ['psiquiatria', 'same.psychiatry'],
])('%s is known, in other languages too', (word, concept) => expect(conceptsOf(word)).toEqual([concept]));

it.each(['news outlets', 'news organization', 'news sources'])('%s are outlets of any type', (words) => {
  expect(readParts(words.split(' '))).toMatchObject([{ concepts: ['kind.outlet'] }]);
});

it.each([
  ['греческое', 'language.el', 'country.gr'],
  ['suomi', 'language.fi', 'country.fi'],
  ['ukrainska', 'language.uk', 'country.ua'],
])('%s is a language and a country', (word, ...concepts) => expect(conceptsOf(word)).toEqual(concepts));

it.each([
  ['leeds new', 'type.newspaper', 'kind.outlet'],
  ['kids tv can', 'country.ca', 'type.tv'],
  ['media in ken', 'country.ke', 'type.tv'],
])('the last word of %s begins %s, but not what that begins or another part says: %s', (text, begun, other) => {
  expect(understand(text)?.parts.at(-1)?.begun).toContain(begun);
  expect(understand(text)?.parts.at(-1)?.begun).not.toContain(other);
});

const conceptsWithin = (text: string) => readParts(understand(text)?.typedWords ?? []).map(({ concepts }) => concepts);

it.each([
  ['Lafayette, LA', 'region.us.la'],
  ['Medford, OR newspapers', 'region.us.or'],
  ['jornais de sc', 'region.br.sc'],
])('%s is in %s', (text, region) => expect(conceptsWithin(text).flat()).toContain(region));

it('a word before "language" may name one that is also another word', () =>
  expect(conceptsWithin('karen language')).toEqual([['language.kar']]));

it('"in" may stand behind "or"', () => expect(conceptsWithin('tv en italia o en suiza')[1]).toHaveLength(2));
it('an oblast is a region', () => expect(conceptsWithin('sverdlovsk oblast')).toEqual([['region.ru.sve']]));

it('parts compounds that end with a kind', () => {
  const parted = ['wirtschaftszeitungen', 'wundzeitungen', 'kochpodcasts', 'finnischsprachig'].flatMap(wordsWithin);
  expect(parted.join(' ')).toBe('wirtschaft zeitungen wundzeitungen koch podcasts finnisch sprachig');
  const inRuns = ['机器学习博客', '人民日报', '東京のラジオはどこですか'].flatMap(wordsWithin).join(' ');
  expect(inRuns).toBe('机器学习 博客 人民日报 東京 ラジオ はどこですか');
});

it("knows Côte d'Ivoire as it is searched", () =>
  expect(searchWords().byWord.get('cote ivoire')).toEqual(['country.ci']));

it('looks for a place by its other names in texts, unless they stand for something else too', () => {
  expect(otherNamesOfPlace('kopenhagen')).toEqual(['copenhagen', 'kobenhavn', 'koebenhavn']);
  expect(otherNamesOfPlace('munich')).toEqual(['munchen', 'muenchen', 'munchener', 'munchner']);
  expect(otherNamesOfPlace('петербург')).toEqual(['sankt peterburg']);
  expect(otherNamesOfPlace('oreg')).toContain('oregon');
});

it('Osaka-shi is Osaka', () => expect(namesOfCity('Osaka-shi', 'JP')).toEqual(namesOfCity('Osaka', 'JP')));

it('Saint and St. are one, and Fort and Ft., and Mount and Mt.', () => {
  expect(namesOfCity('Ft. Wayne', 'US')).toEqual(['fort wayne', 'ft wayne']);
  expect(namesOfCity('Saint Cloud', 'US')).toEqual(namesOfCity('St. Cloud', 'US'));
});
