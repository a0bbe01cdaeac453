import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { usualColumns } from '#indexer/importing/columns/column-map.ts';
import { inputAt } from '#indexer/importing/reading/open-input.ts';
import { openRows } from '#indexer/importing/reading/read-rows.ts';
import { useFolder } from '#testing/use.ts';
import { ImportBench } from './import-bench.ts';
import { madeRow, madeWorkbook } from './made-archive.ts';

interface Read {
  /** The rows that would be imported. */
  rows: unknown[];
  /** What is wrong with others, or with the file. */
  faults: string[];
}

const media = Array.from({ length: 2 }, (_, at) => ({
  id: `m${at}`,
  name: `The "Daily", ${at}\nof Ñuñoa`,
  city: `Città ${at}`,
  email: `desk${at}@paper.example`,
}));
const headings = ['id', 'name', 'city', 'email'] as const;
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const csv = [headings.join(','), ...media.map((medium) => headings.map((key) => quoted(medium[key])).join(','))].join(
  '\n',
);

/** Reads what a file is cut to, at each of these lengths. */
async function readCut(name: string, content: Buffer, lengths: Iterable<number>): Promise<Map<number, Read>> {
  const bench = await ImportBench.open();
  const read = new Map<number, Read>();
  for (const length of lengths) {
    read.set(length, await readFile(await bench.write(name, content.subarray(0, length))));
  }
  await bench.close();
  return read;
}

async function readFile(path: string): Promise<Read> {
  const read: Read = { rows: [], faults: [] };
  try {
    const input = await inputAt(path, { sheet: null, encoding: null, columns: usualColumns });
    const source = await input.open();
    try {
      for await (const rows of (await openRows(source, usualColumns)).rows) {
        for (const row of rows) {
          if ('fault' in row) read.faults.push(row.fault.code);
          else read.rows.push({ ...row.source });
        }
      }
    } finally {
      source.close();
    }
  } catch (error) {
    read.faults.push((error as Error).message);
  }
  return read;
}

/** Whether it is what the whole file says, up to some row, with a fault if that is not all. */
function isHonest({ rows, faults }: Read, whole: Read): boolean {
  const isPrefix = JSON.stringify(rows) === JSON.stringify(whole.rows.slice(0, rows.length));
  return isPrefix && (faults.length > 0 || rows.length === whole.rows.length);
}

const every = (content: Buffer) => Array.from({ length: content.length }, (_, length) => length);

describe('a file that is cut off anywhere gives whole rows and a fault, never half a value:', () => {
  it.each([
    ['JSON in an object', 'a.json', Buffer.from(JSON.stringify({ count: 2, data: media, next: null }, null, 1))],
    ['gzipped CSV', 'a.csv.gz', gzipSync(csv)],
  ])('%s', async (_, name, content) => {
    const whole = await readCut(name, content, [content.length]);
    const all = whole.get(content.length) as Read;
    expect(all).toMatchObject({ rows: media, faults: [] });
    const dishonest = [...(await readCut(name, content, every(content)))].filter(([, read]) => !isHonest(read, all));
    expect(dishonest).toEqual([]);
  });

  it('CSV in quotes, unless the cut is before the quote of a last cell, which then is empty', async () => {
    const content = Buffer.from(csv);
    for (const [length, { rows, faults }] of await readCut('a.csv', content, every(content))) {
      const last = content.subarray(0, length).toString().trimEnd();
      if (/"Città \d",$/.test(last)) continue;
      expect(rows).toEqual(media.slice(0, rows.length));
      const isBetweenRows = csv.startsWith(`${last}\n"m`) || headings.join(',').startsWith(last);
      expect([last, isBetweenRows || faults.length > 0]).toEqual([last, true]);
    }
  });

  it('an Excel workbook', async () => {
    const rows = [headings, ...media.map((medium) => headings.map((key) => medium[key]))].map((cells, at) =>
      madeRow(at + 1, [...cells]),
    );
    const whole = await madeWorkbook([{ name: 'S', rows: rows.join('') }]);
    const lengths = every(whole).filter((length) => length % 11 === 0);
    const read = await readCut('a.xlsx', whole, [...lengths, whole.length]);
    expect(read.get(whole.length)?.rows.length).toBe(2);
    read.delete(whole.length);
    expect([...read].filter(([, { rows, faults }]) => rows.length > 0 || faults.length === 0)).toEqual([]);
  });
});

describe('a pipe', () => {
  const path = join(useFolder(), 'list.csv');

  it('is read in pieces, and again', async () => {
    execFileSync('mkfifo', [path]);
    const text = `id,name\n${'1,One\n'.repeat(100_000)}`;
    const options = { sheet: null, encoding: null, columns: usualColumns };
    const [input] = await Promise.all([inputAt(path, options), writeFile(path, text)]);
    for (const _ of ['first', 'again']) {
      const { content } = await input.open();
      const pieces: string[] = await Readable.from('texts' in content ? content.texts : []).toArray();
      expect(pieces.join('') === text).toBe(true);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(text.length / 2);
    }
  });
});
