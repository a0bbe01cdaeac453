import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from '../../test/support/use.ts';
import mutations from './mutations.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');
const copied = ['src', 'indexer', 'admin', 'test', 'clients', 'docs', 'mappings', 'package.json', 'vitest.config.ts'];

/**
 * Breaks one promise of docs/contract.md at a time in a copy of the code, and expects that a test in the file `noticedBy` fails.
 * Runs on the embedded backend; what only the engines do (`onEngines`) on those of the run. `-t 'A5'` tries the promises of one section of the contract.
 */
describe('a broken promise', () => {
  const copy = useFolder();
  beforeAll(() => {
    for (const name of copied) {
      cpSync(join(root, name), join(copy, name), {
        recursive: true,
        filter: (path) => basename(path) !== 'node_modules',
      });
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  });

  /** Runs test files in the copy; returns the exit code and what they printed. */
  async function test(files: readonly string[], onEngines: boolean): Promise<{ code: number; output: string }> {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const engines = onEngines ? { MASTHEAD_TEST_ENGINES: 'required' } : { MASTHEAD_TEST_ENGINES: 'off' };
    const env = { ...process.env, ...engines, VITEST: '' };
    const child = spawn(process.execPath, [vitest, 'run', '--bail', '1', ...files], { cwd: copy, env });
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    return { code, output };
  }

  it('needs tests that pass before it is broken', async () => {
    const { code, output } = await test([...new Set(mutations.map(({ noticedBy }) => noticedBy))], false);
    expect(code, output.slice(-2_000)).toBe(0);
  });

  it.each(mutations)('$promise: noticed by $noticedBy', async ({ from, to, noticedBy, onEngines = false }) => {
    // test/operations/mutations.test.ts checks that it is there, and once.
    const isPlace = (path: string) => readFileSync(join(copy, path), 'utf8').includes(from);
    const place = join(copy, globSync('{src,indexer,admin}/**/*.{ts,js}', { cwd: copy }).find(isPlace) ?? '');
    const whole = readFileSync(place, 'utf8');
    writeFileSync(
      place,
      whole.replace(from, () => to),
    );
    try {
      const { output } = await test([noticedBy], onEngines);
      expect(output).toMatch(/\b[1-9]\d* failed/);
    } finally {
      writeFileSync(place, whole);
    }
  });
});
