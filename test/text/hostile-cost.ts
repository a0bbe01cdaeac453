import { beforeAll, describe, expect, it } from 'vitest';
import { readDocument } from '#backends/mongo/read-document.ts';
import { filterSchema } from '#http/parse/parameters.ts';
import { addText } from '#http/parse/read-parameters.ts';
import { quoteHeading } from '#indexer/importing/row.ts';
import { splitName } from '#outbound/people.ts';
import { fields } from '#records/fields.ts';
import { findField, kindOfHeading } from '#records/normalize/find-field.ts';
import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import { faultOfReason, readSuppression } from '#records/suppression.ts';
import { parseTextQuery } from '#search/parse-text-query.ts';
import { findHost, typedHost } from '#text/hosts.ts';

/** What patterns and loops stumble over, each repeated to the length of the text. */
const units = [
  ...[
    ' ',
    '\t',
    '\n',
    '\u00a0',
    '\u3000',
    '1',
    '0',
    '1 ',
    '1,',
    '1.',
    'a',
    'A ',
    'x-',
    '--',
    '_',
    '*',
    '+',
    '=',
    '~',
    '!',
  ],
  ...[
    '@',
    'a@',
    '@.',
    '@a.',
    '.',
    '. ',
    ' . ',
    ',',
    ', ',
    ';',
    ';;',
    ':',
    '/',
    '//',
    '?',
    '#',
    '|',
    '| ',
    '"',
    "'",
    '(',
    '[',
    '{',
  ],
  ...['<', '>', '<a ', '<a><b>', '<a b="', '<!--', '<script>', '&', 'amp;', '&#', '&#x', '&#64;', '&#64', '&lt;b&gt;'],
  ...['%', '%2', '%25', '%40', '%3', '%e2', '%u0', '\\', '\\u0040', '\\u{', '=40'],
  ...[
    'email ',
    'e-mail us at ',
    'mailto:',
    ' at ',
    'at ',
    '-at-',
    '*at*',
    '(at)',
    '(a)',
    '[dot]',
    ' dot ',
    'jAT',
    'arroba ',
  ],
  ...[
    'j at x.org ',
    'j at x dot ',
    'j@x.org ',
    'x.org ',
    'http://',
    'https://x.org ',
    'www.',
    'x/@x.',
    'アット',
    '골뱅이',
    '。',
    'ⓐ',
  ],
  ...[
    '\u0301',
    '\u0301\u0316',
    '\u0345\u0301\u0327\u0334',
    'e\u0301',
    '\uff9e\u0301',
    '\ufdfa',
    '\u00ad',
    '\u200b',
    '\u202e',
  ],
  ...['Ã¡', 'é', '日本', 'а т ', '😀', '\ud800', '\u{e0040}', '🏴\u{e0067}', '\0', '\u0001', '\u0085'],
  ...['N/A ', 'May 1 ', '2026-', 'and ', 'Dr. ', ', PhD', '+1 ', 'k', 'news, '],
];
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
  ['a typed query', (text) => parseTextQuery(text.slice(0, 500))],
  ['a host', findHost],
  ['a host in a list', typedHost],
  ['the name of a person', splitName],
];

function costOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * Tests that no reader of external text is slower than linear in its length.
 *
 * @param length of the texts, in UTF-16 code units
 * @param maxCost of one, in milliseconds of processor time: ten times the most expensive one
 */
export function describeHostileCost(length: number, maxCost: number): void {
  describe(`hostile text of ${length} characters`, () => {
    // What V8 compiles on the way is nobody's cost.
    beforeAll(() => {
      for (const [, read] of readers) for (const unit of units) read(unit.repeat(100));
    });

    it.each(readers)(`costs %s at most ${maxCost} ms of processor time, whatever it is`, (_, read) => {
      for (const text of shapesOf(length)) {
        const cost = costOf(() => read(text));
        expect(cost, JSON.stringify(text.slice(0, 20))).toBeLessThan(maxCost);
      }
    });
  });
}
