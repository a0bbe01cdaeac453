import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyse } from 'scslre';
import { expect, it } from 'vitest';
import { parseAst } from 'vitest/node';

const root = join(import.meta.dirname, '../..');
const sources = globSync('{src,indexer,admin}/**/*.{ts,js}', { cwd: root })
  .filter((file) => !file.endsWith('.d.ts'))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
const reportTypes = { Move: true, Self: true, Trade: true } as const;

/** Why a text can take more time than its length, by what the pattern does with it; empty if it cannot. */
const findFaults = (source: string, flags: string) =>
  analyse({ source, flags }, { reportTypes }).reports.map(({ type }) => type);

/** Every regular expression that is written down below a node of a syntax tree. */
function patternsOf(node: unknown): { pattern: string; flags: string }[] {
  if (typeof node !== 'object' || node === null) return [];
  if ('regex' in node) return [node.regex as { pattern: string; flags: string }];
  return Object.values(node).flatMap(patternsOf);
}

it('a regular expression takes time linear in its text, everywhere in the service and the indexer', () => {
  const patterns = sources.flatMap(({ file, text }) =>
    patternsOf(parseAst(text, { lang: file.endsWith('.ts') ? 'ts' : 'js' })).map((found) => ({ file, ...found })),
  );
  expect(patterns.length).toBeGreaterThan(200);
  const slow = patterns.flatMap(({ file, pattern, flags }) => {
    const faults = findFaults(pattern, flags);
    return faults.length === 0 ? [] : `${file}: /${pattern}/${flags} ${faults.join(' ')}`;
  });
  expect(slow).toEqual([]);
  // The count of an audience that stopped an import for minutes.
  expect(findFaults(String.raw`^\s*(\d[\d.,\s]*)\s*(k|m)?\.?\s*\+?$`, 'i')).not.toEqual([]);
});

it('the server normalizes Unicode in one place, which limits the runs of marks that make it slow', () => {
  const files = sources
    .filter(({ file, text }) => !file.startsWith('src/web/') && /\.normalize\((?:'NF|form)/.test(text))
    .map(({ file }) => file);
  expect(files).toEqual(['src/text/fold.ts']);
});
