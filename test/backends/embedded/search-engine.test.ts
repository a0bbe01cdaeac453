import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { tables } from '#backends/embedded/schema.ts';
import { SearchEngine } from '#backends/embedded/search-engine.ts';
import { answer } from '#backends/embedded/search-thread.ts';
import { everything, firstPage } from '#search/search-query.ts';
import { understand } from '#search/understand.ts';
import { anyCharacter } from '#testing/form.ts';

const page = firstPage(10);

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
    const question = { path: '', method: 'search', args: [everything, page, 'masked'] } as const;
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
