import { beforeAll, describe, expect, it } from 'vitest';
import { readDocument } from '#backends/mongo/read-document.ts';
import { filterSchema } from '#http/parse/query-parameters.ts';
import { addText, readObject } from '#http/parse/read-parameters.ts';
import { quoteHeading } from '#indexer/importing/row.ts';
import { splitName } from '#records/contacts/people.ts';
import { fields } from '#records/fields.ts';
import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import { findField, kindOfHeading } from '#records/normalize/source-words.ts';
import { faultOfReason, readSuppression } from '#records/read-suppression.ts';
import { understand } from '#search/understanding/understand.ts';
import { ofForm } from '#testing/form.ts';
import { findHost, typedHost } from '#text/hosts.ts';
import hostile from './hostile.json' with { type: 'json' };
import { processorTime } from './hostile-text.ts';

/** What patterns and loops stumble over, each repeated to the length of the text. */
const units = [...hostile.units, '\ud800'];
const starts = ['1', '~1', 'email', '<', '&#', 'a@', '"', '(', 'http://x.org/', 'a.', 'May 1', '@', 'j at ', '%'];

function* shapesOf(length: number): Iterable<string> {
  for (const unit of units) yield unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  for (const start of starts) {
    for (const unit of [' ', '0', 'a', '.', '@', '\u0301', '/']) yield `${start}${unit.repeat(length)}\u0001x`;
  }
}

const cells = { id: 'a', kind: 'outlet', name: 'x' };

/** Everything that is done to a cell of each field, and to other external text. */
const readers: readonly (readonly [string, (text: string) => unknown])[] = [
  ...fields.map(({ key, type }) => {
    const cell = (text: string) => (type === 'list' ? [text, text.slice(0, 1_000), text] : text);
    return [`a cell of ${key}`, (text: string) => normalizeRecord({ ...cells, [key]: cell(text) })] as const;
  }),
  ['a list in one cell', (text) => normalizeRecord({ ...cells, aliases: text, categories: text })],
  ['a document of another tool', (text) => readDocument({ _id: text, kind: 'outlet', name: text, categories: [text] })],
  ['a column heading', (text) => [findField(text), kindOfHeading(text), quoteHeading(text)]],
  ['a suppression', (text) => (['address', 'domain', 'record'] as const).map((kind) => readSuppression(kind, text))],
  ['the reason for a suppression', faultOfReason],
  ['a parameter', (text) => [addText(new Map(), 'q', text), filterSchema.safeParse({ q: text })]],
  ['a typed query', (text) => understand(text.slice(0, 500))],
  ['a host', findHost],
  ['a host in a list', typedHost],
  ['the name of a person', splitName],
];

/** Of the texts, in UTF-16 code units. Quadratic code takes seconds for the short ones and minutes for the long ones. */
const length = ofForm(16, 1_024) * 1_024;
/**
 * What a hostile text may cost, in readings of harmless text of its length by every reader once: five times the most expensive
 * one, most of which is characters that stand for eighteen others. The same run measures both, so that no machine is too slow.
 */
const mostReadings = 60;

const sentence = 'The Harbour Times is read by 90,000 people on the coast. ';
/** A harmless text that no reader has seen before, because some of them remember what they read. */
const harmless = (place: number) => `${place} ${sentence.repeat(length / sentence.length)}`;

describe(`hostile text of ${length} characters`, () => {
  let reading = 0;
  beforeAll(() => {
    // What V8 compiles on the way is nobody's cost.
    for (const [, read] of readers) for (const unit of units) read(unit.repeat(100));
    const texts = Array.from({ length: ofForm(20, 2) }, (_, place) => harmless(place));
    const readAll = () => {
      for (const text of texts) for (const [, read] of readers) read(text);
    };
    reading = processorTime(readAll) / texts.length;
  });

  const costsLittle = (read: () => unknown) => processorTime(read) < mostReadings * reading;

  it.each(readers)('costs %s little more than harmless text, whatever it is', (_, read) => {
    const expensive = [...shapesOf(length)].filter((text) => {
      // A second text without the 20th character: what was in the way of the first is not in its way.
      const other = text.slice(0, 20) + text.slice(21);
      return !costsLittle(() => read(text)) && !costsLittle(() => read(other));
    });
    expect(expensive.map((text) => JSON.stringify(text.slice(0, 20)))).toEqual([]);
  });

  it.each([
    ['filters that do not exist', Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`f${at}`, 'x']))],
    ['long values of a filter', { country: Array.from({ length: 50 }, (_, at) => 'q'.repeat(1_300) + at) }],
  ])('costs little in errors: %s', (_, given) => {
    expect(costsLittle(() => readObject(given, filterSchema, []))).toBe(true);
  });
});
