import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnKeys } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { leadColumns, recordColumns } from '#src/encodings/columns.ts';
import { listFormats } from '#src/encodings/formats.ts';
import { guardFormula, unguardFormula } from '#src/encodings/formulas.ts';
import { instantly } from '#src/lead-tools/instantly.ts';
import { leadTools } from '#src/lead-tools/lead-tools.ts';
import { smartlead } from '#src/lead-tools/smartlead.ts';
import { anyCharacter } from '#testing/form.ts';
import { madeRecord } from '#testing/made-record.ts';

const columnsOf = {
  csv: recordColumns(),
  instantly: leadColumns(instantly.columns),
  smartlead: leadColumns(smartlead.columns),
  lemlist: leadColumns(leadTools.find(({ name }) => name === 'lemlist')?.columns ?? []),
};
type FormatName = keyof typeof columnsOf;
const headingOfNames = { csv: 'name', instantly: 'company_name', smartlead: 'company_name', lemlist: 'companyName' };

function write(batches: AsyncIterable<readonly MediaRecord[]>, name: FormatName) {
  const format = listFormats(leadTools).find((known) => known.name === name);
  if (format === undefined) throw new Error(`there is no format ${name}`);
  return format.write(batches);
}

async function* inBatches(records: readonly MediaRecord[], size: number): AsyncGenerator<readonly MediaRecord[]> {
  for (let start = 0; start < records.length; start += size) yield records.slice(start, start + size);
}

async function fileOf(records: readonly MediaRecord[], format: FormatName, size = 3): Promise<string> {
  const chunks: Buffer[] = [];
  await pipeline([
    write(inBatches(records, size), format),
    async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of source) chunks.push(chunk);
    },
  ]);
  return Buffer.concat(chunks).toString('utf8');
}

/** Rows by heading, read by a parser that forgives nothing. */
function readFile(file: string): Record<string, string>[] {
  return parse(file, { columns: true, record_delimiter: '\r\n', relax_column_count: false, relax_quotes: false });
}

const awkward = [
  ...['plain', 'a "quoted" word', 'commas, and; semicolons', 'two\nlines', 'two\r\nlines', '"', '""', ',', "it's"],
  ...[
    ' spaces around ',
    'Ärger mit Ümläuten',
    '新闻 ニュース 뉴스',
    'أخبار اليوم',
    'ข่าว',
    '🗞️👩‍🚀',
    'a|b',
    'C:\\path\\',
  ],
];
const formulas = [
  ...['=1+1', '+1+1', '-1', '@SUM(A1)', '＝1', '＋1', '－1', '＠A', '\t=1', '\r=1', '\n=1', ' =1', '\u00a0=1'],
];

describe.each(Object.keys(columnsOf) as FormatName[])('a file in the format %s', (format) => {
  it('returns every value in a strict RFC 4180 parser', async () => {
    const records = awkward.map((name, index) =>
      madeRecord({ id: `r${index}`, name, email: `r${index}@host.example`, contact_title: name, city: name }),
    );
    const rows = readFile(await fileOf(records, format));
    expect(rows.map((row) => row[headingOfNames[format]])).toEqual(awkward);
    expect(rows.map((row) => row.city)).toEqual(awkward);
  });

  it('ends every line with CRLF and always has a heading line', async () => {
    const empty = await fileOf([], format);
    expect(empty).toBe(`${columnsOf[format].headings.join(',')}\r\n`);
    const file = await fileOf([madeRecord({ id: 'a', email: 'a@host.example' })], format);
    expect(file.startsWith(empty)).toBe(true);
    expect(file.match(/\r\n/g)).toHaveLength(2);
    expect(file.endsWith('\r\n')).toBe(true);
  });

  it('is the same however the rows are batched, and loses none beyond the size of a buffer', async () => {
    const records = Array.from({ length: 3_000 }, (_, index) =>
      madeRecord({ id: `r${index}`, email: `r${index}@host.example`, description: 'x'.repeat(index % 200) }),
    );
    const whole = await fileOf(records, format, 3_000);
    expect(readFile(whole)).toHaveLength(3_000);
    expect(await fileOf(records, format, 7)).toBe(whole);
  });

  it('writes what looks like a formula as the format requires', async () => {
    const records = formulas.map((name, index) =>
      madeRecord({ id: `r${index}`, name, email: `r${index}@host.example` }),
    );
    const rows = readFile(await fileOf(records, format));
    expect(rows.map((row) => row[headingOfNames[format]])).toEqual(
      format === 'csv' ? formulas.map((formula) => `'${formula}`) : formulas,
    );
  });

  it('leaves phone numbers alone', async () => {
    const phones = ['+44 20 7946 0000', '+1 (212) 555-0100', '020 7946 0000'];
    const rows = readFile(
      await fileOf(
        phones.map((phone, index) => madeRecord({ id: `r${index}`, phone, email: 'a@host.example' })),
        format,
      ),
    );
    expect(rows.map((row) => row[format === 'smartlead' ? 'phone_number' : 'phone'])).toEqual(phones);
  });
});

describe('csv', () => {
  it('has the fields of a record in order, lists with | between their values', async () => {
    const [row] = readFile(
      await fileOf([madeRecord({ id: 'a', aliases: ['x', 'y'], categories: ['arts', 'music'], audience: 0 })], 'csv'),
    );
    expect(Object.keys(row ?? {})).toEqual([...columnKeys]);
    expect(row).toMatchObject({ id: 'a', aliases: 'x|y', categories: 'arts|music', audience: '0', email: '' });
  });

  it('writes what an import reads as it was', () => {
    const cells = ['=1+1', "'=1+1", "''＝1", ' @home', '+44 20 7946 0000', "'tis"];
    expect(cells.map(guardFormula).map(unguardFormula)).toEqual(cells);
  });

  it('preserves any text except for the sign before a formula', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: anyCharacter, maxLength: 40 }), { maxLength: 20 }), async (texts) => {
        const names = texts.map((text) => text.replaceAll('\0', '').toWellFormed());
        const rows = readFile(
          await fileOf(
            names.map((name, index) => madeRecord({ id: `r${index}`, name })),
            'csv',
          ),
        );
        expect(rows.map(({ name }) => name)).toEqual(names.map(guardFormula));
      }),
      { numRuns: 40 },
    );
  });
});

describe('the formats for outbound tools', () => {
  it('contain no row without an address', async () => {
    const records = [
      madeRecord({ id: 'a' }),
      madeRecord({ id: 'b', email: 'b@host.example' }),
      madeRecord({ id: 'c' }),
    ];
    expect(readFile(await fileOf(records, 'instantly', 1)).map((row) => row.record_id)).toEqual(['b']);
  });

  it('start with the fields that each tool knows, and keep its limits', () => {
    const first = (format: FormatName, count: number) => columnsOf[format].headings.slice(0, count).join(' ');
    expect(first('instantly', 7)).toBe('email first_name last_name company_name website phone personalization');
    expect(first('smartlead', 9)).toBe(
      'email first_name last_name company_name phone_number website location linkedin_profile company_url',
    );
    expect(first('lemlist', 9)).toBe(
      'email firstName lastName picture phone linkedinUrl companyName companyDomain icebreaker',
    );
    for (const { headings } of Object.values(columnsOf)) expect(new Set(headings).size).toBe(headings.length);
    expect(columnsOf.instantly.headings.every(({ length }) => length <= 20)).toBe(true);
    expect(columnsOf.smartlead.headings.length - 9).toBeLessThanOrEqual(20);
  });
});
