import { describe, expect, it } from 'vitest';
import { usualColumns } from '#indexer/importing/column-map.ts';
import { CsvReader } from '#indexer/importing/csv-reader.ts';
import type { Row } from '#indexer/importing/row.ts';

/** The rows of a CSV file that is read in one piece. */
function read(text: string): Row[] {
  const bytes = Buffer.from(text);
  const reader = new CsvReader(bytes, usualColumns, 'csv');
  return [...reader.read(bytes.subarray(reader.headerEnd)), ...reader.end()];
}

const lines = [
  '1,outlet,The Quiet Harbour',
  ' 2 ,\toutlet , \u00a0Spaced\u2003Out\u3000 ',
  '3,outlet',
  '4,outlet,Long,',
  '5,outlet,Longer,more',
  '',
  ',,',
  "6,outlet,'=Formula",
  '7,outlet,Harbour Écho 新闻',
  '8,outlet,Vertical\vTab\f',
  '\ufeff9,outlet,Marked',
];

describe('CSV without quotes', () => {
  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('is read as it is after a line with a quote, with lines that end in %s', (_, end) => {
    const header = `id,kind,name${end}`;
    const rows = read(header + lines.join(end));
    const after = read(`${header}"0",outlet,Quoted${end}${lines.join(end)}`).slice(1);
    expect(rows.length).toBe(9);
    expect(rows).toEqual(after.map((row) => ({ ...row, line: row.line - 1 })));
  });

  it('has the same cells with any delimiter', () => {
    for (const delimiter of [';', '\t', '|']) {
      const of = (cells: string) => cells.replaceAll(',', delimiter);
      expect(read(of('id,kind,name\n1,outlet,A\n2,,B'))).toEqual(read(of('id,kind,name\n"1",outlet,A\n2,,B')));
    }
  });
});
