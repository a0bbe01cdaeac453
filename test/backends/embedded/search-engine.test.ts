import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { columnsOfRecord, recordColumns } from '#backends/embedded/record-row.ts';
import { SearchEngine } from '#backends/embedded/search/search-engine.ts';
import { answer } from '#backends/embedded/search/search-thread.ts';
import { insertion } from '#backends/embedded/sqlite-store.ts';
import { documentTables } from '#backends/embedded/store/document-tables.ts';
import { tables } from '#backends/embedded/store/upgrade-store.ts';
import { emptyRecord } from '#records/fields.ts';
import { everything, firstPage, type Understanding } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { anyCharacter } from '#testing/form.ts';

const page = firstPage(10);

/** An engine whose index has a record of each name. */
function engineWith(names: readonly string[]): SearchEngine {
  const database = new DatabaseSync(':memory:');
  database.exec(tables);
  const insert = database.prepare(insertion('records', columnsOfRecord));
  for (const [at, name] of names.entries()) {
    const record = emptyRecord(`r${at}`, 'outlet', name);
    const { lastInsertRowid } = insert.run(...Object.values(recordColumns(record)));
    documentTables(database).add(record, Number(lastInsertRowid));
  }
  return new SearchEngine(database);
}

function engineOf(clock?: () => number): SearchEngine {
  const database = new DatabaseSync(':memory:');
  database.exec(tables);
  return new SearchEngine(database, clock);
}

describe('the embedded search engine', () => {
  it('answers whatever is typed', () => {
    const engine = engineOf();
    const syntax = [' ', ...'" - * AND NOT NEAR( ) { } : ^ + \' @ . \\ 人 \0'.split(' ')];
    const typed = fc.oneof(
      fc.string({ maxLength: 500, unit: anyCharacter }),
      fc.array(fc.constantFrom(...syntax, 'www.x.org', 'http://'), { maxLength: 120 }).map((parts) => parts.join('')),
      fc.array(fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom(...'abcdeèñżжш人ไ한ا') }), {
        maxLength: 60,
      }),
    );
    fc.assert(
      fc.property(typed, (q) => {
        const text = understand([q].flat().join(' '));
        expect(engine.search({ text, filters: [] }, page, 'masked').total).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  it('finds the same by a short beginning whether few records are left, which it looks up, or many', () => {
    const many = Array.from({ length: 40 }, (_, at) => `${at % 2 ? 'Fuse' : 'Nova'} Beacon`);
    const engine = engineWith(['Fuse Zebra', 'Nova Zebra', ...many]);
    const find = (q: string) => {
      const text = { ...(understand(q) as Understanding), isStrict: true as const };
      const { records, total } = engine.search({ text, filters: [] }, firstPage(50), 'masked');
      return { total, names: [...new Set(records.map(({ name }) => name))] };
    };
    for (const beginning of ['f', 'fu']) {
      expect(find(`zebra ${beginning}`)).toEqual({ total: 1, names: ['Fuse Zebra'] });
      expect(find(`beacon ${beginning}`)).toEqual({ total: 20, names: ['Fuse Beacon'] });
    }
  });

  it('finds words as they are, and what begins so, once it has the words near them in memory', () => {
    const ends = [...'adkmtz09éżжя人\u{10400}\u{1f600}', "o'k", 'a-b', 'a.b', 'weeklies'];
    const engine = engineWith(ends.map((end) => `Lantern ${end}x Lane ${end}`));
    const find = (q: string, isStrict?: true) => {
      const text = { ...(understand(q) as Understanding), ...(isStrict && { isStrict }) };
      return engine.search({ text, filters: [] }, firstPage(50), 'masked').records.map(({ name }) => name);
    };
    for (const typo of ['Lantrens', 'zxlane', ...ends.map((end) => `${end}xlanes`)]) find(typo);
    for (const end of ends) expect(find(`lane ${end}x`, true)).toContain(`Lantern ${end}x Lane ${end}`);
    expect(find('lane lanter', true)).toHaveLength(ends.length);
  });

  it('gives up a search after two seconds of work', () => {
    let time = 0;
    const engine = engineOf(() => {
      time += 1_500;
      return time;
    });
    const search = () => engine.search({ text: understand('the herald'), filters: [] }, page, 'masked');
    expect(search).toThrow('a search takes too long');
  });

  it('does not work on what waited for a thread for more than three seconds, once it has started', () => {
    const question = {
      path: '',
      method: 'search',
      args: [everything, page, 'masked'],
      maxWait: 3_000_000_000n,
    } as const;
    const now = process.hrtime.bigint() + 60_000_000_000n;
    answer({ ...question, askedAt: 0n });
    vi.spyOn(process.hrtime, 'bigint').mockReturnValue(now);
    expect(answer({ ...question, askedAt: now - 3_100_000_000n })).toEqual({
      outage: 'more is asked than the search threads can answer',
      errcode: null,
    });
    expect(answer({ ...question, askedAt: now })).not.toMatchObject({ outage: expect.stringContaining('threads') });
    vi.restoreAllMocks();
  });
});
