import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runFetcher } from '#testing/engines/run-fetcher.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'masthead-fetcher-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (program: string, limits = {}) =>
  runFetcher(process.execPath, ['-e', program], { folder, log: () => {}, ...limits });

test('a failing client is reported with its last output', async () => {
  const program = 'console.error("no such artifact"); process.exit(3)';
  await expect(run(program)).rejects.toThrow(/failed: no such artifact$/);
});

test('a missing client is reported by name', async () => {
  const fetch = runFetcher('masthead-no-such-client', [], { folder, log: () => {} });
  await expect(fetch).rejects.toThrow(/masthead-no-such-client/);
});

test('a client that receives nothing is stopped', async () => {
  const hang = 'setInterval(() => {}, 1000)';
  await expect(run(hang, { progressMs: 20, stallMs: 100 })).rejects.toThrow(/got nothing for 0.1 s and was ended/);
});

test('a client that receives data keeps running, with progress', async () => {
  const lines: string[] = [];
  const grow = `
    const { appendFileSync } = require('node:fs');
    let left = 60;
    const timer = setInterval(() => {
      appendFileSync('part', Buffer.alloc(1e6));
      if (--left === 0) clearInterval(timer);
    }, 50);`;
  await run(grow, { progressMs: 50, stallMs: 2_000, log: (line: string) => lines.push(line) });
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatch(/^ {2}… \d+ MB$/);
});
