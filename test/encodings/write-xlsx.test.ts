import { buffer, text as textOf } from 'node:stream/consumers';
import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { columnKeys } from '#records/fields.ts';
import type { MediaRecord, RecordKey } from '#records/media-record.ts';
import { writeXlsx } from '#src/encodings/write-xlsx.ts';
import { madeRecord } from '#testing/made-record.ts';

async function* inBatches(records: readonly MediaRecord[], size = 3): AsyncGenerator<readonly MediaRecord[]> {
  for (let start = 0; start < records.length; start += size) yield records.slice(start, start + size);
}

/** The files of a workbook. */
async function workbookOf(
  records: readonly MediaRecord[],
  fields?: readonly RecordKey[],
): Promise<Map<string, string>> {
  const archive = await fromBufferPromise(await buffer(writeXlsx(inBatches(records), { fields })));
  const files = new Map<string, string>();
  for await (const entry of archive.eachEntry()) {
    files.set(entry.fileName, await textOf(await archive.openReadStreamPromise(entry)));
  }
  return files;
}

/** The cells of the sheet by their places. */
function cellsOf(workbook: Map<string, string>): Record<string, string | number> {
  const cells: Record<string, string | number> = {};
  let [place, type, text] = ['', '', ''];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'c') [place, type, text] = [attributes.r ?? '', attributes.t ?? '', ''];
      },
      ontext(data) {
        text += data;
      },
      onclosetag(name) {
        if (name === 'c') cells[place] = type === 'inlineStr' ? text : Number(text);
      },
    },
    { xmlMode: true },
  );
  parser.end(workbook.get('xl/worksheets/sheet1.xml'));
  return cells;
}

describe('a workbook', () => {
  it('has a row of headings and one of each record, with numbers as numbers', async () => {
    const record = madeRecord({ id: 'a', name: 'Echo', aliases: ['L’Écho', 'E'], audience: 1234 });
    const cells = cellsOf(await workbookOf([record, madeRecord({ id: 'b', name: '人民 🗞️' })]));
    const headings = Object.entries(cells).filter(([place]) => /^[A-Z]+1$/.test(place));
    expect(headings.map(([, heading]) => heading)).toEqual([...columnKeys]);
    expect(cells).toMatchObject({ A2: 'a', B2: 'outlet', C2: 'Echo', D2: 'L’Écho|E', A3: 'b', C3: '人民 🗞️' });
    expect(cells[`${headings.find(([, key]) => key === 'audience')?.[0].slice(0, -1)}2`]).toBe(1234);
    expect('E2' in cells).toBe(false);
  });

  it('has only the columns that were asked for', async () => {
    expect(cellsOf(await workbookOf([madeRecord({ id: 'a', name: 'Echo' })], ['id', 'name']))).toEqual({
      A1: 'id',
      B1: 'name',
      A2: 'a',
      B2: 'Echo',
    });
  });

  it.each([
    ['=HYPERLINK("http://evil.example")', '=HYPERLINK("http://evil.example")'],
    ['<b>"x" & \'y\'</b> ]]>', '<b>"x" & \'y\'</b> ]]>'],
    [' spaces  around ', ' spaces  around '],
    ['two\r\nlines\rthree\n', 'two\nlines\nthree\n'],
    ['tab\there', 'tab\there'],
    ['a\0b\x1fc\ufffe', 'abc'],
    ['\ud800 alone', '\ufffd alone'],
    ['_x000D_ is no escape, _x_ neither', '_x005F_x000D_ is no escape, _x_ neither'],
    ['x'.repeat(40_000), 'x'.repeat(32_767)],
  ])('holds any text as text: %j', async (name, cell) => {
    expect(cellsOf(await workbookOf([madeRecord({ id: 'a', name })], ['name']))).toEqual({ A1: 'name', A2: cell });
  });

  it('names its parts, so that programs open it', async () => {
    const workbook = await workbookOf([]);
    expect([...workbook.keys()]).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      'xl/worksheets/sheet1.xml',
    ]);
    for (const [, text] of workbook) expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"/);
  });

  it('reads a batch only when the one before has been taken, and stops with its reader', async () => {
    const state = { read: 0, isClosed: false };
    const endless = async function* () {
      try {
        for (;;) {
          state.read += 1;
          yield Array.from({ length: 200 }, (_, index) =>
            madeRecord({ id: `${state.read}-${index}`, description: `${Math.random()}`.repeat(100) }),
          );
        }
      } finally {
        state.isClosed = true;
      }
    };
    const file = writeXlsx(endless());
    for await (const chunk of file) {
      if (state.read > 5) break;
      expect(chunk.length).toBeGreaterThan(0);
    }
    await expect.poll(() => state.isClosed).toBe(true);
    expect(state.read).toBeLessThan(50);
  });
});
