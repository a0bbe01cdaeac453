import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fetchOnce } from '#testing/engines/engine-cache.ts';

let cache: string;
const lines: string[] = [];
const log = (line: string) => lines.push(line);

beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'masthead-cache-'));
  lines.length = 0;
});
afterEach(() => rmSync(cache, { recursive: true }));

test('of two simultaneous runs one downloads, and both get the result', async () => {
  let fetches = 0;
  const fetch = async (folder: string) => {
    fetches += 1;
    await wait(50);
    writeFileSync(join(folder, 'engine'), 'program');
  };
  const [first, second] = await Promise.all([
    fetchOnce('engine-1', log, fetch, cache),
    fetchOnce('engine-1', log, fetch, cache),
  ]);
  expect(fetches).toBe(1);
  expect(first).toBe(second);
  expect(readFileSync(join(first, 'engine'), 'utf8')).toBe('program');
  expect(readdirSync(cache)).toEqual(['engine-1']);
});

test('what is in the cache is not downloaded again', async () => {
  mkdirSync(join(cache, 'engine-1'));
  const fetchAgain = () => Promise.reject(new Error('fetched again'));
  await expect(fetchOnce('engine-1', log, fetchAgain, cache)).resolves.toBe(join(cache, 'engine-1'));
});

test('a failed download leaves nothing behind, and the next one starts over', async () => {
  const fail = async (folder: string) => {
    writeFileSync(join(folder, 'half'), '');
    throw new Error('cut off');
  };
  await expect(fetchOnce('engine-1', log, fail, cache)).rejects.toThrow('cut off');
  expect(readdirSync(cache)).toEqual([]);
  const folder = await fetchOnce('engine-1', log, async (made) => writeFileSync(join(made, 'whole'), ''), cache);
  expect(readdirSync(folder)).toEqual(['whole']);
});

test('what a run killed during a download left is taken over and removed', async () => {
  mkdirSync(join(cache, '.engine-1-abcdef'));
  mkdirSync(join(cache, 'engine-1.lock'));
  const longAgo = new Date(Date.now() - 3_600_000);
  utimesSync(join(cache, 'engine-1.lock'), longAgo, longAgo);
  await fetchOnce('engine-1', log, async () => {}, cache);
  expect(readdirSync(cache)).toEqual(['engine-1']);
  expect(lines).toEqual(['waiting for another run that fetches engine-1 …']);
});

test('every user can read what was downloaded, and run its programs', async () => {
  const folder = await fetchOnce(
    'engine-1',
    log,
    async (made) => {
      mkdirSync(join(made, 'bin'), { mode: 0o700 });
      writeFileSync(join(made, 'bin', 'program'), '', { mode: 0o700 });
      writeFileSync(join(made, 'settings'), '', { mode: 0o600 });
    },
    cache,
  );
  const mode = (...names: string[]) => (statSync(join(folder, ...names)).mode & 0o777).toString(8);
  expect([mode(), mode('bin'), mode('bin', 'program'), mode('settings')]).toEqual(['755', '755', '755', '644']);
});
