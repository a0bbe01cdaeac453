import { describe, expect, it } from 'vitest';
import type { MediaRecord } from '#domain/media-record.ts';
import { explainMatch } from '#domain/search/explain-match.ts';
import { parseTextQuery } from '#domain/search/parse-text-query.ts';
import { madeRecord } from '#testing/made-record.ts';

const times = madeRecord({
  id: 'times',
  name: 'The Harbour Times',
  aliases: ['Hafenblatt', '港の新聞'],
  url: 'https://www.harbour-times.example/',
  description: 'A quiet look at ships and schedules.',
  country: 'GB',
  city: 'Leeds',
  type: 'newspaper',
  categories: ['local_news'],
  email: 'secret.desk@post.harbour-times.example',
});
const letter = madeRecord({ id: 'letter', kind: 'newsletter', name: 'Tide', country: 'GB', language: 'en' });

function explain(record: MediaRecord, q: string, isCorrected = false): string[] | null {
  const text = parseTextQuery(q);
  if (text === null) throw new Error('nothing was typed');
  return explainMatch(record, text, isCorrected)?.map(({ sentence }) => sentence) ?? null;
}

describe('a record is explained', () => {
  it.each([
    ['the harbour times', ['The name is what was typed.']],
    ['Hafenblatt', ['An alias is what was typed.']],
    ['harbour times', ['The name or an alias is what was typed, apart from articles and words for "and".']],
    ['ships harb', ['`ships` is in the description.', '`harb` begins `harbour`, which is in the name.']],
    ['leeds schedules', ['`leeds` is in the place.', '`schedules` is in the description.']],
    ['newspapers leeds', ['`newspapers` was read as the type newspaper.', '`leeds` is in the place.']],
    ['harbour-times.example', ['The host is `harbour-times.example`.']],
    ['anybody@harbour-times.example', ['The host is `harbour-times.example`.']],
    ['"quiet look"', ['`quiet look` is in the description.']],
    ['新聞', ['`新聞` is in an alias.']],
    ['-radio', ['It has nothing that was excluded.']],
  ])('by what was typed: %s', (q, reasons) => {
    expect(explain(times, q)).toEqual(reasons);
  });

  it.each([
    ['harbour tmes', '`tmes` was read as `times`, which is in the name.'],
    ['harbour schedules quiz', '`quiz` was left out.'],
    ['harbour-tmes.example', '`harbour-tmes.example` was read as the host `harbour-times.example`.'],
    ['news.harbour-times.example', 'The host is `harbour-times.example`.'],
  ])('by what was forgiven: %s', (q, sentence) => {
    expect(explain(times, q)).toBeNull();
    expect(explain(times, q, true)).toContain(sentence);
  });

  it('by a word that was read as a kind, rightly typed or not', () => {
    expect(explain(letter, 'newsletters uk')).toContain('`newsletters` was read as the kind newsletter.');
    expect(explain(letter, 'newsleter uk', true)).toContain('`newsleter` was read as the kind newsletter.');
    expect(explain(letter, 'english newsletters')).toContain('`english` was read as the language English.');
  });

  it('by no part of an address, which no query finds', () => {
    for (const q of ['secret', 'secret.desk', 'desk', 'secret.desk@elsewhere.example']) {
      expect(explain(times, q, true)).toBeNull();
    }
    expect(JSON.stringify(explain(times, 'secret.desk@post.harbour-times.example'))).not.toContain('secret');
  });

  it('by nothing if it does not match, or has what was excluded', () => {
    expect(explain(times, 'xqzwvk', true)).toBeNull();
    expect(explain(times, 'harbour -ships')).toBeNull();
    expect(explain(times, 'harbour -newspaper')).toBeNull();
  });
});
