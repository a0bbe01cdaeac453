import { analyse } from 'scslre';
import { beforeAll, describe, expect, it } from 'vitest';
import { listPatterns, listSources, type Pattern, readText } from './list-patterns.ts';

const reportTypes = { Move: true, Self: true, Trade: true } as const;

/** Why a text can take more time than its length, by what the pattern does with it; empty if it cannot. */
function findFaults({ source, flags }: Pick<Pattern, 'source' | 'flags'>): string[] {
  return analyse({ source, flags }, { reportTypes }).reports.map(({ type }) => type);
}

describe('a regular expression', () => {
  let patterns: readonly Pattern[];
  beforeAll(async () => {
    patterns = await listPatterns(listSources());
  });

  it('takes time linear in its text, everywhere in the service and the indexer', () => {
    expect(patterns.length).toBeGreaterThan(200);
    const slow = patterns.flatMap((pattern) => {
      const faults = findFaults(pattern);
      return faults.length === 0 ? [] : `${pattern.file}: /${pattern.source}/${pattern.flags} ${faults.join(' ')}`;
    });
    expect(slow).toEqual([]);
  });

  it.each([
    [
      'the count of an audience that stopped an import for minutes',
      String.raw`^\s*(\d[\d.,\s]*)\s*(k|m)?\.?\s*\+?$`,
      'i',
    ],
    [
      'the words before an address that stopped the sync for seconds',
      String.raw`\be-?mail(?:\s+us)?(?:\s+at)?\s*:?\s*@`,
      'gi',
    ],
    ['the end of a text', String.raw`[\s,]+$`, ''],
  ])('is reported if it does not: %s', (_, source, flags) => {
    expect(findFaults({ source, flags })).not.toEqual([]);
  });

  it('is listed even if a module builds it', () => {
    const file = 'src/records/addresses/scrub-addresses.ts';
    const built = patterns.filter((pattern) => pattern.file === file && pattern.source.includes('chiocciola'));
    expect(built.length).toBeGreaterThan(0);
  });
});

describe('Unicode normalization', () => {
  it('happens in one place, which limits the runs of marks that make it slow', () => {
    const files = listSources().filter((file) => /\.normalize\((?:'NF|form)/.test(readText(file)));
    expect(files).toEqual(['src/text/fold.ts']);
  });
});
